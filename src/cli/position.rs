//! Positions on the command line: 64 squares and a side, or the moves of a
//! game.

use anyhow::Result;
use umigame::board::{Board, Color, Move, Position, parse_position};

use super::bad_input;

/// Reads a position: 64 squares and the side to move, or moves from the
/// start. Returns it with the side to move.
///
/// # Errors
/// What could not be read and where.
pub(super) fn read(text: &str, side: Option<&str>) -> Result<(Position, Color)> {
    let text = match side {
        Some(side) => format!("{text} {side}"),
        None => text.to_owned(),
    };
    if looks_like_moves(&text) {
        let board = play(&text)?;
        return Ok((board.position(), board.side_to_move()));
    }
    parse_position(&text).map_err(|error| bad_input(format!("position: {error}")))
}

/// Moves begin with a square and a board never does.
fn looks_like_moves(text: &str) -> bool {
    let mut letters = text.trim_start().chars();
    let (first, second) = (letters.next(), letters.next());
    first.is_some_and(|c| matches!(c.to_ascii_lowercase(), 'a'..='h' | 'p'))
        && second.is_some_and(|c| c.is_ascii_digit() || c.eq_ignore_ascii_case(&'a'))
}

/// Plays moves such as `f5d6c3` or `f5 d6 c3` from the start; a forced pass
/// may be left out.
fn play(text: &str) -> Result<Board> {
    let mut board = Board::start();
    let letters: Vec<char> = text.chars().filter(|c| !c.is_whitespace()).collect();
    for (index, pair) in letters.chunks(2).enumerate() {
        let token: String = pair.iter().collect();
        let wrong =
            |error: &dyn ToString| bad_input(format!("move {}: {}", index + 1, error.to_string()));
        let played: Move = token.parse().map_err(|error| wrong(&error))?;
        if played != Move::Pass && board.must_pass() {
            board.pass().map_err(|error| wrong(&error))?;
        }
        board.play(played).map_err(|error| wrong(&error))?;
    }
    Ok(board)
}
