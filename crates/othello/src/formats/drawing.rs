//! A board drawn in eight numbered rows, as `play` and a [`Board`](crate::Board) print it.

use crate::color::Color;
use crate::notation::{color_of, position_text};
use crate::position::Position;

/// Draws a position with its side to move, in a form that [`squares`] reads.
pub fn text(position: Position, side: Color) -> String {
    let squares = position_text(position, side);
    let mut text = String::from("  a b c d e f g h\n");
    for (row, cells) in ('1'..='8').zip(squares.as_bytes().chunks(8)) {
        text.push(row);
        for &cell in cells {
            text.push(' ');
            text.push(char::from(cell));
        }
        text.push('\n');
    }
    text + &format!("{side} ({}) to move\n", side.letter())
}

/// Turns a drawn board into one line of 64 squares and the side to move. `None` if the text has no
/// eight rows that begin with the numbers 1 to 8.
///
/// A value in a cell stands for an empty square. The side to move is the letter in `(X) to move`, or the
/// last word.
pub fn squares(text: &str) -> Option<String> {
    let mut numbers = '1'..='8';
    let mut expected = numbers.next();
    let (mut squares, mut beside) = (String::new(), String::new());
    for line in text.lines() {
        let row = expected.and_then(|number| line.trim_start().strip_prefix(number));
        let Some(row) = row.filter(|row| row.starts_with([' ', '\t', '|'])) else {
            beside += line;
            continue;
        };
        expected = numbers.next();
        let cells: Vec<(char, usize)> = cells(row).take(8).collect();
        squares.extend(cells.iter().map(|(letter, _)| letter));
        let end = cells.last().map_or(0, |(_, end)| *end);
        beside += row.get(end..).unwrap_or("");
        beside.push('\n');
    }
    if expected.is_some() {
        return None;
    }
    let side = beside
        .split_once(") to move")
        .and_then(|(before, _)| before.chars().next_back())
        .or_else(|| beside.split_whitespace().next_back()?.parse().ok())
        .and_then(color_of);
    // Nobody moves once the game is over.
    let side = side.or(beside.contains("the game is over").then_some(Color::Black));
    Some(match side {
        Some(side) => format!("{squares} {}", side.letter()),
        None => squares,
    })
}

/// Returns the letters of a row's cells, and where each cell ends.
fn cells(row: &str) -> impl Iterator<Item = (char, usize)> {
    let mut at = 0;
    row.split_inclusive(|c: char| c.is_whitespace() || "[]|".contains(c)).flat_map(move |part| {
        let start = at;
        at += part.len();
        let word = part.trim_end_matches(|c: char| c.is_whitespace() || "[]|".contains(c));
        let is_value = is_value(word);
        let value = is_value.then_some(('-', start + word.len()));
        let letters = if is_value { "" } else { word };
        let letters = letters.char_indices();
        value.into_iter().chain(letters.map(move |(i, c)| (c, start + i + c.len_utf8())))
    })
}

/// Returns whether a word is the value of a move: discs with a sign, or a result. `0` and `-0` are discs.
fn is_value(word: &str) -> bool {
    let word = word.trim_end_matches('*').trim_start_matches(['<', '>', '=']);
    let is_number = word.starts_with(['+', '-'])
        && word.ends_with(|c: char| c.is_ascii_digit())
        && word.parse::<f64>().is_ok()
        && word != "-0";
    is_number || matches!(word, "win" | "draw" | "loss")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Board;

    #[test]
    fn a_drawn_board_reads_back() -> Result<(), <Board as std::str::FromStr>::Err> {
        for moves in ["start", "f5", "f5d6c3d3c4"] {
            let board: Board = moves.parse()?;
            let drawn = text(board.position(), board.side_to_move());
            let read: Board = drawn.parse()?;
            assert_eq!(read.position(), board.position(), "{drawn}");
            assert_eq!(read.side_to_move(), board.side_to_move(), "{drawn}");
        }
        let valued = text(Board::start().position(), Color::Black)
            .replace("4 - - - O X - - -", "4 - >=+3.2 [O] draw O X -12.4* - win*")
            .replace("3 -", "3 +64");
        let expected = "-".repeat(16) + &"-".repeat(8) + "--O-OX-----XO---";
        assert_eq!(squares(&valued).unwrap_or_default().get(..40), Some(&expected[..]), "{valued}");
        assert_eq!(squares("1 2 3"), None);
        Ok(())
    }
}
