//! What the handmade evaluation looks at, as whole numbers.
//!
//! Three groups: features of one edge, a sum of which over the four edges
//! becomes one table lookup an edge; features that depend on a number of
//! moves alone, one lookup a side; and counts over the board. The lists here
//! are the definition: the tables and the fit are made from them.

use crate::board::Position;
use crate::board::edges::{Shape, line_shapes};
use crate::board::stability::{edge_stable, line_flips, line_index};

/// Features of an edge, the player's less the opponent's.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum OfEdge {
    /// Corners held; each counts on both of its edges.
    Corner,
    /// C squares held beside an empty corner.
    CByEmpty,
    /// C squares held beside a corner of the same side.
    CByOwn,
    /// C squares held beside a corner of the other side.
    CByOther,
    /// A squares held.
    A,
    /// B squares held.
    B,
    /// Discs that nothing on the edge can flip.
    Stable,
    /// Mountains.
    Mountain,
    /// Wings.
    Wing,
    /// Lone C squares.
    LoneC,
    /// Single empty squares between two discs of one side.
    Hole,
    /// Discs that some disc on the edge would flip at once.
    Exposed,
    /// Empty corners which a disc would take by flipping along the edge.
    CornerAlong,
}

/// Features of an edge.
pub const OF_EDGE: usize = OfEdge::CornerAlong as usize + 1;

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

/// Counts over the whole board.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum OfBoard {
    /// X squares held beside an empty corner, the player's less the
    /// opponent's; so are the seven that follow.
    XByEmpty,
    /// X squares held beside a corner of the same side.
    XByOwn,
    /// X squares held beside a corner of the other side.
    XByOther,
    /// Discs on c2 and its seven images.
    C2,
    /// Discs on d2 and its seven images.
    D2,
    /// Discs on c3 and its three images.
    C3,
    /// Discs on d3 and its seven images.
    D3,
    /// Discs on the four squares in the middle.
    D4,
    /// Corners that the player may take now.
    CornerMoves,
    /// Corners that the opponent could take now.
    OtherCornerMoves,
    /// Moves of the player onto an X square beside an empty corner.
    XMoves,
    /// Such moves of the opponent.
    OtherXMoves,
    /// Empty squares around the opponent's discs.
    Potential,
    /// Empty squares around the player's discs.
    OtherPotential,
    /// Discs of the player beside an empty square.
    Frontier,
    /// Discs of the opponent beside an empty square.
    OtherFrontier,
    /// Quadrants with an odd number of empty squares.
    OddQuadrants,
    /// 1 where an even number of squares is empty: the opponent moves last.
    Even,
    /// 1 where an odd number of squares is empty: the player moves last.
    Odd,
}

/// Counts over the whole board.
pub const OF_BOARD: usize = OfBoard::Odd as usize + 1;

const CORNERS: u64 = 0x8100_0000_0000_0081;
const X_SQUARES: u64 = 0x0042_0000_0000_4200;
const NORTH_WEST: u64 = 0x0000_0000_0F0F_0F0F;

/// The X squares beside these corners.
#[inline(always)]
const fn x_beside(corners: u64) -> u64 {
    ((corners & 1) << 9)
        | ((corners & 1 << 7) << 7)
        | ((corners & 1 << 56) >> 7)
        | ((corners & 1 << 63) >> 9)
}

/// These squares and all around them.
#[inline(always)]
const fn around(bits: u64) -> u64 {
    const NOT_A: u64 = 0xFEFE_FEFE_FEFE_FEFE;
    const NOT_H: u64 = 0x7F7F_7F7F_7F7F_7F7F;
    let row = bits | ((bits << 1) & NOT_A) | ((bits >> 1) & NOT_H);
    row | (row << 8) | (row >> 8)
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
    let odd = |shift: u32| count(empty & (NORTH_WEST << shift)) & 1;
    let parity = count(empty) & 1;
    [
        difference(by_empty & X_SQUARES),
        count(player & by_player) - count(opponent & by_opponent),
        count(player & by_opponent) - count(opponent & by_player),
        difference(0x0024_4200_0042_2400),
        difference(0x0018_0042_4200_1800),
        difference(0x0000_2400_0024_0000),
        difference(0x0000_1824_2418_0000),
        difference(0x0000_0018_1800_0000),
        count(moves & CORNERS),
        count(other_moves & CORNERS),
        count(moves & by_empty),
        count(other_moves & by_empty),
        count(around(opponent) & empty),
        count(around(player) & empty),
        count(player & beside_empty),
        count(opponent & beside_empty),
        odd(0) + odd(4) + odd(32) + odd(36),
        1 - parity,
        parity,
    ]
}
