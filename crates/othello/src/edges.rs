//! Named shapes on the four edges: mountain, wing and lone C, on edges whose
//! corners are both empty.
//!
//! A line of eight squares is eight bits of each side, the corner nearer a1
//! lowest; B and A squares are the two in the middle of each half, C squares
//! those beside the corners: corner, C, A, B, B, A, C, corner.

use std::fmt;

use super::color::Color;
use super::kernels::column_a;
use super::position::Position;
use super::square::Square;

/// One of the four edges of the board.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Edge {
    /// Row 1, from a1 to h1.
    North,
    /// Column h, from h1 to h8.
    East,
    /// Row 8, from a8 to h8.
    South,
    /// Column a, from a1 to a8.
    West,
}

impl Edge {
    /// All four, clockwise from north.
    pub const ALL: [Edge; 4] = [Edge::North, Edge::East, Edge::South, Edge::West];

    /// The eight squares of this edge in a word, as a line.
    #[inline(always)]
    pub fn line(self, bits: u64) -> u8 {
        match self {
            Edge::North => bits as u8,
            Edge::East => column_a(bits >> 7),
            Edge::South => (bits >> 56) as u8,
            Edge::West => column_a(bits),
        }
    }

    /// Square `k` of the line, 0 to 7; higher numbers wrap around.
    pub const fn square(self, k: u8) -> Square {
        let k = k & 7;
        Square::lowest(match self {
            Edge::North => 1 << k,
            Edge::East => 1 << (k * 8 + 7),
            Edge::South => 1 << (k + 56),
            Edge::West => 1 << (k * 8),
        })
    }
}

/// `north`, `east`, `south`, `west`.
impl fmt::Display for Edge {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Edge::North => "north",
            Edge::East => "east",
            Edge::South => "south",
            Edge::West => "west",
        })
    }
}

/// A shape that one side makes on an edge whose corners are empty.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Shape {
    /// All six squares between the corners: `-XXXXXX-`.
    Mountain,
    /// Five of the six, the sixth empty: `-XXXXX--`.
    Wing,
    /// A disc on the C square at this place of the line, 1 or 6, with the A
    /// and B squares beside it empty: `-X--....`.
    LoneC(u8),
}

/// `mountain`, `wing`, `lone C`.
impl fmt::Display for Shape {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Shape::Mountain => "mountain",
            Shape::Wing => "wing",
            Shape::LoneC(_) => "lone C",
        })
    }
}

const CORNERS: u8 = 0b1000_0001;
const BETWEEN: u8 = !CORNERS;

/// The shapes that `own` makes on a line; at most two, and two only where
/// both C squares are lone.
pub const fn line_shapes(own: u8, other: u8) -> [Option<Shape>; 2] {
    let occupied = own | other;
    if occupied & CORNERS != 0 {
        return [None, None];
    }
    if own == BETWEEN {
        return [Some(Shape::Mountain), None];
    }
    if other == 0 && own.count_ones() == 5 {
        return [Some(Shape::Wing), None];
    }
    let low = own & 0b0000_0010 != 0 && occupied & 0b0000_1100 == 0;
    let high = own & 0b0100_0000 != 0 && occupied & 0b0011_0000 == 0;
    [
        if low { Some(Shape::LoneC(1)) } else { None },
        if high { Some(Shape::LoneC(6)) } else { None },
    ]
}

/// A shape, whose it is and where.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct EdgeShape {
    /// Who made it.
    pub color: Color,
    /// On which edge.
    pub edge: Edge,
    /// What it is.
    pub shape: Shape,
}

impl EdgeShape {
    /// The square of a lone C; the other shapes have none of their own.
    pub const fn square(self) -> Option<Square> {
        match self.shape {
            Shape::LoneC(k) => Some(self.edge.square(k)),
            Shape::Mountain | Shape::Wing => None,
        }
    }
}

/// `mountain on the north edge`, `lone C at b1 on the north edge`.
impl fmt::Display for EdgeShape {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.shape)?;
        if let Some(square) = self.square() {
            write!(f, " at {square}")?;
        }
        write!(f, " on the {} edge", self.edge)
    }
}

/// Every shape of both sides, edge by edge from the north, the side to move
/// first.
pub fn edge_shapes(position: Position, side: Color) -> Vec<EdgeShape> {
    let mut found = Vec::new();
    for edge in Edge::ALL {
        let (player, opponent) = (edge.line(position.player), edge.line(position.opponent));
        for (color, own, other) in [(side, player, opponent), (!side, opponent, player)] {
            let shapes = line_shapes(own, other).into_iter().flatten();
            found.extend(shapes.map(|shape| EdgeShape { color, edge, shape }));
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::parse_position;
    use crate::testing::random_positions;
    use crate::{Symmetry, squares};

    /// A line drawn as in the module's head.
    fn line(drawn: &str) -> (u8, u8) {
        let bits = |letter| {
            drawn.bytes().enumerate().fold(0, |m, (k, c)| m | (u8::from(c == letter) << k))
        };
        (bits(b'X'), bits(b'O'))
    }

    fn named(drawn: &str) -> String {
        let (own, other) = line(drawn);
        let shapes: Vec<String> =
            line_shapes(own, other).into_iter().flatten().map(|shape| shape.to_string()).collect();
        shapes.join(", ")
    }

    #[test]
    fn shapes_are_named_on_lines_without_corners() {
        for (drawn, expected) in [
            ("-XXXXXX-", "mountain"),
            ("-XXXXX--", "wing"),
            ("--XXXXX-", "wing"),
            ("-XX-XXX-", "wing"),
            ("-XXXXXO-", ""),
            ("-XXXX---", ""),
            ("XXXXXXX-", ""),
            ("-XXXXXXO", ""),
            ("-X------", "lone C"),
            ("-X--X---", "lone C"),
            ("-X--OO--", "lone C"),
            ("-X----X-", "lone C, lone C"),
            ("-X-X----", ""),
            ("-XO-----", ""),
            ("OX------", ""),
            ("-O------", ""),
            ("--------", ""),
        ] {
            assert_eq!(named(drawn), expected, "{drawn}");
            let turned: String = drawn.chars().rev().collect();
            assert_eq!(named(&turned), expected, "{turned}");
        }
    }

    #[test]
    fn every_edge_is_named_with_its_colour() {
        let drawn = "-XXXXXX-
                     ------O-
                     -------O
                     O--XO--O
                     O--OX--O
                     O------O
                     O------O
                     ------X- X";
        let (position, side) = parse_position(drawn).unwrap();
        let found: Vec<String> = edge_shapes(position, side)
            .into_iter()
            .map(|shape| format!("{}: {shape}", shape.color))
            .collect();
        assert_eq!(
            found,
            [
                "Black: mountain on the north edge",
                "White: wing on the east edge",
                "Black: lone C at g8 on the south edge",
            ]
        );
    }

    #[test]
    fn lines_hold_the_squares_of_their_edge_in_order() {
        for edge in Edge::ALL {
            for k in 0..8 {
                assert_eq!(edge.line(edge.square(k).bit()), 1 << k);
            }
            assert_eq!(edge.line(0x007E_7E7E_7E7E_7E00), 0);
        }
    }

    #[test]
    fn shapes_turn_with_the_board() {
        random_positions(7, 5_000, |position| {
            let count = |position| {
                let mut kinds = [0; 6];
                for EdgeShape { color, shape, .. } in edge_shapes(position, Color::Black) {
                    let kind = match shape {
                        Shape::Mountain => 0,
                        Shape::Wing => 1,
                        Shape::LoneC(_) => 2,
                    };
                    kinds[color.index() * 3 + kind] += 1;
                }
                kinds
            };
            let expected = count(position);
            for symmetry in Symmetry::ALL {
                assert_eq!(count(symmetry.of_position(position)), expected);
            }
            for EdgeShape { shape, edge, color } in edge_shapes(position, Color::Black) {
                let own = if color == Color::Black { position.player } else { position.opponent };
                let discs = squares(own).filter(|s| edge.line(s.bit()) != 0).count();
                assert!(shape != Shape::Wing || discs == 5, "{position:?}");
            }
        });
    }
}
