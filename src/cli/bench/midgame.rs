//! `umigame bench midgame`: a selective search to a depth, from positions
//! as they come up in real games.

use std::io::Write;
use std::time::Duration;

use anyhow::Result;
use serde::Serialize;
use umigame_engine::eval::SharedEvaluation;
use umigame_engine::search::{Engine, Limits};
use umigame_othello::Position;

use super::ffo::engine;
use super::{median, speed, timed};
use crate::cli::args::{MidgameArgs, RepeatArgs, SearchArgs};
use crate::cli::json::write_line;
use crate::cli::{Outcome, position};

/// Twenty games, stopped after 12, 13, and so on to 30 plies, the last one
/// after 20. In each the first eight plies are random; the others were played
/// by this engine against itself.
const GAMES: [&str; 20] = [
    "f5d6c6f6e6f4e3c5d3c3g3g4",
    "f5d6c3g5e6f6h5e3f4d3f3d2c4",
    "f5d6c4f3c5e6d7b4f4b6e3d3b5c6",
    "f5f4c3e6f6c4d3g4f3g5c5e3g6g3d7",
    "f5f6d3e3f2g6f3c5d6e2f1c4e6f4g4d2",
    "f5f4d3d6e6c4c6g6c3c5f6e3b4e7b5g5f2",
    "f5f4f3d6c3g3c5f6h3c4d3e6b5b4a5a6a7a3",
    "f5f6d3f4g5c4c3g6f3h6g3e6c5e3g4f2d6h5h4",
    "f5f6e6f4g3e7d3c5d6f3e3c6b5e2g5c3c2d2b3g2",
    "f5d6c4d3e2f4g4b3f6d2c6e6c5e3f3b4c1f2f1c7c3",
    "f5f6e6f4c3d6d7c7f7c6e3f3c5d8g6e7d3g4e8h6g3f2",
    "f5d6c3g5f6f4g4d3h6f3e6e7e3d2g3e2d1b4c1f1f2h5h4",
    "f5f4f3g4c3f2e3d3c2f6e2c4g3d1h4d6e6h3f7h5e1f1b3b4",
    "f5f4e3d2c4e6g4h3d6f3g6f6g5h4d7h6h5d3e7f7g3e8d8c8c7",
    "f5f6e6d6c5c4f7c6e7f3e3d3c3f4b3g5d7b4e2c8d8c7d2g6g3c2",
    "f5f6c4c3d3e3f3d6c6f4e6c5e2d2g5d7b4e7b5g4f2b3c7g3c1d1f1",
    "f5f6f7d6c6c5b5g7e6f8g6c4d7b6h8c7g8d8e8f3e3f4g5d3f2g4h5g3",
    "f5f4f3f6f7g5d3g7d6e3f2f8g3c2c3g4h4h3h6f1e7d2e2g6h2e6h5c7c5",
    "f5f4d3f6g5h6h5d6e3h4e6c5g4e7c6h3c7c8b5g3d7b6e8f8g8a4f7b4a6c3",
    "f5f6e6d6c7g5c4e3f4c6c5f3e2b5e7c3b3b4c2b7",
];

/// One searched position.
#[derive(Serialize, Clone, Debug)]
struct Row {
    number: usize,
    empties: u32,
    r#move: String,
    /// Discs, for the side to move.
    score: f64,
    depth: String,
    nodes: u64,
    seconds: f64,
    nodes_per_second: f64,
}

pub(super) fn run(
    evaluation: &SharedEvaluation,
    args: &MidgameArgs,
    out: &mut dyn Write,
) -> Result<Outcome> {
    let SearchArgs { threads, repeat: RepeatArgs { hash, runs }, jsonl } = args.search;
    let mut engine = engine(evaluation, hash, threads)?;
    // Endings are not what is measured.
    let limits = Limits { solve_from: 0, ..Limits::depth(args.depth) }
        .with_confidence(args.selectivity)
        .with_lines(args.lines as usize);
    if !jsonl {
        writeln!(
            out,
            "# depth {}@{}, {} lines, {threads} threads, {hash} MB, median of {runs} runs",
            args.depth, args.selectivity, args.lines
        )?;
        writeln!(out, "# no.  empties   score  move          nodes    seconds      nodes/s")?;
    }
    let (mut nodes, mut seconds, mut longest) = (0, 0.0, 0.0f64);
    for (index, game) in GAMES.iter().enumerate() {
        let row = search(&mut engine, index + 1, read(game)?, &limits, runs);
        (nodes, seconds) = (nodes + row.nodes, seconds + row.seconds);
        longest = longest.max(row.seconds);
        if jsonl {
            write_line(&row, out)?;
        } else {
            let Row { number, empties, score, r#move, nodes, seconds, nodes_per_second, .. } = row;
            writeln!(
                out,
                "{number:5} {empties:8} {score:+7.2}  {move:4} {nodes:14} {seconds:10.3} \
                 {nodes_per_second:12.0}"
            )?;
        }
        out.flush()?;
    }
    if !jsonl {
        let count = GAMES.len() as f64;
        let speed = speed(nodes, Duration::from_secs_f64(seconds));
        writeln!(out, "# all {nodes:37} {seconds:10.3} {speed:12.0}")?;
        let (mean_nodes, mean) = (nodes as f64 / count, seconds / count);
        writeln!(out, "# mean {mean_nodes:36.0} {mean:10.3}, longest {longest:.3} s")?;
    }
    Ok(Outcome::Done)
}

fn read(game: &str) -> Result<Position> {
    Ok(position::read(game, None)?.position())
}

/// Searches a position a few times with nothing in the table; the time is
/// the median.
fn search(
    engine: &mut Engine,
    number: usize,
    position: Position,
    limits: &Limits,
    runs: usize,
) -> Row {
    let reports = timed(engine, position, limits, runs);
    let (time, report) = median(reports, |&(time, _)| time).unwrap_or_default();
    let best = report.best();
    Row {
        number,
        empties: position.empties(),
        r#move: best.map_or("-".to_owned(), |line| line.first().to_string()),
        score: best.map_or(0.0, |line| line.eval.discs()),
        depth: report.kind.to_string(),
        nodes: report.nodes,
        seconds: time.as_secs_f64(),
        nodes_per_second: speed(report.nodes, time),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_games_are_legal_and_differ_and_stop_after_their_plies() {
        let positions: Vec<Position> =
            GAMES.iter().map(|game| read(game).expect("a legal game")).collect();
        for (index, position) in positions.iter().enumerate() {
            let plies = if index == 19 { 20 } else { 12 + index as u32 };
            assert_eq!(60 - position.empties(), plies, "{}", GAMES[index]);
            assert!(!position.is_over() && !positions[..index].contains(position));
        }
    }
}
