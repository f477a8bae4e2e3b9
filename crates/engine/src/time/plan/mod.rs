//! The plan of a search: which iteration comes next, and when to stop.
//!
//! Without a clock the iterations are fixed in advance. On a clock the cost model decides when to
//! solve the game, and the stability of the best move decides when to stop.

#[cfg(test)]
mod tests;

use std::collections::VecDeque;
use std::time::Duration;

use crate::limits::confidence::Confidence;
use crate::limits::{Goal, Limits};
use crate::time::budget::TimeBudget;
use crate::time::iteration::{Iteration, endgame_iterations, iterations};
use crate::time::solve_cost::SolveCost;
use umigame_eval::value::Centidiscs;
use umigame_othello::{Move, Position};

/// Successive iterations with the same best move after which it is settled.
const SETTLED_ITERATIONS: u32 = 5;
/// Part of the soft limit that a search with a settled move gets.
const SETTLED_PART: f64 = 0.6;
/// Multiple of the soft limit that a search gets whose best move has just changed, or whose value
/// has just dropped.
const UNSETTLED_PART: f64 = 1.6;
/// Drop of the value from an iteration to the second after it that leaves a search unsettled. The
/// values of even and odd depths are not compared.
const VALUE_DROP: Centidiscs = Centidiscs(150);
/// Minimum ratio of an iteration's time to that of the iteration before.
const MIN_GROWTH: f64 = 1.5;
/// Minimum depth at which the value of a wipe-out is trusted.
const WIPE_OUT_MIN_DEPTH: u32 = 12;
/// Try to solve when this multiple of the predicted time is at most the time for solving.
const SOLVE_SAFETY: f64 = 1.2;

/// Plans the iterations of one search and decides when to stop.
pub(crate) struct IterationPlan<'a> {
    time: Option<TimeBudget>,
    cost: &'a mut SolveCost,
    empties: u32,
    plan: VecDeque<Iteration>,
    /// The cost model learns from endgame iterations of this search.
    learns: bool,
    /// Other threads take part in large iterations.
    has_helpers: bool,
    /// Predicted cost of the endgame at 73 %, in bits.
    endgame_bits: f64,
    last: Option<Iteration>,
    nodes: u64,
    elapsed: Duration,
    /// Time of the last iteration.
    last_took: Duration,
    best: Option<Move>,
    /// Successive iterations that kept the best move.
    agreeing: u32,
    /// Values of the last two iterations, the last one first.
    values: [Option<Centidiscs>; 2],
    /// The value is less than two iterations ago.
    is_dropping: bool,
    is_solving: bool,
}

impl<'a> IterationPlan<'a> {
    /// Plans a search; `time` is `None` if time is no limit.
    pub fn new(
        position: Position,
        limits: &Limits,
        time: Option<TimeBudget>,
        cost: &'a mut SolveCost,
    ) -> IterationPlan<'a> {
        let empties = position.empties();
        // If time is the only limit, solve as far as it allows.
        let plan = match time {
            Some(_) if limits.depth >= 60 => {
                iterations(position, &limits.clone().with_exact_from(60))
            }
            _ => iterations(position, limits),
        };
        let learns = cost.begin(empties) && limits.lines == 1 && limits.goal == Goal::Score;
        IterationPlan {
            time,
            empties,
            plan: plan.into(),
            learns,
            has_helpers: false,
            endgame_bits: cost.by_depth(empties, 0, 0),
            cost,
            last: None,
            nodes: 0,
            elapsed: Duration::ZERO,
            last_took: Duration::ZERO,
            best: None,
            agreeing: 0,
            values: [None; 2],
            is_dropping: false,
            is_solving: false,
        }
    }

    /// Plans for several threads: the speed of iterations that one of them searches alone is not that
    /// of the others.
    pub fn with_helpers(self, has_helpers: bool) -> IterationPlan<'a> {
        IterationPlan { has_helpers, ..self }
    }

    /// Whether the search is expected to solve the game, and may use the time for that.
    pub fn is_solving(&self) -> bool {
        self.is_solving
    }

    /// Whether no iteration is left.
    pub fn is_done(&self) -> bool {
        self.plan.is_empty()
    }

    /// Returns the next iteration; `None` if there is none, or none worth its time.
    pub fn next_iteration(&mut self) -> Option<Iteration> {
        match self.time {
            Some(time) if self.last.is_some() => self.next_in(time),
            _ => self.plan.pop_front(),
        }
    }

    /// Records a finished or stopped iteration: total nodes and time so far.
    pub fn done(&mut self, iteration: Iteration, finished: bool, nodes: u64, elapsed: Duration) {
        let visited = nodes.saturating_sub(self.nodes);
        self.last_took = elapsed.saturating_sub(self.elapsed);
        (self.nodes, self.elapsed) = (nodes, elapsed);
        self.last = Some(iteration);
        if !self.has_helpers || iteration.is_large(self.empties) {
            let is_endgame = matches!(iteration, Iteration::Endgame(..));
            self.cost.record_speed(visited, self.last_took, is_endgame);
        }
        match iteration {
            Iteration::Midgame(depth, _) => {
                self.endgame_bits = self.cost.by_depth(self.empties, depth, visited);
            }
            Iteration::Endgame(_, confidence) => {
                self.endgame_bits = self.cost.by_endgame(self.empties, confidence, visited);
                if self.learns {
                    self.cost.record_endgame(self.empties, confidence, visited, finished);
                }
            }
        }
    }

    /// Records the best move of a finished iteration and its value. If that is a wipe-out, deeper
    /// midgame iterations would not change it: the endgame comes next.
    pub fn found(&mut self, best: Move, value: Centidiscs) {
        let deep =
            matches!(self.last, Some(Iteration::Midgame(depth, _)) if depth >= WIPE_OUT_MIN_DEPTH);
        if deep && value.max(-value) >= Centidiscs::MAX && self.ends_the_game() {
            self.plan.retain(|iteration| matches!(iteration, Iteration::Endgame(..)));
        }
        self.agreeing = if self.best == Some(best) { self.agreeing + 1 } else { 0 };
        self.best = Some(best);
        let [last, before] = self.values;
        self.is_dropping = before.is_some_and(|before| value + VALUE_DROP <= before);
        self.values = [Some(value), last];
    }

    fn next_in(&mut self, time: TimeBudget) -> Option<Iteration> {
        let next = *self.plan.front()?;
        self.is_solving = self.can_solve(time);
        if self.is_solving {
            return self.plan.pop_front();
        }
        if self.is_over(time) {
            return None;
        }
        let room = time.hard.saturating_sub(self.elapsed);
        let Iteration::Endgame(goal, wanted) = next else { return self.plan.pop_front() };
        if self.endgame_time(wanted) <= room {
            return self.plan.pop_front();
        }
        let instead = match self.last {
            Some(Iteration::Midgame(depth, _)) => {
                Iteration::Midgame(depth, Confidence::P73).deeper(self.empties)
            }
            Some(Iteration::Endgame(_, reached)) => Confidence::all()
                .rev()
                .find(|&level| {
                    level > reached && level < wanted && self.endgame_time(level) <= room
                })
                .map(|level| Iteration::Endgame(goal, level)),
            _ => None,
        };
        // Time that cannot be saved is spent on an attempt.
        instead.or_else(|| self.plan.pop_front().filter(|_| time.is_whole()))
    }

    /// Predicts the time of an endgame iteration.
    fn endgame_time(&self, confidence: Confidence) -> Duration {
        self.cost.time(self.cost.endgame(self.endgame_bits, self.empties, confidence))
    }

    /// Predicts the time from the last iteration until the score of every line is exact, whatever
    /// the plan; `None` if they are, or if no score is sought.
    pub fn time_to_exact(&self) -> Option<Duration> {
        let reached = match self.last {
            Some(Iteration::Endgame(Goal::Score, confidence)) => Some(confidence),
            Some(Iteration::Endgame(..)) => return None,
            _ => None,
        };
        let left = |iteration| match iteration {
            Iteration::Endgame(_, next) if reached.is_none_or(|reached| reached < next) => {
                Some(self.endgame_time(next))
            }
            _ => None,
        };
        endgame_iterations(self.empties, Goal::Score, Confidence::FULL)
            .into_iter()
            .filter_map(left)
            .reduce(Duration::saturating_add)
    }

    /// Whether the last iteration searches to the end of the game.
    fn ends_the_game(&self) -> bool {
        matches!(self.plan.back(), Some(Iteration::Endgame(..)))
    }

    /// Whether the plan leads to the end of the game, in the time for solving.
    fn can_solve(&self, time: TimeBudget) -> bool {
        let rest = self.plan.iter().map(|iteration| match iteration {
            Iteration::Endgame(_, confidence) => self.endgame_time(*confidence),
            Iteration::Midgame(..) => Duration::ZERO,
        });
        let rest = rest.fold(Duration::ZERO, Duration::saturating_add).as_secs_f64();
        self.ends_the_game()
            && self.elapsed.as_secs_f64() + SOLVE_SAFETY * rest <= time.solve.as_secs_f64()
    }

    /// Whether the move has had its share of the clock, or another iteration would exceed it.
    fn is_over(&self, time: TimeBudget) -> bool {
        if time.is_whole() {
            return self.elapsed >= time.hard;
        }
        let part = match self.agreeing {
            _ if self.is_dropping => UNSETTLED_PART,
            0 => UNSETTLED_PART,
            SETTLED_ITERATIONS.. => SETTLED_PART,
            _ => 1.0,
        };
        self.elapsed >= time.soft.mul_f64(part).min(time.hard)
            || self.elapsed + self.last_took.mul_f64(MIN_GROWTH) > time.hard
    }
}
