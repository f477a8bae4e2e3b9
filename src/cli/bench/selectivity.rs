//! `umigame bench selectivity`: what cutting unlikely branches saves, and
//! what it costs.

use std::io::Write;
use std::time::Duration;

use anyhow::Result;
use serde::Serialize;
use umigame_engine::eval::SharedEvaluation;
use umigame_engine::search::{Confidence, Engine, Limits};
use umigame_othello::{Move, Position};

use super::ffo::engine;
use super::timed;
use crate::cli::args::SelectivityArgs;
use crate::cli::json::write_line;
use crate::cli::{Outcome, position};

/// What the searches of one level came to.
#[derive(Serialize, Default, Debug)]
struct Row {
    percent: u8,
    nodes: u64,
    /// Nodes, against those of the full search.
    share_of_nodes: f64,
    seconds: f64,
    /// Mean distance from the value of the full search, in discs.
    error: f64,
    /// The greatest distance.
    worst: f64,
    /// How often the move is that of the full search, in percent.
    same_move: f64,
}

/// What one search found.
struct Found {
    nodes: u64,
    time: Duration,
    discs: f64,
    best: Option<Move>,
}

pub(super) fn run(
    evaluation: &SharedEvaluation,
    args: &SelectivityArgs,
    out: &mut dyn Write,
) -> Result<Outcome> {
    let mut engine = engine(evaluation, args.hash, 1)?;
    let mut positions = position::openings(&args.file)?;
    positions.truncate(args.positions);
    if !args.jsonl {
        let count = positions.len();
        writeln!(out, "# {count} positions, depth {}, {} MB, one thread", args.depth, args.hash)?;
        writeln!(out, "# sure          nodes   share    seconds   error   worst  same move")?;
    }
    let full = search(&mut engine, &positions, args.depth, Confidence::FULL);
    let levels = Confidence::all().filter(|&level| level != Confidence::FULL);
    let selective = levels.map(|level| {
        let found = search(&mut engine, &positions, args.depth, level);
        row(level, &found, &full)
    });
    let rows = std::iter::once(row(Confidence::FULL, &full, &full)).chain(selective);
    for row in rows {
        if args.jsonl {
            write_line(&row, out)?;
        } else {
            let Row { percent, nodes, share_of_nodes, seconds, error, worst, same_move } = row;
            writeln!(
                out,
                "{percent:4} % {nodes:14}  {share_of_nodes:6.3} {seconds:10.3} {error:7.2} \
                 {worst:7.2} {same_move:8.1} %"
            )?;
        }
        out.flush()?;
    }
    Ok(Outcome::Done)
}

/// Each position with nothing in the table; endings are not what is measured.
fn search(
    engine: &mut Engine,
    positions: &[Position],
    depth: u32,
    level: Confidence,
) -> Vec<Found> {
    let limits = Limits { solve_from: 0, ..Limits::depth(depth) }.with_confidence(level);
    let found = |&position: &Position| {
        let (time, report) = timed(engine, position, &limits, 1).pop().unwrap_or_default();
        let best = report.best();
        Found {
            nodes: report.nodes,
            time,
            discs: best.map_or(0.0, |line| line.eval.discs()),
            best: best.map(|line| line.first()),
        }
    };
    positions.iter().map(found).collect()
}

fn row(level: Confidence, found: &[Found], full: &[Found]) -> Row {
    let count = found.len().max(1) as f64;
    let nodes = |found: &[Found]| found.iter().map(|found| found.nodes).sum::<u64>();
    let pairs = || found.iter().zip(full);
    let errors = || pairs().map(|(one, full)| (one.discs - full.discs).abs());
    let same = pairs().filter(|(one, full)| one.best == full.best).count();
    Row {
        percent: level.percent(),
        nodes: nodes(found),
        share_of_nodes: nodes(found) as f64 / nodes(full).max(1) as f64,
        seconds: found.iter().map(|found| found.time).sum::<Duration>().as_secs_f64(),
        error: errors().sum::<f64>() / count,
        worst: errors().fold(0.0, f64::max),
        same_move: 100.0 * same as f64 / count,
    }
}
