//! `umigame hint`: the best moves of one position.

use std::io::Write;

use anyhow::Result;
use serde::Serialize;
use umigame::board::{Color, Move, position_text};
use umigame::game::openings;
use umigame::search::{Bound, Kind, Line, Report, Silent};
use umigame::session::Session;

use super::args::{EngineArgs, HintArgs};
use super::json::write_line;
use super::{Outcome, bad_input, position, settings};

pub(super) fn run(args: HintArgs, outer: EngineArgs, out: &mut dyn Write) -> Result<Outcome> {
    let engine = args.engine.or(outer)?;
    if engine.game_time.is_some() {
        return Err(bad_input("--game-time: hint takes --move-time instead"));
    }
    let board = position::read(&args.position, args.side.as_deref())?;
    let (position, side) = (board.position(), board.side_to_move());
    let names = [openings::english(&board), openings::japanese(&board)];
    let mut session = Session::new(settings::options(&engine)).map_err(settings::explain_table)?;
    session.set_board(board);
    let report = session.hint(args.count as usize, &Silent::default());
    if args.jsonl {
        for line in &report.lines {
            write_line(&HintRecord::new(line, &report, names), out)?;
        }
    } else {
        let name = names[0].map_or(String::new(), |name| format!(", {name}"));
        writeln!(out, "# {}{name}", position_text(position, side))?;
        write_table(&report, side, out)?;
    }
    Ok(Outcome::Done)
}

/// The lines of a report as a table for people.
pub(super) fn write_table(report: &Report, side: Color, out: &mut dyn Write) -> Result<()> {
    if report.lines.is_empty() {
        writeln!(out, "the game is over")?;
        return Ok(());
    }
    for line in &report.lines {
        let score = score_text(line, report.kind);
        writeln!(out, "{:4}  {score:>8}  {:>5}  {}", line.first(), report.kind, pv(&line.moves))?;
    }
    writeln!(
        out,
        "# scores for {side}, {} nodes, {:.3} s",
        report.nodes,
        report.elapsed.as_secs_f64()
    )?;
    Ok(())
}

/// An estimate with its fraction, a proven score as discs, a proven result
/// as a word, each with `>=` or `<=` where it is a bound.
pub(super) fn score_text(line: &Line, kind: Kind) -> String {
    let number = match kind {
        Kind::Exact => line.eval.round().to_string(),
        Kind::WinLossDraw => match line.eval.centidiscs().signum() {
            1 => "win".to_owned(),
            0 => "draw".to_owned(),
            _ => "loss".to_owned(),
        },
        _ => line.eval.to_string(),
    };
    match line.bound {
        Bound::Exact => number,
        Bound::Lower => format!(">={number}"),
        Bound::Upper => format!("<={number}"),
    }
}

/// Moves with a blank between them.
pub(super) fn pv(moves: &[Move]) -> String {
    moves.iter().map(Move::to_string).collect::<Vec<_>>().join(" ")
}

/// One line of `--jsonl`.
#[derive(Serialize, Debug)]
struct HintRecord {
    r#move: String,
    /// In discs, for the side to move.
    score: f64,
    bound: &'static str,
    depth: String,
    proven: bool,
    pv: Vec<String>,
    nodes: u64,
    seconds: f64,
    opening: Option<&'static str>,
    opening_japanese: Option<&'static str>,
}

impl HintRecord {
    fn new(line: &Line, report: &Report, names: [Option<&'static str>; 2]) -> HintRecord {
        HintRecord {
            r#move: line.first().to_string(),
            score: line.eval.discs(),
            bound: bound_text(line.bound),
            depth: report.kind.to_string(),
            proven: report.kind.is_proven(),
            pv: line.moves.iter().map(Move::to_string).collect(),
            nodes: report.nodes,
            seconds: report.elapsed.as_secs_f64(),
            opening: names[0],
            opening_japanese: names[1],
        }
    }
}

/// The word for a bound in JSON.
pub(super) fn bound_text(bound: Bound) -> &'static str {
    match bound {
        Bound::Exact => "exact",
        Bound::Lower => "lower",
        Bound::Upper => "upper",
    }
}
