//! Thirteen empties and more, twelve in a selective search: moves ordered by evaluation, with the
//! transposition table.
//!
//! Null windows only; fail-soft. Nodes are cut by stable discs, by the table, by enhanced
//! transposition cutoffs and by ProbCut, and large ones are shared among threads.

use super::mobility_search;
use super::move_list::{MOBILITY_MAX_EMPTIES, parity_score};
use super::profile::{self, Event};
use crate::endgame::stability::stability_cutoff;
use crate::limits::confidence::Confidence;
use crate::midgame::shallow::{ordering_eval, shallow_search};
use crate::midgame::{self, probcut};
use crate::moves::move_picker::{MovePicker, ScoredMove};
use crate::moves::ordering::{
    WIPE_OUT_SCORE, order, potential_mobility, square_score, weighted_mobility,
};
use crate::parallel::DeferredMoves;
use crate::table::hash::Hash;
use crate::thread_state::{Searched, Stopped, ThreadState};
use crate::tunable::tunable;
use umigame_eval::MidBoard;
use umigame_eval::parity::odd_quadrant_squares;
use umigame_eval::value::{BestMove, Centidiscs, Discs, NullWindow, Window};
use umigame_othello::{Bitboard, Position};

/// [`MOBILITY_MAX_EMPTIES`] in a selective search: only nodes with evaluation are probed.
const SELECTIVE_MOBILITY_MAX_EMPTIES: u32 = MOBILITY_MAX_EMPTIES - 1;
/// Penalty that puts the moves without look-ahead last: above any difference of scores.
const NO_LOOKAHEAD_PENALTY: i32 = 1 << 20;
/// Minimum empties of a node that threads share.
pub(super) const SHARED_MIN_EMPTIES: u32 = 14;

tunable! {
    /// Order moves by shallow searches above this many empties: a ply for every two empties more.
    Order LOOKAHEAD_ABOVE_EMPTIES: u32 = 15 in 12..=20 by 1;
    /// Maximum depth of those searches.
    Order LOOKAHEAD_MAX_PLIES: u32 = 4 in 1..=8 by 1;
    /// Moves searched so, the best by evaluation: later ones are seldom needed.
    Order LOOKAHEAD_MOVES: usize = 5 in 1..=12 by 1;
    /// Values this far below the best of those moves are not resolved: such a move comes late in
    /// any case. In centidiscs.
    Order LOOKAHEAD_MARGIN: i32 = 600 in 0..=3_000 by 100;
    /// Nor are values this far below the window, in centidiscs.
    Order LOOKAHEAD_ALPHA_MARGIN: i32 = 600 in 0..=3_000 by 100;
    /// Maximum empties at which the moves after a failed hash move are ordered without evaluation:
    /// hardly any of them will do either, so their order matters little.
    Order FAIL_LOW_MAX_EMPTIES: u32 = 16 in 12..=24 by 1;
    /// Ordering penalty for each move of the opponent, in centidiscs.
    Order MOBILITY_CENTIDISCS: i32 = 200 in 0..=1_000 by 20;
    /// Ordering penalty for each empty square beside the mover's discs, in centidiscs.
    Order POTENTIAL_MOBILITY_CENTIDISCS: i32 = 40 in 0..=400 by 8;
    /// Ordering bonus of a move into an odd quadrant, in centidiscs.
    Order PARITY_CENTIDISCS: i32 = 100 in 0..=1_000 by 20;
}

/// Maximum empties at which moves are ordered by mobility.
#[inline(always)]
fn mobility_max_empties(thread: &ThreadState<'_>) -> u32 {
    if thread.confidence == Confidence::FULL {
        MOBILITY_MAX_EMPTIES
    } else {
        SELECTIVE_MOBILITY_MAX_EMPTIES
    }
}

/// Searches a node to the end of the game in a null window.
pub(crate) fn search_null(
    thread: &mut ThreadState<'_>,
    board: &MidBoard,
    window: NullWindow<Discs>,
) -> Searched<Discs> {
    let position = board.position();
    let empties = position.empties();
    if empties <= mobility_max_empties(thread) {
        return solve_small(thread, position, window);
    }
    thread.poll()?;
    let _inside = profile::enter(empties);
    if let Some(score) = stability_cutoff(position, window) {
        profile::note(empties, Event::Stability);
        return Ok(score);
    }
    let legal = position.legal_moves();
    if legal.is_empty() {
        if position.passed().legal_moves().is_empty() {
            return Ok(position.final_score().into());
        }
        return Ok(-search_null(thread, &board.passed(), -window)?);
    }
    let hash = Hash::of(position);
    let entry = thread.context.table.probe(hash);
    let depth = thread.search_depth(empties);
    if let Some(score) = entry.and_then(|entry| entry.cutoff(depth, window)) {
        profile::note(empties, Event::Cache);
        return Ok(score);
    }
    let mut picker = MovePicker::default();
    picker.fill(position, legal, entry.as_ref());
    if let Some(score) = etc_cutoff(thread, position, &picker, window) {
        profile::note(empties, Event::Etc);
        return Ok(score);
    }
    if let Some(score) = probcut::endgame_cutoff(thread, board, window, midgame::search_null)? {
        profile::note(empties, Event::ProbCut);
        return Ok(score);
    }
    let entered = thread.deferral(empties, SHARED_MIN_EMPTIES).is_some()
        && thread.ancestors.enter(hash, depth, window);
    let best = search_moves(thread, board, window, &mut picker);
    if entered && let Some(score) = thread.ancestors.leave() {
        return Ok(score);
    }
    let best = best?;
    thread.context.table.store(hash, depth, window.into(), best);
    Ok(best.value)
}

/// Searches a position ordered by mobility, where limits are not polled; polls them afterwards.
#[inline(always)]
fn solve_small(
    thread: &mut ThreadState<'_>,
    position: Position,
    window: NullWindow<Discs>,
) -> Searched<Discs> {
    let score = mobility_search::solve_small(position, window, thread.endgame, &mut thread.nodes);
    thread.poll_counted()?;
    Ok(score)
}

fn search_moves(
    thread: &mut ThreadState<'_>,
    board: &MidBoard,
    window: NullWindow<Discs>,
    picker: &mut MovePicker,
) -> Result<BestMove<Discs>, Stopped> {
    let position = board.position();
    let empties = position.empties();
    let alpha = window.alpha;
    let mut best = BestMove::UNSEARCHED;
    let mut searched = 0;
    let mut deferred = DeferredMoves::new(thread.deferral(empties, SHARED_MIN_EMPTIES));
    while let Some(taken) = deferred.next(
        || picker.next(|moves| order_moves(thread, moves, board, alpha)),
        |candidate| candidate.after(position),
    ) {
        let played = taken.played;
        let score = if empties - 1 <= mobility_max_empties(thread) {
            solve_small(thread, played.after(position), -window)
        } else {
            let next = board.after(played.square, played.flips);
            search_null(thread, &next, -window)
        };
        deferred.finished(&taken);
        let score = -score?;
        searched += 1;
        if score > best.value {
            best = BestMove::new(score, played.square);
            if score > alpha {
                break;
            }
        }
    }
    profile::note_moves(empties, searched, best.value > alpha);
    Ok(best)
}

/// Enhanced transposition cutoff: returns a score above `alpha` that the table or the cache
/// holds for some move.
fn etc_cutoff(
    thread: &ThreadState<'_>,
    position: Position,
    moves: &MovePicker,
    window: NullWindow<Discs>,
) -> Option<Discs> {
    if position.empties() - 1 <= mobility_max_empties(thread) {
        let mut after = moves.iter().map(|candidate| candidate.after(position));
        return after.find_map(|next| mobility_search::etc_score(next, window, thread.endgame));
    }
    let needed = thread.search_depth(position.empties()).below();
    moves.etc_cutoff(position, thread.context.table, needed, window.beta())
}

/// Scores each move by the pattern evaluation after it, mobility, parity and square; with more
/// empties, the best of them by a shallow search.
pub(super) fn order_moves(
    thread: &mut ThreadState<'_>,
    picker: &mut MovePicker,
    board: &MidBoard,
    alpha: Discs,
) {
    let position = board.position();
    let empties = position.empties();
    let odd = odd_quadrant_squares(position.empty());
    if empties <= FAIL_LOW_MAX_EMPTIES.get() && picker.taken() > 0 {
        order(picker, position, |candidate, next| {
            parity_score(candidate.square, next, next.legal_moves(), odd)
        });
        return;
    }
    order(picker, position, |candidate, next| {
        -ordering_eval(thread, board, candidate).0 + positional_score(candidate, next, odd)
    });
    let above = empties.saturating_sub(LOOKAHEAD_ABOVE_EMPTIES.get());
    let plies = (above / 2).min(LOOKAHEAD_MAX_PLIES.get());
    if plies > 0 {
        look_ahead(thread, picker, board, plies, alpha);
    }
}

/// Scores the best moves by shallow searches to `plies` after each. Values above the window are
/// resolved too: the more a move wins, the fewer nodes prove it.
fn look_ahead(
    thread: &mut ThreadState<'_>,
    picker: &mut MovePicker,
    board: &MidBoard,
    plies: u32,
    alpha: Discs,
) {
    let odd = odd_quadrant_squares(board.position().empty());
    let alpha_margin = Centidiscs(LOOKAHEAD_ALPHA_MARGIN.get());
    let mut least = (alpha.to_centidiscs() - alpha_margin).max(Centidiscs::MIN);
    for (at, candidate) in picker.sorted().enumerate() {
        if candidate.score == WIPE_OUT_SCORE {
            return;
        }
        if at >= LOOKAHEAD_MOVES.get() {
            candidate.score -= NO_LOOKAHEAD_PENALTY;
            continue;
        }
        let next = board.after(candidate.square, candidate.flips);
        let window = Window::new(least, Centidiscs::MAX);
        let value = -shallow_search(thread, &next, plies, -window);
        least = least.max(value - Centidiscs(LOOKAHEAD_MARGIN.get()));
        candidate.score = value.0 + positional_score(candidate, next.position(), odd);
    }
}

fn positional_score(candidate: &ScoredMove, next: Position, odd: Bitboard) -> i32 {
    let parity = if odd.contains(candidate.square) { PARITY_CENTIDISCS.get() } else { 0 };
    parity + square_score(candidate.square)
        - MOBILITY_CENTIDISCS.get() * weighted_mobility(next.legal_moves())
        - POTENTIAL_MOBILITY_CENTIDISCS.get() * potential_mobility(next.opponent(), next.empty())
}
