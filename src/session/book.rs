//! The opening book of a session: a trait and its plain types, so that the session depends on no
//! database.

use std::error::Error;
use std::fmt;

use umigame_engine::Report;
use umigame_othello::Record;
use umigame_othello::{Eval, Move, Position};

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

/// A move that the book knows.
#[derive(Clone, PartialEq, Debug)]
pub struct BookMove {
    /// The move, followed by the best replies if this is the best move.
    pub line: Vec<Move>,
    /// Value of the move for the side to move, or the mean result of its games.
    pub eval: Eval,
    /// Games with a result that met the position after the move.
    pub games: u32,
    /// Share of those games that the side to move won, 0 to 1; draws count half.
    pub win_rate: Option<f64>,
    /// Evidence behind the value; `None` if only games stand behind it.
    pub trust: Option<Trust>,
}

impl BookMove {
    /// Returns the move itself.
    pub fn played(&self) -> Move {
        self.line.first().copied().unwrap_or(Move::Pass)
    }
}

/// Evidence behind the value of a book move, weakest first.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Trust {
    /// Results of games.
    Played,
    /// Searches of every move.
    Searched,
    /// Proof.
    Exact,
}

/// `played`, `searched`, `exact`.
impl fmt::Display for Trust {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            Trust::Played => "played",
            Trust::Searched => "searched",
            Trust::Exact => "exact",
        })
    }
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
