//! Boards as SVG: a position, or the numbered moves of a game as in Othello books.
//!
//! A drawing needs no style sheet and no font but any sans-serif. Its text is squares and numbers.

use std::fmt::Write as _;

use umigame_othello::{Bitboard, Board, Color, Move, Square};

use crate::values::SquareValue;

/// Side of a square, in units of the drawing.
const CELL: u32 = 40;
/// Left and top margin, for the names of files and ranks.
const MARGIN: u32 = 22;
/// Right and bottom margin.
const RIM: u32 = 6;
/// Side of the drawing.
const SIZE: u32 = MARGIN + 8 * CELL + RIM;

const FELT: &str = "#2f8f5b";
const LINE: &str = "#1b5c39";
const FRAME: &str = "#20342a";
const BLACK: &str = "#161a18";
const WHITE: &str = "#f7f7f2";
/// Color of the move played, and of the last move.
const PLAYED: &str = "#e5484d";
/// Color of the better move.
const BETTER: &str = "#ffd43b";

/// A drawing of a board.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Diagram {
    /// Discs of Black and of White.
    discs: [Bitboard; 2],
    /// Numbers on squares.
    numbers: Vec<(Square, usize)>,
    /// Squares with dots.
    legal: Bitboard,
    /// Values on empty squares.
    values: Vec<SquareValue>,
    last: Option<Square>,
    played: Option<Square>,
    better: Option<Square>,
    /// Size in pixels; `None` fills the element around it.
    pixels: Option<u32>,
    title: String,
}

impl Diagram {
    /// Draws the discs of a board.
    pub fn of(board: &Board) -> Diagram {
        let (position, side) = (board.position(), board.side_to_move());
        let discs = match side {
            Color::Black => [position.player(), position.opponent()],
            Color::White => [position.opponent(), position.player()],
        };
        let to_move = if board.is_over() { "the game is over" } else { &format!("{side} to move") };
        let [black, white] = discs.map(Bitboard::count);
        let title = format!("Othello board: Black {black}, White {white}, {to_move}");
        Diagram { discs, title, ..Diagram::default() }
    }

    /// Draws the numbered moves of a game, each on a disc of its side, with the discs of the start.
    /// Passes have no number.
    pub fn of_game(board: &Board) -> Diagram {
        let mut first = board.clone();
        while first.undo().is_some() {}
        let mut diagram = Diagram::of(&first);
        let mut side = first.side_to_move();
        for played in board.history() {
            if let Move::Place(square) = played {
                let [black, white] = &mut diagram.discs;
                let own = if side == Color::Black { black } else { white };
                own.insert(square);
                diagram.numbers.push((square, diagram.numbers.len() + 1));
            }
            side = !side;
        }
        let moves = diagram.numbers.len();
        diagram.title = format!("Othello game, {moves} moves, numbered");
        diagram
    }

    /// Marks the last move that is not a pass.
    #[must_use]
    pub fn with_last_move(self, board: &Board) -> Diagram {
        Diagram { last: board.history().rev().find_map(Move::square), ..self }
    }

    /// Marks the legal squares with dots.
    #[must_use]
    pub fn with_legal(self, board: &Board) -> Diagram {
        Diagram { legal: board.position().legal_moves(), ..self }
    }

    /// Writes values on empty squares, the best ones on white.
    #[must_use]
    pub fn with_values(self, values: Vec<SquareValue>) -> Diagram {
        Diagram { values, ..self }
    }

    /// Marks the move played with a cross and a better one with a ring.
    #[must_use]
    pub(crate) fn with_choice(self, played: Move, better: Move) -> Diagram {
        Diagram { played: played.square(), better: better.square(), ..self }
    }

    /// Sets the size in pixels.
    #[must_use]
    pub fn with_pixels(self, pixels: u32) -> Diagram {
        Diagram { pixels: Some(pixels), ..self }
    }

    /// Returns the drawing as SVG.
    pub fn svg(&self) -> String {
        let mut svg = String::with_capacity(8 << 10);
        self.write(&mut svg);
        svg
    }

    fn write(&self, svg: &mut String) {
        let size = self
            .pixels
            .map_or_else(String::new, |pixels| format!(" width=\"{pixels}\" height=\"{pixels}\""));
        // Writing to a string cannot fail, here and below.
        let _ = write!(
            svg,
            "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {SIZE} {SIZE}\"{size} \
             role=\"img\" aria-label=\"{title}\" font-family=\"ui-sans-serif,system-ui,Helvetica,\
             Arial,sans-serif\" text-anchor=\"middle\"><title>{title}</title>",
            title = self.title
        );
        write_board(svg);
        self.write_discs(svg);
        self.write_values(svg);
        self.write_marks(svg);
        svg.push_str("</svg>");
    }

    fn write_discs(&self, svg: &mut String) {
        let [black, white] = self.discs;
        for (discs, fill, rim) in [(black, BLACK, "#000"), (white, WHITE, "#9aa39d")] {
            if discs.is_empty() {
                continue;
            }
            let _ = write!(svg, "<g fill=\"{fill}\" stroke=\"{rim}\">");
            for square in discs {
                let (x, y) = center(square);
                let _ = write!(svg, "<circle cx=\"{x}\" cy=\"{y}\" r=\"17\"/>");
            }
            svg.push_str("</g>");
        }
        if self.numbers.is_empty() {
            return;
        }
        svg.push_str("<g font-size=\"17\" font-weight=\"600\">");
        for (square, number) in &self.numbers {
            let (x, y) = center(*square);
            let fill = if black.contains(*square) { WHITE } else { BLACK };
            let _ = write!(svg, "<text x=\"{x}\" y=\"{}\" fill=\"{fill}\">{number}</text>", y + 6);
        }
        svg.push_str("</g>");
    }

    fn write_values(&self, svg: &mut String) {
        for SquareValue { square, text, spread, is_best } in self.empty_values() {
            let (x, y) = center(*square);
            let (ink, weight) = if *is_best { (BLACK, 700) } else { ("#fff", 500) };
            if *is_best {
                let (left, top) = (x - 18, y - 16);
                let _ = write!(
                    svg,
                    "<rect x=\"{left}\" y=\"{top}\" width=\"36\" height=\"32\" rx=\"6\" fill=\"#fff\"/>"
                );
            }
            // A long text, such as a bound, is set smaller.
            let size = if text.len() > 5 { 10 } else { 13 };
            let below = if spread.is_empty() { 5 } else { 1 };
            let _ = write!(
                svg,
                "<g fill=\"{ink}\"><text x=\"{x}\" y=\"{}\" font-size=\"{size}\" \
                 font-weight=\"{weight}\">{}</text>",
                y + below,
                in_svg(text)
            );
            if !spread.is_empty() {
                let _ = write!(
                    svg,
                    "<text x=\"{x}\" y=\"{}\" font-size=\"9\">{}</text>",
                    y + 12,
                    in_svg(spread)
                );
            }
            svg.push_str("</g>");
        }
    }

    /// Returns the values of squares without a disc.
    fn empty_values(&self) -> impl Iterator<Item = &SquareValue> {
        let [black, white] = self.discs;
        let is_empty = move |square| !black.contains(square) && !white.contains(square);
        self.values.iter().filter(move |value| is_empty(value.square))
    }

    fn write_marks(&self, svg: &mut String) {
        let mut legal = self.legal;
        for value in &self.values {
            legal.remove(value.square);
        }
        for square in legal {
            let (x, y) = center(square);
            let _ = write!(
                svg,
                "<circle cx=\"{x}\" cy=\"{y}\" r=\"5\" fill=\"#0d2e1c\" fill-opacity=\".55\"/>"
            );
        }
        if let Some((x, y)) = self.last.map(center) {
            let _ = write!(svg, "<circle cx=\"{x}\" cy=\"{y}\" r=\"5\" fill=\"{PLAYED}\"/>");
        }
        if let Some((x, y)) = self.played.map(center) {
            let _ = write!(
                svg,
                "<g stroke=\"{PLAYED}\" stroke-width=\"4\" stroke-linecap=\"round\">\
                 <path d=\"M{} {}l18 18m0-18l-18 18\"/></g>",
                x - 9,
                y - 9
            );
        }
        if let Some((x, y)) = self.better.map(center) {
            let _ = write!(
                svg,
                "<circle cx=\"{x}\" cy=\"{y}\" r=\"11\" fill=\"none\" stroke=\"{BETTER}\" \
                 stroke-width=\"4.5\"/>"
            );
        }
    }
}

/// Draws the empty board with its coordinates.
fn write_board(svg: &mut String) {
    let side = 8 * CELL;
    let _ = write!(
        svg,
        "<rect width=\"{SIZE}\" height=\"{SIZE}\" rx=\"8\" fill=\"{FRAME}\"/>\
         <rect x=\"{MARGIN}\" y=\"{MARGIN}\" width=\"{side}\" height=\"{side}\" fill=\"{FELT}\"/>\
         <path d=\"",
    );
    for i in 0..=8 {
        let at = MARGIN + i * CELL;
        let _ = write!(svg, "M{at} {MARGIN}v{side}M{MARGIN} {at}h{side}");
    }
    let _ = write!(svg, "\" stroke=\"{LINE}\" stroke-width=\"1.5\" fill=\"none\"/>");
    for (i, j) in [(2, 2), (6, 2), (2, 6), (6, 6)] {
        let (x, y) = (MARGIN + i * CELL, MARGIN + j * CELL);
        let _ = write!(svg, "<circle cx=\"{x}\" cy=\"{y}\" r=\"3.5\" fill=\"{LINE}\"/>");
    }
    svg.push_str("<g font-size=\"13\" fill=\"#c9d6ce\">");
    for (i, (file, rank)) in "abcdefgh".chars().zip('1'..='8').enumerate() {
        let at = MARGIN + i as u32 * CELL + CELL / 2;
        let _ = write!(
            svg,
            "<text x=\"{at}\" y=\"16\">{file}</text><text x=\"11\" y=\"{}\">{rank}</text>",
            at + 5
        );
    }
    svg.push_str("</g>");
}

/// Returns a value as text of SVG in ASCII, with the signs of print.
fn in_svg(text: &str) -> String {
    let text = text.replace('&', "&amp;").replace("<=", "&#8804;").replace(">=", "&#8805;");
    text.replace('<', "&lt;").replace("+-", "&#177;").replace('-', "&#8722;")
}

/// Returns the center of a square.
fn center(square: Square) -> (u32, u32) {
    let (file, rank) = (square.index() as u32 % 8, square.index() as u32 / 8);
    (MARGIN + file * CELL + CELL / 2, MARGIN + rank * CELL + CELL / 2)
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;
    use umigame_othello::formats::transcript;

    fn count(text: &str, part: &str) -> usize {
        text.matches(part).count()
    }

    #[test]
    fn a_position_has_its_discs_and_the_requested_marks() {
        let board = transcript::parse("f5d6c3").unwrap().board().unwrap();
        let plain = Diagram::of(&board).svg();
        assert_eq!(count(&plain, "r=\"17\""), 7);
        assert_eq!(count(&plain, PLAYED) + count(&plain, BETTER) + count(&plain, "r=\"5\""), 0);
        let marked = Diagram::of(&board).with_last_move(&board).with_legal(&board).svg();
        assert_eq!(count(&marked, "r=\"5\""), 1 + board.legal_squares().count());
        assert_eq!(count(&marked, PLAYED), 1);
        let choice = Diagram::of(&board).with_choice("d3".parse().unwrap(), Move::Pass).svg();
        assert_eq!((count(&choice, PLAYED), count(&choice, BETTER)), (1, 0));
    }

    #[test]
    fn values_stand_on_empty_squares_and_the_best_on_white() {
        let board = transcript::parse("f5").unwrap().board().unwrap();
        let value = |square: &str, text: &str, is_best| SquareValue {
            square: square.parse().unwrap(),
            text: text.to_owned(),
            spread: "+-1.4".to_owned(),
            is_best,
        };
        let values = vec![
            value("d6", "-0.6", true),
            value("f4", "<=-1.2", false),
            value("f6", "-1.5", false),
            value("f5", "+9", false),
        ];
        let svg = Diagram::of(&board).with_legal(&board).with_values(values).svg();
        assert!(svg.contains(">&#8722;0.6</text>") && svg.contains(">&#8804;&#8722;1.2</text>"));
        assert_eq!(count(&svg, ">&#177;1.4</text>"), 3);
        assert_eq!((count(&svg, "fill=\"#fff\"/>"), count(&svg, "r=\"5\"")), (1, 0));
        assert!(!svg.contains("+9") && svg.is_ascii());
        assert_eq!(count(&svg, "<g "), count(&svg, "</g>"));
    }

    #[test]
    fn a_game_has_a_number_on_every_disc_but_the_first_four() {
        let game = transcript::parse("f5d6c5f4e7f6g5e6e3").unwrap().board().unwrap();
        let svg = Diagram::of_game(&game).with_pixels(400).svg();
        assert_eq!(count(&svg, "r=\"17\""), 13);
        assert!(svg.contains(">9</text>") && !svg.contains(">10</text>"));
        assert!(svg.starts_with("<svg ") && svg.ends_with("</svg>") && svg.is_ascii());
        // Every element is closed.
        assert_eq!(count(&svg, "<g "), count(&svg, "</g>"));
        assert_eq!(count(&svg, "<text "), count(&svg, "</text>"));
        assert!(svg.contains("width=\"400\" height=\"400\""));
    }
}
