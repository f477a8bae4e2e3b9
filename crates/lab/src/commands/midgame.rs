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
    let position = |game: &&str| {
        let record = transcript::parse(game).expect("a game of the table");
        record.board().expect("a game of the table").position()
    };
    GAMES.iter().map(position).collect()
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
        for (index, position) in positions.iter().enumerate() {
            let plies = if index == 19 { 20 } else { 12 + index as u32 };
            assert_eq!(60 - position.empties(), plies, "{}", GAMES[index]);
            assert!(!position.is_over() && !positions[..index].contains(position));
        }
    }
}
