//! The opening book of a session.

use umigame_book::{BookError, ChoicePolicy, PlayBook};
pub use umigame_book::{BookMove, Trust};
use umigame_engine::Report;
use umigame_othello::{Position, Record};

/// A book file with the policy by which its moves are chosen.
///
/// A book that fails does not end the game: the failure is logged, and a search decides.
#[derive(Debug)]
pub struct SessionBook {
    book: PlayBook,
    choosing: ChoicePolicy,
    random: fastrand::Rng,
}

impl SessionBook {
    /// Plays from `book`. The same seed chooses the same moves.
    pub fn new(book: PlayBook, choosing: ChoicePolicy, seed: Option<u64>) -> SessionBook {
        let random = seed.map_or_else(fastrand::Rng::new, fastrand::Rng::with_seed);
        SessionBook { book, choosing, random }
    }

    /// Chooses a move for the side to move; `None` if the book does not know which is best.
    ///
    /// Takes less than a millisecond, as [`SessionBook::moves`] does.
    pub fn choose(&mut self, position: Position) -> Option<BookMove> {
        or_nothing(self.book.choose(position, self.choosing, &mut self.random))
    }

    /// Returns at most `count` moves, best first; none if the book does not know which is best.
    pub fn moves(&self, position: Position, count: usize) -> Vec<BookMove> {
        let moves = or_nothing(self.book.moves(position, self.choosing.criterion));
        moves.into_iter().take(count).collect()
    }

    /// Returns whether [`SessionBook::learn`] can add games.
    pub fn is_writable(&self) -> bool {
        self.book.is_writable()
    }

    /// Adds a game with its result, or with a search of its last position if it is unfinished and
    /// that was searched.
    ///
    /// # Errors
    /// The book cannot be written; it is as it was.
    pub fn learn(&mut self, game: &Record, last_search: Option<&Report>) -> Result<(), BookError> {
        self.book.learn(game, last_search).map(drop)
    }
}

fn or_nothing<T: Default>(found: Result<T, BookError>) -> T {
    found.unwrap_or_else(|error| {
        log::warn!("cannot read the book: {error}");
        T::default()
    })
}

/// Reason why a game was not learned.
#[derive(Debug, thiserror::Error)]
pub enum LearnError {
    /// The session has no book.
    #[error("no book to learn into: start with --book FILE")]
    NoBook,
    /// The book cannot be written, or failed.
    #[error(transparent)]
    Book(#[from] BookError),
}

#[cfg(test)]
mod tests {
    use std::time::{Duration, Instant};

    use umigame_book::ChoiceCriterion;
    use umigame_othello::{Move, Square};

    use super::super::tests::book_file;
    use super::*;

    /// Twenty games that go on with d6 or f6 after f5.
    fn book(folder: &tempfile::TempDir) -> SessionBook {
        let path = book_file(folder, 20);
        let choosing =
            ChoicePolicy { criterion: ChoiceCriterion::WinRate, tolerance_centidiscs: 100 };
        SessionBook::new(PlayBook::open(&path).unwrap(), choosing, Some(1))
    }

    fn after_f5() -> Position {
        Position::START.play(Square::F5).unwrap()
    }

    #[test]
    fn the_seed_decides_among_good_moves() {
        let folder = tempfile::tempdir().unwrap();
        let chosen = || -> Vec<Move> {
            let mut book = book(&folder);
            (0..20).map(|_| book.choose(after_f5()).unwrap().played()).collect()
        };
        let first = chosen();
        assert_eq!(chosen(), first);
        assert!(first.contains(&Square::D6.into()) && first.contains(&Square::F6.into()));
    }

    #[test]
    fn at_most_the_given_number_of_moves_is_returned() {
        let folder = tempfile::tempdir().unwrap();
        let book = book(&folder);
        assert_eq!(book.moves(after_f5(), 9).len(), 2);
        assert_eq!(book.moves(after_f5(), 1).len(), 1);
        assert_eq!(book.moves(Position::START, 0).len(), 0);
    }

    /// `cargo test --release --lib a_book_move_takes -- --ignored`
    #[test]
    #[ignore = "asserts a time"]
    fn a_book_move_takes_less_than_a_millisecond() {
        let folder = tempfile::tempdir().unwrap();
        let mut book = book(&folder);
        let times = (0..50).map(|_| {
            let start = Instant::now();
            assert!(book.choose(after_f5()).is_some());
            start.elapsed()
        });
        assert!(times.min().unwrap() < Duration::from_millis(1));
    }
}
