//! Positions on the command line, and in the files that it names.

use std::fmt;
use std::path::Path;

use anyhow::Result;
use umigame_lab::arena::openings::{self, Opening};
use umigame_othello::game::read_position;
use umigame_othello::text::quote;
use umigame_othello::{Board, Position};

use super::{bad_input, shown};

/// Reads 64 squares and the side to move, or the moves of a game; `side` is
/// the side to move where it came as a word of its own.
///
/// # Errors
/// What could not be read and where.
pub(super) fn read(text: &str, side: Option<&str>) -> Result<Board> {
    let joined = side.map_or(text.to_owned(), |side| format!("{text} {side}"));
    read_position(&joined).map_err(|error| {
        let what = match std::fs::metadata(text) {
            Ok(found) if found.is_dir() => "folder",
            Ok(_) => "file",
            Err(_) => return bad_input(format!("`{}`: {error}", quote(text))),
        };
        bad_input(format!(
            "`{}` is a {what}: expected 64 squares and the side to move, or the moves of a game",
            quote(text)
        ))
    })
}

/// The openings of a file.
pub(super) fn read_openings(path: &Path) -> Result<Vec<Opening>> {
    let wrong = |why: &dyn fmt::Display| bad_input(format!("{}: {why}", shown(path)));
    let text = std::fs::read_to_string(path).map_err(|error| wrong(&error))?;
    openings::read(&text).map_err(|error| wrong(&error))
}

/// The positions that the openings of a file lead to.
pub(super) fn openings(path: &Path) -> Result<Vec<Position>> {
    let position = |opening: &Opening| {
        let board = opening.record.board();
        board.map(|board| board.position()).map_err(|e| bad_input(format!("{}: {e}", shown(path))))
    };
    read_openings(path)?.iter().map(position).collect()
}
