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
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ConvertError {
    /// A file or folder that cannot be read.
    #[error("{}: {why}", shown(path))]
    File {
        /// The file or folder.
        path: PathBuf,
        /// The system's message, or the fault of the whole file.
        why: String,
    },
    /// A file or folder that cannot be written.
    #[error("{}: cannot be written: {why}", shown(path))]
    NotWritable {
        /// The file or folder.
        path: PathBuf,
        /// The system's message.
        why: String,
    },
    /// A file in the output folder that would be replaced.
    #[error("{}: exists already: expected a new folder, or --force to replace files", shown(.0))]
    Exists(PathBuf),
    /// A file whose extension is no format.
    #[error("{}: expected a name in .ggf, .sgf, .pgn, .txt, .obf or .wtb", shown(.0))]
    UnknownFormat(PathBuf),
    /// A folder without a file of games.
    #[error("{}: no file of games in it: expected .ggf, .sgf, .pgn, .txt, .obf or .wtb", shown(.0))]
    NoGames(PathBuf),
}

impl ConvertError {
    pub(super) fn file(path: &Path, error: &io::Error) -> ConvertError {
        ConvertError::File { path: path.to_path_buf(), why: error.to_string() }
    }

    pub(super) fn not_writable(path: &Path, error: &io::Error) -> ConvertError {
        ConvertError::NotWritable { path: path.to_path_buf(), why: error.to_string() }
    }
}

/// Error on either side of a conversion.
#[derive(Debug)]
pub enum Failure {
    /// The input cannot be read.
    Input(ConvertError),
    /// The output cannot be written.
    Output(io::Error),
}
