//! The root of a search: iterative deepening, alone or together with helpers.
//!
//! Iterations run on the thread that called the search. If the search is stopped within one, the
//! moves and their values stay those of the last finished one, unless it has found a better move
//! already. The root itself is not stored in the table.

pub(crate) mod aspiration;
mod focus;
mod lines;
pub(crate) mod root_move;
mod task;

use std::time::Duration;

use crate::parallel::HelperTask;
use crate::report::Report;
use crate::report::estimates::report_lines;
use crate::root::focus::Focus;
use crate::root::lines::RootLines;
use crate::root::root_move::{RootMove, root_moves, sort_by_value};
use crate::root::task::RootTask;
use crate::thread_state::{Stopped, ThreadState};
use crate::time::iteration::Iteration;
use crate::time::plan::IterationPlan;
use crate::time::solve_cost::SolveCost;
use umigame_eval::value::Centidiscs;
use umigame_othello::Position;

pub(crate) use crate::root::task::SharedRoot;

/// Minimum time between reports within an iteration.
const MIN_BETWEEN_REPORTS: Duration = Duration::from_millis(50);

/// A thread's search of the root.
pub(crate) struct RootSearch<'a> {
    lines: RootLines<'a>,
    shared: &'a SharedRoot,
}

impl<'a> RootSearch<'a> {
    /// Makes the search of thread `index`.
    pub fn new(thread: ThreadState<'a>, shared: &'a SharedRoot, index: usize) -> RootSearch<'a> {
        RootSearch { lines: RootLines { thread, shared, index, improved: None }, shared }
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
        let mut focus = limits.focus.then(Focus::default);
        let has_helpers = self.lines.thread.context.team.may_have_helpers();
        let mut plan =
            IterationPlan::new(position, limits, control.time(), cost).with_helpers(has_helpers);
        while let Some(iteration) = plan.next_iteration() {
            control.set_solving(plan.is_solving());
            let searched = match &mut focus {
                Some(focus) => {
                    focus.begin(iteration);
                    self.search_focused(position, &mut moves, focus, &mut report)
                }
                None => self.search_iteration(&mut moves, lines, iteration),
            };
            let finished = searched.is_ok();
            plan.done(
                iteration,
                finished,
                self.lines.thread.flush_nodes(),
                control.listener().elapsed(),
            );
            if !finished {
                if lines == 1
                    && focus.is_none()
                    && let Some(mut improved) = self.lines.improved.take()
                {
                    improved.kind = Some(report.kind);
                    report = self.report(position, &[improved], report.time_to_exact);
                }
                break;
            }
            control.set_answered();
            report = self.report(position, &moves, plan.time_to_exact());
            if let Some(best) = moves.first() {
                plan.found(best.played, best.value);
            }
            let is_forced = control.time().is_some() && moves.len() == 1;
            if is_forced || control.must_stop() {
                break;
            }
        }
        if let Some(mut focus) = focus.filter(|_| plan.is_done() && !control.must_stop()) {
            while focus.catch_up()
                && self.search_focused(position, &mut moves, &focus, &mut report).is_ok()
            {
                report = self.report(position, &moves, plan.time_to_exact());
            }
        }
        // An unfinished iteration counts in nodes and time.
        (report.nodes, report.elapsed) =
            (self.lines.thread.flush_nodes(), control.listener().elapsed());
        report
    }

    /// Returns a report of the best of these moves, and tells the listener.
    fn report(
        &mut self,
        position: Position,
        moves: &[RootMove],
        time_to_exact: Option<Duration>,
    ) -> Report {
        let context = self.lines.thread.context;
        let limits = context.control.limits();
        let best = moves.get(..limits.lines.clamp(1, moves.len())).unwrap_or(moves);
        let lines = report_lines(position, limits.goal, best, context.evaluation);
        let report = Report {
            kind: lines.first().map(|best| best.kind).unwrap_or_default(),
            lines,
            nodes: self.lines.thread.flush_nodes(),
            elapsed: context.control.listener().elapsed(),
            time_to_exact,
        };
        context.control.listener().report(&report);
        report
    }

    /// Searches the moves that a focused search wants now, best first, and sorts them. What took a
    /// while is reported at once. If the search is stopped, the moves before keep their new values.
    fn search_focused(
        &mut self,
        position: Position,
        moves: &mut [RootMove],
        focus: &Focus,
        report: &mut Report,
    ) -> Result<(), Stopped> {
        for index in 0..moves.len() {
            let best = moves.iter().map(|root| root.value).max().unwrap_or_default();
            let Some(root) = moves.get_mut(index) else { break };
            let Some(iteration) = focus.next(root, best - root.value) else { continue };
            let mut alone = vec![root.clone()];
            self.search_iteration(&mut alone, 1, iteration)?;
            alone.into_iter().for_each(|found| *root = found);
            let listener = self.lines.thread.context.control.listener();
            if listener.elapsed().saturating_sub(report.elapsed) >= MIN_BETWEEN_REPORTS
                && moves.iter().all(|root| root.kind.is_some())
            {
                let mut sorted = moves.to_vec();
                sort_by_value(&mut sorted);
                *report = self.report(position, &sorted, report.time_to_exact);
            }
        }
        sort_by_value(moves);
        Ok(())
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
        match self.shared.end() {
            Ok(finished) => {
                *moves = finished;
                Ok(())
            }
            Err(improved) => {
                self.lines.improved = improved;
                Err(Stopped)
            }
        }
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
        self.lines.improved = None;
        let mut moves = moves.clone();
        let staggered = self.stagger_lines(&moves, lines, iteration);
        if staggered.and_then(|()| self.lines.best_lines(&mut moves, lines, iteration)).is_ok() {
            self.shared.finish(membership, moves);
        }
        self.lines.thread.membership = None;
    }

    /// In a helper, searches each line but the first as if the moves before it stayed the best, each
    /// helper beginning at another line. The other threads find the values in the table. Nothing where
    /// every move is a line: each thread has its own order then.
    fn stagger_lines(
        &mut self,
        moves: &[RootMove],
        lines: usize,
        iteration: Iteration,
    ) -> Result<(), Stopped> {
        let Some(index) = self.lines.index.checked_sub(1) else { return Ok(()) };
        if lines == moves.len() {
            return Ok(());
        }
        for step in 0..lines - 1 {
            let rank = 1 + (index + step) % (lines - 1);
            let mut rest = moves.get(rank..).unwrap_or_default().to_vec();
            self.lines.best_of_root(&mut rest, Centidiscs::MAX, iteration)?;
        }
        Ok(())
    }
}
