//! The root of a search: iterative deepening, alone or together with helpers.
//!
//! Iterations run on the thread that called the search. If the search is stopped within one, the
//! moves and their values stay those of the last finished one, unless it has found a better move
//! already. The root itself is not stored in the table.

pub(crate) mod aspiration;
mod lines;
pub(crate) mod root_move;

use std::time::Duration;

use crate::parallel::{HelperTask, SharedIteration};
use crate::report::estimates::report_lines;
use crate::report::{Report, ScoreKind};
use crate::root::lines::RootLines;
use crate::root::root_move::{RootMove, root_moves};
use crate::thread_state::{Stopped, ThreadState};
use crate::time::iteration::Iteration;
use crate::time::plan::IterationPlan;
use crate::time::solve_cost::SolveCost;
use umigame_eval::value::Centidiscs;
use umigame_othello::Position;

/// An iteration as each thread begins it.
#[derive(Clone, Debug)]
pub(crate) struct RootTask {
    iteration: Iteration,
    lines: usize,
    /// The moves of the root as the iteration before left them.
    moves: Vec<RootMove>,
}

/// An iteration that the threads of a search share. Its result is the moves of the first to finish.
pub(crate) type SharedRoot = SharedIteration<RootTask, Vec<RootMove>>;

/// A thread's search of the root.
pub(crate) struct RootSearch<'a> {
    lines: RootLines<'a>,
    shared: &'a SharedRoot,
    /// The number of the thread in the search; 0 is the one that called it.
    index: usize,
}

impl<'a> RootSearch<'a> {
    /// Makes the search of thread `index`.
    pub fn new(thread: ThreadState<'a>, shared: &'a SharedRoot, index: usize) -> RootSearch<'a> {
        RootSearch { lines: RootLines { thread, improved: None }, shared, index }
    }

    /// Runs the iterations, reports each to the listener, and returns the last report. Records their
    /// nodes and times in `cost`.
    pub fn iterate(mut self, position: Position, cost: &mut SolveCost) -> Report {
        let mut moves = root_moves(position);
        let mut report = Report::default();
        let control = self.lines.thread.context.control;
        if moves.is_empty() {
            report.elapsed = control.listener().elapsed();
            return report;
        }
        let limits = control.limits();
        let lines = limits.lines.clamp(1, moves.len());
        let mut plan = IterationPlan::new(position, limits, control.time(), cost);
        while let Some(iteration) = plan.next_iteration() {
            control.set_solving(plan.is_solving());
            let finished = self.search_iteration(&mut moves, lines, iteration).is_ok();
            plan.done(
                iteration,
                finished,
                self.lines.thread.flush_nodes(),
                control.listener().elapsed(),
            );
            if !finished {
                if lines == 1
                    && let Some(improved) = self.lines.improved.take()
                {
                    let (kind, time_to_exact) = (report.kind, report.time_to_exact);
                    report = self.report(position, &[improved], kind, time_to_exact);
                    control.listener().report(&report);
                }
                break;
            }
            control.set_answered();
            let best = moves.get(..lines).unwrap_or_default();
            report = self.report(position, best, iteration.kind(), plan.time_to_exact());
            control.listener().report(&report);
            if let Some(best) = moves.first() {
                plan.found(best.played, best.value);
            }
            let is_forced = control.time().is_some() && moves.len() == 1;
            if is_forced || control.must_stop() {
                break;
            }
        }
        // An unfinished iteration counts in nodes and time.
        (report.nodes, report.elapsed) =
            (self.lines.thread.flush_nodes(), control.listener().elapsed());
        report
    }

    fn report(
        &mut self,
        position: Position,
        best: &[RootMove],
        kind: ScoreKind,
        time_to_exact: Option<Duration>,
    ) -> Report {
        let context = self.lines.thread.context;
        let goal = context.control.limits().goal;
        Report {
            lines: report_lines(position, goal, kind, best, context.evaluation),
            kind,
            nodes: self.lines.thread.flush_nodes(),
            elapsed: context.control.listener().elapsed(),
            time_to_exact,
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
        self.lines.improved = None;
        let empties = moves.first().map_or(0, RootMove::empties);
        let may_have_helpers = self.lines.thread.context.team.may_have_helpers();
        if !may_have_helpers || !iteration.is_large(empties) {
            self.lines.thread.begin_iteration(iteration.confidence(), None);
            return self.lines.best_lines(moves, lines, iteration);
        }
        let task = self.shared.begin(RootTask { iteration, lines, moves: moves.clone() });
        self.help_with(&task);
        *moves = self.shared.end().ok_or(Stopped)?;
        Ok(())
    }

    /// Joins in the iterations of other threads until the search is over.
    pub fn help(mut self) {
        let mut last = None;
        while let Some(task) = self.shared.next(last.as_ref(), self.lines.thread.processor) {
            self.help_with(&task);
            self.lines.thread.flush_nodes();
            last = Some(task);
        }
    }

    /// Searches an iteration together with other threads, until one of them has finished it.
    fn help_with(&mut self, task: &HelperTask<RootTask>) {
        let RootTask { iteration, lines, ref moves } = task.work;
        let membership = self.shared.join(task);
        self.lines.thread.begin_iteration(iteration.confidence(), Some(membership));
        let mut moves = moves.clone();
        let staggered = self
            .stagger_depth(&moves, lines, iteration)
            .and_then(|()| self.stagger_lines(&moves, lines, iteration));
        if staggered.and_then(|()| self.lines.best_lines(&mut moves, lines, iteration)).is_ok() {
            self.shared.finish(membership, moves);
        }
        self.lines.thread.membership = None;
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
            self.lines.best_lines(&mut moves.to_vec(), lines, deeper)?;
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
            self.lines.best_of_root(&mut rest, Centidiscs::MAX, iteration)?;
        }
        Ok(())
    }
}
