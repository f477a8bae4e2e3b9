//! Seven to twelve empties: moves ordered by the opponent's mobility, and a
//! small private table.

use super::move_list::{MoveList, RankedMove};
use super::parity_search::parity_search;
use super::{EndgameState, PARITY_MAX_EMPTIES, last_four, odd_squares};
use crate::search::stability::stability_cut;
use umigame_othello::{Position, Square};

/// From this many empties on, the table is asked about every move before any
/// is tried: below, looking costs more than it saves.
const ETC_MIN_EMPTIES: u32 = 10;

/// The score in the null window `alpha..alpha + 1`, fail-soft, with any
/// number of empties that is to be read without evaluation.
pub(super) fn solve_small(
    position: Position,
    alpha: i32,
    state: &mut EndgameState,
    nodes: &mut u64,
) -> i32 {
    if position.empties() <= 4 {
        return last_four::few(position, alpha, nodes);
    }
    state.begin(position);
    by_empties(position, alpha, position.moves(), state, nodes)
}

/// The same with five empties or more, which are those of the state's list,
/// and these legal moves.
#[inline(always)]
fn by_empties(
    position: Position,
    alpha: i32,
    legal: u64,
    state: &mut EndgameState,
    nodes: &mut u64,
) -> i32 {
    if position.empties() <= PARITY_MAX_EMPTIES {
        parity_search(position, alpha, legal, state, nodes)
    } else {
        mobility_search(position, alpha, legal, state, nodes)
    }
}

fn mobility_search(
    position: Position,
    alpha: i32,
    legal: u64,
    state: &mut EndgameState,
    nodes: &mut u64,
) -> i32 {
    *nodes += 1;
    if let Some(score) = stability_cut(position, alpha) {
        return score;
    }
    let mut hash_move = None;
    if let Some(known) = state.mobility_cache.probe(position) {
        if let Some(score) = known.decided(alpha) {
            return score;
        }
        hash_move = Some(known.best());
    }
    if legal == 0 {
        let other = position.passed().moves();
        if other == 0 {
            return position.final_score().discs();
        }
        return -mobility_search(position.passed(), -alpha - 1, other, state, nodes);
    }
    let (best, square) = best_move(position, alpha, (legal, hash_move), state, nodes);
    state.mobility_cache.store_with(position, alpha, best, square);
    best
}

/// Tries the moves, the hash_move one first, until one is good enough.
fn best_move(
    position: Position,
    alpha: i32,
    (legal, hash_move): (u64, Option<Square>),
    state: &mut EndgameState,
    nodes: &mut u64,
) -> (i32, Square) {
    let mut best = (-65, Square::lowest(legal));
    if let Some(square) = hash_move {
        let next = position.after(square, position.flips(square));
        let first = RankedMove { square, next, replies: next.moves() };
        best = (score_of(first, alpha, state, nodes), square);
        if best.0 > alpha {
            return best;
        }
    }
    let mut moves = MoveList::default();
    moves.fill(position, legal & !hash_move.map_or(0, Square::bit));
    if position.empties() >= ETC_MIN_EMPTIES {
        let after = moves.iter().map(|ranked| (ranked.square, ranked.next));
        if let Some(cut) = etc_cutoff(after, alpha, state) {
            return cut;
        }
    }
    moves.rank(odd_squares(position.empty()));
    while let Some(ranked) = moves.take() {
        let score = score_of(ranked, alpha, state, nodes);
        if score > best.0 {
            best = (score, ranked.square);
            if score > alpha {
                break;
            }
        }
    }
    best
}

#[inline(always)]
fn score_of(
    RankedMove { square, next, replies }: RankedMove,
    alpha: i32,
    state: &mut EndgameState,
    nodes: &mut u64,
) -> i32 {
    state.empties.take(square);
    let score = -by_empties(next, -alpha - 1, replies, state, nodes);
    state.empties.put_back(square);
    score
}

/// A score above `alpha` that the table already holds for some move, and the
/// move.
#[inline(always)]
pub(super) fn etc_cutoff(
    mut moves: impl Iterator<Item = (Square, Position)>,
    alpha: i32,
    state: &EndgameState,
) -> Option<(i32, Square)> {
    moves.find_map(|(square, next)| {
        let score = -state.mobility_cache.probe(next)?.upper();
        (score > alpha).then_some((score, square))
    })
}
