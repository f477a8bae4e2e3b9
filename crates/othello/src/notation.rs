//! Positions as text: 64 squares from a1 to h8 and the side to move.
//!
//! Reading accepts several letters for a disc and blanks anywhere; writing has one form: 64 of `X`,
//! `O` and `-`, a blank, the side.

use std::fmt;
use std::str::FromStr;

use crate::bitboard::Bitboard;
use crate::color::Color;
use crate::position::Position;
use crate::square::Square;
use crate::text::quote;

/// An error in the text of a position. Columns count characters from 1.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum ParsePositionError {
    /// A character that is no square.
    #[error("column {column}: `{found}` is no square: expected X x * B b, O o W w 0, - or .")]
    BadSquare {
        /// Its column.
        column: usize,
        /// The text there.
        found: String,
    },
    /// The text ends after this many squares.
    #[error("the board has {0} squares of 64")]
    TooShort(usize),
    /// The side to move is missing at this column.
    #[error("column {0}: the side to move is missing: expected X or O after the 64 squares")]
    NoSide(usize),
    /// A character that is no side to move.
    #[error("column {column}: `{found}` is no side to move: expected X x * B b or O o W w 0")]
    BadSide {
        /// Its column.
        column: usize,
        /// The text there.
        found: String,
    },
    /// Text after the side to move.
    #[error("column {column}: `{found}` after the side to move: expected nothing")]
    Trailing {
        /// Its column.
        column: usize,
        /// The text there.
        found: String,
    },
}

impl ParsePositionError {
    /// Returns the column of the fault; `None` if the board ends too early.
    pub fn column(&self) -> Option<usize> {
        match *self {
            ParsePositionError::TooShort(_) => None,
            ParsePositionError::NoSide(column)
            | ParsePositionError::BadSquare { column, .. }
            | ParsePositionError::BadSide { column, .. }
            | ParsePositionError::Trailing { column, .. } => Some(column),
        }
    }
}

/// Returns the colour of a disc's letter: `X x * B b` are Black, `O o W w 0` White.
pub const fn color_of(letter: char) -> Option<Color> {
    match letter {
        'X' | 'x' | '*' | 'B' | 'b' => Some(Color::Black),
        'O' | 'o' | 'W' | 'w' | '0' => Some(Color::White),
        _ => None,
    }
}

/// Reads 64 squares from the beginning of a text, ignoring blanks between them. Returns the discs
/// of Black and White, the rest of the text and its column.
fn parse_squares(text: &str) -> Result<([Bitboard; 2], &str, usize), ParsePositionError> {
    let mut discs = [Bitboard::EMPTY; 2];
    let mut squares = Square::all();
    let mut count = 0;
    for (column, (offset, letter)) in text.char_indices().enumerate() {
        if letter.is_whitespace() {
            continue;
        }
        let Some(square) = squares.next() else {
            return Ok((discs, text.get(offset..).unwrap_or(""), column + 1));
        };
        match (color_of(letter), letter) {
            (Some(color), _) => discs[color.index()].insert(square),
            (None, '-' | '.' | '_') => {}
            (None, _) => {
                return Err(ParsePositionError::BadSquare {
                    column: column + 1,
                    found: quote(&letter.to_string()),
                });
            }
        }
        count += 1;
    }
    if count < Square::COUNT {
        return Err(ParsePositionError::TooShort(count));
    }
    Ok((discs, "", text.chars().count() + 1))
}

/// Reads 64 squares and the side to move, to the end of the text.
///
/// # Errors
/// [`ParsePositionError`] with the column.
pub fn parse_position(text: &str) -> Result<(Position, Color), ParsePositionError> {
    let (position, side, rest, column) = parse_position_prefix(text)?;
    match rest.trim() {
        "" => Ok((position, side)),
        more => {
            let blanks = rest.chars().take_while(|c| c.is_whitespace()).count();
            Err(ParsePositionError::Trailing { column: column + blanks, found: quote(more) })
        }
    }
}

/// Reads 64 squares and the side to move from the beginning of a text. Returns the rest of the text
/// and its column too.
///
/// # Errors
/// [`ParsePositionError`] with the column.
pub fn parse_position_prefix(
    text: &str,
) -> Result<(Position, Color, &str, usize), ParsePositionError> {
    let ([black, white], rest, column) = parse_squares(text)?;
    let Some(letter) = rest.chars().next() else {
        return Err(ParsePositionError::NoSide(column));
    };
    let Some(side) = color_of(letter) else {
        return Err(ParsePositionError::BadSide { column, found: quote(&letter.to_string()) });
    };
    let position = match side {
        Color::Black => Position::new_unchecked(black, white),
        Color::White => Position::new_unchecked(white, black),
    };
    Ok((position, side, rest.get(letter.len_utf8()..).unwrap_or(""), column + 1))
}

/// Writes 64 squares (`X`, `O`, `-`), a blank and the side to move (`X` or `O`).
pub fn position_text(position: Position, side: Color) -> String {
    let mut text: String = Square::all()
        .map(|square| {
            if position.player().contains(square) {
                side.letter()
            } else if position.opponent().contains(square) {
                (!side).letter()
            } else {
                '-'
            }
        })
        .collect();
    text.push(' ');
    text.push(side.letter());
    text
}

/// Writes 64 squares, `X` for the side to move, `O` for the opponent, `-`; then a blank and `X`.
impl fmt::Display for Position {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&position_text(*self, Color::Black))
    }
}

impl FromStr for Position {
    type Err = ParsePositionError;

    /// Reads as [`parse_position`] does: 64 squares and the side to move, whose colour is dropped.
    fn from_str(text: &str) -> Result<Position, ParsePositionError> {
        parse_position(text).map(|(position, _)| position)
    }
}
