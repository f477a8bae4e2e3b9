//! Errors of tuning.

use std::io;
use std::path::{Path, PathBuf};

/// Reason why tuning cannot go on.
#[derive(Debug, thiserror::Error)]
pub enum TuneError {
    /// The log cannot be read or written, or does not belong to this work.
    #[error("{}: {why}", umigame_othello::text::shown_path(.path))]
    Log {
        /// The file.
        path: PathBuf,
        /// Reason, with the line.
        why: String,
    },
    /// The engine has no transposition table.
    #[error(transparent)]
    Table(#[from] umigame_engine::EngineError),
    /// Too few positions.
    #[error("{0} positions: expected at least 2")]
    TooFew(usize),
    /// Two searches of full confidence contradict each other: a fault in the search.
    #[error("the score of {position} is {expected} with the start values and {found} with others")]
    Wrong {
        /// The position.
        position: String,
        /// Score with the start values, in discs.
        expected: i32,
        /// Score with other values.
        found: i32,
    },
    /// A game could not be played on: a fault in the search.
    #[error("the opening {0}: the search has no move, or an illegal one")]
    NoMove(String),
}

/// Returns a conversion of an I/O error on the log.
pub(super) fn log_error(path: &Path) -> impl Fn(io::Error) -> TuneError + '_ {
    |error| TuneError::Log { path: path.to_owned(), why: error.to_string() }
}
