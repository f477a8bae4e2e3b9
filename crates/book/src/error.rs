//! Errors of a book; each message names the file.

use std::io;
use std::path::{Path, PathBuf};

use umigame_engine::EngineError;
use umigame_othello::{ReplayError, text};

/// Why a book cannot be read or written.
#[derive(Debug, thiserror::Error)]
pub enum BookError {
    /// The file does not exist.
    #[error("{}: no such book: expected a file that `umigame book import` has made", shown(.0))]
    Missing(PathBuf),
    /// The file is not a book.
    #[error("{}: not a book: expected a file that `umigame book import` has made", shown(.0))]
    NotABook(PathBuf),
    /// The book was written by a later umigame.
    #[error(
        "{}: a book of version {found}: this umigame reads versions up to {known}",
        shown(path)
    )]
    Newer {
        /// The file.
        path: PathBuf,
        /// Version of the file.
        found: u32,
        /// Latest version this umigame reads.
        known: u32,
    },
    /// The file or its folder is read-only.
    #[error("{}: cannot be written: the file or its folder is read-only", shown(.0))]
    ReadOnly(PathBuf),
    /// The book in use was opened for reading only, or is compact.
    #[error("the book is read-only")]
    NotWritable,
    /// The disk is full.
    #[error("{}: the disk is full; what was committed is kept", shown(.0))]
    Full(PathBuf),
    /// Another process writes to the book.
    #[error("{}: another umigame is writing to it: try again when it is done", shown(.0))]
    Busy(PathBuf),
    /// The content of the file is damaged.
    #[error("{}: damaged: {why}", shown(path))]
    Damaged {
        /// The file.
        path: PathBuf,
        /// Description of the damage.
        why: String,
    },
    /// The last ply stored was fixed when the book was made.
    #[error(
        "{}: keeps positions up to ply {kept}, not {asked}: that is fixed when a book is made",
        shown(path)
    )]
    OtherPlies {
        /// The file.
        path: PathBuf,
        /// Last ply stored.
        kept: u8,
        /// Last ply asked for.
        asked: u8,
    },
    /// Any other error of the system or the database.
    #[error("{}: {why}", shown(path))]
    Failed {
        /// The file.
        path: PathBuf,
        /// Message of the system or the database.
        why: String,
    },
    /// The caller interrupted a commit; the book is unchanged.
    #[error("interrupted: the commit in progress was undone")]
    Interrupted,
    /// The output of an export cannot be written.
    #[error(transparent)]
    Output(#[from] io::Error),
    /// A game has an illegal move.
    #[error(transparent)]
    IllegalGame(#[from] ReplayError),
    /// The engine of a search cannot be made.
    #[error(transparent)]
    Engine(#[from] EngineError),
}

impl BookError {
    pub(crate) fn failed(path: &Path, why: impl ToString) -> BookError {
        BookError::Failed { path: path.to_path_buf(), why: why.to_string() }
    }

    pub(crate) fn damaged(path: &Path, why: impl ToString) -> BookError {
        BookError::Damaged { path: path.to_path_buf(), why: why.to_string() }
    }

    /// Returns true where the user named a file or a setting that cannot be used.
    pub fn is_bad_input(&self) -> bool {
        matches!(
            self,
            BookError::Missing(_)
                | BookError::NotABook(_)
                | BookError::Newer { .. }
                | BookError::OtherPlies { .. }
        )
    }
}

/// Returns a path in ASCII.
fn shown(path: &Path) -> String {
    text::shown(&path.to_string_lossy())
}
