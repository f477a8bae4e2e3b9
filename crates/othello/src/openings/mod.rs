//! The names of openings, in English and Japanese.
//!
//! A name belongs to a position, not to a sequence of moves: a game that
//! reaches it on another path, turned round or mirrored, has the same name.
//! Protocols print the English name, which is ASCII; many lines have only a
//! Japanese one.

mod table;
#[cfg(test)]
mod tests;

use std::collections::HashMap;
use std::sync::LazyLock;

use crate::{Board, Move, Position};

/// A line with a name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Opening {
    /// The moves from the standard start, as a transcript.
    pub moves: &'static str,
    english: &'static str,
    japanese: &'static str,
}

impl Opening {
    /// The English name, in ASCII, if there is one.
    pub const fn english(&self) -> Option<&'static str> {
        if self.english.is_empty() { None } else { Some(self.english) }
    }

    /// The Japanese name, if there is one.
    pub const fn japanese(&self) -> Option<&'static str> {
        if self.japanese.is_empty() { None } else { Some(self.japanese) }
    }

    /// How many moves the line has.
    pub const fn plies(&self) -> usize {
        self.moves.len() / 2
    }
}

/// Every line that has a name, sorted by its moves.
pub fn all() -> impl Iterator<Item = Opening> {
    table::NAMED.iter().map(|&(moves, english, japanese)| Opening { moves, english, japanese })
}

/// The lines by the position they lead to, in its canonical form; no two of
/// them meet.
static BY_POSITION: LazyLock<HashMap<Position, Opening>> = LazyLock::new(|| {
    all().filter_map(|line| Some((end_of(line.moves)?.canonical().0, line))).collect()
});

/// The position after a line of the table; no line of it has a pass.
fn end_of(moves: &str) -> Option<Position> {
    let mut position = Position::START;
    let mut rest = moves;
    while let Some((word, after)) = rest.split_at_checked(2) {
        let Ok(Move::Place(square)) = word.parse() else { return None };
        position = position.place(square)?;
        rest = after;
    }
    rest.is_empty().then_some(position)
}

/// The opening whose last move leads to this position, whichever way the
/// board is turned.
pub fn of_position(position: Position) -> Option<Opening> {
    BY_POSITION.get(&position.canonical().0).copied()
}

/// The openings of a game from its last named position back to its first:
/// the head of the list is the longest match.
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

/// The English name of the longest line that a game has followed.
pub fn english(board: &Board) -> Option<&'static str> {
    along(board).find_map(|opening| opening.english())
}

/// The Japanese name of the longest line that a game has followed.
pub fn japanese(board: &Board) -> Option<&'static str> {
    along(board).find_map(|opening| opening.japanese())
}
