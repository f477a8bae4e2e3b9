//! What makes a move worth trying first.

use super::candidates::{Candidate, Candidates};
use crate::board::{CORNERS, Position, Square, kernels};

/// A move that leaves the opponent nothing at all; more than any other move is
/// worth.
pub(super) const WIPE_OUT_WORTH: i32 = 1 << 24;

const COLUMN_A: u64 = 0x0101_0101_0101_0101;
const COLUMN_H: u64 = COLUMN_A << 7;

/// What a move of the opponent weighs against where a move lies.
const MOBILITY: i32 = 64;

/// What a corner weighs that the mover holds, or a C square beside one.
const HELD: i32 = 16;

/// What a square is worth by where it lies: corners, then edges, the X
/// squares last. Any order of squares serves as a tie-break; this is the
/// usual one.
const SQUARE_WORTH: [i8; 64] = [
    18, 4, 16, 12, 12, 16, 4, 18, //
    4, 2, 6, 8, 8, 6, 2, 4, //
    16, 6, 14, 10, 10, 14, 6, 16, //
    12, 8, 10, 0, 0, 10, 8, 12, //
    12, 8, 10, 0, 0, 10, 8, 12, //
    16, 6, 14, 10, 10, 14, 6, 16, //
    4, 2, 6, 8, 8, 6, 2, 4, //
    18, 4, 16, 12, 12, 16, 4, 18,
];

/// The worth of a square by where it lies, 0 to 18.
#[inline(always)]
pub(super) fn square_worth(square: Square) -> i32 {
    i32::from(SQUARE_WORTH[square.index()])
}

/// How many moves a side has, corners counted twice: a corner is worth more
/// than any other move.
#[inline(always)]
pub(super) fn weighted_mobility(moves: u64) -> i32 {
    (moves.count_ones() + (moves & CORNERS).count_ones()) as i32
}

/// A side's corners and the C squares beside them that it holds: discs that
/// stay for sure, found with next to no work.
#[inline(always)]
fn held_by_corners(player: u64) -> u64 {
    let corners = player & CORNERS;
    let along = (corners & COLUMN_A) << 1 | (corners & COLUMN_H) >> 1;
    let beside = along | corners << 8 | corners >> 8;
    corners | player & beside
}

/// What a move is worth without evaluation, from the position after it and
/// the replies there.
#[inline(always)]
pub(super) fn worth_by_replies(square: Square, next: Position, replies: u64) -> i32 {
    let held = held_by_corners(next.opponent).count_ones() as i32;
    square_worth(square) + HELD * held - MOBILITY * weighted_mobility(replies)
}

/// What a move is worth without evaluation, from the position after it.
#[inline(always)]
pub(super) fn quick_worth(candidate: &Candidate, next: Position) -> i32 {
    worth_by_replies(candidate.square, next, next.moves())
}

/// Empty squares around a side's discs: where the other may come to play.
#[inline(always)]
pub(super) fn potential_mobility(player: u64, empty: u64) -> i32 {
    weighted_mobility(kernels::potential_moves(player, empty))
}

/// Gives every move its worth from the position after it, wipe-outs first.
#[inline(always)]
pub(super) fn order(
    candidates: &mut Candidates,
    position: Position,
    mut worth: impl FnMut(&Candidate, Position) -> i32,
) {
    for candidate in candidates.iter_mut() {
        candidate.worth = if candidate.flips == position.opponent {
            WIPE_OUT_WORTH
        } else {
            worth(candidate, candidate.after(position))
        };
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::{C_SQUARES, stability, testing::random_positions};

    #[test]
    fn what_corners_hold_is_stable_and_all_of_it_is_beside_one() {
        let mut met = [0; 2];
        random_positions(3, 20_000, |Position { player, opponent }| {
            let held = held_by_corners(player);
            assert_eq!(held & !stability::stable(player, opponent), 0);
            assert_eq!(held & CORNERS, player & CORNERS);
            let beside = player & !CORNERS & C_SQUARES;
            for (corner, c_squares) in [
                ("a1", ["b1", "a2"]),
                ("h1", ["g1", "h2"]),
                ("a8", ["b8", "a7"]),
                ("h8", ["g8", "h7"]),
            ] {
                let bit = |name: &str| name.parse::<Square>().expect("a square").bit();
                let both = c_squares.iter().map(|name| bit(name)).sum::<u64>();
                let expected = if player & bit(corner) != 0 { beside & both } else { 0 };
                assert_eq!(held & both, expected);
                met[usize::from(expected != 0)] += 1;
            }
        });
        assert!(met.iter().all(|&met| met > 1_000), "{met:?}");
    }
}
