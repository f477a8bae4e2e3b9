//! What the handmade evaluation looks at, as whole numbers.
//!
//! Three groups: features of one edge, a sum of which over the four edges
//! becomes one table lookup an edge; features that depend on a number of
//! moves alone, one lookup a side; and counts over the board. The lists here
//! are the definition: the tables and the fit are made from them.

use super::parity::{around, odd_quadrants};
use umigame_othello::edges::{Shape, line_shapes};
use umigame_othello::stability::{edge_stable, line_flips, line_index, stable};
use umigame_othello::{CORNERS, Position, X_SQUARES};

/// What a feature is about; an explanation has one line for each.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Topic {
    /// Where the discs lie.
    Discs,
    /// Moves that a side has.
    Mobility,
    /// Moves that a side may come to have.
    PotentialMobility,
    /// Corners held and corners to take.
    Corners,
    /// The squares beside the corners on the edges.
    CSquares,
    /// The squares beside the corners on the diagonals.
    XSquares,
    /// Discs that nothing can flip.
    Stability,
    /// Mountains, wings, lone Cs, and holes and weak discs on edges.
    EdgeShapes,
    /// Who moves last, and where.
    Parity,
}

/// How many features an edge has.
pub const OF_EDGE: usize = 13;

/// The features of an edge, the player's less the opponent's.
pub const EDGE_FEATURES: [(Topic, &str); OF_EDGE] = [
    (Topic::Corners, "corners held; each counts on both of its edges"),
    (Topic::CSquares, "C squares held beside an empty corner"),
    (Topic::CSquares, "C squares held beside a corner of the same side"),
    (Topic::CSquares, "C squares held beside a corner of the other side"),
    (Topic::Discs, "A squares held"),
    (Topic::Discs, "B squares held"),
    (Topic::Stability, "discs that nothing on the edge can flip"),
    (Topic::EdgeShapes, "mountains"),
    (Topic::EdgeShapes, "wings"),
    (Topic::EdgeShapes, "lone Cs"),
    (Topic::EdgeShapes, "single empty squares between two discs of one side"),
    (Topic::EdgeShapes, "discs that some disc on the edge would flip at once"),
    (Topic::Corners, "empty corners that a disc would take by flipping along the edge"),
];

fn count(bits: u8) -> i32 {
    bits.count_ones() as i32
}

/// One side's features of a line.
fn line_side(own: u8, other: u8) -> [i32; OF_EDGE] {
    const CORNERS: u8 = 0b1000_0001;
    const C: u8 = 0b0100_0010;
    let empty = !(own | other);
    let beside = |corners: u8| ((corners & 1) << 1) | ((corners & 0x80) >> 1);
    let [first, second] = line_shapes(own, other);
    let shapes = |wanted: fn(Shape) -> bool| {
        [first, second].into_iter().flatten().filter(|&shape| wanted(shape)).count() as i32
    };
    let (mut exposed, mut along) = (0u8, 0);
    for k in (0..8).filter(|k| empty & (1 << k) != 0) {
        exposed |= line_flips(other, own, k);
        along += i32::from(CORNERS & (1 << k) != 0 && line_flips(own, other, k) != 0);
    }
    [
        count(own & CORNERS),
        count(own & C & beside(empty)),
        count(own & C & beside(own)),
        count(own & C & beside(other)),
        count(own & 0b0010_0100),
        count(own & 0b0001_1000),
        count(edge_stable(line_index(own, other))),
        shapes(|shape| shape == Shape::Mountain),
        shapes(|shape| shape == Shape::Wing),
        shapes(|shape| matches!(shape, Shape::LoneC(_))),
        count(empty & (own << 1) & (own >> 1)),
        count(exposed),
        along,
    ]
}

/// The features of one edge.
pub fn line_features(player: u8, opponent: u8) -> [i32; OF_EDGE] {
    let (own, other) = (line_side(player, opponent), line_side(opponent, player));
    std::array::from_fn(|i| own[i] - other[i])
}

/// Features of a number of moves: the number, and as much of it as is at
/// most 1, 3 and 7, so that the first moves may weigh more than the last.
pub const OF_MOVES: usize = 4;

/// More moves than this do not occur.
pub const MOST_MOVES: usize = 40;

/// The features of a number of moves.
pub fn moves_features(moves: usize) -> [i32; OF_MOVES] {
    [usize::MAX, 1, 3, 7].map(|most| moves.min(most) as i32)
}

/// How many counts there are over the whole board.
pub const OF_BOARD: usize = 20;

/// The counts over the whole board. Those that do not say whose they are
/// are the player's less the opponent's.
pub const BOARD_FEATURES: [(Topic, &str); OF_BOARD] = [
    (Topic::XSquares, "X squares held beside an empty corner"),
    (Topic::XSquares, "X squares held beside a corner of the same side"),
    (Topic::XSquares, "X squares held beside a corner of the other side"),
    (Topic::Discs, "discs on c2 and its seven images"),
    (Topic::Discs, "discs on d2 and its seven images"),
    (Topic::Discs, "discs on c3 and its three images"),
    (Topic::Discs, "discs on d3 and its seven images"),
    (Topic::Discs, "discs on the four squares in the middle"),
    (Topic::Stability, "stable discs away from the edges, once a corner is taken"),
    (Topic::Corners, "corners that the player may take now"),
    (Topic::Corners, "corners that the opponent could take now"),
    (Topic::XSquares, "the player's moves to an X square beside an empty corner"),
    (Topic::XSquares, "the opponent's moves to an X square beside an empty corner"),
    (Topic::PotentialMobility, "empty squares around the opponent's discs"),
    (Topic::PotentialMobility, "empty squares around the player's discs"),
    (Topic::PotentialMobility, "the player's discs beside an empty square"),
    (Topic::PotentialMobility, "the opponent's discs beside an empty square"),
    (Topic::Parity, "quadrants with an odd number of empty squares"),
    (Topic::Parity, "1 where an even number is empty, so that the opponent moves last"),
    (Topic::Parity, "1 where an odd number is empty, so that the player moves last"),
];

const INSIDE: u64 = 0x007E_7E7E_7E7E_7E00;

/// The X squares beside these corners.
#[inline(always)]
const fn x_beside(corners: u64) -> u64 {
    ((corners & 1) << 9)
        | ((corners & 1 << 7) << 7)
        | ((corners & 1 << 56) >> 7)
        | ((corners & 1 << 63) >> 9)
}

/// The counts of a position whose moves, and the moves of whose other side,
/// are known.
#[inline(always)]
pub fn board_features(position: Position, moves: u64, other_moves: u64) -> [i32; OF_BOARD] {
    let Position { player, opponent } = position;
    let empty = position.empty();
    let count = |bits: u64| bits.count_ones() as i32;
    let difference = |squares: u64| count(player & squares) - count(opponent & squares);
    let by_empty = x_beside(CORNERS & empty);
    let (by_player, by_opponent) = (x_beside(CORNERS & player), x_beside(CORNERS & opponent));
    let beside_empty = around(empty);
    let parity = count(empty) & 1;
    // Before a corner is taken there is next to nothing to count.
    let stable_inside = if empty & CORNERS == CORNERS {
        0
    } else {
        count(stable(player, opponent) & INSIDE) - count(stable(opponent, player) & INSIDE)
    };
    [
        difference(by_empty & X_SQUARES),
        count(player & by_player) - count(opponent & by_opponent),
        count(player & by_opponent) - count(opponent & by_player),
        difference(0x0024_4200_0042_2400),
        difference(0x0018_0042_4200_1800),
        difference(0x0000_2400_0024_0000),
        difference(0x0000_1824_2418_0000),
        difference(0x0000_0018_1800_0000),
        stable_inside,
        count(moves & CORNERS),
        count(other_moves & CORNERS),
        count(moves & by_empty),
        count(other_moves & by_empty),
        count(around(opponent) & empty),
        count(around(player) & empty),
        count(player & beside_empty),
        count(opponent & beside_empty),
        odd_quadrants(empty).count_ones() as i32,
        1 - parity,
        parity,
    ]
}
