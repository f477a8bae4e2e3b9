//! Games and damage for the laws of the formats.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing)]

use std::path::{Path, PathBuf};
use std::time::Duration;

use proptest::prelude::*;

use super::{Clock, Ending, Outcome, Player, Record, Turn};
use crate::board::{Board, Color, Eval, Move, Position};

/// A random game, mostly from the start and mostly to the end, with
/// everything filled in that GGF can hold.
pub fn record() -> impl Strategy<Value = Record> {
    (any::<u64>(), player(), player(), "[ -\\\\^-~]{0,12}", "[0-9.:_ ]{0,12}").prop_map(
        |(seed, black, white, place, date)| {
            let mut random = fastrand::Rng::with_seed(seed);
            let mut record = random_game(&mut random);
            record.players = [black, white];
            record.place = place.trim().to_string();
            record.date = date.trim().to_string();
            if random.bool() {
                record.outcome = Some(Outcome {
                    black_centidiscs: random.i32(-6400..=6400),
                    ending: [Ending::Played, Ending::Resigned, Ending::TimedOut, Ending::Agreed]
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

/// A random game with evaluations and times.
pub fn random_game(random: &mut fastrand::Rng) -> Record {
    let mut board = Board::start();
    if random.u8(0..4) == 0 {
        let (discs, black) = (random.u64(..), random.u64(..));
        let start = Position { player: discs & black, opponent: discs & !black };
        board = Board::from_position(start, Color::ALL[random.usize(0..2)]);
    }
    let mut record = Record::from_start(board.position(), board.side_to_move());
    let longest = random.usize(0..90);
    while !board.is_over() && record.turns.len() < longest {
        let legal: Vec<_> = board.legal_squares().collect();
        let played = match legal.len() {
            0 => Move::Pass,
            count => Move::Place(legal[random.usize(0..count)]),
        };
        board.play(played).expect("a listed move is legal");
        record.turns.push(Turn {
            played,
            eval: random.bool().then(|| Eval::from_centidiscs(random.i32(-6400..=6400))),
            time: random.bool().then(|| Duration::from_millis(random.u64(0..1_000_000))),
        });
    }
    record
}

/// A file of the reference data, which is no part of the project; says so
/// and returns `None` where it is absent.
pub fn reference(name: &str) -> Option<PathBuf> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../shared/data").join(name);
    if path.exists() {
        return Some(path);
    }
    eprintln!("SKIPPED: no {} here", path.display());
    None
}

/// A text with a few of its characters changed, dropped, doubled or moved.
pub fn mutated(text: &str, seed: u64) -> String {
    const ODD: &[char] =
        &['[', ']', '(', ')', ';', '/', '\\', ':', '-', '\0', '\n', '%', '\u{6d77}', '9'];
    let mut random = fastrand::Rng::with_seed(seed);
    let mut letters: Vec<char> = text.chars().collect();
    for _ in 0..random.usize(1..5) {
        if letters.is_empty() {
            break;
        }
        let at = random.usize(0..letters.len());
        match random.u8(0..20) {
            0..6 => letters[at] = ODD[random.usize(0..ODD.len())],
            6..12 => drop(letters.remove(at)),
            12..18 => letters.insert(at, letters[at]),
            18 => letters.truncate(at),
            _ => letters.rotate_left(at),
        }
    }
    letters.into_iter().collect()
}
