//! Null windows in the midgame.
//!
//! A node is cut by the transposition table, by enhanced transposition cutoffs and by ProbCut before
//! its moves are searched, near the leaves by the evaluation; late moves are reduced.

use crate::limits::confidence::Confidence;
use crate::midgame::probcut;
use crate::midgame::shallow::{ordering_eval, shallow_search};
use crate::moves::move_picker::MovePicker;
use crate::moves::ordering::{mobility_score_after, order, square_score, weighted_mobility};
use crate::parallel::{DeferredMoves, Turn};
use crate::table::hash::Hash;
use crate::thread_state::{Searched, Stopped, ThreadState};
use crate::tunable::tunable;
use umigame_eval::MidBoard;
use umigame_eval::value::{BestMove, Centidiscs, Discs, NullWindow};

/// Maximum depth searched without the transposition table: storing costs more than it saves.
const SHALLOW_MAX_DEPTH: u32 = 2;
/// Minimum depth of a node that threads share.
pub(super) const SHARED_MIN_DEPTH: u32 = 5;

tunable! {
    /// Maximum depth at which moves are ordered by mobility: evaluating them costs more than the
    /// better order saves.
    Order MOBILITY_ORDER_MAX_DEPTH: u32 = 3 in 2..=8 by 1;
    /// Maximum depth at which the moves after a failed hash move are ordered by mobility too: hardly
    /// any of them will do either, so their order matters little.
    Order FAIL_LOW_MAX_DEPTH: u32 = 5 in 2..=12 by 1;
    /// Minimum depth for enhanced transposition cutoffs (ETC).
    Order ETC_MIN_DEPTH: u32 = 4 in 3..=10 by 1;
    /// Minimum depth for late move reductions (LMR) at 73 %, a ply more at other levels.
    Accuracy LMR_MIN_DEPTH: u32 = 4 in 2..=12 by 1;
    /// Centidiscs above alpha to which a reduced move is dropped at 73 %; none at other levels.
    Accuracy LMR_MARGIN: i32 = 40 in -200..=600 by 20;
    /// Moves searched at full depth before late move reductions begin.
    Accuracy LMR_FULL_DEPTH_MOVES: u32 = 3 in 1..=10 by 1;
    /// Ordering penalty for each move that the opponent has in reply, in centidiscs.
    Order MOBILITY_CENTIDISCS: i32 = 30 in 0..=400 by 15;
}

/// Searches a node in a null window to `depth` plies, which is less than its empties. Fail-soft.
pub(crate) fn search_null(
    thread: &mut ThreadState<'_>,
    board: &MidBoard,
    depth: u32,
    window: NullWindow<Centidiscs>,
) -> Searched<Centidiscs> {
    search_node(thread, board, depth, window, false)
}

/// [`search_null`]. At a node that another thread is in (`is_joined`), that thread tries the cutoffs that
/// come before the moves, and this one helps with the moves.
fn search_node(
    thread: &mut ThreadState<'_>,
    board: &MidBoard,
    depth: u32,
    window: NullWindow<Centidiscs>,
    is_joined: bool,
) -> Searched<Centidiscs> {
    if depth <= SHALLOW_MAX_DEPTH {
        return Ok(shallow_search(thread, board, depth, window.into()));
    }
    thread.poll()?;
    let position = board.position();
    let legal = position.legal_moves();
    if legal.is_empty() {
        return search_pass(thread, board, depth, window);
    }
    let hash = Hash::of(position);
    let wanted = thread.search_depth(depth);
    let entry = thread.context.table.probe(hash);
    if let Some(value) = entry.and_then(|entry| entry.cutoff(wanted, window)) {
        return Ok(value);
    }
    let mut picker = MovePicker::default();
    picker.fill(position, legal, entry.as_ref());
    if !is_joined && let Some(value) = early_cutoff(thread, board, depth, window, &picker, hash)? {
        return Ok(value);
    }
    let is_shared = thread.deferral(depth, SHARED_MIN_DEPTH).is_some();
    let entered = is_shared && thread.ancestors.enter(hash, wanted, window);
    let best = search_moves(thread, board, depth, window, &mut picker);
    if entered && let Some(value) = thread.ancestors.leave() {
        return Ok(value);
    }
    let best = best?;
    thread.context.table.store(hash, wanted, window.into(), best);
    Ok(best.value)
}

/// Cuts a node before its moves are searched: by the table's values of the positions after them, or by
/// ProbCut.
#[inline(always)]
fn early_cutoff(
    thread: &mut ThreadState<'_>,
    board: &MidBoard,
    depth: u32,
    window: NullWindow<Centidiscs>,
    moves: &MovePicker,
    hash: Hash,
) -> Searched<Option<Centidiscs>> {
    let wanted = thread.search_depth(depth);
    let table = thread.context.table;
    if depth >= ETC_MIN_DEPTH.get()
        && let Some(value) =
            moves.etc_cutoff(board.position(), table, wanted.below(), window.beta())
    {
        return Ok(Some(value));
    }
    let probed = probcut::midgame_cutoff(thread, board, depth, window, search_null)?;
    if let Some(value) = probed
        && thread.deferral(depth, SHARED_MIN_DEPTH - 1).is_some()
    {
        // Alone, a thread would not come back to this move, which it may have deferred.
        table.store(hash, wanted, window.into(), BestMove { value, square: None });
    }
    Ok(probed)
}

fn search_pass(
    thread: &mut ThreadState<'_>,
    board: &MidBoard,
    depth: u32,
    window: NullWindow<Centidiscs>,
) -> Searched<Centidiscs> {
    let passed = board.passed();
    if passed.position().legal_moves().is_empty() {
        return Ok(Discs::from(board.position().final_score()).to_centidiscs());
    }
    Ok(-search_null(thread, &passed, depth, -window)?)
}

/// Returns the value that the move to `next` gives its node of this `depth` in a null window.
///
/// A move whose `turn` is late is searched less deeply first. The mean difference of the two depths is
/// taken into account: odd depths are kinder to the side to move.
#[inline(always)]
pub(super) fn search_child(
    thread: &mut ThreadState<'_>,
    next: &MidBoard,
    depth: u32,
    window: NullWindow<Centidiscs>,
    turn: Turn,
) -> Searched<Centidiscs> {
    let reduction = reduction(thread, depth, turn.number);
    if reduction > 0 {
        let reduced = depth - 1 - reduction;
        let model = thread.context.evaluation.probcut_model();
        let mean = model.midgame_mean(next.position().empties(), reduced, depth - 1) as i32;
        let margin = if thread.confidence.is_most_selective() { LMR_MARGIN.get() } else { 0 };
        let above = Centidiscs(mean + margin);
        let expected = NullWindow::above(window.alpha + above);
        let value = -search_node(thread, next, reduced, -expected, turn.is_joined)?;
        if value <= expected.alpha {
            return Ok((value - above).max(Centidiscs::MIN));
        }
    }
    let is_joined = turn.is_joined && reduction == 0;
    Ok(-search_node(thread, next, depth - 1, -window, is_joined)?)
}

/// Returns the plies of the late move reduction; 0 where nothing is left out.
#[inline(always)]
fn reduction(thread: &ThreadState<'_>, depth: u32, tried: u32) -> u32 {
    let min_depth = LMR_MIN_DEPTH.get() + u32::from(!thread.confidence.is_most_selective());
    if depth < min_depth || thread.confidence == Confidence::FULL {
        return 0;
    }
    let full_depth_moves = LMR_FULL_DEPTH_MOVES.get();
    u32::from(tried > full_depth_moves)
        + u32::from(depth >= 2 * min_depth && tried > 2 * full_depth_moves)
}

fn search_moves(
    thread: &mut ThreadState<'_>,
    board: &MidBoard,
    depth: u32,
    window: NullWindow<Centidiscs>,
    picker: &mut MovePicker,
) -> Result<BestMove<Centidiscs>, Stopped> {
    let position = board.position();
    let mut best = BestMove::UNSEARCHED;
    let deferral = thread.deferral(depth, SHARED_MIN_DEPTH);
    let mut deferred = DeferredMoves::new(deferral);
    while let Some(taken) = deferred.next(
        || picker.next(|moves| order_moves(thread, moves, board, depth)),
        |candidate| candidate.after(position),
    ) {
        let played = taken.played;
        let value = if played.flips == position.opponent() {
            Ok(Centidiscs::MAX)
        } else {
            let next = &board.after(played.square, played.flips);
            search_child(thread, next, depth, window, taken.turn)
        };
        deferred.finished(&taken);
        let value = value?;
        if value > best.value {
            best = BestMove::new(value, played.square);
            if value > window.alpha {
                break;
            }
        }
        if deferral.is_some() && thread.ancestors.is_innermost_decided(thread.context.table) {
            return Err(Stopped);
        }
    }
    Ok(best)
}

/// Scores each move by the value after it and by the opponent's mobility; by mobility alone at
/// small depths, or a little above after a failed hash move. The value is that of the patterns,
/// within the bounds that the table holds of any depth.
pub(super) fn order_moves(
    thread: &mut ThreadState<'_>,
    picker: &mut MovePicker,
    board: &MidBoard,
    depth: u32,
) {
    let position = board.position();
    let fails_low = picker.taken() > 0 && depth <= FAIL_LOW_MAX_DEPTH.get();
    if fails_low || depth <= MOBILITY_ORDER_MAX_DEPTH.get() {
        return order(picker, position, mobility_score_after);
    }
    let table = thread.context.table;
    order(picker, position, |candidate, next| {
        let eval = ordering_eval(thread, board, candidate);
        let known = table.probe(Hash::of(next)).map_or(eval, |entry| entry.nearest(eval));
        square_score(candidate.square)
            - known.0
            - MOBILITY_CENTIDISCS.get() * weighted_mobility(next.legal_moves())
    });
}
