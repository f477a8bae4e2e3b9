//! Edge shapes: mountain, wing and lone C, on edges whose corners are both empty.
//!
//! An edge is a line: a byte for each side, the lowest bit at the corner nearer a1. Its squares are
//! called corner, C, A, B, B, A, C, corner.
//!
//! After the evaluation texts of 2001 to 2016.

use std::fmt;

use derive_more::Display;

use crate::bitboard::Bitboard;
use crate::color::Color;
use crate::kernels::column_a;
use crate::position::Position;
use crate::square::Square;

/// One of the four edges of the board. Displays as `north`, `east`, `south` or `west`.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Display)]
#[display(rename_all = "lowercase")]
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
    /// All four edges, clockwise from north.
    pub const ALL: [Edge; 4] = [Edge::North, Edge::East, Edge::South, Edge::West];

    /// Returns the discs of a set on this edge, as a line.
    #[inline(always)]
    pub fn line(self, set: Bitboard) -> u8 {
        let bits = set.bits();
        match self {
            Edge::North => bits as u8,
            Edge::East => column_a(bits >> 7),
            Edge::South => (bits >> 56) as u8,
            Edge::West => column_a(bits),
        }
    }

    /// Returns square `k` of the line; `k` is taken modulo 8.
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

/// A shape of one side's discs on an edge whose corners are empty. Displays as `mountain`, `wing` or
/// `lone C`.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Display)]
#[display(rename_all = "lowercase")]
pub enum Shape {
    /// All six squares between the corners: `-XXXXXX-`.
    Mountain,
    /// Five of the six squares, the sixth empty: `-XXXXX--`.
    Wing,
    /// A disc on a C square (square 1 or 6 of the line), the A and B squares beside it empty:
    /// `-X--....`.
    #[display("lone C")]
    LoneC(u8),
}

const CORNERS: u8 = 0b1000_0001;
const BETWEEN: u8 = !CORNERS;

/// Returns the shapes of the discs of `own` on a line. Two only if both are lone Cs.
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

/// A shape on one of the four edges.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct EdgeShape {
    /// The owner of its discs.
    pub color: Color,
    /// The edge.
    pub edge: Edge,
    /// The shape.
    pub shape: Shape,
}

impl EdgeShape {
    /// Returns the square of a lone C, `None` for the other shapes.
    pub const fn square(self) -> Option<Square> {
        match self.shape {
            Shape::LoneC(k) => Some(self.edge.square(k)),
            Shape::Mountain | Shape::Wing => None,
        }
    }
}

/// Writes `mountain on the north edge`, `lone C at b1 on the north edge`.
impl fmt::Display for EdgeShape {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.shape)?;
        if let Some(square) = self.square() {
            write!(f, " at {square}")?;
        }
        write!(f, " on the {} edge", self.edge)
    }
}

/// Returns the shapes of both sides, edge by edge clockwise from north, the side to move first.
pub fn edge_shapes(position: Position, side: Color) -> Vec<EdgeShape> {
    let mut found = Vec::new();
    for edge in Edge::ALL {
        let (player, opponent) = (edge.line(position.player()), edge.line(position.opponent()));
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
    use crate::Symmetry;
    use crate::parse_position;
    use crate::testing::random_positions;

    /// Reads a line drawn with `X`, `O` and `-`.
    fn line(drawn: &str) -> (u8, u8) {
        let bits = |letter| {
            drawn.bytes().enumerate().fold(0, |m, (k, c)| m | (u8::from(c == letter) << k))
        };
        (bits(b'X'), bits(b'O'))
    }

    fn names(drawn: &str) -> String {
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
            assert_eq!(names(drawn), expected, "{drawn}");
            let mirrored: String = drawn.chars().rev().collect();
            assert_eq!(names(&mirrored), expected, "{mirrored}");
        }
    }

    #[test]
    fn shapes_are_found_on_every_edge_with_their_colour() {
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
                assert_eq!(edge.line(edge.square(k).into()), 1 << k);
            }
            assert_eq!(edge.line(Bitboard::from_bits(0x007E_7E7E_7E7E_7E00)), 0);
        }
    }

    #[test]
    fn shapes_are_the_same_in_all_eight_images() {
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
                let own =
                    if color == Color::Black { position.player() } else { position.opponent() };
                let discs = own.iter().filter(|&s| edge.line(s.into()) != 0).count();
                assert!(shape != Shape::Wing || discs == 5, "{position:?}");
            }
        });
    }
}
