//! `umigame-lab selectivity`: nodes saved and accuracy lost by multi-ProbCut, against the full search.

use std::io::Write;
use std::path::PathBuf;
use std::time::Duration;

use anyhow::Result;
use clap::Args;
use serde::Serialize;
use umigame::bench::time_searches;
use umigame_engine::{Confidence, Engine, Limits, SharedEvaluation};
use umigame_othello::{Move, Position};
use umigame_support::exit::Exit;

use super::common::{engine, read_positions, write_json};

/// Search openings to a fixed depth at every confidence: nodes saved by selective cutoffs, and
/// errors against the full search
#[derive(Args, Debug)]
#[command(after_help = "\
Example:
  umigame-lab selectivity xot.txt --depth 14 --positions 200")]
pub(super) struct SelectivityArgs {
    /// Openings, one per line: moves, or positions
    #[arg(value_name = "FILE")]
    file: PathBuf,

    /// Depth in plies
    #[arg(long, value_name = "1-60", default_value_t = 14,
          value_parser = clap::value_parser!(u32).range(1..=60))]
    depth: u32,

    /// Number of openings, from the start of the file
    #[arg(long, value_name = "COUNT", default_value_t = 200)]
    positions: usize,

    /// Size of the transposition table in MB
    #[arg(long, value_name = "MB", default_value_t = 64)]
    hash: u32,

    /// Print JSON Lines, one object per confidence
    #[arg(long)]
    jsonl: bool,
}

pub(super) fn run(
    evaluation: &SharedEvaluation,
    args: &SelectivityArgs,
    out: &mut dyn Write,
) -> Result<Exit> {
    let mut engine = engine(evaluation, args.hash, 1)?;
    let positions = read_positions(&args.file, args.positions)?;
    if !args.jsonl {
        let count = positions.len();
        writeln!(out, "# {count} positions, depth {}, {} MB, one thread", args.depth, args.hash)?;
        writeln!(out, "# sure          nodes   share    seconds   error   worst  same move")?;
    }
    for row in selectivity_rows(&mut engine, &positions, args.depth) {
        if args.jsonl {
            write_json(&row, out)?;
        } else {
            let SelectivityRow { percent, nodes, share_of_nodes, seconds, .. } = row;
            let SelectivityRow { error, worst, same_move, .. } = row;
            writeln!(
                out,
                "{percent:4} % {nodes:14}  {share_of_nodes:6.3} {seconds:10.3} {error:7.2} \
                 {worst:7.2} {same_move:8.1} %"
            )?;
        }
        out.flush()?;
    }
    Ok(Exit::Done)
}

/// Searches of all positions at one confidence, compared with those at 100 %.
#[derive(Serialize, Clone, Default, Debug)]
struct SelectivityRow {
    /// Confidence in percent.
    percent: u8,
    /// Nodes of all searches.
    nodes: u64,
    /// Nodes as a fraction of those of the full search.
    share_of_nodes: f64,
    /// Time of all searches in seconds.
    seconds: f64,
    /// Mean absolute error of the eval, in discs.
    error: f64,
    /// Largest absolute error, in discs.
    worst: f64,
    /// Searches with the best move of the full search, in percent.
    same_move: f64,
}

/// One search.
struct Searched {
    nodes: u64,
    time: Duration,
    discs: f64,
    best: Option<Move>,
}

/// Searches the positions to `depth` plies, first at 100 %, then at each lower confidence as the
/// iterator advances.
fn selectivity_rows<'a>(
    engine: &'a mut Engine,
    positions: &'a [Position],
    depth: u32,
) -> impl Iterator<Item = SelectivityRow> + 'a {
    let mut full: Option<Vec<Searched>> = None;
    let selective = Confidence::all().filter(|&confidence| confidence != Confidence::FULL);
    std::iter::once(Confidence::FULL).chain(selective).map(move |confidence| {
        let searched = search_all(engine, positions, depth, confidence);
        let row = compare(confidence, &searched, full.as_ref().unwrap_or(&searched));
        full.get_or_insert(searched);
        row
    })
}

fn search_all(
    engine: &mut Engine,
    positions: &[Position],
    depth: u32,
    confidence: Confidence,
) -> Vec<Searched> {
    let limits = Limits::midgame(depth, confidence);
    let search = |&position: &Position| {
        let search = time_searches(engine, position, &limits, 1).pop().unwrap_or_default();
        let best = search.report.best();
        Searched {
            nodes: search.report.nodes,
            time: search.time,
            discs: best.map_or(0.0, |line| line.eval().discs()),
            best: best.map(|line| line.first()),
        }
    };
    positions.iter().map(search).collect()
}

fn compare(confidence: Confidence, searched: &[Searched], full: &[Searched]) -> SelectivityRow {
    let count = searched.len().max(1) as f64;
    let nodes = |searches: &[Searched]| searches.iter().map(|search| search.nodes).sum::<u64>();
    let pairs = || searched.iter().zip(full);
    let errors = || pairs().map(|(search, full)| (search.discs - full.discs).abs());
    let same = pairs().filter(|(search, full)| search.best == full.best).count();
    SelectivityRow {
        percent: confidence.percent(),
        nodes: nodes(searched),
        share_of_nodes: nodes(searched) as f64 / nodes(full).max(1) as f64,
        seconds: searched.iter().map(|search| search.time).sum::<Duration>().as_secs_f64(),
        error: errors().sum::<f64>() / count,
        worst: errors().fold(0.0, f64::max),
        same_move: 100.0 * same as f64 / count,
    }
}
