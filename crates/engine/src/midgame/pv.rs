//! The principal variation of the midgame: the few nodes with an open window, searched whole.

use super::null_window::{SHARED_MIN_DEPTH, order_moves, search_child};
use crate::moves::move_picker::MovePicker;
use crate::open_node::OpenNode;
use crate::parallel::{PvKey, Turn};
use crate::report::variation::Variation;
use crate::table::hash::Hash;
use crate::thread_state::{Searched, ThreadState};
use umigame_eval::MidBoard;
use umigame_eval::value::{Centidiscs, Discs, Window};
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
    let wanted = thread.search_depth(depth);
    let key = PvKey { hash: hash.check, depth: wanted };
    let open = OpenNode {
        position,
        window,
        key: (depth >= SHARED_PV_MIN_DEPTH).then_some(key),
        deferral: thread.deferral(depth, SHARED_MIN_DEPTH),
    };
    let best = open.search_moves(
        thread,
        &mut picker,
        variation,
        |thread, moves| order_moves(thread, moves, board, depth),
        |thread, played, turn, window, rest| {
            if played.flips == position.opponent() {
                rest.clear();
                return Ok(Centidiscs::MAX);
            }
            let next = &board.after(played.square, played.flips);
            search_pvs(thread, next, depth, window, turn, rest)
        },
    )?;
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

/// Searches the move to `next`, which has its turn at the node. Moves after the first are searched
/// in a null window unless they raise alpha.
fn search_pvs(
    thread: &mut ThreadState<'_>,
    next: &MidBoard,
    depth: u32,
    window: Window<Centidiscs>,
    turn: Turn,
    rest: &mut Variation,
) -> Searched<Centidiscs> {
    if turn.number > 1 {
        let value = search_child(thread, next, depth, window.lower_end(), turn)?;
        if !window.contains(value) {
            rest.clear();
            return Ok(value);
        }
    }
    Ok(-search(thread, next, depth - 1, -window, rest)?)
}
