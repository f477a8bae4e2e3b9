//! Errors of games, files and conversions.

use std::io;
use std::path::{Path, PathBuf};

use umigame_othello::text::shown_path as shown;

/// A game that cannot be read.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{}{}{}: {why}", shown(.file), game_text(*.game), line_text(*.line))]
pub struct GameError {
    /// The file.
    pub file: PathBuf,
    /// Number of the game in the file, from 1; 0 for the whole file.
    pub game: usize,
    /// Line on which the game begins, from 1; 0 in a file without lines, where
    /// `why` names the byte.
    pub line: usize,
    /// The fault.
    pub why: String,
}

impl GameError {
    pub(super) fn of_file(file: PathBuf, why: String) -> GameError {
        GameError { file, game: 0, line: 0, why }
    }
}

fn game_text(game: usize) -> String {
    if game == 0 { String::new() } else { format!(": game {game}") }
}

fn line_text(line: usize) -> String {
    if line == 0 { String::new() } else { format!(", line {line}") }
}

/// Error that ends a conversion.
#[derive(Debug, thiserror::Error)]
pub enum ConvertError {
    /// A file or folder that cannot be converted.
    #[error("{}: {why}", shown(path))]
    Input {
        /// The file or folder.
        path: PathBuf,
        /// The system's message, or what was expected.
        why: String,
    },
    /// A file or folder that cannot be written.
    #[error("{}: cannot be written: {error}", shown(path))]
    Output {
        /// The file or folder.
        path: PathBuf,
        /// The system's error.
        error: io::Error,
    },
    /// A stream that cannot be written.
    #[error(transparent)]
    Stream(io::Error),
}

impl ConvertError {
    pub(super) fn input(path: &Path, why: impl ToString) -> ConvertError {
        ConvertError::Input { path: path.to_path_buf(), why: why.to_string() }
    }

    pub(super) fn unknown_format(path: &Path) -> ConvertError {
        ConvertError::input(path, "expected a name in .ggf, .sgf, .pgn, .txt, .obf or .wtb")
    }

    pub(super) fn output(path: &Path) -> impl Fn(io::Error) -> ConvertError {
        |error| ConvertError::Output { path: path.to_path_buf(), error }
    }
}
