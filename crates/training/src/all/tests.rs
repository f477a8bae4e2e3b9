//! Properties of plans and of learning from nothing.

use std::fs;
use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};

use super::rounds::{ERRORS_FILE, LEARNING_FILE, RECORD_FILE};
use super::*;
use crate::errors::{self, Errors, Truth};
use crate::fit::is_held_out;
use crate::starts::{Mix, Starts};
use crate::{LearnError, data};

fn plan(positions: u64, depth: u8) -> Plan {
    let starts = Starts::new(Mix::default(), Vec::new(), Vec::new());
    Plan { positions, depth, exact: 10, seed: 3, iterations: 2, starts }
}

/// Learns on one thread and stops after `calls` reports of progress. Returns whether the work is
/// finished.
fn learn_until(plan: &Plan, folder: &Path, calls: usize) -> Result<bool, LearnError> {
    let stop = AtomicBool::new(false);
    let mut told = 0;
    let mut share = 0.0;
    let record = learn(plan, "learn all", folder, 1, &stop, &mut |progress| {
        told += 1;
        assert!(progress.share >= share && progress.share <= 1.0, "{progress:?} after {share}");
        share = progress.share;
        stop.store(told >= calls, Relaxed);
    });
    record.map(|record| record.is_some())
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
fn hours_are_turned_into_positions_of_the_same_cost() {
    for (depth, exact) in [(1, 10), (6, 14), (8, 16)] {
        let positions = Plan::positions_in(2.0, depth, exact);
        let plan = Plan { exact, ..plan(positions, depth) };
        let cost: f64 = plan.rounds().iter().map(Round::cost).sum();
        let hours = cost / 3600e6 / 2.0;
        assert!((hours - 2.0).abs() < 0.01, "{hours}");
    }
}

#[test]
fn interrupted_learning_resumes_and_leads_to_the_same_weights() {
    let folder = tempfile::tempdir().expect("a folder");
    let [whole, parts] = ["whole", "parts"].map(|name| folder.path().join(name));
    let plan = plan(3_000, 2);
    assert!(learn_until(&plan, &whole, usize::MAX).expect("weights"));
    // Stopped in the games and in the fit of the first round, and in the second round.
    for calls in [2, 20, 38] {
        assert!(!learn_until(&plan, &parts, calls).expect("a part"), "{calls}");
    }
    assert!(parts.join("round-1.weights").exists() && parts.join("round-2.umi").exists());
    assert!(learn_until(&plan, &parts, usize::MAX).expect("weights"));
    for name in ["round-1.umi", "round-2.umi", "round-1.weights", WEIGHTS_FILE] {
        let read = |folder: &Path| fs::read(folder.join(name)).expect("a file");
        assert!(read(&whole) == read(&parts), "{name}");
    }
    let record = Record::open(&parts.join(RECORD_FILE), &plan, "again").expect("the record");
    assert_eq!(record.rounds.len(), 2);
    assert!(record.plies.len() > 10 && record.rounds[1].error > 0.0);
    for name in [LEARNING_FILE, ERRORS_FILE] {
        let picture = fs::read_to_string(parts.join(name)).expect("a picture");
        assert!(picture.contains("<polyline"), "{name}");
    }
    // The folder of another plan is left alone.
    let other = Plan { seed: 4, ..plan };
    assert!(matches!(learn_until(&other, &parts, 1), Err(LearnError::Source { .. })));
}

#[test]
fn weights_of_one_round_have_smaller_errors_than_none() {
    let folder = tempfile::tempdir().expect("a folder");
    let plan = Plan { iterations: 4, ..plan(12_000, 1) };
    assert!(learn_until(&plan, folder.path(), usize::MAX).expect("weights"));
    let mut samples = data::load(&[folder.path().join("round-1.umi")]).expect("data");
    samples.retain(is_held_out);
    let none = errors::by_ply(&samples, Truth::Score, |_| 0);
    let none = none.into_iter().sum::<Errors>().mean_absolute();
    let path = folder.path().join(RECORD_FILE);
    let record = Record::open(&path, &plan, "again").expect("the record");
    assert!(record.rounds[0].error < 0.8 * none, "{} of {none}", record.rounds[0].error);
}
