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
/// The side to move is the letter in `(X) to move`, or the last word.
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
        let cells = row.char_indices().filter(|(_, c)| !c.is_whitespace() && !"[]|".contains(*c));
        let cells: Vec<(usize, char)> = cells.take(8).collect();
        squares.extend(cells.iter().map(|(_, letter)| letter));
        let end = cells.last().map_or(0, |(at, letter)| at + letter.len_utf8());
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
        assert_eq!(squares("1 2 3"), None);
        Ok(())
    }
}
