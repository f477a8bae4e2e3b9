//! Transcripts: `f5d6c3d3c4...`, and positions as people type them.
//!
//! A move is two characters in either case. Blanks, line breaks, commas, single dashes and move
//! numbers such as `12.` between moves are ignored. Forced passes may be written or left out. A game
//! from another position begins with the position: `<64 squares> X; f5d6`.

use std::fmt::Write as _;
use std::str::FromStr;

use crate::notation::{color_of, parse_position_prefix};
use crate::text::quote;
use crate::{Board, Color, IllegalMove, Move, ParsePositionError, Position, Square, position_text};

use super::drawing;
use super::ggf::{self, GgfError};
use crate::record::{Record, ReplayError, Turn};
use crate::replay::Replay;

/// An error in a transcript. Places count characters from 1.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum TranscriptError {
    /// A fault in the position before the moves.
    #[error("the position: {0}")]
    Position(#[from] ParsePositionError),
    /// A text that is no move.
    #[error("character {at}: `{found}` is no move: expected a square such as f5, or pass")]
    BadMove {
        /// Its place.
        at: usize,
        /// The text there.
        found: String,
    },
    /// An illegal move.
    #[error("character {at}: move {number} is illegal: {why}")]
    Illegal {
        /// Its place.
        at: usize,
        /// Number of the move, from 1, passes included.
        number: usize,
        /// The reason.
        why: IllegalMove,
    },
}

impl TranscriptError {
    /// Returns the place of the fault in characters from 1, where it is known.
    pub fn at(&self) -> Option<usize> {
        match self {
            TranscriptError::Position(error) => error.column(),
            TranscriptError::BadMove { at, .. } | TranscriptError::Illegal { at, .. } => Some(*at),
        }
    }
}

/// Reads a transcript, from the standard start unless a position comes first.
///
/// # Errors
/// [`TranscriptError`] with the place of the fault.
pub fn parse(text: &str) -> Result<Record, TranscriptError> {
    if !begins_with_board(text) {
        return parse_from(Position::START, Color::Black, text, 0);
    }
    let (start, side, rest, column) = parse_position_prefix(text)?;
    parse_from(start, side, rest, column - 1)
}

/// Returns true if a text begins with the squares of a board, not with a move: no square of a board
/// is a digit from 1 to 8, so the second character tells.
fn begins_with_board(text: &str) -> bool {
    let mut letters = text.chars().filter(|c| !c.is_whitespace());
    let (first, second) = (letters.next(), letters.next());
    first.is_some_and(|c| color_of(c).is_some() || matches!(c, '-' | '.' | '_'))
        && second.is_some_and(|c| !matches!(c, '1'..='8'))
}

/// Reads the moves of a game from a position. `offset` characters precede them.
fn parse_from(
    start: Position,
    side: Color,
    text: &str,
    offset: usize,
) -> Result<Record, TranscriptError> {
    let mut replay = Replay::new(start, side);
    for token in Tokens::new(text) {
        let at = offset + token.at;
        let Some(played) = token.played else {
            return Err(TranscriptError::BadMove { at, found: quote(token.text) });
        };
        if let Err(why) = replay.play_passing(Turn::from(played)) {
            return Err(TranscriptError::Illegal { at, number: replay.plies() + 1, why });
        }
    }
    let mut record = Record::from_start(start, side);
    record.turns = replay.into_turns();
    Ok(record)
}

/// A word of a text: a move, or a text that is no move.
struct Token<'a> {
    /// Its place, in characters from 1.
    at: usize,
    text: &'a str,
    played: Option<Move>,
}

/// The words of a text, without separators.
struct Tokens<'a> {
    rest: &'a str,
    at: usize,
}

impl<'a> Tokens<'a> {
    fn new(text: &'a str) -> Tokens<'a> {
        Tokens { rest: text, at: 1 }
    }

    fn skip(&mut self, bytes: usize) -> &'a str {
        let (skipped, rest) = self.rest.split_at_checked(bytes).unwrap_or((self.rest, ""));
        self.at += skipped.chars().count();
        self.rest = rest;
        skipped
    }

    fn skip_separators(&mut self) {
        loop {
            let bytes = self.rest.len() - self.rest.trim_start_matches(is_separator).len();
            let bytes = if bytes == 0 { move_number_length(self.rest) } else { bytes };
            let dash = self.rest.starts_with('-') && !self.rest.starts_with("--");
            match bytes + usize::from(dash) {
                0 => return,
                bytes => self.skip(bytes),
            };
        }
    }
}

fn is_separator(letter: char) -> bool {
    letter.is_whitespace() || matches!(letter, ',' | ';')
}

/// Returns the length of a move number (`12.` or `12 `) at the beginning of a text, or 0.
fn move_number_length(text: &str) -> usize {
    let digits = text.bytes().take_while(u8::is_ascii_digit).count();
    let after = text.get(digits..).unwrap_or("");
    let dots = after.bytes().take_while(|&b| b == b'.' || b == b')').count();
    let ends = dots > 0 || after.is_empty() || after.starts_with(is_separator);
    if digits > 0 && ends { digits + dots } else { 0 }
}

impl<'a> Iterator for Tokens<'a> {
    type Item = Token<'a>;

    fn next(&mut self) -> Option<Token<'a>> {
        self.skip_separators();
        let at = self.at;
        if self.rest.is_empty() {
            return None;
        }
        for length in [4, 3, 2] {
            let played = self.rest.get(..length).and_then(|text| text.parse::<Move>().ok());
            if played.is_some() {
                return Some(Token { at, text: self.skip(length), played });
            }
        }
        let word = self.rest.find(is_separator).unwrap_or(self.rest.len());
        Some(Token { at, text: self.skip(word), played: None })
    }
}

/// Writes a transcript: lower case, no separators, no passes; the position first unless it is the
/// standard start.
pub fn text(record: &Record) -> String {
    let mut text = String::new();
    if !record.is_standard() {
        // Writing to a string cannot fail.
        let _ = write!(text, "{}; ", position_text(record.start, record.side));
    }
    for square in squares(record) {
        let _ = write!(text, "{square}");
    }
    text.trim_end().to_string()
}

/// An error in a position as people type it.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum ReadPositionError {
    /// A fault in a game in GGF.
    #[error(transparent)]
    Ggf(#[from] GgfError),
    /// A fault in a position or a transcript.
    #[error(transparent)]
    Transcript(#[from] TranscriptError),
    /// An illegal move.
    #[error(transparent)]
    Replay(#[from] ReplayError),
}

/// Reads a position as people type it: 64 squares and the side to move (moves may follow), a
/// transcript from the standard start, a board drawn in numbered rows, a game in GGF, or `start`. The
/// board has the moves in its history.
///
/// # Errors
/// [`ReadPositionError`] with the place of the fault.
pub fn read_position(text: &str) -> Result<Board, ReadPositionError> {
    let word = text.trim();
    if word.eq_ignore_ascii_case("start") {
        return Ok(Board::start());
    }
    let record = if word.starts_with("(;") {
        ggf::parse(text)?
    } else if let Some(squares) = drawing::squares(text) {
        parse(&squares)?
    } else {
        parse(text)?
    };
    Ok(record.board()?)
}

/// Returns the squares of a game's moves in order, without passes.
pub fn squares(record: &Record) -> impl Iterator<Item = Square> + '_ {
    record.turns.iter().filter_map(|turn| turn.played.square())
}

/// Reads as [`read_position`] does.
impl FromStr for Board {
    type Err = ReadPositionError;

    fn from_str(text: &str) -> Result<Board, ReadPositionError> {
        read_position(text)
    }
}
