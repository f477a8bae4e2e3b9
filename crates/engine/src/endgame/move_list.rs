//! The moves of a node with few empties, ranked and handed out best first.
//!
//! Ranking computes the position after each move and the replies there; the nodes below reuse both.

use arrayvec::ArrayVec;

use crate::moves::ordering::{WIPE_OUT_SCORE, mobility_score};
use crate::tunable::tunable;
use umigame_othello::{Bitboard, Position, Square};

/// Maximum empties at which moves are ordered by mobility.
pub(super) const MOBILITY_MAX_EMPTIES: u32 = 12;
/// Room for a move to every empty square.
const MAX_MOVES: usize = (MOBILITY_MAX_EMPTIES as usize).next_power_of_two();
/// Rank of a move that was handed out.
const TAKEN_RANK: i32 = i32::MIN;

tunable! {
    /// Bonus of a move into a quadrant with an odd number of empties.
    Order PARITY_BONUS: i32 = 32 in 0..=256 by 4;
    /// Bonus for each corner that the mover holds, and each C square beside one. In the midgame it
    /// saves no nodes.
    Order HELD_BONUS: i32 = 16 in 0..=128 by 4;
}

/// A move with the position after it.
#[derive(Clone, Copy, Debug)]
pub(super) struct RankedMove {
    pub square: Square,
    /// The position after the move.
    pub next: Position,
    /// The legal moves there; none until the move is ranked.
    pub replies: Bitboard,
}

/// The moves of a node with at most [`MOBILITY_MAX_EMPTIES`] empties.
#[derive(Debug, Default)]
pub(super) struct MoveList {
    moves: ArrayVec<RankedMove, MAX_MOVES>,
    /// For each move its score times [`MAX_MOVES`], less its place. Of equal scores the first
    /// ranks higher, and the best is a maximum: a branch on it would be mispredicted.
    ranks: [i32; MAX_MOVES],
}

impl MoveList {
    /// Fills an empty list with the moves of `legal`.
    ///
    /// Filling in place spares the copy that returning a list would make.
    #[inline(always)]
    pub fn fill(&mut self, position: Position, legal: Bitboard) {
        for square in legal.iter().take(MAX_MOVES) {
            let next = position.after(square, position.flips(square));
            self.moves.push(RankedMove { square, next, replies: Bitboard::EMPTY });
        }
    }

    /// The moves, in no order.
    pub fn iter(&self) -> impl Iterator<Item = &RankedMove> {
        self.moves.iter()
    }

    /// Ranks each move by the opponent's mobility and by parity; `odd` has the squares of odd
    /// quadrants.
    #[inline(always)]
    pub fn rank(&mut self, odd: Bitboard) {
        for (at, (ranked, rank)) in self.moves.iter_mut().zip(&mut self.ranks).enumerate() {
            ranked.replies = ranked.next.legal_moves();
            let score = if ranked.next.player().is_empty() {
                WIPE_OUT_SCORE
            } else {
                parity_score(ranked.square, ranked.next, ranked.replies, odd)
            };
            *rank = score * MAX_MOVES as i32 - at as i32;
        }
    }

    /// Takes the best move left.
    #[inline(always)]
    pub fn take(&mut self) -> Option<RankedMove> {
        let best =
            self.ranks[..self.moves.len()].iter().fold(TAKEN_RANK, |best, &rank| best.max(rank));
        let at = best.wrapping_neg() as usize % MAX_MOVES;
        self.ranks[at] = TAKEN_RANK;
        (best != TAKEN_RANK).then(|| self.moves[at])
    }
}

/// Scores a move by mobility, parity and held corners, given the position after it, the replies
/// there and the squares of odd quadrants.
#[inline(always)]
pub(super) fn parity_score(
    square: Square,
    next: Position,
    replies: Bitboard,
    odd: Bitboard,
) -> i32 {
    let parity = if odd.contains(square) { PARITY_BONUS.get() } else { 0 };
    let held = held_by_corners(next.opponent()).count() as i32;
    parity + HELD_BONUS.get() * held + mobility_score(square, replies)
}

/// Returns a side's corners and the C squares that it holds beside them: stable discs, found at
/// next to no cost.
#[inline(always)]
fn held_by_corners(player: Bitboard) -> Bitboard {
    const COLUMN_A: u64 = Bitboard::COLUMN_A.bits();
    let corners = (player & Bitboard::CORNERS).bits();
    let along = (corners & COLUMN_A) << 1 | (corners & !COLUMN_A) >> 1;
    let beside = along | corners << 8 | corners >> 8;
    Bitboard::from_bits(corners | player.bits() & beside)
}

#[cfg(test)]
mod tests {
    use super::*;
    use umigame_eval::parity::odd_quadrant_squares;
    use umigame_othello::{stability, testing::random_positions};

    #[test]
    fn every_move_is_handed_out_once_best_score_first() {
        let mut met = 0;
        random_positions(7, 4_000, |position| {
            if position.empties() > MOBILITY_MAX_EMPTIES {
                return;
            }
            met += 1;
            let (legal, odd) = (position.legal_moves(), odd_quadrant_squares(position.empty()));
            let mut moves = MoveList::default();
            moves.fill(position, legal);
            moves.rank(odd);
            let order: Vec<_> = std::iter::from_fn(|| moves.take()).collect();
            assert_eq!(order.iter().map(|ranked| ranked.square).collect::<Bitboard>(), legal);
            assert_eq!(order.len(), legal.count() as usize);
            for ranked in &order {
                let after = position.after(ranked.square, position.flips(ranked.square));
                assert_eq!((ranked.next, ranked.replies), (after, after.legal_moves()));
            }
            assert!(order.is_sorted_by_key(|ranked| {
                if ranked.next.player().is_empty() {
                    return -WIPE_OUT_SCORE;
                }
                -parity_score(ranked.square, ranked.next, ranked.replies, odd)
            }));
        });
        assert!(met > 500, "only {met} positions with few empties");
    }

    #[test]
    fn held_discs_are_stable_and_lie_on_or_beside_a_corner() {
        let mut met = [0; 2];
        random_positions(3, 20_000, |position| {
            let player = position.player();
            let held = held_by_corners(player);
            assert!(held.is_subset(stability::stable(position)));
            assert_eq!(held & Bitboard::CORNERS, player & Bitboard::CORNERS);
            let beside = player & Bitboard::C_SQUARES;
            for (corner, c_squares) in [
                ("a1", ["b1", "a2"]),
                ("h1", ["g1", "h2"]),
                ("a8", ["b8", "a7"]),
                ("h8", ["g8", "h7"]),
            ] {
                let square = |name: &str| name.parse::<Square>().expect("a square");
                let both: Bitboard = c_squares.into_iter().map(square).collect();
                let anchored = player.contains(square(corner));
                let expected = if anchored { beside & both } else { Bitboard::EMPTY };
                assert_eq!(held & both, expected);
                met[usize::from(!expected.is_empty())] += 1;
            }
        });
        assert!(met.iter().all(|&met| met > 1_000), "{met:?}");
    }
}
