//! What can go wrong with a book, in words that name the file.

use std::path::{Path, PathBuf};

use umigame_engine::search::EngineError;
use umigame_othello::files::shown;

/// Why a book cannot be read or written.
#[derive(Debug, thiserror::Error)]
pub enum BookError {
    /// No such file.
    #[error("{}: no such book: expected a file that `umigame book import` has made", shown(.0))]
    Missing(PathBuf),
    /// A file that is no book.
    #[error("{}: no book: expected a file that `umigame book import` has made", shown(.0))]
    NoBook(PathBuf),
    /// A book of a later umigame.
    #[error(
        "{}: a book of version {found}: this umigame reads versions up to {known}",
        shown(path)
    )]
    Newer {
        /// The file.
        path: PathBuf,
        /// Its version.
        found: u32,
        /// The last version that is understood.
        known: u32,
    },
    /// The file or its folder may not be written.
    #[error("{}: cannot be written: the file or its folder is read-only", shown(.0))]
    ReadOnly(PathBuf),
    /// No room.
    #[error("{}: the disk is full; what was committed is kept", shown(.0))]
    Full(PathBuf),
    /// Another process writes.
    #[error("{}: another umigame is writing to it: try again when it is done", shown(.0))]
    Busy(PathBuf),
    /// The bytes of the file are damaged.
    #[error("{}: damaged: {why}", shown(path))]
    Damaged {
        /// The file.
        path: PathBuf,
        /// What is wrong.
        why: String,
    },
    /// The setting was fixed when the book was made.
    #[error(
        "{}: keeps positions up to ply {kept}, not {asked}: that is fixed when a book is made",
        shown(path)
    )]
    OtherPlies {
        /// The file.
        path: PathBuf,
        /// The last ply kept.
        kept: u8,
        /// What was asked for.
        asked: u8,
    },
    /// Anything else that the system or the database says.
    #[error("{}: {why}", shown(path))]
    Failed {
        /// The file.
        path: PathBuf,
        /// What was said.
        why: String,
    },
    /// The table of a search cannot be had.
    #[error(transparent)]
    Table(#[from] EngineError),
}

impl BookError {
    pub(super) fn failed(path: &Path, why: impl ToString) -> BookError {
        BookError::Failed { path: path.to_path_buf(), why: why.to_string() }
    }

    pub(super) fn damaged(path: &Path, why: impl ToString) -> BookError {
        BookError::Damaged { path: path.to_path_buf(), why: why.to_string() }
    }

    /// Whether the user named something that cannot be used.
    pub fn is_bad_input(&self) -> bool {
        matches!(
            self,
            BookError::Missing(_)
                | BookError::NoBook(_)
                | BookError::Newer { .. }
                | BookError::OtherPlies { .. }
        )
    }
}
