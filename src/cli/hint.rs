//! `umigame hint`: the best moves of one position.

use std::io::Write;

use anyhow::Result;
use serde::Serialize;
use umigame_engine::eval::SharedEvaluation;
use umigame_engine::search::{Bound, Report, ReportLine, ScoreKind, Silent};
use umigame_othello::game::openings;
use umigame_othello::{Color, Move, position_text};

use crate::session::{BookMove, Trust};

use super::args::{GameArgs, HintArgs};
use super::json::write_line;
use super::{Outcome, settings};

pub(super) fn run(
    evaluation: &SharedEvaluation,
    args: HintArgs,
    out: &mut dyn Write,
) -> Result<Outcome> {
    let game = GameArgs { engine: args.engine, book: args.book, ..GameArgs::default() };
    let board = args.position.read()?;
    let (position, side) = (board.position(), board.side_to_move());
    let names = [openings::english(&board), openings::japanese(&board)];
    let mut session = settings::session(evaluation, &game)?;
    session.set_board(board);
    let known = session.book_moves(args.count as usize);
    let report = match known.is_empty() {
        true => session.hint(args.count as usize, &Silent::default()),
        false => Report::default(),
    };
    if args.jsonl {
        for one in &known {
            write_line(&HintRecord::of_book(one, names), out)?;
        }
        for line in &report.lines {
            write_line(&HintRecord::new(line, &report, names), out)?;
        }
    } else {
        let name = names[0].map_or(String::new(), |name| format!(", {name}"));
        writeln!(out, "# {}{name}", position_text(position, side))?;
        match known.is_empty() {
            true => write_table(&report, side, out)?,
            false => write_known(&known, side, out)?,
        }
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

/// The moves of a book as a table for people.
pub(super) fn write_known(known: &[BookMove], side: Color, out: &mut dyn Write) -> Result<()> {
    for one in known {
        let (first, eval, line) = (one.played(), one.eval.to_string(), pv(&one.line));
        writeln!(out, "{first:4}  {eval:>8}   book  {line}  ({})", known_text(one))?;
    }
    writeln!(out, "# scores for {side}, from the book")?;
    Ok(())
}

/// What is behind a move of the book: `12 games, 58.3% won, searched`.
pub(super) fn known_text(known: &BookMove) -> String {
    let rate = known.win_rate.map_or(String::new(), |rate| format!(", {:.1}% won", 100.0 * rate));
    let trust = known.trust.map_or(String::new(), |trust| format!(", {trust}"));
    format!("{} games{rate}{trust}", known.games)
}

/// An estimate with its fraction, a proven score as discs, a proven result
/// as a word, each with `>=` or `<=` where it is a bound.
pub(super) fn score_text(line: &ReportLine, kind: ScoreKind) -> String {
    let number = match kind {
        ScoreKind::Exact => line.eval.round().to_string(),
        ScoreKind::WinLossDraw => match line.eval.centidiscs().signum() {
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
    /// Games of the book, where the move is its.
    #[serde(skip_serializing_if = "Option::is_none")]
    games: Option<u32>,
    #[serde(skip_serializing_if = "Option::is_none")]
    win_rate: Option<f64>,
}

impl HintRecord {
    fn new(line: &ReportLine, report: &Report, names: [Option<&'static str>; 2]) -> HintRecord {
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
            games: None,
            win_rate: None,
        }
    }

    /// A move of the book: nothing was searched, and `depth` says `book`.
    fn of_book(known: &BookMove, names: [Option<&'static str>; 2]) -> HintRecord {
        HintRecord {
            r#move: known.played().to_string(),
            score: known.eval.discs(),
            bound: "exact",
            depth: "book".to_owned(),
            proven: known.trust == Some(Trust::Exact),
            pv: known.line.iter().map(Move::to_string).collect(),
            nodes: 0,
            seconds: 0.0,
            opening: names[0],
            opening_japanese: names[1],
            games: Some(known.games),
            win_rate: known.win_rate,
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
