//! Five and six empties: moves ordered by parity and by square, with a private cache. Nodes of six empties
//! that are expected to cut are ordered by mobility.
//!
//! Null windows only; fail-soft. After: G. Andersson's endgame solver.

use super::last_four;
use super::move_list::{MoveList, RankedMove};
use super::profile::{self, Event};
use super::state::EndgameState;
use crate::endgame::stability::late_stability_cutoff;
use umigame_eval::parity::odd_quadrant_squares;
use umigame_eval::value::{Discs, NullWindow, Unit};
use umigame_othello::{Bitboard, Position, Square};

/// Minimum number of moves that are worth ordering.
const RANKED_MIN_MOVES: u32 = 3;

/// The squares next to a corner.
const BESIDE_CORNERS: Bitboard =
    Bitboard::from_bits(Bitboard::C_SQUARES.bits() | Bitboard::X_SQUARES.bits());

/// Maximum empties at which moves are ordered by parity, unless a cut is expected.
pub(super) const PARITY_MAX_EMPTIES: u32 = 6;

/// Searches a position of five or six empties with its legal moves. Where a cut is expected, six are
/// ordered by mobility.
pub(super) fn parity_search(
    position: Position,
    window: NullWindow<Discs>,
    legal: Bitboard,
    expects_cut: bool,
    state: &mut EndgameState,
    nodes: &mut u64,
) -> Discs {
    *nodes += 1;
    let empties = position.empties();
    let _inside = profile::enter(empties);
    if let Some(score) = late_stability_cutoff(position, window) {
        profile::note(empties, Event::Stability);
        return score;
    }
    if let Some(score) = state.parity_cache.cutoff(position, window) {
        profile::note(empties, Event::Cache);
        return score;
    }
    if legal.is_empty() {
        let replies = position.passed().legal_moves();
        if replies.is_empty() {
            return position.final_score().into();
        }
        return -parity_search(position.passed(), -window, replies, false, state, nodes);
    }
    let best = if expects_cut && empties == PARITY_MAX_EMPTIES && legal.count() >= RANKED_MIN_MOVES
    {
        search_ranked_moves(position, window, legal, state, nodes)
    } else {
        search_moves(position, window, legal, state, nodes)
    };
    state.parity_cache.store(position, window, best);
    best
}

/// Searches the moves of a position of six empties, those that leave the fewest replies first, until one
/// is above `alpha`.
fn search_ranked_moves(
    position: Position,
    window: NullWindow<Discs>,
    legal: Bitboard,
    state: &mut EndgameState,
    nodes: &mut u64,
) -> Discs {
    let mut moves = MoveList::default();
    moves.fill(position, legal);
    moves.rank(odd_quadrant_squares(position.empty()));
    let mut best = Discs::NEG_INFINITY;
    let mut searched = 0;
    while let Some(RankedMove { next, replies, .. }) = moves.take() {
        let score = -parity_search(next, -window, replies, false, state, nodes);
        searched += 1;
        if score > best {
            best = score;
            if score > window.alpha {
                break;
            }
        }
    }
    profile::note_moves(PARITY_MAX_EMPTIES, searched, best > window.alpha);
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
    let mut searched = 0;
    for part in [legal & odd, legal & !odd] {
        let mut left = part;
        while !left.is_empty() {
            let square = best_square(left);
            left.remove(square);
            let next = position.after(square, position.flips(square));
            let score = if leaves_four {
                -four(next, -window, state, nodes)
            } else {
                -parity_search(next, -window, next.legal_moves(), false, state, nodes)
            };
            searched += 1;
            if score > best {
                best = score;
                if score > window.alpha {
                    profile::note_moves(empty.count(), searched, true);
                    return score;
                }
            }
        }
    }
    profile::note_moves(empty.count(), searched, false);
    best
}

/// Returns the square of a set that comes first: a corner, else none next to a corner.
#[inline(always)]
fn best_square(set: Bitboard) -> Square {
    let corners = set & Bitboard::CORNERS;
    let others = set & !BESIDE_CORNERS;
    let best = if others.is_empty() { set } else { others };
    (if corners.is_empty() { best } else { corners }).lowest()
}

/// Returns the squares of a set of four, those of odd quadrants first.
#[inline(always)]
fn four_squares(empty: Bitboard) -> [Square; 4] {
    let odd = odd_quadrant_squares(empty) & empty;
    let mut left = empty;
    let mut next = |part: Bitboard| {
        let from = if part.is_empty() { left } else { part };
        let square = from.lowest();
        left.remove(square);
        square
    };
    let a = next(odd);
    let b = next(odd.without(a));
    let c = next(Bitboard::EMPTY);
    [a, b, c, next(Bitboard::EMPTY)]
}

/// Searches a position of four empties. They are cached: many ways lead to so late a position.
#[inline(always)]
fn four(
    position: Position,
    window: NullWindow<Discs>,
    state: &mut EndgameState,
    nodes: &mut u64,
) -> Discs {
    let _inside = profile::enter(4);
    if let Some(score) = late_stability_cutoff(position, window) {
        profile::note(4, Event::Stability);
        return score;
    }
    if let Some(score) = state.four_cache.cutoff(position, window) {
        profile::note(4, Event::Cache);
        return score;
    }
    let squares = four_squares(position.empty());
    let score = last_four::four(position, window, squares, nodes);
    state.four_cache.store(position, window, score);
    score
}
