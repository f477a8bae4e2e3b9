//! What makes a move score trying first.

use super::move_picker::{MovePicker, ScoredMove};
use umigame_othello::{CORNERS, Position, Square, kernels};

/// A move that leaves the opponent nothing at all; more than any other move is
/// score.
pub(super) const WIPE_OUT_SCORE: i32 = 1 << 24;

/// What a move of the opponent weighs against where a move lies.
const MOBILITY_WEIGHT: i32 = 64;

/// What a square is score by where it lies: corners, then edges, the X
/// squares last. Any order of squares serves as a tie-break; this is the
/// usual one.
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

/// The score of a square by where it lies, 0 to 18.
#[inline(always)]
pub(super) fn square_score(square: Square) -> i32 {
    i32::from(SQUARE_SCORES[square.index()])
}

/// How many moves a side has, corners counted twice: a corner is score more
/// than any other move.
#[inline(always)]
pub(super) fn weighted_mobility(moves: u64) -> i32 {
    (moves.count_ones() + (moves & CORNERS).count_ones()) as i32
}

/// What a move is score without evaluation, from the replies to it.
#[inline(always)]
pub(super) fn mobility_score(square: Square, replies: u64) -> i32 {
    square_score(square) - MOBILITY_WEIGHT * weighted_mobility(replies)
}

/// What a move is score without evaluation, from the position after it.
#[inline(always)]
pub(super) fn mobility_score_after(candidate: &ScoredMove, next: Position) -> i32 {
    mobility_score(candidate.square, next.moves())
}

/// Empty squares around a side's discs: where the other may come to play.
#[inline(always)]
pub(super) fn potential_mobility(player: u64, empty: u64) -> i32 {
    weighted_mobility(kernels::potential_moves(player, empty))
}

/// Gives every move its score from the position after it, wipe-outs first.
#[inline(always)]
pub(super) fn order(
    picker: &mut MovePicker,
    position: Position,
    mut score: impl FnMut(&ScoredMove, Position) -> i32,
) {
    for candidate in picker.iter_mut() {
        candidate.score = if candidate.flips == position.opponent {
            WIPE_OUT_SCORE
        } else {
            score(candidate, candidate.after(position))
        };
    }
}
