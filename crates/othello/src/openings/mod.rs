//! Names of openings, in English and Japanese, from the table `openings.tsv`.
//!
//! A name belongs to a position, not to a sequence of moves: a game that reaches the position by
//! another order of moves, rotated or mirrored, has the same name. Protocols print the English name,
//! which is ASCII; many lines have a Japanese name only.

#![deny(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing)]

use std::collections::HashMap;
use std::sync::LazyLock;

use crate::board::Board;
use crate::moves::Move;
use crate::position::Position;

/// Lines sorted by their moves; `#` begins a comment.
const TABLE: &str = include_str!("openings.tsv");

/// A named line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Opening {
    /// The moves from the standard start, as a transcript.
    pub moves: &'static str,
    english: &'static str,
    japanese: &'static str,
}

impl Opening {
    /// Returns the English name, in ASCII, if there is one.
    pub fn english(&self) -> Option<&'static str> {
        Some(self.english).filter(|name| !name.is_empty())
    }

    /// Returns the Japanese name, if there is one.
    pub fn japanese(&self) -> Option<&'static str> {
        Some(self.japanese).filter(|name| !name.is_empty())
    }

    /// Returns the number of moves of the line. No line has a pass.
    pub const fn plies(&self) -> usize {
        self.moves.len() / 2
    }

    /// Reads a row of the table: moves, English name, Japanese name.
    fn from_row(row: &'static str) -> Option<Opening> {
        let mut fields = row.split('\t');
        let opening =
            Opening { moves: fields.next()?, english: fields.next()?, japanese: fields.next()? };
        fields.next().is_none().then_some(opening)
    }

    /// Returns the position after the line.
    fn position(&self) -> Option<Position> {
        let mut position = Position::START;
        let mut rest = self.moves;
        while let Some((word, after)) = rest.split_at_checked(2) {
            let Ok(Move::Place(square)) = word.parse() else { return None };
            position = position.play(square)?;
            rest = after;
        }
        rest.is_empty().then_some(position)
    }
}

/// Returns every named line, sorted by its moves.
pub fn all() -> impl Iterator<Item = Opening> {
    TABLE.lines().filter(|row| !row.starts_with('#')).filter_map(Opening::from_row)
}

/// The lines by the canonical form of their last position. No two lines have the same.
static BY_POSITION: LazyLock<HashMap<Position, Opening>> = LazyLock::new(|| {
    all().filter_map(|opening| Some((opening.position()?.canonical().0, opening))).collect()
});

/// Returns the opening that ends in a position, in any of its eight symmetries.
pub fn of_position(position: Position) -> Option<Opening> {
    BY_POSITION.get(&position.canonical().0).copied()
}

/// Returns the openings of a game, longest first: from its last named position back to its first.
pub fn along(board: &Board) -> impl Iterator<Item = Opening> {
    let mut board = Some(board.clone());
    std::iter::from_fn(move || {
        let position = board.as_ref()?.position();
        if board.as_mut().is_some_and(|board| board.undo().is_none()) {
            board = None;
        }
        Some(position)
    })
    .filter_map(of_position)
}

/// Returns the English name of the longest named line that a game has followed.
pub fn english(board: &Board) -> Option<&'static str> {
    along(board).find_map(|opening| opening.english())
}

/// Returns the Japanese name of the longest named line that a game has followed.
pub fn japanese(board: &Board) -> Option<&'static str> {
    along(board).find_map(|opening| opening.japanese())
}

#[cfg(test)]
mod tests;
