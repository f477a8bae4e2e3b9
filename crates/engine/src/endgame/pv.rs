//! The principal variation of an endgame: the few nodes with an open window, searched move by move
//! to the last disc.

use super::hash_search::{SHARED_MIN_EMPTIES, order_moves, search_null};
use super::move_list::MOBILITY_MAX_EMPTIES;
use crate::moves::move_picker::MovePicker;
use crate::open_node::OpenNode;
use crate::parallel::PvKey;
use crate::report::variation::Variation;
use crate::table::hash::Hash;
use crate::thread_state::{Searched, ThreadState};
use umigame_eval::MidBoard;
use umigame_eval::value::{Discs, Window};
use umigame_othello::Move;

/// Searches a node to the end of the game in an open window. Fail-soft.
///
/// If the score lies inside the window, `variation` holds the play to the end of the game.
pub(crate) fn search(
    thread: &mut ThreadState<'_>,
    board: &MidBoard,
    window: Window<Discs>,
    variation: &mut Variation,
) -> Searched<Discs> {
    thread.poll()?;
    variation.clear();
    let position = board.position();
    let legal = position.legal_moves();
    if legal.is_empty() {
        if position.passed().legal_moves().is_empty() {
            return Ok(position.final_score().into());
        }
        let mut rest = Variation::default();
        let score = -search(thread, &board.passed(), -window, &mut rest)?;
        variation.set(Move::Pass, &rest);
        return Ok(score);
    }
    let hash = Hash::of(position);
    let is_stored = position.empties() > MOBILITY_MAX_EMPTIES;
    let entry = if is_stored { thread.context.table.probe(hash) } else { None };
    let mut picker = MovePicker::default();
    picker.fill(position, legal, entry.as_ref());

    let depth = thread.search_depth(position.empties());
    let key = PvKey { hash: hash.check, depth };
    let open = OpenNode {
        position,
        window,
        key: (position.empties() >= SHARED_MIN_EMPTIES).then_some(key),
        deferral: thread.deferral(position.empties(), SHARED_MIN_EMPTIES),
    };
    let best = open.search_moves(
        thread,
        &mut picker,
        variation,
        |thread, moves| order_moves(thread, moves, board, window.alpha),
        |thread, played, turn, window, rest| {
            let next = &board.after(played.square, played.flips);
            search_pvs(thread, next, turn.number == 1, window, rest)
        },
    )?;
    if is_stored {
        thread.context.table.store(hash, depth, window, best);
    }
    Ok(best.value)
}

/// Searches the move to `next`: unless it is the first, in a null window, then in the open one
/// if it raises alpha.
fn search_pvs(
    thread: &mut ThreadState<'_>,
    next: &MidBoard,
    is_first: bool,
    window: Window<Discs>,
    rest: &mut Variation,
) -> Searched<Discs> {
    if !is_first {
        let score = -search_null(thread, next, -window.lower_end())?;
        if !window.contains(score) {
            rest.clear();
            return Ok(score);
        }
    }
    Ok(-search(thread, next, -window, rest)?)
}
