//! Positions on the command line.

use anyhow::Result;
use umigame::board::Board;
use umigame::game::read_position;

use super::bad_input;

/// Reads 64 squares and the side to move, or the moves of a game; `side` is
/// the side to move where it came as a word of its own.
///
/// # Errors
/// What could not be read and where.
pub(super) fn read(text: &str, side: Option<&str>) -> Result<Board> {
    let joined = side.map_or(text.to_owned(), |side| format!("{text} {side}"));
    read_position(&joined).map_err(|error| bad_input(format!("position: {error}")))
}
