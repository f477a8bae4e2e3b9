//! One iteration: the best lines of the root, in aspiration windows.

use crate::parallel::{DeferredMoves, PvKey, PvMove, PvNode};
use crate::report::Bound;
use crate::report::variation::Variation;
use crate::root::aspiration::Aspiration;
use crate::root::root_move::{RootMove, sort_by_value};
use crate::root::task::SharedRoot;
use crate::table::SearchDepth;
use crate::table::hash::Hash;
use crate::thread_state::{Searched, Stopped, ThreadState};
use crate::time::iteration::Iteration;
use crate::{endgame, midgame};
use umigame_eval::MidBoard;
use umigame_eval::value::{Centidiscs, NullWindow, Unit, Window};
use umigame_othello::Position;

/// Whether an improvement is better than another, or tells more of the same move.
fn is_better(found: &RootMove, known: &RootMove) -> bool {
    found.value > known.value || found.played == known.played
}

/// The root with these moves, as threads share it. Plies beyond every depth keep it apart from other
/// nodes.
fn pv_key(moves: &[RootMove], iteration: Iteration) -> PvKey {
    let hash = moves.iter().fold(0, |sum: u64, root| sum ^ Hash::of(root.next).check);
    let depth = if let Iteration::Midgame(depth, _) = iteration { depth as u8 } else { 0 };
    let plies = u8::MAX - depth;
    PvKey { hash, depth: SearchDepth { plies, confidence: iteration.confidence() } }
}

/// The best move of the root so far: its value, and its place among the moves.
#[derive(Clone, Copy)]
struct BestRoot {
    value: Centidiscs,
    at: usize,
}

/// Gives a move the result that another thread has found, and returns its place.
fn adopt(moves: &mut [RootMove], found: PvMove, iteration: Iteration) -> Option<usize> {
    let at = moves.iter().position(|root| root.played == found.played)?;
    moves.get_mut(at)?.found(found.value, iteration.kind(), found.rest);
    Some(at)
}

/// Stands for the depth of the root among the moves being searched.
const ROOT_DEPTH: u32 = 61;

/// The iterations of one thread.
pub(super) struct RootLines<'a> {
    pub thread: ThreadState<'a>,
    pub shared: &'a SharedRoot,
    /// The number of the thread in the search; 0 is the one that called it.
    pub index: usize,
    /// The best move of the current iteration, if it is not that of the iteration before.
    pub improved: Option<RootMove>,
}

impl RootLines<'_> {
    /// Brings the best `lines` moves to the front, best first. Leaves `moves` unchanged if the
    /// search is stopped.
    pub fn best_lines(
        &mut self,
        moves: &mut Vec<RootMove>,
        lines: usize,
        iteration: Iteration,
    ) -> Result<(), Stopped> {
        if lines > 1 && lines >= moves.len() {
            return self.every_line(moves, iteration);
        }
        let mut sorted = moves.clone();
        let mut ceiling = Centidiscs::MAX;
        for rank in 0..lines {
            let Some(rest) = sorted.get_mut(rank..) else { break };
            self.best_of_root(rest, ceiling, iteration)?;
            ceiling = rest.first().map_or(ceiling, |best| best.value);
        }
        // Selective searches may contradict each other by a little.
        if let Some(best) = sorted.get_mut(..lines) {
            sort_by_value(best);
        }
        *moves = sorted;
        Ok(())
    }

    /// Searches each move for itself, each thread beginning with another, and sorts them. Line after
    /// line would cost more: each has to refute all moves after it. Leaves `moves` unchanged if the
    /// search is stopped.
    fn every_line(
        &mut self,
        moves: &mut Vec<RootMove>,
        iteration: Iteration,
    ) -> Result<(), Stopped> {
        let mut sorted = moves.clone();
        let (before, after) = sorted.split_at_mut(self.index % moves.len().max(1));
        for root in after.iter_mut().chain(before) {
            self.best_of_root(std::slice::from_mut(root), Centidiscs::MAX, iteration)?;
        }
        sort_by_value(&mut sorted);
        *moves = sorted;
        Ok(())
    }

    /// Brings the best of the moves to the front; the others keep their order.
    ///
    /// Its value is expected to be at most `ceiling`, but results stored in the table since then may
    /// raise it.
    pub fn best_of_root(
        &mut self,
        moves: &mut [RootMove],
        ceiling: Centidiscs,
        iteration: Iteration,
    ) -> Result<(), Stopped> {
        if let Iteration::Endgame(goal, _) = iteration
            && let Some(window) = goal.window()
        {
            let window = window.to_centidiscs();
            let value = self.root_window(moves, window, iteration)?;
            if let Some(best) = moves.first_mut() {
                best.set_by_goal(goal, value, window);
            }
            return Ok(());
        }
        let expected = moves.first().map_or(Centidiscs(0), |best| best.value);
        let is_reliable = moves.iter().any(|root| !root.variation.moves().is_empty());
        let mut aspiration = Aspiration::new(iteration, expected, is_reliable, ceiling);
        loop {
            let value = self.root_window(moves, aspiration.window(), iteration)?;
            if aspiration.accepts(value) {
                return Ok(());
            }
        }
    }

    /// Searches the moves in a window and brings the best to the front with its value and variation.
    fn root_window(
        &mut self,
        moves: &mut [RootMove],
        window: Window<Centidiscs>,
        iteration: Iteration,
    ) -> Searched<Centidiscs> {
        let node = self.thread.enter_pv(pv_key(moves, iteration), window);
        let best = self.search_moves(moves, window, iteration, node);
        self.thread.leave_pv(node);
        let BestRoot { value, at } = best?;
        node.inspect(|node| node.finish(value));
        if let Some(front) = moves.get_mut(..=at) {
            front.rotate_right(1);
        }
        Ok(value)
    }

    fn search_moves(
        &mut self,
        moves: &mut [RootMove],
        window: Window<Centidiscs>,
        iteration: Iteration,
        node: Option<PvNode<'_>>,
    ) -> Searched<BestRoot> {
        let mut best = BestRoot { value: Centidiscs::NEG_INFINITY, at: 0 };
        let mut order = 0..moves.len();
        let mut deferred = DeferredMoves::new(self.thread.deferral(ROOT_DEPTH, 0));
        let next =
            |moves: &[RootMove], at: usize| moves.get(at).map_or(Position::START, |root| root.next);
        loop {
            if let Some(news) = node.and_then(|node| node.news(best.value)) {
                best.value = news.value;
                if let Some(at) = news.best.and_then(|found| adopt(moves, found, iteration)) {
                    best.at = at;
                }
                if news.is_decided {
                    break;
                }
            }
            let Some(taken) = deferred.next(|| order.next(), |at| next(moves, at)) else { break };
            let is_unsearched = best.value == Centidiscs::NEG_INFINITY;
            if best.at == taken.played && !is_unsearched {
                deferred.finished(&taken);
                continue;
            }
            let Some(root) = moves.get_mut(taken.played) else { break };
            node.inspect(|&node| self.thread.pv_path.know(node, best.value));
            let window = window.raise_alpha(best.value);
            let mut rest = Variation::default();
            let is_first = taken.turn.number == 1 && is_unsearched;
            let value = self.root_pvs(root.next, is_first, window, iteration, &mut rest);
            deferred.finished(&taken);
            if value.is_err() && self.thread.takes_pv_news(node) {
                deferred.retry(taken);
                continue;
            }
            let value = value?;
            if value > best.value {
                best = BestRoot { value, at: taken.played };
                root.found(value, iteration.kind(), rest);
                if value > window.alpha {
                    let is_exact = value < window.beta;
                    node.inspect(|node| node.raise(root.to_pv_move(is_exact)));
                    if iteration.seeks_score() {
                        self.note_improvement(root, taken.turn.number, !is_exact);
                    }
                }
                if value >= window.beta {
                    break;
                }
            }
        }
        Ok(best)
    }

    /// Keeps a move that raised alpha as the root's move `number`, from 1: if the iteration is not
    /// finished, it is the answer. The first is the best move of the iteration before, or one that
    /// failed high.
    fn note_improvement(&mut self, root: &RootMove, number: u32, fails_high: bool) {
        let known = self.improved.as_ref().is_some_and(|improved| improved.played == root.played);
        if number > 1 || known {
            let bound = if fails_high { Bound::Lower } else { Bound::Exact };
            let improved = RootMove { bound, ..root.clone() };
            if let Some(membership) = self.thread.membership {
                self.shared.improve(membership, improved.clone(), is_better);
            }
            self.improved = Some(improved);
        }
    }

    /// Searches the move to `next`: unless it is the first, in a null window, then in the open one
    /// if it raises alpha.
    fn root_pvs(
        &mut self,
        next: Position,
        is_first: bool,
        window: Window<Centidiscs>,
        iteration: Iteration,
        rest: &mut Variation,
    ) -> Searched<Centidiscs> {
        if !is_first {
            let value = -self.child_null(next, -window.lower_end(), iteration)?;
            if !window.contains(value) {
                return Ok(value);
            }
        }
        Ok(-self.child(next, -window, iteration, rest)?)
    }

    fn child(
        &mut self,
        next: Position,
        window: Window<Centidiscs>,
        iteration: Iteration,
        rest: &mut Variation,
    ) -> Searched<Centidiscs> {
        let next = MidBoard::new(next);
        match iteration {
            Iteration::Midgame(depth, _) => {
                midgame::search(&mut self.thread, &next, depth - 1, window, rest)
            }
            Iteration::Endgame(..) => {
                Ok(endgame::search(&mut self.thread, &next, window.to_discs(), rest)?
                    .to_centidiscs())
            }
        }
    }

    fn child_null(
        &mut self,
        next: Position,
        window: NullWindow<Centidiscs>,
        iteration: Iteration,
    ) -> Searched<Centidiscs> {
        let next = MidBoard::new(next);
        match iteration {
            Iteration::Midgame(depth, _) => {
                midgame::search_null(&mut self.thread, &next, depth - 1, window)
            }
            Iteration::Endgame(..) => {
                let window = NullWindow::below(window.beta().ceil());
                Ok(endgame::search_null(&mut self.thread, &next, window)?.to_centidiscs())
            }
        }
    }
}
