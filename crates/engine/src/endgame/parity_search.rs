//! Five and six empties: moves ordered by parity and by square, with a private cache.
//!
//! Null windows only; fail-soft. After: G. Andersson's endgame solver.

use super::empties::HEAD;
use super::last_four;
use super::state::EndgameState;
use crate::endgame::stability::late_stability_cutoff;
use umigame_eval::parity::odd_quadrant_squares;
use umigame_eval::value::{Discs, NullWindow, Unit};
use umigame_othello::{Bitboard, Position};

/// Maximum empties at which moves are ordered by parity alone.
pub(super) const PARITY_MAX_EMPTIES: u32 = 6;

/// Searches a position of five or six empties, those of the state's list, with its legal moves.
pub(super) fn parity_search(
    position: Position,
    window: NullWindow<Discs>,
    legal: Bitboard,
    state: &mut EndgameState,
    nodes: &mut u64,
) -> Discs {
    *nodes += 1;
    if let Some(score) = late_stability_cutoff(position, window) {
        return score;
    }
    if let Some(score) = state.parity_cache.cutoff(position, window) {
        return score;
    }
    if legal.is_empty() {
        let replies = position.passed().legal_moves();
        if replies.is_empty() {
            return position.final_score().into();
        }
        return -parity_search(position.passed(), -window, replies, state, nodes);
    }
    let best = search_moves(position, window, legal, state, nodes);
    state.parity_cache.store(position, window, best);
    best
}

/// Searches the moves, those in odd quadrants first, until one is above `alpha`.
fn search_moves(
    position: Position,
    window: NullWindow<Discs>,
    legal: Bitboard,
    state: &mut EndgameState,
    nodes: &mut u64,
) -> Discs {
    let empty = position.empty();
    let leaves_four = empty.count() == 5;
    let odd = odd_quadrant_squares(empty);
    let mut best = Discs::NEG_INFINITY;
    for part in [legal & odd, legal & !odd] {
        let mut left = part;
        let mut link = HEAD;
        while !left.is_empty() {
            let Some(square) = state.empties.after(link) else { break };
            link = square.index();
            if !left.contains(square) {
                continue;
            }
            left.remove(square);
            let next = position.after(square, position.flips(square));
            state.empties.remove(square);
            let score = if leaves_four {
                -four(next, -window, state, nodes)
            } else {
                -parity_search(next, -window, next.legal_moves(), state, nodes)
            };
            state.empties.restore(square);
            if score > best {
                best = score;
                if score > window.alpha {
                    return score;
                }
            }
        }
    }
    best
}

/// Searches a position of four empties, those of the state's list. They are cached: many ways lead
/// to so late a position.
#[inline(always)]
fn four(
    position: Position,
    window: NullWindow<Discs>,
    state: &mut EndgameState,
    nodes: &mut u64,
) -> Discs {
    if let Some(score) = late_stability_cutoff(position, window) {
        return score;
    }
    if let Some(score) = state.four_cache.cutoff(position, window) {
        return score;
    }
    let squares = state.empties.last_four(position.empty());
    let score = last_four::four(position, window, squares, nodes);
    state.four_cache.store(position, window, score);
    score
}
