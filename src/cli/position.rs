//! Positions on the command line, and in the files that it names.

use std::path::Path;

use anyhow::Result;
use clap::Args;
use umigame_arena::openings::{self, Opening};
use umigame_othello::Board;
use umigame_othello::formats::obf;
use umigame_othello::formats::transcript::read_position;
use umigame_othello::text::quote;

use umigame_support::exit::{bad_input, shown};

const EXPECTED: &str = "expected 64 squares and the side to move, or the moves of a game";

/// A position, in one word or in several.
#[derive(Args, Debug)]
pub(super) struct PositionArgs {
    /// 64 squares from a1 to h8 (X x * B b, O o W w 0, - .) and the side to move, the moves of a
    /// game such as f5d6c3, a line of OBF, or a board as `umigame play` draws it
    pub position: String,

    /// Further words of the position: the side to move, or moves
    #[arg(value_name = "MORE")]
    pub more: Vec<String>,
}

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
    if matches!(text.trim(), "" | "-") {
        return Err(bad_input(format!("`{}` is no position: {EXPECTED}", quote(text.trim()))));
    }
    parse(&text).map_err(|error| {
        let kind = match std::fs::metadata(position) {
            Ok(found) if found.is_dir() => "folder",
            Ok(_) => "file",
            Err(_) => return bad_input(format!("`{}`: {error}", quote(&text))),
        };
        bad_input(format!("`{}` is a {kind}: {EXPECTED}", quote(position)))
    })
}

/// Reads a position in any form: squares and side, moves, GGF, a line of OBF
/// (its scores are ignored), or a board as the prompt draws it.
///
/// # Errors
/// A sentence that names what was wrong and where.
pub(super) fn parse(text: &str) -> Result<Board, String> {
    read_position(text).or_else(|error| match obf::parse_line(text) {
        Ok(Some(problem)) => Ok(problem.board()),
        Err(wrong) if text.contains(':') && !text.contains("(;") => Err(wrong.to_string()),
        _ => Err(error.to_string()),
    })
}

/// Reads the openings of a file.
///
/// # Errors
/// The file and the first line that cannot be read.
pub(super) fn read_openings(path: &Path) -> Result<Vec<Opening>> {
    openings::load(path).map_err(|error| bad_input(format!("{}: {error}", shown(path))))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cli::board_view::{Style, draw};
    use umigame_othello::{Color, parse_position};

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
            ("", EXPECTED),
            (" ", EXPECTED),
            ("-", EXPECTED),
        ] {
            let error = read(text, &[]).unwrap_err().to_string();
            assert!(error.contains(part), "{text}: {error}");
        }
        let error = read(&format!("{START} X; Z9:+3;"), &[]).unwrap_err().to_string();
        assert!(error.contains("column 69: `Z9:+3`"), "{error}");
    }

    #[test]
    fn the_scores_of_an_obf_line_are_ignored() {
        for scores in ["", ";", "; +4;", "; F5:+0; D3:+0; % comment"] {
            let line = format!("{START} X{scores}");
            assert_eq!(read(&line, &[]).unwrap(), Board::start(), "{line}");
        }
    }

    #[test]
    fn a_drawn_board_is_read_as_the_prompt_draws_it() {
        for moves in ["", "f5", "f5d6c3d3c4f4f6"] {
            let board = read_position(moves).unwrap();
            let read = read(&draw(&board, Style::Plain), &[]).unwrap();
            assert_eq!(read.position(), board.position(), "{moves}");
            assert_eq!(read.side_to_move(), board.side_to_move(), "{moves}");
        }
        let over = parse_position(&format!("{} X", "X".repeat(64))).unwrap();
        let over = Board::from_position(over.0, over.1);
        assert_eq!(read(&draw(&over, Style::Plain), &[]).unwrap().position(), over.position());
    }

    #[test]
    fn a_drawn_board_without_a_side_needs_the_side_after_it() {
        let row = |number: u32| format!("{number} | - - - X O - - - |\n");
        let rows: String = (1..=8).map(row).collect();
        let error = read(&rows, &[]).unwrap_err().to_string();
        assert!(error.contains("the side to move is missing"), "{error}");
        assert_eq!(read(&rows, &words("O")).unwrap().side_to_move(), Color::White);
    }
}
