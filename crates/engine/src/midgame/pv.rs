//! The principal variation of the midgame: the few nodes with an open window, searched whole.

use super::null_window::{SHARED_MIN_DEPTH, order_moves, search_child};
use crate::moves::move_picker::MovePicker;
use crate::parallel::{DeferredMoves, PvKey, PvMove, PvNode};
use crate::report::variation::Variation;
use crate::table::SearchDepth;
use crate::table::hash::Hash;
use crate::thread_state::{Searched, Stopped, ThreadState};
use umigame_eval::MidBoard;
use umigame_eval::value::{BestMove, Centidiscs, Discs, Window};
use umigame_othello::Move;

/// Minimum depth of a node of the principal variation that threads share.
const SHARED_PV_MIN_DEPTH: u32 = 3;

/// Searches a node in an open window to `depth` plies, which is less than its empties. Fail-soft.
///
/// If the value lies inside the window, `variation` holds the expected play.
pub(crate) fn search(
    thread: &mut ThreadState<'_>,
    board: &MidBoard,
    depth: u32,
    window: Window<Centidiscs>,
    variation: &mut Variation,
) -> Searched<Centidiscs> {
    variation.clear();
    if depth == 0 {
        thread.nodes += 1;
        return Ok(thread.context.evaluation.evaluate(board));
    }
    thread.poll()?;
    let position = board.position();
    let legal = position.legal_moves();
    if legal.is_empty() {
        return search_pass(thread, board, depth, window, variation);
    }
    let hash = Hash::of(position);
    let mut picker = MovePicker::default();
    picker.fill(position, legal, thread.context.table.probe(hash).as_ref());
    let wanted = SearchDepth { plies: depth as u8, confidence: thread.confidence };
    let key = PvKey { hash: hash.check, depth: wanted };
    let node = if depth >= SHARED_PV_MIN_DEPTH { thread.enter_pv(key, window) } else { None };
    let best = search_moves(thread, board, depth, window, &mut picker, variation, node);
    thread.leave_pv(node);
    let best = best?;
    node.inspect(|node| node.finish(best.value));
    thread.context.table.store(hash, wanted, window, best);
    Ok(best.value)
}

fn search_pass(
    thread: &mut ThreadState<'_>,
    board: &MidBoard,
    depth: u32,
    window: Window<Centidiscs>,
    variation: &mut Variation,
) -> Searched<Centidiscs> {
    let passed = board.passed();
    if passed.position().legal_moves().is_empty() {
        return Ok(Discs::from(board.position().final_score()).to_centidiscs());
    }
    let mut rest = Variation::default();
    let value = -search(thread, &passed, depth, -window, &mut rest)?;
    variation.set(Move::Pass, &rest);
    Ok(value)
}

fn search_moves(
    thread: &mut ThreadState<'_>,
    board: &MidBoard,
    depth: u32,
    window: Window<Centidiscs>,
    picker: &mut MovePicker,
    variation: &mut Variation,
    node: Option<PvNode<'_>>,
) -> Result<BestMove<Centidiscs>, Stopped> {
    let position = board.position();
    let mut best = BestMove::<Centidiscs>::UNSEARCHED;
    let mut rest = Variation::default();
    let mut deferred = DeferredMoves::new(thread.deferral(depth, SHARED_MIN_DEPTH));
    loop {
        if let Some(news) = node.and_then(|node| node.news(best.value)) {
            best = news.best_move(variation);
            if news.is_decided {
                break;
            }
        }
        let Some(taken) = deferred.next(
            || picker.next(|moves| order_moves(thread, moves, board, depth)),
            |candidate| candidate.after(position),
        ) else {
            break;
        };
        let played = taken.played;
        if best.square == Some(played.square) {
            deferred.finished(&taken);
            continue;
        }
        node.inspect(|&node| thread.pv_path.know(node, best.value));
        let window = window.raise_alpha(best.value);
        let value = if played.flips == position.opponent() {
            rest.clear();
            Ok(Centidiscs::MAX)
        } else {
            let next = &board.after(played.square, played.flips);
            let number = if best.square.is_none() { taken.number } else { taken.number.max(2) };
            search_pvs(thread, next, depth, window, number, &mut rest)
        };
        deferred.finished(&taken);
        if value.is_err() && thread.takes_pv_news(node) {
            deferred.retry(taken);
            continue;
        }
        let value = value?;
        if value > best.value {
            if value > window.alpha {
                let played = Move::Place(played.square);
                variation.set(played, &rest);
                let is_exact = value < window.beta;
                node.inspect(|node| {
                    node.raise(PvMove { played, value, is_exact, rest: rest.clone() });
                });
            }
            best = BestMove::new(value, played.square);
            if value >= window.beta {
                break;
            }
        }
    }
    Ok(best)
}

/// Searches the move to `next`, the node's move `number` from 1. Moves after the first are searched
/// in a null window unless they raise alpha.
fn search_pvs(
    thread: &mut ThreadState<'_>,
    next: &MidBoard,
    depth: u32,
    window: Window<Centidiscs>,
    number: u32,
    rest: &mut Variation,
) -> Searched<Centidiscs> {
    if number > 1 {
        let value = search_child(thread, next, depth, window.lower_end(), number)?;
        if !window.contains(value) {
            rest.clear();
            return Ok(value);
        }
    }
    Ok(-search(thread, next, depth - 1, -window, rest)?)
}
