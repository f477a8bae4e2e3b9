//! Draws the board of the prompt: coordinates, the last move in brackets, a dot
//! or a value on every legal square, and the disc counts beside it.

use std::io::{self, IsTerminal};

use umigame_analysis::values::SquareValue;
use umigame_othello::{Board, Color, Move, Square, openings};

/// Style of a drawn board.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Style {
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
    /// Colours where standard output is a terminal that shows them.
    pub(super) fn of_stdout() -> Style {
        let wanted = io::stdout().is_terminal() && std::env::var_os("NO_COLOR").is_none();
        // A console of Windows prints escape codes as text until it is told to obey them.
        #[cfg(windows)]
        let wanted = wanted && anstyle_query::windows::enable_ansi_colors() == Some(true);
        if wanted { Style::Colored } else { Style::Plain }
    }

    fn paint(self, sequence: &str, text: &str) -> String {
        match self {
            Style::Plain => text.to_owned(),
            Style::Colored => format!("{sequence}{text}{}", escape::RESET),
        }
    }
}

/// Draws a board in nine lines.
pub(super) fn draw(board: &Board, style: Style) -> String {
    let last = board.history().rev().find_map(Move::square);
    let mut text = String::from("    a b c d e f g h\n");
    for row in 0..8 {
        let mut line = format!(" {} ", row + 1);
        let mut closing = " ".to_owned();
        for square in squares_of(row) {
            let is_last = Some(square) == last;
            line += &if is_last { style.paint(escape::LAST, "[") } else { closing };
            line += &disc(board, square, style);
            closing = if is_last { style.paint(escape::LAST, "]") } else { " ".to_owned() };
        }
        push_line(&mut text, &(line + &closing), beside(board, row));
    }
    text
}

/// Draws a board in nine lines with values on squares, the best ones with a star.
pub(super) fn draw_with_values(board: &Board, values: &[SquareValue], style: Style) -> String {
    let last = board.history().rev().find_map(Move::square);
    let files: String = "abcdefgh".chars().map(|file| format!("   {file}   ")).collect();
    let mut text = format!("   {}\n", files.trim_end());
    for row in 0..8 {
        let mut line = format!(" {} ", row + 1);
        for square in squares_of(row) {
            line += &match values.iter().find(|value| value.square == square) {
                Some(value) => valued(value, style),
                None if Some(square) == last => {
                    let [open, close] = ["[", "]"].map(|part| style.paint(escape::LAST, part));
                    format!("  {open}{}{close}  ", disc(board, square, style))
                }
                None => format!("   {}   ", disc(board, square, style)),
            };
        }
        let beside = match row {
            4 if !board.is_over() => Some(format!("   {}", to_move(board))),
            row => beside(board, row),
        };
        push_line(&mut text, &line, beside);
    }
    text
}

/// Adds a row and the text to its right.
fn push_line(text: &mut String, row: &str, beside: Option<String>) {
    let line = format!("{row}{}", beside.unwrap_or_default());
    *text += line.trim_end();
    text.push('\n');
}

fn squares_of(row: usize) -> impl Iterator<Item = Square> {
    Square::all().skip(row * 8).take(8)
}

/// Returns a cell of seven characters. Zero has a sign, too: `0` alone is a disc of White where a board
/// is read.
fn valued(value: &SquareValue, style: Style) -> String {
    let sign = if value.text.starts_with('0') { "+" } else { "" };
    let (text, mark) = (format!("{sign}{}", value.text), if value.is_best { "*" } else { " " });
    let cell = format!("{text:>6}{mark}");
    style.paint(if value.is_best { escape::LAST } else { escape::LEGAL }, &cell)
}

fn disc(board: &Board, square: Square, style: Style) -> String {
    match board.get(square) {
        Some(Color::Black) => style.paint(escape::BLACK_DISC, "X"),
        Some(Color::White) => style.paint(escape::WHITE_DISC, "O"),
        None if board.directions(square) != 0 => style.paint(escape::LEGAL, "."),
        None => "-".to_owned(),
    }
}

fn to_move(board: &Board) -> String {
    let side = board.side_to_move();
    format!("{side} ({}) to move", side.letter())
}

/// Returns the text to the right of a row.
fn beside(board: &Board, row: usize) -> Option<String> {
    let (black, white) = (board.count(Color::Black), board.count(Color::White));
    match row {
        2 => Some(format!("   Black X {black:2}")),
        3 => Some(format!("   White O {white:2}")),
        4 if board.is_over() => Some(format!("   the game is over: {}", result(board))),
        4 => Some(format!("   {}, {} empty", to_move(board), board.empties())),
        5 => openings::english(board).map(|name| format!("   {name}")),
        _ => None,
    }
}

/// Returns the winner and the disc difference, the winner taking the empties.
pub(super) fn result(board: &Board) -> String {
    let discs = board.score_for_black().discs();
    match discs.signum() {
        1 => format!("Black wins by {discs}"),
        -1 => format!("White wins by {}", -discs),
        _ => "a draw".to_owned(),
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
    fn values_stand_on_their_squares_and_the_board_reads_back() {
        let mut board = Board::start();
        board.play(Move::Place(Square::F5)).unwrap();
        let value = |square: &str, text: &str, is_best| SquareValue {
            square: square.parse().unwrap(),
            text: text.to_owned(),
            spread: String::new(),
            is_best,
        };
        let values =
            [value("f4", "-12.4", false), value("d6", "0", true), value("f6", "loss", false)];
        let expected = "      a      b      c      d      e      f      g      h
 1    -      -      -      -      -      -      -      -
 2    -      -      -      -      -      -      -      -
 3    -      -      -      -      -      -      -      -      Black X  4
 4    -      -      -      O      X    -12.4    -      -      White O  1
 5    -      -      -      X      X     [X]     -      -      White (O) to move
 6    -      -      -       +0*   -     loss    -      -
 7    -      -      -      -      -      -      -      -
 8    -      -      -      -      -      -      -      -
";
        let drawn = draw_with_values(&board, &values, Style::Plain);
        assert_eq!(drawn, expected);
        let read: Board = drawn.parse().unwrap();
        assert_eq!((read.position(), read.side_to_move()), (board.position(), Color::White));
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
