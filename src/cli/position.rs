//! Positions on the command line, and in the files that it names.

use std::fmt;
use std::path::Path;

use anyhow::Result;
use umigame_lab::arena::openings::{self, Opening};
use umigame_othello::game::read_position;
use umigame_othello::text::quote;
use umigame_othello::{Board, Position};

use super::args::PositionArgs;
use super::{bad_input, shown};

const EXPECTED: &str = "expected 64 squares and the side to move, or the moves of a game";

impl PositionArgs {
    /// Reads the position that the words make up.
    ///
    /// # Errors
    /// The first word that cannot be read, and its place.
    pub(super) fn read(&self) -> Result<Board> {
        read(&self.position, &self.more)
    }
}

/// Reads a position from a word and the words that follow it.
///
/// # Errors
/// The first word that cannot be read, and its place.
pub(super) fn read(position: &str, more: &[String]) -> Result<Board> {
    let text = more.iter().fold(position.to_owned(), |text, word| format!("{text} {word}"));
    read_position(&text).map_err(|error| {
        let kind = match std::fs::metadata(position) {
            Ok(found) if found.is_dir() => "folder",
            Ok(_) => "file",
            Err(_) => return bad_input(format!("`{}`: {error}", quote(&text))),
        };
        bad_input(format!("`{}` is a {kind}: {EXPECTED}", quote(position)))
    })
}

/// Reads the openings of a file.
///
/// # Errors
/// The file and the first line that cannot be read.
pub(super) fn read_openings(path: &Path) -> Result<Vec<Opening>> {
    let wrong = |why: &dyn fmt::Display| bad_input(format!("{}: {why}", shown(path)));
    let text = std::fs::read_to_string(path).map_err(|error| wrong(&error))?;
    openings::read(&text).map_err(|error| wrong(&error))
}

/// Reads the positions after the openings of a file.
///
/// # Errors
/// As [`read_openings`].
pub(super) fn openings(path: &Path) -> Result<Vec<Position>> {
    let position = |opening: &Opening| {
        let board = opening.record.board();
        board.map(|board| board.position()).map_err(|e| bad_input(format!("{}: {e}", shown(path))))
    };
    read_openings(path)?.iter().map(position).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    const START: &str = "---------------------------OX------XO---------------------------";

    fn words(text: &str) -> Vec<String> {
        text.split_whitespace().map(str::to_owned).collect()
    }

    #[test]
    fn a_position_is_squares_and_side_or_moves() {
        assert_eq!(read(START, &words("X")).unwrap(), Board::start());
        assert_eq!(read("f5 D6", &[]).unwrap().empties(), 58);
        assert_eq!(read("f5", &words("d6 c3")).unwrap().empties(), 57);
    }

    #[test]
    fn an_error_quotes_the_text_and_says_what_was_expected() {
        for (text, part) in [
            ("f5z9", "`z9`"),
            ("XXX", "`XXX`: the position: the board has 3 squares of 64"),
            ("f5f5", "f5: there is a disc already"),
            ("---?", "column 4: `?`"),
            (START, "side to move is missing"),
        ] {
            let error = read(text, &[]).unwrap_err().to_string();
            assert!(error.contains(part), "{text}: {error}");
        }
    }
}
