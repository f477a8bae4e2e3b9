//! A book in a file: opening, making, looking up.

use std::path::Path;

use umigame_othello::Position;

use crate::canonical::CanonicalPosition;
use crate::database::{Access, Database};
use crate::entry::BookEntry;
use crate::error::BookError;
use crate::game::BookGame;
use crate::queries::BookCounts;

/// Maximum ply of a position in a book.
pub const MAX_PLY: u8 = 60;

/// Games read at once.
const GAMES_AT_ONCE: usize = 4096;

/// A database of positions in a file.
#[derive(Debug)]
pub struct Book {
    pub(crate) database: Database,
    /// Positions of games with fewer empties are not stored.
    pub(crate) min_empties: u32,
}

impl Book {
    /// Opens a book for reading; other processes may write meanwhile.
    ///
    /// # Errors
    /// The file is missing, not a book, or of a later version.
    pub fn read(path: &Path) -> Result<Book, BookError> {
        Book::with(Database::open(path, Access::Read)?)
    }

    /// Opens an existing book for reading and writing.
    ///
    /// # Errors
    /// As [`Book::read`]; or the file cannot be written.
    pub fn write(path: &Path) -> Result<Book, BookError> {
        Book::with(Database::open(path, Access::Write)?)
    }

    /// Opens a book for reading and writing; makes it where it is missing.
    ///
    /// `max_ply`, 1 to [`MAX_PLY`], is the last ply of a game whose position is stored; all are
    /// without it. It is fixed when the book is made.
    ///
    /// # Errors
    /// As [`Book::write`]; or the book was made with another `max_ply`.
    pub fn create(path: &Path, max_ply: Option<u8>) -> Result<Book, BookError> {
        let mut book = Book::with(Database::open(path, Access::Create)?)?;
        let Some(asked) = max_ply else { return Ok(book) };
        if asked != book.max_ply() {
            let path = path.to_path_buf();
            let refused = BookError::OtherPlies { path, kept: book.max_ply(), asked };
            book.database.transaction(|database| match database.counts()? {
                BookCounts { games: 0, positions: 0, .. } => {
                    database.set_metadata("plies", &asked.to_string())
                }
                _ => Err(refused),
            })?;
            book.min_empties = u32::from(MAX_PLY.saturating_sub(asked));
        }
        Ok(book)
    }

    fn with(database: Database) -> Result<Book, BookError> {
        let max_ply = match database.metadata("plies")? {
            None => MAX_PLY,
            Some(text) => text
                .parse()
                .map_err(|_| BookError::damaged(database.path(), format!("`plies` is `{text}`")))?,
        };
        Ok(Book { database, min_empties: u32::from(MAX_PLY.saturating_sub(max_ply)) })
    }

    /// Returns the file.
    pub fn path(&self) -> &Path {
        self.database.path()
    }

    /// Returns the last ply of a game whose position is stored.
    pub fn max_ply(&self) -> u8 {
        MAX_PLY.saturating_sub(self.min_empties as u8)
    }

    /// Counts games and positions.
    ///
    /// # Errors
    /// The file cannot be read.
    pub fn counts(&self) -> Result<BookCounts, BookError> {
        self.database.counts()
    }

    /// Returns the entry of a position in any orientation; its moves are in canonical form
    /// ([`CanonicalPosition`]).
    ///
    /// # Errors
    /// The file cannot be read.
    pub fn entry(&self, position: Position) -> Result<Option<BookEntry>, BookError> {
        self.database.entry(CanonicalPosition::of(position).position())
    }

    /// Returns all canonical positions with this many empties and their entries, in the order of
    /// the file.
    ///
    /// # Errors
    /// The file cannot be read.
    pub fn layer(&self, empties: u32) -> Result<Vec<(Position, BookEntry)>, BookError> {
        self.database.layer(empties)
    }

    /// Passes all games to `each`, a few thousand at a time, until it returns false.
    ///
    /// # Errors
    /// The file cannot be read.
    pub fn games(&self, mut each: impl FnMut(&[BookGame]) -> bool) -> Result<(), BookError> {
        let mut last = None;
        loop {
            let (ids, games): (Vec<_>, Vec<_>) =
                self.database.games_after(last, GAMES_AT_ONCE)?.into_iter().unzip();
            last = ids.last().copied();
            if last.is_none() || !each(&games) {
                return Ok(());
            }
        }
    }
}
