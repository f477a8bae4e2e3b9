//! Random records for property tests.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing)]

use std::time::Duration;

use proptest::prelude::*;

use crate::clock::Clock;
use crate::record::{GameEnd, GameOutcome, Player, Record};
use crate::testing::random_game;

/// Returns random games with every field that GGF can hold.
pub fn record() -> impl Strategy<Value = Record> {
    (any::<u64>(), player(), player(), "[ -\\\\^-~]{0,12}", "[0-9.:_ ]{0,12}").prop_map(
        |(seed, black, white, place, date)| {
            let mut random = fastrand::Rng::with_seed(seed);
            let mut record = random_game(&mut random);
            record.players = [black, white];
            record.place = place.trim().to_string();
            record.date = date.trim().to_string();
            if random.bool() {
                record.outcome = Some(GameOutcome {
                    black_centidiscs: random.i32(-6400..=6400),
                    end: [GameEnd::Played, GameEnd::Resigned, GameEnd::TimedOut, GameEnd::Agreed]
                        [random.usize(0..4)],
                });
            }
            record
        },
    )
}

fn player() -> impl Strategy<Value = Player> {
    let millis = || (0..10_000_000u64).prop_map(Duration::from_millis);
    let clock = (millis(), millis(), millis()).prop_map(|(main, increment, grace)| Clock {
        main,
        increment,
        grace,
    });
    let rating = (0..300_000u32).prop_map(|hundredths| f64::from(hundredths) / 100.0);
    let name = "[ -\\\\^-~]{0,12}".prop_map(|name| name.trim().to_string());
    (name, proptest::option::of(rating), proptest::option::of(clock))
        .prop_map(|(name, rating, clock)| Player { name, rating, clock })
}
