//! Seven to twelve empties: moves ordered by the opponent's mobility, with a private cache.
//!
//! Null windows only; fail-soft. Limits are not polled here.

use super::last_four;
use super::move_list::{MoveList, RankedMove};
use super::parity_search::{PARITY_MAX_EMPTIES, parity_search};
use super::profile::{self, Event};
use super::state::EndgameState;
use crate::endgame::stability::stability_cutoff;
use umigame_eval::parity::odd_quadrant_squares;
use umigame_eval::value::{Discs, NullWindow, Unit};
use umigame_othello::{Bitboard, Position, Square};

/// Minimum empties for enhanced transposition cutoffs (ETC): below, probing every child costs more
/// than it saves.
const ETC_MIN_EMPTIES: u32 = 8;

/// The best score of a node, with its move.
#[derive(Clone, Copy)]
struct BestReply {
    score: Discs,
    square: Square,
}

/// Searches a position of at most twelve empties.
pub(super) fn solve_small(
    position: Position,
    window: NullWindow<Discs>,
    state: &mut EndgameState,
    nodes: &mut u64,
) -> Discs {
    if position.empties() <= 4 {
        return last_four::few(position, window, nodes);
    }
    by_empties(position, window, position.legal_moves(), true, state, nodes)
}

/// Searches a position of five empties or more with its legal moves. Where a cut is expected, some move
/// should be above the window, and after the first none of the other side: expectations alternate by plies.
#[inline(always)]
fn by_empties(
    position: Position,
    window: NullWindow<Discs>,
    legal: Bitboard,
    expects_cut: bool,
    state: &mut EndgameState,
    nodes: &mut u64,
) -> Discs {
    if position.empties() <= PARITY_MAX_EMPTIES {
        parity_search(position, window, legal, expects_cut, state, nodes)
    } else {
        mobility_search(position, window, legal, expects_cut, state, nodes)
    }
}

fn mobility_search(
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
    if let Some(score) = stability_cutoff(position, window) {
        profile::note(empties, Event::Stability);
        return score;
    }
    let mut hash_move = None;
    if let Some(cached) = state.mobility_cache.probe(position) {
        if let Some(score) = cached.cutoff(window) {
            profile::note(empties, Event::Cache);
            return score;
        }
        hash_move = Some(cached.best());
    }
    if legal.is_empty() {
        let replies = position.passed().legal_moves();
        if replies.is_empty() {
            return position.final_score().into();
        }
        return -mobility_search(position.passed(), -window, replies, !expects_cut, state, nodes);
    }
    let best = search_moves(position, window, legal, hash_move, expects_cut, state, nodes);
    state.mobility_cache.store_with_move(position, window, best.score, best.square);
    best.score
}

/// Searches the moves, the hash move first, until one is above `alpha`.
fn search_moves(
    position: Position,
    window: NullWindow<Discs>,
    legal: Bitboard,
    hash_move: Option<Square>,
    expects_cut: bool,
    state: &mut EndgameState,
    nodes: &mut u64,
) -> BestReply {
    let empties = position.empties();
    let mut searched = 0;
    let mut best = BestReply { score: Discs::NEG_INFINITY, square: legal.lowest() };
    if let Some(square) = hash_move {
        let next = position.after(square, position.flips(square));
        let replies = next.legal_moves();
        let score = -by_empties(next, -window, replies, !expects_cut, state, nodes);
        best = BestReply { score, square };
        searched = 1;
        if best.score > window.alpha {
            profile::note_moves(empties, searched, true);
            return best;
        }
    }
    let mut moves = MoveList::default();
    moves.fill(position, hash_move.map_or(legal, |square| legal.without(square)));
    if empties >= ETC_MIN_EMPTIES {
        let cut = moves.iter().find_map(|ranked| {
            let score = etc_score(ranked.next, window, state)?;
            Some(BestReply { score, square: ranked.square })
        });
        if let Some(cut) = cut {
            profile::note(empties, Event::Etc);
            return cut;
        }
    }
    moves.rank(odd_quadrant_squares(position.empty()));
    while let Some(RankedMove { square, next, replies }) = moves.take() {
        let reply_cuts = !expects_cut || searched > 0;
        let score = -by_empties(next, -window, replies, reply_cuts, state, nodes);
        searched += 1;
        if score > best.score {
            best = BestReply { score, square };
            if score > window.alpha {
                break;
            }
        }
    }
    profile::note_moves(empties, searched, best.score > window.alpha);
    best
}

/// Enhanced transposition cutoff: returns a score above `alpha` that the cache holds for the
/// position `next` after a move.
#[inline(always)]
pub(super) fn etc_score(
    next: Position,
    window: NullWindow<Discs>,
    state: &EndgameState,
) -> Option<Discs> {
    let score = -state.mobility_cache.probe(next)?.upper();
    (score > window.alpha).then_some(score)
}
