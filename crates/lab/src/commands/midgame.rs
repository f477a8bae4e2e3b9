//! `umigame-lab midgame`: searches of twenty midgame positions to a fixed depth.

use std::io::Write;
use std::time::Duration;

use anyhow::Result;
use clap::Args;
use umigame::bench::parse_confidence;
use umigame::bench::{RepeatArgs, SearchArgs, nodes_per_second};
use umigame_engine::Confidence;
use umigame_engine::SharedEvaluation;
use umigame_lab::measure::{MidgameRow, midgame_limits, midgame_positions};
use umigame_support::exit::Exit;

use super::common::{engine, write_json};

/// Search twenty positions of games after 12 to 30 plies to a fixed depth
#[derive(Args, Debug)]
#[command(after_help = "\
Example:
  umigame-lab midgame --lines 4 --runs 3")]
pub(super) struct MidgameArgs {
    /// Depth in plies
    #[arg(long, value_name = "1-60", default_value_t = 18,
          value_parser = clap::value_parser!(u32).range(1..=60))]
    depth: u32,

    /// Confidence of selective cutoffs: 73, 87, 95, 98, 99, or 100 for none
    #[arg(long, value_name = "PERCENT", default_value = "95", value_parser = parse_confidence)]
    confidence: Confidence,

    /// Number of best moves that get an exact eval
    #[arg(long, value_name = "COUNT", default_value_t = 1,
          value_parser = clap::value_parser!(u32).range(1..=64))]
    lines: u32,

    #[command(flatten)]
    search: SearchArgs,
}

pub(super) fn run(
    evaluation: &SharedEvaluation,
    args: &MidgameArgs,
    out: &mut dyn Write,
) -> Result<Exit> {
    let SearchArgs { threads, repeat: RepeatArgs { hash, runs }, jsonl } = args.search;
    let mut engine = engine(evaluation, hash, threads)?;
    let limits = midgame_limits(args.depth, args.confidence).with_lines(args.lines as usize);
    if !jsonl {
        writeln!(
            out,
            "# depth {}@{}, {} lines, {threads} threads, {hash} MB, median of {runs} runs",
            args.depth, args.confidence, args.lines
        )?;
        writeln!(out, "# no.  empties   score  move          nodes    seconds      nodes/s")?;
    }
    let positions = midgame_positions();
    let (mut nodes, mut seconds, mut longest) = (0, 0.0, 0.0f64);
    for (index, &position) in positions.iter().enumerate() {
        let row = MidgameRow::measure(&mut engine, index + 1, position, &limits, runs);
        (nodes, seconds) = (nodes + row.nodes, seconds + row.seconds);
        longest = longest.max(row.seconds);
        if jsonl {
            write_json(&row, out)?;
        } else {
            write_row(&row, out)?;
        }
        out.flush()?;
    }
    if !jsonl {
        let count = positions.len() as f64;
        let speed = nodes_per_second(nodes, Duration::from_secs_f64(seconds));
        writeln!(out, "# all {nodes:37} {seconds:10.3} {speed:12.0}")?;
        let (mean_nodes, mean) = (nodes as f64 / count, seconds / count);
        writeln!(out, "# mean {mean_nodes:36.0} {mean:10.3}, longest {longest:.3} s")?;
    }
    Ok(Exit::Done)
}

fn write_row(row: &MidgameRow, out: &mut dyn Write) -> Result<()> {
    let MidgameRow { number, empties, score, r#move, nodes, seconds, nodes_per_second, .. } = row;
    writeln!(
        out,
        "{number:5} {empties:8} {score:+7.2}  {move:4} {nodes:14} {seconds:10.3} \
         {nodes_per_second:12.0}"
    )?;
    Ok(())
}
