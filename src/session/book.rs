//! The book that a session plays from, where it has one.

use umigame_book::{Added, BookMove, Choosing, Game, PlayBook, StoreError};
use umigame_engine::search::Listener;
use umigame_othello::game::{Record, ReplayError};

use super::Session;

/// A book in use.
#[derive(Debug)]
pub(super) struct InUse {
    book: PlayBook,
    choosing: Choosing,
    random: fastrand::Rng,
}

/// Why a game was not learned.
#[derive(Debug, thiserror::Error)]
pub enum LearnGameError {
    /// There is no book to write.
    #[error("no book to learn into: start with --book FILE")]
    NoBook,
    /// The book is only to read.
    #[error("the book is only to read")]
    ReadOnly,
    /// The book cannot be written.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// The game cannot be replayed; a fault of our own.
    #[error(transparent)]
    Replay(#[from] ReplayError),
}

impl Session {
    /// Plays from this book from now on, or from none. Chance decides between
    /// moves that are good enough, the same way for the same seed.
    pub fn set_book(&mut self, book: Option<PlayBook>, choosing: Choosing, seed: Option<u64>) {
        let random = seed.map_or_else(fastrand::Rng::new, fastrand::Rng::with_seed);
        self.book = book.map(|book| InUse { book, choosing, random });
    }

    /// The moves that the book knows here, best first, at most so many; empty
    /// where it does not know which is best, or there is no book.
    pub fn book_moves(&self, most: usize) -> Vec<BookMove> {
        let Some(InUse { book, choosing, .. }) = &self.book else { return Vec::new() };
        if self.board.is_over() {
            return Vec::new();
        }
        let mut moves = readable(book.moves(self.board.position(), choosing.by));
        moves.truncate(most);
        moves
    }

    /// The book's move for the position, if it has one.
    pub(super) fn book_choice(&mut self) -> Option<BookMove> {
        let InUse { book, choosing, random } = self.book.as_mut()?;
        readable(book.choose(self.board.position(), *choosing, random))
    }

    /// Adds the game to the book, and backs its result up. The last position
    /// of a game that goes on is searched, and what the search says is backed
    /// up in place of a result, unless the listener has enough first.
    ///
    /// # Errors
    /// There is no book, or it cannot be written.
    pub fn learn(&mut self, listener: &dyn Listener) -> Result<Added, LearnGameError> {
        match &self.book {
            None => return Err(LearnGameError::NoBook),
            Some(InUse { book: PlayBook::Full { writable: true, .. }, .. }) => {}
            Some(_) => return Err(LearnGameError::ReadOnly),
        }
        let game = Game::of(&Record::from_board(&self.board))?;
        let position = self.board.position();
        let searches = !self.board.is_over() && listener.go_on();
        let report = searches.then(|| {
            let limits = self.options.limits(1, None);
            self.search(&limits, listener)
        });
        let report = report.filter(|_| listener.go_on());
        match &mut self.book {
            Some(InUse { book: PlayBook::Full { book, .. }, .. }) => {
                Ok(book.learn(&game, report.map(|report| (position, report)))?)
            }
            _ => Err(LearnGameError::NoBook),
        }
    }
}

/// A book that cannot be read is no reason to lose the game.
fn readable<T: Default>(found: Result<T, StoreError>) -> T {
    found.unwrap_or_else(|error| {
        log::warn!("the book is of no use here: {error}");
        T::default()
    })
}
