//! The plan of a search: which iteration comes next, and when to stop.
//!
//! Without a clock the iterations are fixed in advance. On a clock the cost model decides when to
//! solve the game, and the stability of the best move decides when to stop.

use std::collections::VecDeque;
use std::time::Duration;

use super::confidence::Confidence;
use super::iteration::{Iteration, iterations};
use super::limits::{Goal, Limits};
use super::solve_cost::SolveCost;
use super::time::TimeBudget;
use super::value::Centidiscs;
use umigame_othello::{Move, Position};

/// Successive iterations with the same best move after which it is settled.
const SETTLED_ITERATIONS: u32 = 5;
/// Part of the soft limit that a search with a settled move gets.
const SETTLED_PART: f64 = 0.6;
/// Multiple of the soft limit that a search gets whose best move has just changed.
const CHANGED_PART: f64 = 1.6;
/// Minimum ratio of an iteration's time to that of the iteration before.
const MIN_GROWTH: f64 = 1.5;
/// Minimum depth at which the value of a wipe-out is trusted.
const WIPE_OUT_MIN_DEPTH: u32 = 12;
/// Try to solve when this multiple of the predicted time is at most the time left.
const SOLVE_SAFETY: f64 = 1.5;

/// Plans the iterations of one search and decides when to stop.
pub(super) struct IterationPlan<'a> {
    time: Option<TimeBudget>,
    cost: &'a mut SolveCost,
    empties: u32,
    plan: VecDeque<Iteration>,
    /// The cost model learns from endgame iterations of this search.
    learns: bool,
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
                iterations(position, &Limits { solve_from: 60, ..limits.clone() })
            }
            _ => iterations(position, limits),
        };
        let learns = cost.begin(empties) && limits.lines == 1 && limits.goal == Goal::Score;
        IterationPlan {
            time,
            empties,
            plan: plan.into(),
            learns,
            endgame_bits: cost.by_depth(empties, 0, 0),
            cost,
            last: None,
            nodes: 0,
            elapsed: Duration::ZERO,
            last_took: Duration::ZERO,
            best: None,
            agreeing: 0,
            is_solving: false,
        }
    }

    /// Whether the search is expected to solve the game, and may use the time for that.
    pub fn is_solving(&self) -> bool {
        self.is_solving
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
        match iteration {
            Iteration::Midgame(depth, _) => {
                self.cost.record_speed(visited, self.last_took, false);
                self.endgame_bits = self.cost.by_depth(self.empties, depth, visited);
            }
            Iteration::Endgame(_, confidence) => {
                self.cost.record_speed(visited, self.last_took, true);
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
            Some(Iteration::Midgame(depth, _)) if depth + 1 < self.empties => {
                Some(Iteration::Midgame(depth + 1, Confidence::P73))
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
        let attempt = time.soft >= time.hard;
        instead.or_else(|| self.plan.pop_front().filter(|_| attempt))
    }

    /// Predicts the time of an endgame iteration.
    fn endgame_time(&self, confidence: Confidence) -> Duration {
        self.cost.time(self.cost.endgame(self.endgame_bits, self.empties, confidence))
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
        if time.soft >= time.hard {
            return self.elapsed >= time.hard;
        }
        let part = match self.agreeing {
            0 => CHANGED_PART,
            SETTLED_ITERATIONS.. => SETTLED_PART,
            _ => 1.0,
        };
        self.elapsed >= time.soft.mul_f64(part).min(time.hard)
            || self.elapsed + self.last_took.mul_f64(MIN_GROWTH) > time.hard
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const fn ms(millis: u64) -> Duration {
        Duration::from_millis(millis)
    }

    /// Limits with time as the only bound.
    fn timed() -> Limits {
        Limits::depth(60).with_confidence(Confidence::P73)
    }

    fn with_empties(empties: u32) -> Position {
        let mut position = Position::START;
        while position.empties() > empties {
            let played = umigame_othello::squares(position.moves()).find_map(|s| position.place(s));
            position = played.unwrap_or_else(|| position.passed());
        }
        position
    }

    /// The time and best move of a made-up iteration.
    struct Made {
        millis: u64,
        best: Move,
    }

    /// Runs made-up iterations and returns the time that the plan gave them.
    fn run(time: TimeBudget, empties: u32, mut iterate: impl FnMut(u32) -> Made) -> Duration {
        let mut cost = SolveCost::default();
        let mut plan = IterationPlan::new(with_empties(empties), &timed(), Some(time), &mut cost);
        let (mut count, mut elapsed) = (0, Duration::ZERO);
        while let Some(iteration) = plan.next_iteration() {
            let Made { millis, best } = iterate(count);
            count += 1;
            elapsed += ms(millis);
            plan.done(iteration, true, u64::from(count) << 30, elapsed);
            plan.found(best, Centidiscs(0));
        }
        elapsed
    }

    #[test]
    fn a_settled_move_takes_less_than_one_that_changes() {
        let time = TimeBudget { soft: ms(100), hard: ms(1000), solve: ms(1000) };
        let place = |text: &str| text.parse::<Move>().expect("a move");
        let settled = run(time, 44, |_| Made { millis: 10, best: place("d3") });
        let changing = |n| Made { millis: 10, best: place(if n % 2 == 0 { "d3" } else { "c4" }) };
        let changed = run(time, 44, changing);
        assert_eq!((settled, changed), (ms(60), ms(160)));
    }

    #[test]
    fn an_iteration_begins_past_the_hard_limit_only_if_time_cannot_be_saved() {
        let doubling = |n: u32| Made { millis: 1 << n, best: Move::Pass };
        let game = TimeBudget { soft: ms(90), hard: ms(100), solve: ms(100) };
        assert_eq!(run(game, 44, doubling), ms(63), "64 ms more are too many");
        let free = TimeBudget::whole(ms(100));
        assert_eq!(run(free, 44, doubling), ms(127));
    }

    #[test]
    fn after_a_wipe_out_the_endgame_comes_next() {
        let depths = |limits: &Limits, value| {
            let mut cost = SolveCost::default();
            let mut plan = IterationPlan::new(with_empties(30), limits, None, &mut cost);
            let mut depths = 0;
            while let Some(iteration @ Iteration::Midgame(..)) = plan.next_iteration() {
                depths += 1;
                plan.done(iteration, true, 1 << 10, ms(0));
                plan.found(Move::Pass, Centidiscs(value));
            }
            depths
        };
        let exact = Limits::exact();
        assert_eq!(depths(&exact, 0), 20);
        assert_eq!(
            (depths(&exact, 6400), depths(&exact, -6400)),
            (WIPE_OUT_MIN_DEPTH, WIPE_OUT_MIN_DEPTH)
        );
        assert_eq!(depths(&Limits::depth(20), 6400), 20, "no endgame was asked for");
    }

    #[test]
    fn the_endgame_begins_when_its_predicted_time_fits() {
        let iterations = |time| {
            let time = Some(TimeBudget::whole(time));
            let mut cost = SolveCost::default();
            let mut plan = IterationPlan::new(with_empties(20), &timed(), time, &mut cost);
            let mut kinds = Vec::new();
            while let (Some(iteration), true) = (plan.next_iteration(), kinds.len() < 40) {
                plan.done(iteration, true, 1 << 10, ms(0));
                kinds.push(iteration);
            }
            (kinds, plan.is_solving())
        };
        let (quick, solving) = iterations(ms(60_000));
        assert!(solving);
        assert_eq!(
            quick.iter().filter(|iteration| matches!(iteration, Iteration::Midgame(..))).count(),
            10
        );
        let (slow, solving) = iterations(ms(0));
        assert!(!solving && slow.len() <= 1, "{slow:?}");
        // After ten plies the model predicts 0.7 ms, and less with each ply.
        let (slow, _) = iterations(Duration::from_micros(250));
        let depths =
            slow.iter().filter(|iteration| matches!(iteration, Iteration::Midgame(..))).count();
        assert!(depths > 10, "{slow:?}");
    }
}
