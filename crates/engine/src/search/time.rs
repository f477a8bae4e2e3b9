//! Time management: from the player's clock to the time for one move.

use std::time::Duration;

use super::limits::{Allowance, Limits};
use super::solve_cost::SolveCost;

/// Time for one move: `soft <= hard <= solve`.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct TimeBudget {
    /// No iteration begins after this time. If it is less than `hard`, it is adjusted by how settled
    /// the best move is.
    pub soft: Duration,
    /// The search stops at this time.
    pub hard: Duration,
    /// Replaces `hard` for a search that is expected to solve the game: later moves will cost little.
    pub solve: Duration,
}

impl TimeBudget {
    /// All of a time that cannot be saved for later.
    pub const fn whole(time: Duration) -> TimeBudget {
        TimeBudget { soft: time, hard: time, solve: time }
    }

    /// The lesser of each time.
    #[must_use]
    pub fn min(self, other: TimeBudget) -> TimeBudget {
        TimeBudget {
            soft: self.soft.min(other.soft),
            hard: self.hard.min(other.hard),
            solve: self.solve.min(other.solve),
        }
    }
}

/// Reserve for delays that the clock sees and the engine does not: pipes, scheduling, the client.
const RESERVE: Duration = Duration::from_millis(20);
/// Minimum time for a move, even with an empty clock: enough for depth 1.
const MIN_MOVE_TIME: Duration = Duration::from_millis(5);
/// Empties at which a second of thought gains most: later the solver takes over, earlier the game is
/// too far from its end.
const PEAK_EMPTIES: f64 = 36.0;
/// Part of the remaining time that is shared among the moves before the game is solved.
const SHARED_PART: f64 = 0.8;
/// Part of an increment that a move gets.
const INCREMENT_PART: f64 = 0.8;
/// Part of the remaining time that a move may use at most.
const HARD_PART: f64 = 0.3;
/// Part of the remaining time that solving the game may use at most.
const SOLVE_PART: f64 = 0.6;
/// The soft limit as a part of the hard one, at most.
const SOFT_PART: f64 = 0.7;

/// Returns the time for a search of a position of `empties` empties; `None` if time is no limit.
pub(super) fn time_budget(limits: &Limits, empties: u32, cost: SolveCost) -> Option<TimeBudget> {
    let clock = limits.clock.map(|allowance| clock_budget(allowance, empties, cost));
    let whole = limits.move_time.map(TimeBudget::whole);
    match (clock, whole) {
        (Some(clock), Some(whole)) => Some(clock.min(whole)),
        (clock, whole) => clock.or(whole),
    }
}

fn clock_budget(allowance: Allowance, empties: u32, cost: SolveCost) -> TimeBudget {
    match allowance {
        Allowance::Move(time) => TimeBudget::whole(usable(time)),
        Allowance::Game { remaining, increment } => {
            game_budget(remaining, increment, empties, cost)
        }
        Allowance::Period { remaining, moves, main } => {
            let hard = usable(main / 20 + remaining / moves.max(1));
            // Time that the last move of a period saves is lost.
            let is_last = moves <= 1 && main.is_zero();
            let soft = if is_last { hard } else { hard.mul_f64(SOFT_PART) };
            TimeBudget { soft, hard, solve: hard }
        }
    }
}

/// Returns the time less the reserve, which is at most a third of it.
fn usable(time: Duration) -> Duration {
    time.saturating_sub(RESERVE.min(time / 3)).max(MIN_MOVE_TIME)
}

/// Returns the weight of a move in the sharing of time, 0.2 to 1.2.
fn weight(empties: u32) -> f64 {
    let distance = f64::from(empties) - PEAK_EMPTIES;
    let width = if distance > 0.0 { 11.0 } else { 12.0 };
    0.2 + (-(distance / width).powi(2) / 2.0).exp()
}

/// Shares the remaining time among the player's moves until the game can be solved. A fifth is kept
/// for the moves after that.
fn game_budget(
    remaining: Duration,
    increment: Duration,
    empties: u32,
    cost: SolveCost,
) -> TimeBudget {
    let solvable =
        (0..empties).rev().find(|&empties| cost.to_solve(empties) <= remaining / 7).unwrap_or(0);
    let weights: f64 =
        (solvable..=empties).rev().step_by(2).chain([empties]).take(30).map(weight).sum();
    let share = remaining.mul_f64(SHARED_PART * weight(empties) / weights)
        + increment.mul_f64(INCREMENT_PART);
    let hard = usable((share * 3).min(remaining.mul_f64(HARD_PART)));
    let solve = usable(remaining.mul_f64(SOLVE_PART)).max(hard);
    TimeBudget { soft: usable(share).min(hard.mul_f64(SOFT_PART)), hard, solve }
}

#[cfg(test)]
mod tests {
    use super::*;

    const fn ms(millis: u64) -> Duration {
        Duration::from_millis(millis)
    }

    fn game(remaining: Duration, increment: Duration, empties: u32) -> TimeBudget {
        let allowance = Allowance::Game { remaining, increment };
        clock_budget(allowance, empties, SolveCost::default())
    }

    #[test]
    fn the_three_times_are_in_order_and_within_the_clock() {
        for millis in [0, 1, 14, 50, 200, 1000, 60_000, 3_600_000] {
            for increment in [0, 10, 1000] {
                for empties in 1..=60 {
                    let found = game(ms(millis), ms(increment), empties);
                    assert!(found.soft <= found.hard && found.hard <= found.solve, "{found:?}");
                    assert!(
                        found.solve <= ms(millis).mul_f64(SOLVE_PART).max(MIN_MOVE_TIME),
                        "{found:?}"
                    );
                    assert!(found.soft >= MIN_MOVE_TIME.mul_f64(SOFT_PART), "{found:?}");
                }
            }
        }
        let period = Allowance::Period { remaining: ms(10_000), moves: 5, main: ms(0) };
        assert!(clock_budget(period, 40, SolveCost::default()).solve < ms(2_000));
        let last = Allowance::Period { remaining: ms(500), moves: 1, main: ms(0) };
        assert_eq!(
            clock_budget(last, 40, SolveCost::default()),
            TimeBudget::whole(ms(480)),
            "saved time would be lost"
        );
        let one = clock_budget(Allowance::Move(ms(500)), 40, SolveCost::default());
        assert_eq!(one, TimeBudget::whole(ms(480)));
    }

    #[test]
    fn using_up_every_limit_never_empties_the_clock() {
        for (main, increment, overhead) in [(1000, 10, 10), (1000, 0, 4), (60_000, 0, 10)] {
            for solving in [false, true] {
                let mut clock = ms(main);
                for empties in (1..=60).rev().step_by(2) {
                    let found = game(clock, ms(increment), empties);
                    let used = if solving { found.solve } else { found.hard };
                    // With next to nothing left, a move takes the minimum.
                    let lost = if clock > ms(100) { ms(overhead) } else { ms(0) };
                    let rest = clock.checked_sub(used + lost);
                    clock = rest.unwrap_or_else(|| panic!("{main} ms: lost at {empties} empties"))
                        + ms(increment);
                    if clock < 2 * MIN_MOVE_TIME {
                        break;
                    }
                }
            }
        }
    }

    #[test]
    fn a_game_at_the_soft_limits_uses_most_of_its_clock_and_least_of_it_in_the_opening() {
        for main in [2_000, 60_000, 900_000] {
            let mut clock = ms(main);
            let mut used = Vec::new();
            for empties in (22..=60).rev().step_by(2) {
                let soft = game(clock, ms(0), empties).soft;
                clock -= soft;
                used.push((soft, empties));
            }
            let rest = clock.as_secs_f64() / ms(main).as_secs_f64();
            assert!((0.1..0.5).contains(&rest), "{main} ms: {rest} is left for solving");
            // Late in the midgame the shares are almost level: check where they become so.
            let most = used.iter().map(|(soft, _)| *soft).max().expect("moves");
            let level = used.iter().find(|(soft, _)| *soft >= most.mul_f64(0.95));
            assert!(level.is_some_and(|(_, empties)| (24..=46).contains(empties)), "{used:?}");
            assert!(used[0].0 * 2 < used[10].0, "{used:?}");
        }
    }

    #[test]
    fn more_time_on_the_clock_never_means_less_for_the_move() {
        for empties in 1..=60 {
            let hard = |millis| game(ms(millis), ms(0), empties).hard;
            let all: Vec<Duration> = (0..200).map(|n| hard(n * 50)).collect();
            assert!(all.is_sorted(), "{empties} empties: {all:?}");
        }
    }

    #[test]
    fn a_move_gets_the_lesser_of_clock_and_move_time() {
        let budget = |move_time, clock| {
            let limits = Limits { move_time, clock, ..Limits::depth(60) };
            time_budget(&limits, 60, SolveCost::default())
        };
        let clock = |remaining| Some(Allowance::Game { remaining, increment: Duration::ZERO });
        assert_eq!(budget(None, None), None);
        assert_eq!(budget(Some(ms(500)), None), Some(TimeBudget::whole(ms(500))));
        let hard = |clock| budget(Some(ms(500)), clock).map(|budget| budget.hard);
        assert!(hard(clock(ms(100))).is_some_and(|hard| hard < ms(100)));
        assert_eq!(hard(clock(ms(3_600_000))), Some(ms(500)));
    }
}
