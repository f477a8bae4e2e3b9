//! The games of an archive, some 90 bytes each.

use umigame_othello::{Color, Position, Score, Square, year_of_date};

use super::interner::Interner;
use crate::game::BookGame;

/// Games in memory. Equal games are kept as often as they are added.
#[derive(Clone, Debug, Default)]
pub struct GameArchive {
    pub(super) games: Vec<ArchivedGame>,
    /// Moves of all games without passes, one game after the other.
    squares: Vec<Square>,
    pub(super) starts: Interner<(Position, Color)>,
    /// Players, events and dates.
    pub(super) texts: Interner<String>,
}

/// A game; numbers are those of the archive's `starts` and `texts`.
#[derive(Clone, Copy, Debug)]
pub(super) struct ArchivedGame {
    first_square: u32,
    squares: u8,
    /// Score for Black.
    pub result: Option<Score>,
    /// 0 where it is unknown.
    pub year: u16,
    pub start: u32,
    pub black: u32,
    pub white: u32,
    pub event: u32,
    pub date: u32,
}

impl GameArchive {
    /// Adds a game.
    pub fn add(&mut self, game: &BookGame) {
        let first_square = self.squares.len() as u32;
        self.squares.extend_from_slice(&game.squares);
        self.games.push(ArchivedGame {
            first_square,
            squares: game.squares.len() as u8,
            result: game.result,
            year: year_of_date(&game.date).unwrap_or(0),
            start: self.starts.number(&(game.start, game.side)),
            black: self.texts.number(&game.black),
            white: self.texts.number(&game.white),
            event: self.texts.number(&game.place),
            date: self.texts.number(&game.date),
        });
    }

    /// Returns the number of games.
    pub fn len(&self) -> usize {
        self.games.len()
    }

    /// Returns true if there are no games.
    pub fn is_empty(&self) -> bool {
        self.games.is_empty()
    }

    /// Returns the moves of a game without passes.
    pub(super) fn squares_of(&self, game: &ArchivedGame) -> &[Square] {
        let rest = self.squares.get(game.first_square as usize..).unwrap_or_default();
        rest.get(..usize::from(game.squares)).unwrap_or(rest)
    }

    /// Returns the first position of a game, and its side to move.
    pub(super) fn start_of(&self, game: &ArchivedGame) -> (Position, Color) {
        self.starts.get(game.start).copied().unwrap_or((Position::START, Color::Black))
    }

    /// Returns one of the archive's texts.
    pub(super) fn text(&self, number: u32) -> String {
        self.texts.get(number).cloned().unwrap_or_default()
    }
}
