//! Errors of reading and writing training data.

use std::io;
use std::path::PathBuf;

use umigame_othello::text::shown_path as shown;

/// Reason why a file cannot be read or written.
#[derive(Debug, thiserror::Error)]
pub enum DataError {
    /// An I/O error.
    #[error("{}: {error}", shown(.path))]
    Io {
        /// The file.
        path: PathBuf,
        /// The error.
        error: io::Error,
    },
    /// The file is no training data.
    #[error("{}: is no training data of umigame: it does not begin with UMIGDATA", shown(.0))]
    Foreign(PathBuf),
    /// A later umigame wrote the file.
    #[error("{}: has version {version}: expected {expected}", shown(.path))]
    Version {
        /// The file.
        path: PathBuf,
        /// Its version.
        version: u16,
        /// Version that this program reads.
        expected: u16,
    },
    /// The file has changed since it was written.
    #[error("{}, byte {offset}: damaged: {what}", shown(.path))]
    Damaged {
        /// The file.
        path: PathBuf,
        /// Offset of the damaged part.
        offset: u64,
        /// Damage.
        what: &'static str,
    },
}
