//! A game or a position in whatever form it was pasted or dropped: the form is recognised, or the
//! fault is named with its line and column.

use percent_encoding::percent_decode_str;

use super::{Format, drawing, ggf, obf, pgn, sgf, transcript};
use crate::{Color, Move, ParsePositionError, Record};

/// A game or a position, and the form that it was found in.
#[derive(Clone, PartialEq, Debug)]
pub struct Pasted {
    /// `transcript`, `position`, `board`, `ggf`, `sgf`, `pgn`, `obf`, `address`, or `copy` for lines of
    /// moves between others.
    pub form: &'static str,
    /// The game; without moves for a position.
    pub record: Record,
}

/// A fault in a pasted text, with its line and column, both from 1.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{message}")]
pub struct PastedError {
    /// The fault, in a sentence.
    pub message: String,
    /// Line of the fault.
    pub line: usize,
    /// Column of the fault, in characters.
    pub column: usize,
}

impl PastedError {
    fn new(error: impl ToString, line: usize, column: usize) -> PastedError {
        PastedError { message: error.to_string(), line, column }
    }
}

/// Reads a game or a position in any form.
///
/// # Errors
/// The fault, with its line and column.
pub fn read(text: &str) -> Result<Pasted, PastedError> {
    let word = text.trim_start_matches('\u{feff}').trim();
    if word.is_empty() {
        let message = "the text is empty: expected a game, or 64 squares and the side to move";
        return Err(PastedError::new(message, 1, 1));
    }
    if word.starts_with("http://") || word.starts_with("https://") {
        return read_address(word);
    }
    if let Some(squares) = drawing::squares(text) {
        let record = transcript::parse(&with_side(&squares));
        let record = record.map_err(|error| PastedError::new(error, 1, 1))?;
        return Ok(Pasted { form: "board", record });
    }
    match Format::detect(text) {
        Format::Ggf => {
            let start = text.find("(;").unwrap_or(0);
            let record = ggf::parse(text);
            let at = |error: &ggf::GgfError| error.at();
            placed("ggf", record, |error| place(text, start, at(error)))
        }
        Format::Sgf => {
            let start = text.find('(').unwrap_or(0);
            placed("sgf", sgf::parse(text), |error| place(text, start, error.at()))
        }
        Format::Pgn => {
            let start = text.find('[').unwrap_or(0);
            placed("pgn", pgn::parse(text), |error| place(text, start, error.at()))
        }
        Format::Obf => read_obf(text).or_else(|error| read_lines_of_moves(text).ok_or(error)),
        _ => read_transcript(text).or_else(|error| read_lines_of_moves(text).ok_or(error)),
    }
}

fn placed<E: std::fmt::Display>(
    form: &'static str,
    record: Result<Record, E>,
    place: impl FnOnce(&E) -> (usize, usize),
) -> Result<Pasted, PastedError> {
    match record {
        Ok(record) => Ok(Pasted { form, record }),
        Err(error) => {
            let (line, column) = place(&error);
            Err(PastedError::new(error, line, column))
        }
    }
}

/// Returns line and column of a character of the text from byte `start` on, counted from 1; of its
/// beginning without one.
fn place(text: &str, start: usize, at: Option<usize>) -> (usize, usize) {
    let (before, from) = text.split_at_checked(start).unwrap_or(("", text));
    let within = from.chars().take(at.unwrap_or(1).saturating_sub(1));
    before.chars().chain(within).fold((1, 1), |(line, column), letter| match letter {
        '\n' => (line + 1, 1),
        _ => (line, column + 1),
    })
}

fn read_transcript(text: &str) -> Result<Pasted, PastedError> {
    let text = &without_comments(text);
    let record = transcript::parse(text).or_else(|error| match error {
        transcript::TranscriptError::Position(ParsePositionError::NoSide(_)) => {
            transcript::parse(&with_side(text))
        }
        error => Err(error),
    });
    let end = text.trim_end().chars().count();
    let found = placed("transcript", record, |error| {
        // A board that is too short lacks something at its end.
        place(text, 0, error.at().or(Some(end + 1)))
    })?;
    let is_position = found.record.turns.is_empty();
    Ok(Pasted { form: if is_position { "position" } else { found.form }, ..found })
}

/// Replaces the lines of comments by blanks, so that places stay.
fn without_comments(text: &str) -> String {
    let blank = |line: &str| -> String {
        let is_comment = line.trim_start().starts_with(['#', '%']);
        let hide = |letter| if is_comment && letter != '\n' { ' ' } else { letter };
        line.chars().map(hide).collect()
    };
    text.split_inclusive('\n').map(blank).collect()
}

/// Adds the side to move to 64 squares: with an even number of discs it is Black's turn, as long as
/// nobody has passed.
fn with_side(squares: &str) -> String {
    let discs = squares.chars().filter(|&c| crate::notation::color_of(c).is_some()).count();
    let is_whole = squares.chars().filter(|c| !c.is_whitespace()).count() == 64;
    let side = if discs.is_multiple_of(2) { Color::Black } else { Color::White };
    if is_whole { format!("{squares} {}", side.letter()) } else { squares.to_owned() }
}

fn read_obf(text: &str) -> Result<Pasted, PastedError> {
    match obf::problems(text.as_bytes()).next() {
        Some((_, Ok(problem))) => {
            Ok(Pasted { form: "obf", record: Record::from_start(problem.position, problem.side) })
        }
        Some((line, Err(error))) => {
            Err(PastedError::new(&error, line, error.column().unwrap_or(1)))
        }
        None => {
            Err(PastedError::new("no position: expected 64 squares and the side to move", 1, 1))
        }
    }
}

/// Reads the lines that have nothing but moves, between lines with names and results, as programs copy
/// them. A line that begins with a move and goes on with something else is a damaged line of moves.
fn read_lines_of_moves(text: &str) -> Option<Pasted> {
    let (lines, others): (Vec<&str>, Vec<&str>) =
        text.lines().partition(|line| has_only_moves(line));
    let is_damaged = |line: &&str| line.trim_start().get(..2).is_some_and(has_only_moves);
    if others.iter().any(is_damaged) {
        return None;
    }
    let record =
        transcript::parse(&lines.join(" ")).ok().filter(|record| !record.turns.is_empty())?;
    Some(Pasted { form: "copy", record })
}

fn has_only_moves(line: &str) -> bool {
    let squares: String = line.chars().filter(|letter| !letter.is_whitespace()).collect();
    let pairs = squares.as_bytes().chunks(2);
    let is_move =
        |pair: &[u8]| std::str::from_utf8(pair).is_ok_and(|word| word.parse::<Move>().is_ok());
    !squares.is_empty() && pairs.into_iter().all(is_move)
}

/// Reads the address of a page: `#f5d6c3`, with `@2` for the place shown, or `#board=SQUARES;MOVES`.
fn read_address(address: &str) -> Result<Pasted, PastedError> {
    let shown = address.split_once('#').map_or("", |(_, shown)| shown);
    let shown = percent_decode_str(shown).decode_utf8_lossy();
    let place = |rest: &str| !rest.is_empty() && rest.bytes().all(|byte| byte.is_ascii_digit());
    let game = match shown.rsplit_once('@') {
        Some((game, rest)) if place(rest) => game,
        _ => &*shown,
    };
    let game = game.strip_prefix("board=").unwrap_or(game);
    if game.trim().is_empty() {
        let message = "the address has no game: expected one behind `#`";
        return Err(PastedError::new(message, 1, 1));
    }
    let found =
        read_transcript(game).map_err(|error| PastedError { line: 1, column: 1, ..error })?;
    Ok(Pasted { form: "address", ..found })
}

#[cfg(test)]
mod tests;
