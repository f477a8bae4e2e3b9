//! A database of Othello positions, games and searches.
//!
//! A [`Book`] is one SQLite file with games, the positions they met and searches of positions.
//! The eight symmetric images of a position share one entry ([`CanonicalPosition`]). A
//! [`BookEntry`] has the results of its games, in total and by move, the best search of the
//! position ([`StoredSearch`]) and a [`BookValue`] backed up by minimax from the positions after
//! it. One process writes, many read, and a kill loses at most the commit in progress.
//!
//! [`PlayBook`] chooses moves from a book, or from a compact file exported from it. A [`GameArchive`]
//! holds games in memory and finds those that met a position.
//!
//! ```
//! use umigame_book::{Book, BookGame};
//! use umigame_othello::Position;
//! use umigame_othello::formats::transcript;
//!
//! let folder = tempfile::tempdir()?;
//! let mut book = Book::create(&folder.path().join("book.sqlite"), None)?;
//! let games = ["f5d6c3d3c4", "f5f6e6f4e3"].map(|moves| transcript::parse(moves).unwrap());
//! book.add(&[BookGame::of(&games[0])?, BookGame::of(&games[1])?])?;
//! let view = book.view_position(Position::START)?;
//! assert_eq!(view.moves.len(), 1, "the four first moves are equivalent");
//! assert_eq!((view.moves[0].played.to_string(), view.moves[0].stats.games), ("f5".into(), 2));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod add;
mod archive;
mod book;
mod canonical;
mod check;
mod compact;
mod database;
mod entry;
mod error;
mod export;
mod game;
mod grow;
mod interrupt;
mod json;
mod merge;
mod minimax;
mod orientation;
mod play;
mod queries;
mod schema;
mod stats;
mod summary;
#[cfg(test)]
mod tests;
mod view;
mod visits;

pub use add::AddedGames;
pub use archive::{FoundGame, FoundGames, GameArchive, GameFilter};
pub use book::{Book, MAX_PLY};
pub use canonical::CanonicalPosition;
pub use check::{CheckReport, Fault};
pub use compact::CompactBook;
pub use entry::{BookEntry, BookValue, StoredSearch, Trust};
pub use error::BookError;
pub use export::{ExportFilter, ExportFormat};
pub use game::{BookGame, GameId};
pub use grow::{GrowProgress, GrowSettings};
pub use json::{MoveRecord, PositionRecord};
pub use play::{BookMove, ChoiceCriterion, ChoicePolicy, PlayBook};
pub use queries::BookCounts;
pub use stats::GameStats;
pub use view::{MoveView, PositionView};
