//! What a search does next, and when it has done enough.
//!
//! Without a clock the iterations are planned in advance. On a clock the
//! model of costs decides when to read the game to its end, and how settled
//! the best move is decides when to stop.

use std::collections::VecDeque;
use std::time::Duration;

use super::confidence::Confidence;
use super::iteration::{Iteration, iterations};
use super::limits::{Goal, Limits};
use super::solve_cost::SolveCost;
use super::time::TimeBudget;
use super::value::Centidiscs;
use umigame_othello::{Move, Position};

/// Iterations in a row with one best move after which it is settled.
const SETTLED: u32 = 5;
/// The part of the soft limit that a settled move gets.
const SETTLED_PART: f64 = 0.6;
/// The multiple of the soft limit that a move gets that has just changed.
const CHANGED_PART: f64 = 1.6;
/// How many times longer than the last an iteration takes, at least.
const GROWTH: f64 = 1.5;
/// From this depth on, a wipe-out that is seen is one, in all likelihood.
const WIPE_OUT_DEPTH: u32 = 12;
/// How many times longer than expected solving may take to be tried.
const CAUTION: f64 = 1.5;

/// The course of one search.
pub(super) struct IterationPlan<'a> {
    time: Option<TimeBudget>,
    cost: &'a mut SolveCost,
    empties: u32,
    plan: VecDeque<Iteration>,
    /// Whether what an ending costs here is news to the model.
    learns: bool,
    /// Bits of the end at 73 %.
    basis: f64,
    last: Option<Iteration>,
    nodes: u64,
    elapsed: Duration,
    /// What the last iteration took.
    took: Duration,
    best: Option<Move>,
    /// Iterations in a row that agreed with the one before.
    same: u32,
    solving: bool,
}

impl<'a> IterationPlan<'a> {
    pub fn new(
        position: Position,
        limits: &Limits,
        time: Option<TimeBudget>,
        cost: &'a mut SolveCost,
    ) -> IterationPlan<'a> {
        let empties = position.empties();
        // Where time alone is the bound, the end is read as surely as it allows.
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
            basis: cost.by_depth(empties, 0, 0),
            cost,
            last: None,
            nodes: 0,
            elapsed: Duration::ZERO,
            took: Duration::ZERO,
            best: None,
            same: 0,
            solving: false,
        }
    }

    /// Whether the search goes on to the end of the game, and may use the
    /// time for that.
    pub fn is_solving(&self) -> bool {
        self.solving
    }

    /// The next iteration, or `None` where there is none that is worth it.
    pub fn next_iteration(&mut self) -> Option<Iteration> {
        match self.time {
            Some(time) if self.last.is_some() => self.next_in(time),
            _ => self.plan.pop_front(),
        }
    }

    /// An iteration was finished, or stopped, when the search had visited so
    /// many nodes and taken so long.
    pub fn done(&mut self, iteration: Iteration, finished: bool, nodes: u64, elapsed: Duration) {
        let visited = nodes.saturating_sub(self.nodes);
        self.took = elapsed.saturating_sub(self.elapsed);
        (self.nodes, self.elapsed) = (nodes, elapsed);
        self.last = Some(iteration);
        match iteration {
            Iteration::Midgame(depth, _) => {
                self.cost.see_speed(visited, self.took, false);
                self.basis = self.cost.by_depth(self.empties, depth, visited);
            }
            Iteration::Endgame(_, confidence) => {
                self.cost.see_speed(visited, self.took, true);
                self.basis = self.cost.by_ending(self.empties, confidence, visited);
                if self.learns {
                    self.cost.see_ending(self.empties, confidence, visited, finished);
                }
            }
        }
    }

    /// The best move after the iteration that was finished, and its value in
    /// centidiscs. Where that is as much as there is to win or to lose, no
    /// search to a depth will change it, and the end comes next.
    pub fn found(&mut self, best: Move, value: Centidiscs) {
        let deep =
            matches!(self.last, Some(Iteration::Midgame(depth, _)) if depth >= WIPE_OUT_DEPTH);
        if deep && value.max(-value) >= Centidiscs::MAX && self.leads_to_end() {
            self.plan.retain(|iteration| matches!(iteration, Iteration::Endgame(..)));
        }
        self.same = if self.best == Some(best) { self.same + 1 } else { 0 };
        self.best = Some(best);
    }

    fn next_in(&mut self, time: TimeBudget) -> Option<Iteration> {
        let next = *self.plan.front()?;
        self.solving = self.can_solve(time);
        if self.solving {
            return self.plan.pop_front();
        }
        if self.is_late(time) {
            return None;
        }
        let room = time.hard.saturating_sub(self.elapsed);
        let Iteration::Endgame(goal, wanted) = next else { return self.plan.pop_front() };
        if self.ending_time(wanted) <= room {
            return self.plan.pop_front();
        }
        let instead = match self.last {
            Some(Iteration::Midgame(depth, _)) if depth + 1 < self.empties => {
                Some(Iteration::Midgame(depth + 1, Confidence::P73))
            }
            Some(Iteration::Endgame(_, reached)) => Confidence::all()
                .rev()
                .find(|&level| level > reached && level < wanted && self.ending_time(level) <= room)
                .map(|level| Iteration::Endgame(goal, level)),
            _ => None,
        };
        // Time that cannot be saved is spent on the attempt.
        let attempt = time.soft >= time.hard;
        instead.or_else(|| self.plan.pop_front().filter(|_| attempt))
    }

    fn ending_time(&self, confidence: Confidence) -> Duration {
        self.cost.time(self.cost.ending(self.basis, self.empties, confidence))
    }

    /// Whether the game is to be read to its end.
    fn leads_to_end(&self) -> bool {
        matches!(self.plan.back(), Some(Iteration::Endgame(..)))
    }

    /// Whether all that is planned leads to the end, and in time.
    fn can_solve(&self, time: TimeBudget) -> bool {
        let rest = self.plan.iter().map(|iteration| match iteration {
            Iteration::Endgame(_, confidence) => self.ending_time(*confidence),
            Iteration::Midgame(..) => Duration::ZERO,
        });
        let rest = rest.fold(Duration::ZERO, Duration::saturating_add).as_secs_f64();
        self.leads_to_end()
            && self.elapsed.as_secs_f64() + CAUTION * rest <= time.solve.as_secs_f64()
    }

    /// Whether the move is as good as it will get in its share of the clock.
    fn is_late(&self, time: TimeBudget) -> bool {
        if time.soft >= time.hard {
            return self.elapsed >= time.hard;
        }
        let part = match self.same {
            0 => CHANGED_PART,
            SETTLED.. => SETTLED_PART,
            _ => 1.0,
        };
        self.elapsed >= time.soft.mul_f64(part).min(time.hard)
            || self.elapsed + self.took.mul_f64(GROWTH) > time.hard
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const fn ms(millis: u64) -> Duration {
        Duration::from_millis(millis)
    }

    /// The limits of a search that only time bounds.
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

    /// Iterations of which each takes so many milliseconds, and finds a move.
    fn run(
        time: TimeBudget,
        empties: u32,
        mut each: impl FnMut(u32) -> (u64, Move),
    ) -> (u32, Duration) {
        let mut cost = SolveCost::default();
        let mut plan = IterationPlan::new(with_empties(empties), &timed(), Some(time), &mut cost);
        let (mut count, mut elapsed) = (0, Duration::ZERO);
        while let Some(iteration) = plan.next_iteration() {
            let (millis, best) = each(count);
            count += 1;
            elapsed += ms(millis);
            plan.done(iteration, true, u64::from(count) << 30, elapsed);
            plan.found(best, Centidiscs(0));
        }
        (count, elapsed)
    }

    #[test]
    fn a_settled_move_takes_less_than_one_that_changes() {
        let time = TimeBudget { soft: ms(100), hard: ms(1000), solve: ms(1000) };
        let place = |text: &str| text.parse::<Move>().expect("a move");
        let settled = run(time, 44, |_| (10, place("d3"))).1;
        let changing = |n| (10, place(if n % 2 == 0 { "d3" } else { "c4" }));
        let changed = run(time, 44, changing).1;
        assert_eq!((settled, changed), (ms(60), ms(160)));
    }

    #[test]
    fn no_iteration_begins_that_the_clock_would_cut_short_but_a_free_one_does() {
        let doubling = |n: u32| (1 << n, Move::Pass);
        let game = TimeBudget { soft: ms(90), hard: ms(100), solve: ms(100) };
        assert_eq!(run(game, 44, doubling).1, ms(63), "64 ms more are too many");
        let free = TimeBudget::whole(ms(100));
        assert_eq!(run(free, 44, doubling).1, ms(127));
    }

    #[test]
    fn a_wipe_out_that_is_seen_is_read_out_at_once() {
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
        assert_eq!((depths(&exact, 6400), depths(&exact, -6400)), (WIPE_OUT_DEPTH, WIPE_OUT_DEPTH));
        assert_eq!(depths(&Limits::depth(20), 6400), 20, "the end was not asked for");
    }

    #[test]
    fn an_ending_waits_until_it_fits() {
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
        // After ten plies the model says 0.7 ms, and less with each ply.
        let (slow, _) = iterations(Duration::from_micros(250));
        let depths =
            slow.iter().filter(|iteration| matches!(iteration, Iteration::Midgame(..))).count();
        assert!(depths > 10, "{slow:?}");
    }
}
