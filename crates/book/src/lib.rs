//! The book: a database of positions, the games that met them, and what
//! searches said of them.
//!
//! Positions are folded by the eight symmetries ([`Folded`]). For each the
//! book holds the results of the games that met it, by the move that
//! followed too ([`Entry`]), what a search of it said ([`Searched`]), and the
//! value that follows from the positions after it ([`Value`]), which is kept
//! true by every change: values are backed up from the ends of the games to
//! their beginning, the best for the mover, passes included. The games
//! themselves are kept as well, so that none counts twice, and so that
//! everything else can be recounted (`check`).
//!
//! It is one SQLite file (`sql`), with write-ahead logging: one writes, many
//! read, and a kill costs at most what was not committed.

mod add;
mod backup;
mod check;
mod compact;
mod entry;
mod error;
mod fold;
mod games;
mod grow;
mod merge;
mod play;
mod sql;
mod tally;
#[cfg(test)]
mod tests;
mod text;
mod view;

use std::path::Path;

use umigame_othello::Position;

pub use add::Added;
pub use check::{Checked, Complaint};
pub use compact::Compact;
pub use entry::{Entry, Searched, Trust, Value};
pub use error::StoreError;
pub use fold::Folded;
pub use games::{Game, Identity};
pub use grow::{GrowSettings, Grown};
pub use play::{BookMove, By, Choosing, PlayBook};
pub use sql::Counts;
use sql::{Access, Sql};
pub use tally::Tally;
pub use text::{Selection, TextFormat};
pub use view::{View, ViewedMove};

/// The last ply of a game whose position can be kept.
pub const LAST_PLY: u8 = 60;

/// A database of positions in a file.
#[derive(Debug)]
pub struct Book {
    sql: Sql,
    /// Positions of games with fewer empties are not kept.
    least_empties: u32,
}

impl Book {
    /// Opens a book to read in it; others may write meanwhile.
    ///
    /// # Errors
    /// The file is missing, no book, or of a newer version.
    pub fn read(path: &Path) -> Result<Book, StoreError> {
        Book::with(Sql::open(path, Access::Read)?)
    }

    /// Opens a book that is there to read and write it.
    ///
    /// # Errors
    /// As [`Book::read`]; and where it cannot be written.
    pub fn write(path: &Path) -> Result<Book, StoreError> {
        Book::with(Sql::open(path, Access::Write)?)
    }

    /// Opens a book to read and write it, or makes one. `plies`, 1 to
    /// [`LAST_PLY`], is the last ply whose positions are kept of a game, all
    /// of them without it; it is fixed when the book is made.
    ///
    /// # Errors
    /// As [`Book::write`]; and where the book was made with other `plies`.
    pub fn create(path: &Path, plies: Option<u8>) -> Result<Book, StoreError> {
        let mut book = Book::with(Sql::open(path, Access::Create)?)?;
        let Some(asked) = plies else { return Ok(book) };
        if asked != book.plies() {
            let path = path.to_path_buf();
            let refused = StoreError::OtherPlies { path, kept: book.plies(), asked };
            book.sql.transaction(|sql| match sql.counts()? {
                Counts { games: 0, positions: 0, .. } => sql.set_about("plies", &asked.to_string()),
                _ => Err(refused),
            })?;
            book.least_empties = u32::from(LAST_PLY.saturating_sub(asked));
        }
        Ok(book)
    }

    fn with(sql: Sql) -> Result<Book, StoreError> {
        let plies = match sql.about("plies")? {
            None => LAST_PLY,
            Some(text) => text
                .parse()
                .map_err(|_| StoreError::damaged(sql.path(), format!("`plies` is `{text}`")))?,
        };
        Ok(Book { sql, least_empties: u32::from(LAST_PLY.saturating_sub(plies)) })
    }

    /// The file.
    pub fn path(&self) -> &Path {
        self.sql.path()
    }

    /// The last ply whose positions are kept of a game.
    pub fn plies(&self) -> u8 {
        LAST_PLY.saturating_sub(self.least_empties as u8)
    }

    /// How much the book holds.
    ///
    /// # Errors
    /// The file cannot be read.
    pub fn counts(&self) -> Result<Counts, StoreError> {
        self.sql.counts()
    }

    /// What the book holds of a position, however it is turned; moves are
    /// folded ([`Folded`]).
    ///
    /// # Errors
    /// The file cannot be read.
    pub fn entry(&self, position: Position) -> Result<Option<Entry>, StoreError> {
        self.sql.entry(Folded::of(position).position())
    }

    /// All positions with so many empties, folded, and what the book holds of
    /// them, in the order of the file.
    ///
    /// # Errors
    /// The file cannot be read.
    pub fn layer(&self, empties: u32) -> Result<Vec<(Position, Entry)>, StoreError> {
        self.sql.layer(empties)
    }
}
