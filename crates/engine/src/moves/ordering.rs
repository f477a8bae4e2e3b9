//! Move ordering: scores by square and by mobility.
//!
//! Scores order the moves of one node and mean nothing beside those of another. Ordering by
//! evaluation is in `midgame` and `endgame`, which add these scores to it.

use crate::moves::move_picker::{MovePicker, ScoredMove};
use crate::tunable::tunable;
use umigame_othello::{Bitboard, Position, Square, kernels};

/// Score of a move that leaves the opponent no disc: above every other.
pub(crate) const WIPE_OUT_SCORE: i32 = 1 << 24;

tunable! {
    /// Penalty for each reply of the opponent, in units of [`square_score`].
    Order MOBILITY_WEIGHT: i32 = 64 in 0..=256 by 4;
}

/// Scores of the squares: corners, then edges, X squares last. Ties of mobility are broken by them;
/// any order would do, this is the usual one.
const SQUARE_SCORES: [i8; 64] = [
    18, 4, 16, 12, 12, 16, 4, 18, //
    4, 2, 6, 8, 8, 6, 2, 4, //
    16, 6, 14, 10, 10, 14, 6, 16, //
    12, 8, 10, 0, 0, 10, 8, 12, //
    12, 8, 10, 0, 0, 10, 8, 12, //
    16, 6, 14, 10, 10, 14, 6, 16, //
    4, 2, 6, 8, 8, 6, 2, 4, //
    18, 4, 16, 12, 12, 16, 4, 18,
];

/// Returns the score of a square, 0 to 18.
#[inline(always)]
pub(crate) fn square_score(square: Square) -> i32 {
    i32::from(SQUARE_SCORES[square.index()])
}

/// Counts moves, a corner twice: it is worth more than any other move.
#[inline(always)]
pub(crate) fn weighted_mobility(moves: Bitboard) -> i32 {
    (moves.count() + (moves & Bitboard::CORNERS).count()) as i32
}

/// Scores a move by its square and the replies to it.
#[inline(always)]
pub(crate) fn mobility_score(square: Square, replies: Bitboard) -> i32 {
    square_score(square) - MOBILITY_WEIGHT.get() * weighted_mobility(replies)
}

/// Scores a move by its square and the replies in the position after it.
#[inline(always)]
pub(crate) fn mobility_score_after(candidate: &ScoredMove, next: Position) -> i32 {
    mobility_score(candidate.square, next.legal_moves())
}

/// Counts the empty squares beside `player`'s discs, where the opponent may come to play; a corner
/// counts twice.
#[inline(always)]
pub(crate) fn potential_mobility(player: Bitboard, empty: Bitboard) -> i32 {
    weighted_mobility(kernels::potential_moves(player.bits(), empty.bits()).into())
}

/// Gives every move its score from the position after it; wipe-outs score best.
#[inline(always)]
pub(crate) fn order(
    picker: &mut MovePicker,
    position: Position,
    mut score: impl FnMut(&ScoredMove, Position) -> i32,
) {
    for candidate in picker.iter_mut() {
        candidate.score = if candidate.flips == position.opponent() {
            WIPE_OUT_SCORE
        } else {
            score(candidate, candidate.after(position))
        };
    }
}
