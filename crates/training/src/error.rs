//! Errors of learning.

use std::io;
use std::path::{Path, PathBuf};

use super::data::DataError;
use umigame_engine::EngineError;

/// Reason why learning cannot go on.
#[derive(Debug, thiserror::Error)]
pub enum LearnError {
    /// A file of training data cannot be used.
    #[error(transparent)]
    Data(#[from] DataError),
    /// The engine has no transposition table.
    #[error(transparent)]
    Table(#[from] EngineError),
    /// A file of positions, weights or records cannot be used.
    #[error("{}: {why}", umigame_othello::text::shown_path(.path))]
    Source {
        /// The file.
        path: PathBuf,
        /// Reason.
        why: String,
    },
    /// The moves of a solved endgame do not lead to the score proven for it: a fault in the search.
    #[error("game {0}: the moves of a solved endgame do not lead to its score")]
    Unproven(u64),
}

impl LearnError {
    pub(crate) fn source(path: &Path, why: impl ToString) -> LearnError {
        LearnError::Source { path: path.to_owned(), why: why.to_string() }
    }

    /// Returns whether a file that the user named is the reason, rather than the machine.
    pub fn is_bad_input(&self) -> bool {
        use io::ErrorKind::{IsADirectory, NotFound, PermissionDenied, ResourceBusy};
        match self {
            LearnError::Data(DataError::Io { error, .. }) => {
                matches!(error.kind(), NotFound | PermissionDenied | IsADirectory | ResourceBusy)
            }
            LearnError::Data(_) | LearnError::Source { .. } => true,
            LearnError::Table(_) | LearnError::Unproven(_) => false,
        }
    }
}

/// Returns a conversion of an I/O error on `path`.
pub(super) fn io_error(path: &Path) -> impl Fn(io::Error) -> LearnError + '_ {
    |error| DataError::Io { path: path.to_owned(), error }.into()
}
