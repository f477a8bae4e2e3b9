//! Moves with their scores, as text for people and as JSON.

use std::io::Write;

use anyhow::Result;
use serde::Serialize;
use umigame_analysis::estimate::{EstimateRecord, uncertainty_text};
use umigame_analysis::values::{self, SquareValue, score_text};
use umigame_engine::{Bound, Report, ReportLine};
use umigame_othello::openings;
use umigame_othello::{Board, Color, Move, position_text};

use crate::session::{BookMove, Trust};

use super::board_view::{Style, draw_with_values, result};
use super::json::write_line;

/// More moves than a position has.
pub(super) const MAX_MOVES: usize = 64;

/// Moves of a position: those of a book, or else of a search.
pub(super) struct Hints<'a> {
    pub board: &'a Board,
    pub book_moves: &'a [BookMove],
    pub report: &'a Report,
}

impl Hints<'_> {
    /// Returns the values of the moves.
    pub(super) fn values(&self) -> Vec<SquareValue> {
        let eval = |book: &BookMove| Some((book.played().square()?, book.eval));
        let known: Vec<_> = self.book_moves.iter().filter_map(eval).collect();
        if known.is_empty() { values::of_report(self.report) } else { values::of_evals(&known) }
    }
}

/// Writes the moves as a table under the position and its opening, and where wanted under the board
/// with their values.
pub(super) fn hints_as_text(hints: &Hints<'_>, drawn: bool, out: &mut dyn Write) -> Result<()> {
    let Hints { board, book_moves, report } = hints;
    let side = board.side_to_move();
    let name = openings::english(board).map_or(String::new(), |name| format!(", {name}"));
    writeln!(out, "# {}{name}", position_text(board.position(), side))?;
    if drawn {
        write!(out, "{}", draw_with_values(board, &hints.values(), Style::of_stdout()))?;
    }
    if board.is_over() {
        Ok(writeln!(out, "the game is over: {}", result(board))?)
    } else if book_moves.is_empty() {
        report_table(report, side, out)
    } else {
        book_table(book_moves, side, out)
    }
}

/// Writes the moves as one JSON object a line. A finished game is one object with its score.
pub(super) fn hints_as_json(hints: &Hints<'_>, out: &mut dyn Write) -> Result<()> {
    let Hints { board, book_moves, report } = hints;
    if board.is_over() {
        return write_line(&GameOverRecord::new(board), out);
    }
    let names = [openings::english(board), openings::japanese(board)];
    for book_move in *book_moves {
        write_line(&HintRecord::of_book(book_move, names), out)?;
    }
    for line in &report.lines {
        write_line(&HintRecord::new(line, report, names), out)?;
    }
    Ok(())
}

/// Writes the lines of a report as a table.
pub(super) fn report_table(report: &Report, side: Color, out: &mut dyn Write) -> Result<()> {
    if report.lines.is_empty() {
        writeln!(out, "the game is over")?;
        return Ok(());
    }
    for line in &report.lines {
        let score = score_text(line, report.kind);
        let (sure, kind) = (uncertainty_text(line.estimate), report.kind);
        writeln!(out, "{:4}  {score:>6} {sure:<32}  {kind:>6}  {}", line.first(), pv(&line.moves))?;
    }
    let (nodes, seconds) = (report.nodes, report.elapsed.as_secs_f64());
    writeln!(out, "# scores for {side}, {nodes} nodes, {seconds:.3} s")?;
    Ok(())
}

/// Writes the moves of a book as a table.
pub(super) fn book_table(moves: &[BookMove], side: Color, out: &mut dyn Write) -> Result<()> {
    for book_move in moves {
        let (eval, line) = (book_move.eval.to_string(), pv(&book_move.line));
        let support = book_support(book_move);
        writeln!(out, "{:4}  {eval:>8}   book  {line}  ({support})", book_move.played())?;
    }
    writeln!(out, "# scores for {side}, from the book")?;
    Ok(())
}

/// Returns the games and searches behind a book move:
/// `12 games, 58.3% won, searched`.
pub(super) fn book_support(book_move: &BookMove) -> String {
    let rate =
        book_move.win_rate.map_or(String::new(), |rate| format!(", {:.1}% won", 100.0 * rate));
    let trust = book_move.trust.map_or(String::new(), |trust| format!(", {trust}"));
    format!("{} games{rate}{trust}", book_move.games)
}

/// Returns moves separated by blanks.
pub(super) fn pv(moves: &[Move]) -> String {
    moves.iter().map(Move::to_string).collect::<Vec<_>>().join(" ")
}

/// Returns the word for a bound in JSON.
pub(super) fn bound_text(bound: Bound) -> &'static str {
    match bound {
        Bound::Exact => "exact",
        Bound::Lower => "lower",
        Bound::Upper => "upper",
    }
}

/// Line of `hint --jsonl` for a move.
#[derive(Serialize, Debug)]
struct HintRecord {
    r#move: String,
    /// Discs, for the side to move.
    score: f64,
    #[serde(flatten)]
    estimate: EstimateRecord,
    bound: &'static str,
    depth: String,
    proven: bool,
    pv: Vec<String>,
    nodes: u64,
    seconds: f64,
    /// Predicted, from here until the scores of all moves shown are exact.
    seconds_to_exact: Option<f64>,
    opening: Option<&'static str>,
    opening_japanese: Option<&'static str>,
    /// Games of the book with this move; absent for a searched move.
    #[serde(skip_serializing_if = "Option::is_none")]
    games: Option<u32>,
    #[serde(skip_serializing_if = "Option::is_none")]
    win_rate: Option<f64>,
}

impl HintRecord {
    fn new(line: &ReportLine, report: &Report, names: [Option<&'static str>; 2]) -> HintRecord {
        HintRecord {
            r#move: line.first().to_string(),
            score: line.eval().discs(),
            estimate: line.estimate.into(),
            bound: bound_text(line.bound),
            depth: report.kind.to_string(),
            proven: report.kind.is_proven(),
            pv: line.moves.iter().map(Move::to_string).collect(),
            nodes: report.nodes,
            seconds: report.elapsed.as_secs_f64(),
            seconds_to_exact: report.time_to_exact.map(|time| time.as_secs_f64()),
            opening: names[0],
            opening_japanese: names[1],
            games: None,
            win_rate: None,
        }
    }

    /// Record of a book move: `depth` is `book`, `nodes` is 0.
    fn of_book(book_move: &BookMove, names: [Option<&'static str>; 2]) -> HintRecord {
        HintRecord {
            r#move: book_move.played().to_string(),
            score: book_move.eval.discs(),
            estimate: EstimateRecord::default(),
            bound: "exact",
            depth: "book".to_owned(),
            proven: book_move.trust == Some(Trust::Exact),
            pv: book_move.line.iter().map(Move::to_string).collect(),
            nodes: 0,
            seconds: 0.0,
            seconds_to_exact: None,
            opening: names[0],
            opening_japanese: names[1],
            games: Some(book_move.games),
            win_rate: book_move.win_rate,
        }
    }
}

/// Line of `hint --jsonl` for a finished game.
#[derive(Serialize, Debug)]
struct GameOverRecord {
    game_over: bool,
    /// Final disc difference for the side to move, the winner taking the
    /// empties.
    score: i32,
    black: u32,
    white: u32,
}

impl GameOverRecord {
    fn new(board: &Board) -> GameOverRecord {
        GameOverRecord {
            game_over: true,
            score: board.position().final_score().discs(),
            black: board.count(Color::Black),
            white: board.count(Color::White),
        }
    }
}
