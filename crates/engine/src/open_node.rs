//! Nodes with an open window, in the midgame and in the endgame: their moves, whose results threads
//! share.

use crate::moves::move_picker::{MovePicker, ScoredMove};
use crate::parallel::{Deferral, DeferredMoves, PvKey, PvMove, Turn};
use crate::report::variation::Variation;
use crate::thread_state::{Searched, Stopped, ThreadState};
use umigame_eval::value::{BestMove, Unit, Window};
use umigame_othello::{Move, Position};

/// A node with an open window.
pub(crate) struct OpenNode<'a, V> {
    pub position: Position,
    pub window: Window<V>,
    /// By which threads know the node; `None` if it is too small to share.
    pub key: Option<PvKey>,
    pub deferral: Option<Deferral<'a>>,
}

impl<V: Unit> OpenNode<'_, V> {
    /// Searches the moves of `picker`, which `order` scores, until one fails high.
    ///
    /// `search` returns the value that a move gives the node in a window, and the play after it. It is
    /// also given the move's turn: number 1 is searched in the open window, others in a null window first.
    pub fn search_moves(
        &self,
        thread: &mut ThreadState<'_>,
        picker: &mut MovePicker,
        variation: &mut Variation,
        order: impl Fn(&mut ThreadState<'_>, &mut MovePicker),
        search: impl Fn(
            &mut ThreadState<'_>,
            &ScoredMove,
            Turn,
            Window<V>,
            &mut Variation,
        ) -> Searched<V>,
    ) -> Result<BestMove<V>, Stopped> {
        let node = self.key.and_then(|key| thread.enter_pv(key, self.window.to_centidiscs()));
        let mut best = BestMove::<V>::UNSEARCHED;
        let mut rest = Variation::default();
        let mut deferred = DeferredMoves::new(self.deferral);
        let stopped = loop {
            if let Some(news) = node.and_then(|node| node.news(best.value.to_centidiscs())) {
                best = news.best_move(variation);
                if news.is_decided {
                    break None;
                }
            }
            let Some(taken) = deferred.next(
                || picker.next(|moves| order(thread, moves)),
                |candidate| candidate.after(self.position),
            ) else {
                break None;
            };
            let played = taken.played;
            if best.square == Some(played.square) {
                deferred.finished(&taken);
                continue;
            }
            node.inspect(|&node| thread.pv_path.know(node, best.value.to_centidiscs()));
            let window = self.window.raise_alpha(best.value);
            let least = if best.square.is_none() { 1 } else { 2 };
            let turn = Turn { number: taken.turn.number.max(least), ..taken.turn };
            let value = search(thread, &played, turn, window, &mut rest);
            deferred.finished(&taken);
            if value.is_err() && thread.takes_pv_news(node) {
                deferred.retry(taken);
                continue;
            }
            let value = match value {
                Ok(value) if value > best.value => value,
                Ok(_) => continue,
                Err(stopped) => break Some(stopped),
            };
            best = BestMove::new(value, played.square);
            if value > window.alpha {
                let played = Move::Place(played.square);
                variation.set(played, &rest);
                let (value, is_exact) = (value.to_centidiscs(), value < window.beta);
                node.inspect(|node| {
                    node.raise(PvMove { played, value, is_exact, rest: rest.clone() });
                });
            }
            if value >= window.beta {
                break None;
            }
        };
        thread.leave_pv(node);
        if let Some(stopped) = stopped {
            return Err(stopped);
        }
        node.inspect(|node| node.finish(best.value.to_centidiscs()));
        Ok(best)
    }
}
