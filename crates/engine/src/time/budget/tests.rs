//! Laws of the time for one move, over many clocks, positions and overheads.

use super::*;

const fn ms(millis: u64) -> Duration {
    Duration::from_millis(millis)
}

fn bank(time: TimeControl) -> Bank {
    Bank::of(time).expect("a clock")
}

fn budget_of(time: TimeControl, empties: u32, overhead: Duration) -> TimeBudget {
    let overhead = Overheads { now: overhead, later: overhead };
    bank(time).budget(empties, SolveCost::default(), overhead)
}

fn game(remaining: Duration, increment: Duration, empties: u32) -> TimeBudget {
    budget_of(TimeControl::Game { remaining, increment }, empties, ms(2))
}

/// Clocks of every kind with this time left.
fn clocks(time: Duration) -> Vec<TimeControl> {
    let mut clocks = Vec::new();
    for increment in [ms(0), ms(1), ms(100), ms(10_000)] {
        clocks.push(TimeControl::Game { remaining: time, increment });
    }
    for moves in [1, 2, 5, 25, 100] {
        clocks.push(TimeControl::Period { remaining: time, moves, main: ms(0) });
        clocks.push(TimeControl::Period { remaining: ms(500), moves, main: time });
    }
    clocks
}

/// Times from nothing to ten thousand hours.
const TIMES: [u64; 12] =
    [0, 1, 3, 14, 50, 200, 1000, 5000, 60_000, 900_000, 3_600_000, 36_000_000_000];

#[test]
fn the_three_times_are_in_order_and_leave_the_overhead_on_the_clock() {
    for time in TIMES.map(ms) {
        for clock in clocks(time) {
            for overhead in [ms(0), ms(2), ms(100)] {
                for empties in 1..=60 {
                    let found = budget_of(clock, empties, overhead);
                    assert!(found.soft <= found.hard && found.hard <= found.solve, "{found:?}");
                    let left = bank(clock).now.saturating_sub(found.solve);
                    let now = bank(clock).now;
                    // Times of years are exact to a microsecond.
                    assert!(left + Duration::from_micros(1) >= overhead.min(now), "{clock:?}");
                }
            }
        }
    }
    let forever = TimeControl::Game { remaining: Duration::MAX, increment: Duration::MAX };
    assert!(budget_of(forever, 60, ms(2)).soft > ms(1_000_000_000));
}

#[test]
fn a_time_that_cannot_be_saved_is_used_to_the_overhead() {
    let last = TimeControl::Period { remaining: ms(500), moves: 1, main: ms(0) };
    for clock in [last] {
        for empties in 1..=60 {
            assert_eq!(budget_of(clock, empties, ms(2)), TimeBudget::whole(ms(498)));
        }
    }
}

#[test]
fn more_time_on_the_clock_never_means_less_for_the_move() {
    let times = (0..400).map(|n| Duration::from_secs_f64(0.001 * 1.05f64.powi(n)));
    let series: Vec<Vec<TimeControl>> = times.map(clocks).collect();
    for kind in 0..series[0].len() {
        for empties in 1..=60 {
            let budgets = series.iter().map(|clocks| budget_of(clocks[kind], empties, ms(2)));
            let budgets: Vec<TimeBudget> = budgets.collect();
            let clock = series[0][kind];
            assert!(budgets.is_sorted_by_key(|time| time.soft), "{clock:?}, {empties} empties");
            assert!(budgets.is_sorted_by_key(|time| time.hard), "{clock:?}, {empties} empties");
            assert!(budgets.is_sorted_by_key(|time| time.solve), "{clock:?}, {empties} empties");
        }
    }
}

#[test]
fn more_overhead_never_means_more_time() {
    for time in TIMES.map(ms) {
        for clock in clocks(time) {
            for empties in 1..=60 {
                let overheads = (0..50).map(|n| ms(n * n));
                let soft = overheads.map(|overhead| budget_of(clock, empties, overhead).soft);
                assert!(soft.rev().is_sorted(), "{clock:?}, {empties} empties");
            }
        }
    }
}

#[test]
fn increments_to_come_are_shared_before_they_come() {
    // 18 moves of 100 ms are 1.8 s more to spend.
    let without = game(ms(5000), ms(0), 44).soft;
    let with = game(ms(5000), ms(100), 44).soft;
    assert!(with > without + ms(60), "{without:?}, {with:?}");
    // An empty clock cannot be spent, whatever comes later.
    assert!(game(ms(10), ms(1000), 52).solve <= ms(8));
}

#[test]
fn a_game_spends_most_per_move_in_the_middle_and_little_in_the_opening() {
    for main in [2_000, 60_000, 900_000] {
        let mut clock = ms(main);
        let mut used = Vec::new();
        for empties in (30..=60).rev().step_by(2) {
            let soft = game(clock, ms(0), empties).soft;
            clock -= soft;
            used.push(soft);
        }
        let (opening, middle) = (used[0], used[10]);
        assert!(opening * 2 < middle, "{used:?}");
        let rest = clock.as_secs_f64() / ms(main).as_secs_f64();
        assert!((0.1..0.5).contains(&rest), "{main} ms: {rest} is left at 28 empties");
    }
}

#[test]
fn a_period_is_shared_by_its_moves_and_main_time_comes_first() {
    let period = |remaining, moves, main| TimeControl::Period { remaining, moves, main };
    let of_period = budget_of(period(ms(10_000), 5, ms(0)), 40, ms(2));
    assert!((ms(1500)..ms(2500)).contains(&of_period.soft), "{of_period:?}");
    let with_main = budget_of(period(ms(10_000), 5, ms(60_000)), 40, ms(2));
    assert!(with_main.soft > of_period.soft + ms(1000), "{with_main:?}");
}

#[test]
fn a_move_gets_the_lesser_of_clock_and_move_time() {
    let budget = |move_time, clock| {
        let limits = Limits::exact().with_time(clock).with_max_time(move_time);
        let limits = limits.with_move_overhead(ms(2));
        time_budget(&limits, 60, SolveCost::default(), LearntOverhead::default())
    };
    let clock = |remaining| TimeControl::Game { remaining, increment: Duration::ZERO };
    assert_eq!(budget(None, TimeControl::Unlimited), None);
    let whole = Some(TimeBudget::whole(ms(498)));
    assert_eq!(budget(Some(ms(500)), TimeControl::Unlimited), whole);
    assert_eq!(budget(None, TimeControl::Move(ms(500))), whole);
    let hard = |clock| budget(Some(ms(500)), clock).map(|budget| budget.hard);
    assert!(hard(clock(ms(100))).is_some_and(|hard| hard < ms(100)));
    assert_eq!(hard(clock(ms(3_600_000))), Some(ms(498)));
}
