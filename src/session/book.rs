//! The opening book of a session: a trait, so that the session depends on no database.

use std::error::Error;

pub use umigame_book::{BookMove, Trust};
use umigame_engine::Report;
use umigame_othello::{Position, Record};

/// Opening book: knows moves, and learns games.
pub trait Book: Send {
    /// Chooses a move for the side to move; `None` if the book does not know which is best.
    ///
    /// Takes less than a millisecond, as [`Book::moves`] does.
    fn choose(&mut self, position: Position) -> Option<BookMove>;

    /// Returns at most `count` moves, best first; none if the book does not know which is best.
    fn moves(&self, position: Position, count: usize) -> Vec<BookMove>;

    /// Returns whether [`Book::learn`] can add games.
    fn is_writable(&self) -> bool;

    /// Adds a game with its result, or with a search of its last position if it is unfinished and
    /// that was searched.
    ///
    /// # Errors
    /// The book cannot be written; it is as it was.
    fn learn(
        &mut self,
        game: &Record,
        last_search: Option<&Report>,
    ) -> Result<(), Box<dyn Error + Send + Sync>>;
}

/// Reason why a game was not learned.
#[derive(Debug, thiserror::Error)]
pub enum LearnError {
    /// The session has no book.
    #[error("no book to learn into: start with --book FILE")]
    NoBook,
    /// The book cannot be written.
    #[error("the book is read-only")]
    ReadOnly,
    /// The book failed.
    #[error(transparent)]
    Book(Box<dyn Error + Send + Sync>),
}
