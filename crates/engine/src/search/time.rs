//! From what the clock shows to the time for one move.

use std::time::Duration;

use super::limits::Limits;
use super::solve_cost::SolveCost;

/// What a player's clock allows at the start of a move.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Allowance {
    /// So long for this move.
    Move(Duration),
    /// So long for the rest of the game, and an increment for each move made.
    Game {
        /// Left on the clock; zero where it has run out.
        remaining: Duration,
        /// Added after each of one's own moves.
        increment: Duration,
    },
    /// So long for the next few moves, then a new period (Canadian byo-yomi).
    Period {
        /// Left in the period.
        remaining: Duration,
        /// Moves to make in it, at least 1.
        moves: u32,
        /// Main time still left besides.
        main: Duration,
    },
}

/// Time for one move: `soft <= hard <= solve`.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct TimeBudget {
    /// No new iteration begins after this; where it is less than `hard`, a
    /// little earlier if the move is settled, and later if it is not.
    pub soft: Duration,
    /// The search stops here, wherever it is.
    pub hard: Duration,
    /// In place of `hard` for a search that is expected to solve the game:
    /// what follows will then cost little.
    pub solve: Duration,
}

impl TimeBudget {
    /// All of this time and no more: what is saved is worth nothing.
    pub const fn whole(time: Duration) -> TimeBudget {
        TimeBudget { soft: time, hard: time, solve: time }
    }

    /// The tighter of two.
    #[must_use]
    pub fn min(self, other: TimeBudget) -> TimeBudget {
        TimeBudget {
            soft: self.soft.min(other.soft),
            hard: self.hard.min(other.hard),
            solve: self.solve.min(other.solve),
        }
    }
}

/// Kept back from every allowance for what the clock sees and the engine
/// does not: pipes, scheduling, the client's own work.
const MARGIN: Duration = Duration::from_millis(20);
/// The least time for a move, even with an empty clock: enough for a legal
/// move of depth 1.
const LEAST: Duration = Duration::from_millis(5);
/// The empties at which a second of thought gains most: later the solver
/// takes over, earlier there is too far to see.
const CREST: f64 = 36.0;

/// The time that the limits leave for a search of a position with this many empties; `None` where
/// time is no limit.
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
            // What the last move of a period saves is lost.
            let is_last = moves <= 1 && main.is_zero();
            let soft = if is_last { hard } else { hard.mul_f64(0.7) };
            TimeBudget { soft, hard, solve: hard }
        }
    }
}

/// The margin is kept back, but no more than a third of what there is.
fn usable(time: Duration) -> Duration {
    time.saturating_sub(MARGIN.min(time / 3)).max(LEAST)
}

/// What a move is worth in time beside others, at most 1.2.
fn weight(empties: u32) -> f64 {
    let away = f64::from(empties) - CREST;
    let width = if away > 0.0 { 11.0 } else { 12.0 };
    0.2 + (-(away / width).powi(2) / 2.0).exp()
}

/// A fifth is kept for the moves that solve the game and those after it; the
/// rest is shared among one's own moves before them.
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
    let share = remaining.mul_f64(0.8 * weight(empties) / weights) + increment.mul_f64(0.8);
    let hard = usable((share * 3).min(remaining.mul_f64(0.3)));
    let solve = usable(remaining.mul_f64(0.6)).max(hard);
    TimeBudget { soft: usable(share).min(hard.mul_f64(0.7)), hard, solve }
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
    fn the_limits_are_in_order_and_within_the_clock() {
        for millis in [0, 1, 14, 50, 200, 1000, 60_000, 3_600_000] {
            for increment in [0, 10, 1000] {
                for empties in 1..=60 {
                    let found = game(ms(millis), ms(increment), empties);
                    assert!(found.soft <= found.hard && found.hard <= found.solve, "{found:?}");
                    assert!(found.solve <= ms(millis).mul_f64(0.6).max(LEAST), "{found:?}");
                    assert!(found.soft >= LEAST.mul_f64(0.7), "{found:?}");
                }
            }
        }
        let period = Allowance::Period { remaining: ms(10_000), moves: 5, main: ms(0) };
        assert!(clock_budget(period, 40, SolveCost::default()).solve < ms(2_000));
        let last = Allowance::Period { remaining: ms(500), moves: 1, main: ms(0) };
        assert_eq!(
            clock_budget(last, 40, SolveCost::default()),
            TimeBudget::whole(ms(480)),
            "saved, it is lost"
        );
        let one = clock_budget(Allowance::Move(ms(500)), 40, SolveCost::default());
        assert_eq!(one, TimeBudget::whole(ms(480)));
    }

    #[test]
    fn a_game_that_uses_every_limit_up_never_empties_its_clock() {
        for (main, increment, overhead) in [(1000, 10, 10), (1000, 0, 4), (60_000, 0, 10)] {
            for solving in [false, true] {
                let mut clock = ms(main);
                for empties in (1..=60).rev().step_by(2) {
                    let found = game(clock, ms(increment), empties);
                    let used = if solving { found.solve } else { found.hard };
                    // Once there is next to nothing left, LEAST is all it takes.
                    let lost = if clock > ms(100) { ms(overhead) } else { ms(0) };
                    let rest = clock.checked_sub(used + lost);
                    clock = rest.unwrap_or_else(|| panic!("{main} ms: lost at {empties} empties"))
                        + ms(increment);
                    if clock < 2 * LEAST {
                        break;
                    }
                }
            }
        }
    }

    #[test]
    fn a_game_that_keeps_to_its_shares_uses_most_of_its_clock_and_least_in_the_opening() {
        for main in [2_000, 60_000, 900_000] {
            let mut clock = ms(main);
            let mut used = Vec::new();
            for empties in (22..=60).rev().step_by(2) {
                let soft = game(clock, ms(0), empties).soft;
                clock -= soft;
                used.push((soft, empties));
            }
            let rest = clock.as_secs_f64() / ms(main).as_secs_f64();
            assert!((0.1..0.5).contains(&rest), "{main} ms: {rest} is left to solve with");
            // Towards the end of the middle game the shares are almost level: what counts is
            // where they come to be so.
            let most = used.iter().map(|(soft, _)| *soft).max().expect("moves");
            let level = used.iter().find(|(soft, _)| *soft >= most.mul_f64(0.95));
            assert!(level.is_some_and(|(_, empties)| (24..=46).contains(empties)), "{used:?}");
            assert!(used[0].0 * 2 < used[10].0, "{used:?}");
        }
    }

    #[test]
    fn more_on_the_clock_is_never_less_for_the_move() {
        for empties in 1..=60 {
            let hard = |millis| game(ms(millis), ms(0), empties).hard;
            let all: Vec<Duration> = (0..200).map(|n| hard(n * 50)).collect();
            assert!(all.is_sorted(), "{empties} empties: {all:?}");
        }
    }

    #[test]
    fn the_time_for_a_move_is_the_tighter_of_clock_and_limit() {
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
