//! `umigame-lab midgame`: searches to a fixed depth of twenty positions as they occur in real games.

use std::io::Write;
use std::time::Duration;

use anyhow::Result;
use clap::Args;
use serde::Serialize;
use umigame::bench::{
    RepeatArgs, SearchArgs, median_by, nodes_per_second, parse_confidence, time_searches,
};
use umigame_engine::{Confidence, Engine, Limits, SharedEvaluation};
use umigame_othello::{Position, formats::transcript};
use umigame_support::exit::Exit;

use super::common::{engine, write_json};

/// Twenty games cut off after 12, 13, ... 30 plies and the last after 20. The first eight plies
/// of each are random, the others self-play of this engine.
const GAMES: &str = include_str!("midgame.txt");

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
    let limits = Limits::midgame(args.depth, args.confidence).with_lines(args.lines as usize);
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

/// Returns the twenty positions, with 48 to 30 empties.
pub(super) fn midgame_positions() -> Vec<Position> {
    let position = |game: &str| {
        let record = transcript::parse(game).expect("a game of the file");
        record.board().expect("a game of the file").position()
    };
    GAMES.lines().map(position).collect()
}

/// A searched position.
#[derive(Serialize, Clone, Debug)]
pub(super) struct MidgameRow {
    /// Number of the position, from 1.
    number: usize,
    /// Empties of the position.
    empties: u32,
    /// Best move.
    r#move: String,
    /// Eval of the best move in discs, for the side to move.
    score: f64,
    /// Depth and confidence reached, such as `18@95%`.
    depth: String,
    /// Nodes of the run of median time.
    pub(super) nodes: u64,
    /// Median time in seconds.
    seconds: f64,
    /// Nodes per second.
    nodes_per_second: f64,
}

impl MidgameRow {
    /// Searches a position `runs` times with an empty table and returns the run of median time.
    pub(super) fn measure(
        engine: &mut Engine,
        number: usize,
        position: Position,
        limits: &Limits,
        runs: usize,
    ) -> MidgameRow {
        let searches = time_searches(engine, position, limits, runs);
        let search = median_by(searches, |search| search.time).unwrap_or_default();
        let best = search.report.best();
        MidgameRow {
            number,
            empties: position.empties(),
            r#move: best.map_or("-".to_owned(), |line| line.first().to_string()),
            score: best.map_or(0.0, |line| line.eval().discs()),
            depth: search.report.kind.to_string(),
            nodes: search.report.nodes,
            seconds: search.time.as_secs_f64(),
            nodes_per_second: nodes_per_second(search.report.nodes, search.time),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_positions_differ_and_have_the_stated_empties() {
        let positions = midgame_positions();
        assert_eq!(positions.len(), 20);
        for (index, position) in positions.iter().enumerate() {
            let plies = if index == 19 { 20 } else { 12 + index as u32 };
            assert_eq!(60 - position.empties(), plies, "game {index}");
            assert!(!position.is_over() && !positions[..index].contains(position));
        }
    }
}
