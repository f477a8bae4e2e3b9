//! The book: a database of positions, the games that met them, and what
//! searches said of them.
//!
//! Positions are folded by the eight symmetries ([`CanonicalPosition`]). For each the
//! book holds the results of the games that met it, by the move that
//! followed too ([`BookEntry`]), what a search of it said ([`StoredSearch`]), and the
//! value that follows from the positions after it ([`BookValue`]), which is kept
//! true by every change: values are backed up from the ends of the games to
//! their beginning, the best for the mover, passes included. The games
//! themselves are kept as well, so that none counts twice, and so that
//! everything else can be recounted (`check`).
//!
//! It is one SQLite file (`sql`), with write-ahead logging: one writes, many
//! read, and a kill costs at most what was not committed.

mod add;
mod canonical;
mod check;
mod compact;
mod entry;
mod error;
mod export;
mod game;
mod grow;
mod merge;
mod minimax;
mod play;
mod queries;
mod stats;
#[cfg(test)]
mod tests;
mod view;

use std::path::Path;

use umigame_othello::Position;

pub use add::AddedGames;
pub use canonical::CanonicalPosition;
pub use check::{CheckReport, Fault};
pub use compact::CompactBook;
pub use entry::{BookEntry, BookValue, StoredSearch, Trust};
pub use error::BookError;
pub use export::{ExportFilter, TextFormat};
pub use game::{BookGame, GameId};
pub use grow::{GrowProgress, GrowSettings};
pub use play::{BookMove, ChoiceCriterion, ChoicePolicy, PlayBook};
pub use queries::BookCounts;
use queries::{Access, Sql};
pub use stats::GameStats;
pub use view::{MoveView, PositionView};

/// The last ply of a game whose position can be kept.
pub const MAX_PLY: u8 = 60;

/// A database of positions in a file.
#[derive(Debug)]
pub struct Book {
    sql: Sql,
    /// Positions of games with fewer empties are not kept.
    min_empties: u32,
}

impl Book {
    /// Opens a book to read in it; others may write meanwhile.
    ///
    /// # Errors
    /// The file is missing, no book, or of a newer version.
    pub fn read(path: &Path) -> Result<Book, BookError> {
        Book::with(Sql::open(path, Access::Read)?)
    }

    /// Opens a book that is there to read and write it.
    ///
    /// # Errors
    /// As [`Book::read`]; and where it cannot be written.
    pub fn write(path: &Path) -> Result<Book, BookError> {
        Book::with(Sql::open(path, Access::Write)?)
    }

    /// Opens a book to read and write it, or makes one. `plies`, 1 to
    /// [`MAX_PLY`], is the last ply whose positions are kept of a game, all
    /// of them without it; it is fixed when the book is made.
    ///
    /// # Errors
    /// As [`Book::write`]; and where the book was made with other `plies`.
    pub fn create(path: &Path, plies: Option<u8>) -> Result<Book, BookError> {
        let mut book = Book::with(Sql::open(path, Access::Create)?)?;
        let Some(asked) = plies else { return Ok(book) };
        if asked != book.plies() {
            let path = path.to_path_buf();
            let refused = BookError::OtherPlies { path, kept: book.plies(), asked };
            book.sql.transaction(|sql| match sql.counts()? {
                BookCounts { games: 0, positions: 0, .. } => {
                    sql.set_about("plies", &asked.to_string())
                }
                _ => Err(refused),
            })?;
            book.min_empties = u32::from(MAX_PLY.saturating_sub(asked));
        }
        Ok(book)
    }

    fn with(sql: Sql) -> Result<Book, BookError> {
        let plies = match sql.about("plies")? {
            None => MAX_PLY,
            Some(text) => text
                .parse()
                .map_err(|_| BookError::damaged(sql.path(), format!("`plies` is `{text}`")))?,
        };
        Ok(Book { sql, min_empties: u32::from(MAX_PLY.saturating_sub(plies)) })
    }

    /// The file.
    pub fn path(&self) -> &Path {
        self.sql.path()
    }

    /// The last ply whose positions are kept of a game.
    pub fn plies(&self) -> u8 {
        MAX_PLY.saturating_sub(self.min_empties as u8)
    }

    /// How much the book holds.
    ///
    /// # Errors
    /// The file cannot be read.
    pub fn counts(&self) -> Result<BookCounts, BookError> {
        self.sql.counts()
    }

    /// What the book holds of a position, however it is turned; moves are
    /// folded ([`CanonicalPosition`]).
    ///
    /// # Errors
    /// The file cannot be read.
    pub fn entry(&self, position: Position) -> Result<Option<BookEntry>, BookError> {
        self.sql.entry(CanonicalPosition::of(position).position())
    }

    /// All positions with so many empties, folded, and what the book holds of
    /// them, in the order of the file.
    ///
    /// # Errors
    /// The file cannot be read.
    pub fn layer(&self, empties: u32) -> Result<Vec<(Position, BookEntry)>, BookError> {
        self.sql.layer(empties)
    }
}
