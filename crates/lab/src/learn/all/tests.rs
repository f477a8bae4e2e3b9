//! Laws of plans and of the whole road.

use super::*;
use crate::learn::starts::{Mix, Starts};

fn plan(positions: u64, depth: u8) -> Plan {
    let starts = Starts::new(Mix::default(), Vec::new(), Vec::new());
    Plan { positions, depth, exact: 10, seed: 3, iterations: 2, starts }
}

/// Goes the road on one thread until so many calls of progress were told.
fn go(plan: &Plan, folder: &Path, calls: usize) -> Result<bool, LearnError> {
    let stop = AtomicBool::new(false);
    let mut told = 0;
    let mut share = 0.0;
    learn(plan, "learn all", folder, 1, &stop, &mut |progress| {
        told += 1;
        assert!(progress.share >= share && progress.share <= 1.0, "{progress:?} after {share}");
        share = progress.share;
        stop.store(told >= calls, Relaxed);
    })
    .map(|record| record.is_some())
}

#[test]
fn rounds_grow_in_games_and_depth_up_to_the_plan() {
    for depth in 1..=12 {
        let plan = Plan { exact: 18, ..plan(1_000_000, depth) };
        let rounds = plan.rounds();
        assert_eq!(rounds.last().map(|last| (last.depth, last.exact)), Some((depth, 18)));
        assert!(rounds.windows(2).all(|pair| {
            pair[0].depth < pair[1].depth
                && pair[0].exact <= pair[1].exact
                && pair[0].games <= pair[1].games
        }));
        let games: u64 = rounds.iter().map(|round| round.games).sum();
        assert!((29_000..30_000).contains(&games), "{games}");
    }
}

#[test]
fn hours_are_positions_that_cost_as_much() {
    for (depth, exact) in [(1, 10), (6, 14), (8, 16)] {
        let positions = Plan::positions_in(2.0, depth, exact);
        let plan = Plan { exact, ..plan(positions, depth) };
        let cost: f64 = plan.rounds().iter().map(Round::cost).sum();
        let hours = cost / 3600e6 / 2.0;
        assert!((hours - 2.0).abs() < 0.01, "{hours}");
    }
}

#[test]
fn a_road_that_was_left_often_comes_to_the_same_weights() {
    let folder = tempfile::tempdir().expect("a folder");
    let [whole, parts] = ["whole", "parts"].map(|name| folder.path().join(name));
    let plan = plan(3_000, 2);
    assert!(go(&plan, &whole, usize::MAX).expect("a road"));
    // Left among the games, in the fit of the first round, and in the second.
    for calls in [2, 20, 38] {
        assert!(!go(&plan, &parts, calls).expect("a road"), "{calls}");
    }
    assert!(parts.join("round-1.weights").exists() && parts.join("round-2.umi").exists());
    assert!(go(&plan, &parts, usize::MAX).expect("a road"));
    for name in ["round-1.umi", "round-2.umi", "round-1.weights", WEIGHTS] {
        let read = |folder: &Path| fs::read(folder.join(name)).expect("a file");
        assert!(read(&whole) == read(&parts), "{name}");
    }
    let record = Record::open(&parts.join(RECORD), &plan, "again").expect("the record");
    assert_eq!(record.rounds.len(), 2);
    assert!(record.plies.len() > 10 && record.rounds[1].error > 0.0);
    for name in [LEARNING, ERRORS] {
        let picture = fs::read_to_string(parts.join(name)).expect("a picture");
        assert!(picture.contains("<polyline"), "{name}");
    }
    // Another plan's folder is left alone.
    let other = Plan { seed: 4, ..plan };
    assert!(matches!(go(&other, &parts, 1), Err(LearnError::Source { .. })));
}

/// Slow only where nothing is optimised.
#[test]
fn the_first_weights_know_more_than_nothing() {
    let folder = tempfile::tempdir().expect("a folder");
    let plan = Plan { iterations: 4, ..plan(12_000, 1) };
    assert!(go(&plan, folder.path(), usize::MAX).expect("a road"));
    let mut samples = data::load(&[folder.path().join("round-1.umi")]).expect("data");
    samples.retain(is_held_out);
    let nothing = Errors::sum(&errors::by_ply(&samples, Truth::Score, |_| 0)).mean_absolute();
    let record = Record::open(&folder.path().join(RECORD), &plan, "again").expect("the record");
    assert!(record.rounds[0].error < 0.8 * nothing, "{} of {nothing}", record.rounds[0].error);
}
