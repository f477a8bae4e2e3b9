//! The principal variation of an endgame: the few nodes with an open window, searched move by move
//! to the last disc.

use super::hash_search::{SHARED_MIN_EMPTIES, endgame_depth, order_moves, search_null};
use super::move_list::MOBILITY_MAX_EMPTIES;
use crate::moves::move_picker::MovePicker;
use crate::parallel::{DeferredMoves, PvKey, PvMove, PvNode};
use crate::report::variation::Variation;
use crate::table::hash::Hash;
use crate::thread_state::{Searched, Stopped, ThreadState};
use umigame_eval::MidBoard;
use umigame_eval::value::{BestMove, Discs, Window};
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

    let depth = endgame_depth(thread, position.empties());
    let key = PvKey { hash: hash.check, depth };
    let is_shared = position.empties() >= SHARED_MIN_EMPTIES;
    let node = if is_shared { thread.enter_pv(key, window.to_centidiscs()) } else { None };
    let best = search_moves(thread, board, window, &mut picker, variation, node);
    thread.leave_pv(node);
    let best = best?;
    node.inspect(|node| node.finish(best.value.to_centidiscs()));
    if is_stored {
        thread.context.table.store(hash, depth, window, best);
    }
    Ok(best.value)
}

fn search_moves(
    thread: &mut ThreadState<'_>,
    board: &MidBoard,
    window: Window<Discs>,
    picker: &mut MovePicker,
    variation: &mut Variation,
    node: Option<PvNode<'_>>,
) -> Result<BestMove<Discs>, Stopped> {
    let position = board.position();
    let alpha = window.alpha;
    let mut best = BestMove::<Discs>::UNSEARCHED;
    let mut rest = Variation::default();
    let mut deferred = DeferredMoves::new(thread.deferral(position.empties(), SHARED_MIN_EMPTIES));
    loop {
        if let Some(news) = node.and_then(|node| node.news(best.value.to_centidiscs())) {
            best = news.best_move(variation);
            if news.is_decided {
                break;
            }
        }
        let Some(taken) = deferred.next(
            || picker.next(|moves| order_moves(thread, moves, board, alpha)),
            |candidate| candidate.after(position),
        ) else {
            break;
        };
        let played = taken.played;
        if best.square == Some(played.square) {
            deferred.finished(&taken);
            continue;
        }
        node.inspect(|&node| thread.pv_path.know(node, best.value.to_centidiscs()));
        let next = &board.after(played.square, played.flips);
        let window = window.raise_alpha(best.value);
        let is_first = taken.number == 1 && best.square.is_none();
        let score = search_pvs(thread, next, is_first, window, &mut rest);
        deferred.finished(&taken);
        if score.is_err() && thread.takes_pv_news(node) {
            deferred.retry(taken);
            continue;
        }
        let score = score?;
        if score > window.alpha {
            let played = Move::Place(played.square);
            variation.set(played, &rest);
            let (value, is_exact) = (score.to_centidiscs(), score < window.beta);
            node.inspect(|node| node.raise(PvMove { played, value, is_exact, rest: rest.clone() }));
        }
        if score > best.value {
            best = BestMove::new(score, played.square);
            if score >= window.beta {
                break;
            }
        }
    }
    Ok(best)
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
