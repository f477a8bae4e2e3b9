//! How late searches on a clock return.
#![cfg(feature = "system")]

use std::time::{Duration, Instant};

use umigame_engine::{Engine, EngineOptions, Evaluation, Limits, Megabytes, Silent, TimeControl};
use umigame_othello::testing::random_positions;

/// Allowed on processors that do nothing else.
const MAX_LATE: Duration = Duration::from_millis(5);

#[test]
#[ignore = "two minutes, machine idle: cargo test --release -p umigame-engine --test late -- --ignored --nocapture"]
fn ten_thousand_searches_on_a_clock_return_in_time() {
    let mut random = fastrand::Rng::with_seed(28);
    let mut positions = Vec::new();
    random_positions(28, 2_000, |position| {
        if position.empties() >= 8 && !position.legal_moves().is_empty() {
            positions.push(position);
        }
    });
    for threads in [1, 2, 4, 8] {
        let options = EngineOptions { hash: Megabytes(16), threads };
        let mut engine = Engine::new(Evaluation::embedded(), options).expect("memory");
        // Weights, table and overhead are ready.
        engine.search(positions[0], &Limits::depth(18), &Silent::default());
        let mut late: Vec<Duration> = (0..2_500)
            .map(|_| {
                let position = positions[random.usize(..positions.len())];
                let time = Duration::from_micros(random.u64(1_000..20_000));
                let limits = Limits::depth(60).with_time(TimeControl::Move(time));
                let start = Instant::now();
                let report = engine.search(position, &limits, &Silent::default());
                assert!(report.best().is_some(), "{position:?}");
                start.elapsed().saturating_sub(time)
            })
            .collect();
        late.sort();
        let count = late.iter().filter(|&&late| late > MAX_LATE).count();
        let (median, longest) = (late[late.len() / 2], late[late.len() - 1]);
        println!(
            "{threads} threads: {count} late by more than {MAX_LATE:?}; median {median:?}, longest {longest:?}"
        );
        assert_eq!(count, 0, "{threads} threads");
    }
}
