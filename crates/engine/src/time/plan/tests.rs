//! Plans of searches whose iterations are made up.

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
        let played = position.legal_moves().iter().find_map(|s| position.play(s));
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
    assert_eq!(depths(&exact, 0), 18);
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
        let mut planned = Vec::new();
        while let (Some(iteration), true) = (plan.next_iteration(), planned.len() < 40) {
            plan.done(iteration, true, 1 << 10, ms(0));
            planned.push(iteration);
        }
        (planned, plan.is_solving())
    };
    let (quick, solving) = iterations(ms(60_000));
    assert!(solving);
    assert_eq!(
        quick.iter().filter(|iteration| matches!(iteration, Iteration::Midgame(..))).count(),
        8
    );
    let (slow, solving) = iterations(ms(0));
    assert!(!solving && slow.len() <= 1, "{slow:?}");
    // After eight plies the model predicts 0.2 ms, and less with each ply.
    let (slow, _) = iterations(Duration::from_micros(80));
    let depths =
        slow.iter().filter(|iteration| matches!(iteration, Iteration::Midgame(..))).count();
    assert!(depths > 8, "{slow:?}");
}

#[test]
fn the_speed_of_several_threads_is_not_taken_from_what_one_searched_alone() {
    for (empties, has_helpers, is_learnt) in
        [(12, false, true), (12, true, false), (20, false, true), (20, true, true)]
    {
        let mut cost = SolveCost::default();
        let before = cost.time(20.0);
        let mut plan = IterationPlan::new(with_empties(empties), &timed(), None, &mut cost)
            .with_helpers(has_helpers);
        let ending = Iteration::Endgame(Goal::Score, Confidence::FULL);
        plan.done(ending, true, 1 << 20, ms(1000));
        assert_eq!(cost.time(20.0) != before, is_learnt, "{empties} empties, {has_helpers}");
    }
}
