//! The root of a search: iterative deepening, aspiration windows and the best lines.
//!
//! Runs on the thread that called the search. If the search is stopped within an iteration, the
//! moves and their values stay those of the last finished one, unless it has found a better move
//! already. The root itself is not stored in the table.

pub(crate) mod aspiration;
pub(crate) mod root_move;

use std::cmp::Reverse;

use crate::parallel::deferred_moves::DeferredMoves;
use crate::parallel::shared_iteration::HelperTask;
use crate::report::estimates::Estimator;
use crate::report::variation::Variation;
use crate::report::{Bound, Report, ScoreKind};
use crate::root::aspiration::Aspiration;
use crate::root::root_move::{RootMove, root_moves};
use crate::time::iteration::Iteration;
use crate::time::plan::IterationPlan;
use crate::time::solve_cost::SolveCost;
use crate::worker::{Searched, Stopped, Worker};
use umigame_eval::MidBoard;
use umigame_eval::value::{Centidiscs, Unit};
use umigame_eval::value::{NullWindow, Window};
use umigame_othello::Position;

/// Stands for the depth of the root among the moves being searched.
const ROOT_DEPTH: u32 = 61;

impl Worker<'_> {
    /// Runs the iterations, reports each to the listener, and returns the last report. Records their
    /// nodes and times in `cost`.
    pub fn iterate(&mut self, position: Position, cost: &mut SolveCost) -> Report {
        let mut moves = root_moves(position);
        let mut report = Report::default();
        if moves.is_empty() {
            report.elapsed = self.shared.listener.elapsed();
            return report;
        }
        let limits = self.shared.limits;
        let mut estimator = Estimator::new(self.shared.evaluation, limits.goal, position);
        let lines = limits.lines.clamp(1, moves.len());
        let mut plan = IterationPlan::new(position, limits, self.shared.time, cost);
        while let Some(iteration) = plan.next_iteration() {
            self.shared.set_solving(plan.is_solving());
            let finished = self.search_iteration(&mut moves, lines, iteration).is_ok();
            plan.done(iteration, finished, self.flush_nodes(), self.shared.listener.elapsed());
            if !finished {
                if lines == 1
                    && let Some(improved) = self.improved.take()
                {
                    report = self.report(&mut estimator, &[improved], report.kind);
                    self.shared.listener.report(&report);
                }
                break;
            }
            self.shared.set_answered();
            let best = moves.get(..lines).unwrap_or_default();
            report = self.report(&mut estimator, best, iteration.kind());
            self.shared.listener.report(&report);
            if let Some(best) = moves.first() {
                plan.found(best.played, best.value);
            }
            let is_forced = self.shared.time.is_some() && moves.len() == 1;
            if is_forced || self.shared.must_stop() {
                break;
            }
        }
        // An unfinished iteration counts in nodes and time.
        (report.nodes, report.elapsed) = (self.flush_nodes(), self.shared.listener.elapsed());
        report
    }

    fn report(
        &mut self,
        estimator: &mut Estimator<'_>,
        best: &[RootMove],
        kind: ScoreKind,
    ) -> Report {
        Report {
            lines: estimator.lines(best, kind),
            kind,
            nodes: self.flush_nodes(),
            elapsed: self.shared.listener.elapsed(),
        }
    }

    /// Searches an iteration, a large one together with the other threads. Leaves `moves` unchanged
    /// if the search is stopped.
    fn search_iteration(
        &mut self,
        moves: &mut Vec<RootMove>,
        lines: usize,
        iteration: Iteration,
    ) -> Result<(), Stopped> {
        self.improved = None;
        let empties = moves.first().map_or(0, RootMove::empties);
        if !self.shared.may_have_helpers || !iteration.is_large(empties) {
            self.set_confidence(iteration.confidence());
            return self.best_lines(moves, lines, iteration);
        }
        let joint = &self.shared.joint;
        self.help_with(joint.begin(iteration, lines, moves.clone()));
        *moves = joint.end().ok_or(Stopped)?;
        Ok(())
    }

    /// Searches an iteration together with other threads, until one of them has finished it.
    pub(crate) fn help_with(&mut self, task: HelperTask) {
        let HelperTask { number, iteration, lines, mut moves } = task;
        self.set_confidence(iteration.confidence());
        self.probes = 0;
        self.ancestors.clear();
        self.joint = Some(number);
        let begun = self
            .stagger_depth(&moves, lines, iteration)
            .and_then(|()| self.stagger_lines(&moves, lines, iteration));
        if begun.and_then(|()| self.best_lines(&mut moves, lines, iteration)).is_ok() {
            self.shared.joint.finish(number, moves);
        }
        self.joint = None;
    }

    /// In the second helper and every second after it, searches the midgame a ply deeper first: the
    /// others find its bounds in the table, and the next iteration is well begun. With one helper
    /// that gains nothing.
    fn stagger_depth(
        &mut self,
        moves: &[RootMove],
        lines: usize,
        iteration: Iteration,
    ) -> Result<(), Stopped> {
        let empties = moves.first().map_or(0, RootMove::empties);
        if self.index > 0
            && self.index.is_multiple_of(2)
            && let Some(deeper) = iteration.deeper(empties)
        {
            self.best_lines(&mut moves.to_vec(), lines, deeper)?;
        }
        Ok(())
    }

    /// In a helper, searches each line but the first as if the moves before it stayed the best, each
    /// helper beginning at another line. The other threads find the values in the table.
    fn stagger_lines(
        &mut self,
        moves: &[RootMove],
        lines: usize,
        iteration: Iteration,
    ) -> Result<(), Stopped> {
        let Some(index) = self.index.checked_sub(1) else { return Ok(()) };
        for step in 0..lines - 1 {
            let rank = 1 + (index + step) % (lines - 1);
            let mut rest = moves.get(rank..).unwrap_or_default().to_vec();
            self.best_of_root(&mut rest, Centidiscs::MAX, iteration)?;
        }
        Ok(())
    }

    /// Brings the best `lines` moves to the front, best first. Leaves `moves` unchanged if the
    /// search is stopped.
    fn best_lines(
        &mut self,
        moves: &mut Vec<RootMove>,
        lines: usize,
        iteration: Iteration,
    ) -> Result<(), Stopped> {
        let mut sorted = moves.clone();
        let mut ceiling = Centidiscs::MAX;
        for rank in 0..lines {
            let Some(rest) = sorted.get_mut(rank..) else { break };
            self.best_of_root(rest, ceiling, iteration)?;
            ceiling = rest.first().map_or(ceiling, |best| best.value);
        }
        // Selective searches may contradict each other by a little.
        if let Some(best) = sorted.get_mut(..lines) {
            best.sort_by_key(|root| Reverse(root.value));
        }
        *moves = sorted;
        Ok(())
    }

    /// Brings the best of the moves to the front; the others keep their order.
    ///
    /// Its value is expected to be at most `ceiling`, but results stored in the table since then may
    /// raise it.
    fn best_of_root(
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
        let mut best = Centidiscs::NEG_INFINITY;
        let mut best_at = 0;
        let mut order = 0..moves.len();
        let mut deferred = DeferredMoves::new(self.deferral(ROOT_DEPTH, 0));
        let next =
            |moves: &[RootMove], at: usize| moves.get(at).map_or(Position::START, |root| root.next);
        while let Some(taken) = deferred.next(|| order.next(), |at| next(moves, at)) {
            let Some(root) = moves.get_mut(taken.played) else { break };
            let window = window.raise_alpha(best);
            let mut rest = Variation::default();
            let value = self.root_pvs(root.next, taken.number == 1, window, iteration, &mut rest);
            deferred.finished(&taken);
            let value = value?;
            if value > best {
                best = value;
                best_at = taken.played;
                root.value = value;
                root.bound = Bound::Exact;
                root.variation = rest;
                if iteration.seeks_score() && value > window.alpha {
                    self.note_improvement(root, taken.number, value >= window.beta);
                }
                if value >= window.beta {
                    break;
                }
            }
        }
        if let Some(front) = moves.get_mut(..=best_at) {
            front.rotate_right(1);
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
            self.improved = Some(RootMove { bound, ..root.clone() });
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
            Iteration::Midgame(depth, _) => self.midgame::<true>(&next, depth - 1, window, rest),
            Iteration::Endgame(..) => {
                Ok(self.endgame(&next, window.to_discs(), rest)?.to_centidiscs())
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
            Iteration::Midgame(depth, _) => self.midgame_null(&next, depth - 1, window),
            Iteration::Endgame(..) => {
                let window = NullWindow::below(window.beta().ceil());
                Ok(self.endgame_null(&next, window)?.to_centidiscs())
            }
        }
    }
}
