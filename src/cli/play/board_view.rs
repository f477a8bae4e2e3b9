//! Draws the board of the prompt: coordinates, the last move in brackets, a dot
//! on every legal square, and the disc counts beside it.

use std::fmt::Write;

use umigame_othello::{Board, Color, Move, Square, openings};

use crate::cli::format::result;

/// Style of a drawn board.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(in crate::cli) enum Style {
    /// ASCII only.
    Plain,
    /// With escape sequences for colours.
    Colored,
}

/// Escape sequences of a terminal.
mod escape {
    pub(super) const BLACK_DISC: &str = "\x1b[1;32m";
    pub(super) const WHITE_DISC: &str = "\x1b[1;37m";
    pub(super) const LEGAL: &str = "\x1b[36m";
    pub(super) const LAST: &str = "\x1b[1;33m";
    pub(super) const RESET: &str = "\x1b[0m";
}

impl Style {
    fn paint(self, sequence: &str, text: &str) -> String {
        match self {
            Style::Plain => text.to_owned(),
            Style::Colored => format!("{sequence}{text}{}", escape::RESET),
        }
    }
}

/// Draws a board in nine lines.
pub(in crate::cli) fn draw(board: &Board, style: Style) -> String {
    let last = board.history().rev().find_map(Move::square);
    let mut text = String::from("    a b c d e f g h\n");
    for row in 0..8 {
        let mut line = format!(" {} ", row + 1);
        let mut closing = " ".to_owned();
        for square in Square::all().skip(row * 8).take(8) {
            let is_last = Some(square) == last;
            line += &if is_last { style.paint(escape::LAST, "[") } else { closing };
            line += &disc(board, square, style);
            closing = if is_last { style.paint(escape::LAST, "]") } else { " ".to_owned() };
        }
        // Writing to a string cannot fail.
        let _ = writeln!(text, "{line}{closing}{}", beside(board, row).unwrap_or_default());
    }
    text.lines().map(|line| format!("{}\n", line.trim_end())).collect()
}

fn disc(board: &Board, square: Square, style: Style) -> String {
    match board.get(square) {
        Some(Color::Black) => style.paint(escape::BLACK_DISC, "X"),
        Some(Color::White) => style.paint(escape::WHITE_DISC, "O"),
        None if board.directions(square) != 0 => style.paint(escape::LEGAL, "."),
        None => "-".to_owned(),
    }
}

/// Returns the text to the right of a row.
fn beside(board: &Board, row: usize) -> Option<String> {
    let (black, white) = (board.count(Color::Black), board.count(Color::White));
    match row {
        2 => Some(format!("   Black X {black:2}")),
        3 => Some(format!("   White O {white:2}")),
        4 if board.is_over() => Some(format!("   the game is over: {}", result(board))),
        4 => {
            let side = board.side_to_move();
            Some(format!("   {side} ({}) to move, {} empty", side.letter(), board.empties()))
        }
        5 => openings::english(board).map(|name| format!("   {name}")),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_last_move_is_in_brackets_and_every_legal_square_has_a_dot() {
        let mut board = Board::start();
        board.play(Move::Place(Square::F5)).unwrap();
        let expected = "    a b c d e f g h
 1  - - - - - - - -
 2  - - - - - - - -
 3  - - - - - - - -    Black X  4
 4  - - - O X . - -    White O  1
 5  - - - X X[X]- -    White (O) to move, 59 empty
 6  - - - . - . - -
 7  - - - - - - - -
 8  - - - - - - - -
";
        assert_eq!(draw(&board, Style::Plain), expected);
    }

    #[test]
    fn colors_add_escape_sequences_and_nothing_else() {
        let mut text = draw(&Board::start(), Style::Colored);
        assert!(text.contains(escape::BLACK_DISC));
        while let Some(start) = text.find('\x1b') {
            let end = start + text[start..].find('m').unwrap();
            text.replace_range(start..=end, "");
        }
        assert_eq!(text, draw(&Board::start(), Style::Plain));
    }
}
