//! Laws of the evaluation.

use super::*;
use crate::board::Symmetry;
use crate::board::testing::random_positions;

#[test]
fn eight_images_have_one_value() {
    random_positions(11, 3_000, |position| {
        let expected = evaluate(position);
        for symmetry in Symmetry::ALL {
            assert_eq!(evaluate(symmetry.of_position(position)), expected, "{position:?}");
        }
    });
}

#[test]
fn values_stay_within_the_board() {
    let mut extreme = 0;
    random_positions(12, 20_000, |position| {
        let value = evaluate(position);
        assert!((-6400..=6400).contains(&value), "{position:?}: {value}");
        extreme = extreme.max(value.abs());
    });
    assert!(extreme > 2000);
    for lone in [Position { player: u64::MAX, opponent: 0 }, Position { player: 0, opponent: 0 }] {
        assert!((-6400..=6400).contains(&evaluate(lone)));
    }
}

/// `cargo test --release speed_of_evaluate -- --ignored --nocapture`
#[test]
#[ignore = "a measurement"]
fn speed_of_evaluate() {
    let mut positions = Vec::new();
    random_positions(13, 4096, |position| positions.push(position));
    let mut sum = 0i64;
    let start = std::time::Instant::now();
    let rounds = 2_000;
    for _ in 0..rounds {
        for &position in &positions {
            sum += i64::from(evaluate(std::hint::black_box(position)));
        }
    }
    let calls = rounds * positions.len();
    println!("{:.1} ns ({sum})", start.elapsed().as_secs_f64() * 1e9 / calls as f64);
}
