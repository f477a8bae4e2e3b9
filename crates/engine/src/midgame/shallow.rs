//! The last plies of the midgame search, and searches that only order moves: no table, no limits, no
//! ProbCut.

use crate::moves::move_picker::{MovePicker, ScoredMove};
use crate::moves::ordering::{mobility_score_after, order};
use crate::thread_state::ThreadState;
use umigame_eval::MidBoard;
use umigame_eval::value::{Centidiscs, Discs, Unit, Window};
use umigame_othello::Bitboard;

/// Searches a few plies without table or limits; in null windows with futility cuts. Fail-soft.
pub(crate) fn shallow_search(
    thread: &mut ThreadState<'_>,
    board: &MidBoard,
    depth: u32,
    window: Window<Centidiscs>,
) -> Centidiscs {
    thread.nodes += 1;
    if depth == 0 {
        return thread.context.evaluation.evaluate_within(board, window);
    }
    if let Some(value) = futility_cutoff(thread, board, depth, window) {
        return value;
    }
    let position = board.position();
    let legal = position.legal_moves();
    if legal.is_empty() {
        let passed = position.passed();
        if passed.legal_moves().is_empty() {
            return Discs::from(position.final_score()).to_centidiscs();
        }
        return -shallow_search(thread, &board.passed(), depth, -window);
    }
    if depth == 1 {
        search_leaves(thread, board, legal, window)
    } else {
        search_moves(thread, board, legal, depth, window)
    }
}

/// [`shallow_search`] at depth 1.
#[inline(always)]
fn search_leaves(
    thread: &mut ThreadState<'_>,
    board: &MidBoard,
    legal: Bitboard,
    window: Window<Centidiscs>,
) -> Centidiscs {
    let position = board.position();
    let (corners, beside) = (Bitboard::CORNERS, Bitboard::C_SQUARES | Bitboard::X_SQUARES);
    let mut best = Centidiscs::NEG_INFINITY;
    // Any finer order costs more than it saves.
    for part in [corners, !(corners | beside), beside] {
        for square in legal & part {
            let flips = position.flips(square);
            if flips == position.opponent() {
                return Centidiscs::MAX;
            }
            thread.nodes += 1;
            let window_after = -window.raise_alpha(best);
            let evaluation = thread.context.evaluation;
            let value = -evaluation.evaluate_after(board, square, flips, window_after);
            best = best.max(value);
            if value >= window.beta {
                return best;
            }
        }
    }
    best
}

/// [`shallow_search`] from depth 2.
#[inline(always)]
fn search_moves(
    thread: &mut ThreadState<'_>,
    board: &MidBoard,
    legal: Bitboard,
    depth: u32,
    window: Window<Centidiscs>,
) -> Centidiscs {
    let position = board.position();
    let mut picker = MovePicker::default();
    picker.fill(position, legal, None);
    order(&mut picker, position, mobility_score_after);
    let mut best = Centidiscs::NEG_INFINITY;
    while let Some(ScoredMove { square, flips, .. }) = picker.take() {
        if flips == position.opponent() {
            return Centidiscs::MAX;
        }
        let next = board.after(square, flips);
        let value = -shallow_search(thread, &next, depth - 1, -window.raise_alpha(best));
        best = best.max(value);
        if value >= window.beta {
            break;
        }
    }
    best
}

/// Returns a bound outside the window for a search to `depth`, at least 1, if the evaluation gives one
/// at the confidence of the search.
#[inline(always)]
fn futility_cutoff(
    thread: &mut ThreadState<'_>,
    board: &MidBoard,
    depth: u32,
    window: Window<Centidiscs>,
) -> Option<Centidiscs> {
    let window = window.null()?;
    let margins = thread.futility_margins.as_ref()?;
    let shallow = margins.shallow_window(depth, board.position().empties(), window)?;
    thread.nodes += 1;
    let eval = thread.context.evaluation.evaluate_within(board, shallow);
    if eval >= shallow.beta {
        Some(window.beta())
    } else {
        (eval <= shallow.alpha).then_some(window.alpha)
    }
}

/// Evaluates the position after a move by the patterns alone, which is cheap and good enough to order
/// moves. Counts a node.
#[inline(always)]
pub(crate) fn ordering_eval(
    thread: &mut ThreadState<'_>,
    board: &MidBoard,
    played: &ScoredMove,
) -> Centidiscs {
    thread.nodes += 1;
    thread.context.evaluation.pattern_eval_after(board, played.square, played.flips)
}
