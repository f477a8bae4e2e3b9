//! Random games, damaged texts and reference data for tests.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing)]

use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::time::Duration;

use crate::record::{Record, Turn};
use crate::{Bitboard, Board, Color, Eval, Move, Position};

/// Calls `check` on at least `count` positions of random games from the start. The side to move has
/// a legal square in each.
pub fn random_positions(seed: u64, count: usize, mut check: impl FnMut(Position)) {
    let mut random = fastrand::Rng::with_seed(seed);
    let mut seen = 0;
    while seen < count {
        let mut position = Position::START;
        loop {
            if position.legal_moves().is_empty() {
                position = position.passed();
            }
            let moves = position.legal_moves();
            if moves.is_empty() {
                break;
            }
            check(position);
            seen += 1;
            let chosen = random.usize(0..moves.count() as usize);
            if let Some(next) = moves.iter().nth(chosen).and_then(|square| position.play(square)) {
                position = next;
            }
        }
    }
}

/// Returns a random set of squares, each in it with probability one half.
pub fn random_set(random: &mut fastrand::Rng) -> Bitboard {
    Bitboard::from_bits(random.u64(..))
}

/// Returns a random game with evals and times, often from a random position, often unfinished.
pub fn random_game(random: &mut fastrand::Rng) -> Record {
    let mut board = Board::start();
    if random.u8(0..4) == 0 {
        let (discs, black) = (random_set(random), random_set(random));
        let start = Position::new_unchecked(discs & black, discs & !black);
        board = Board::from_position(start, Color::ALL[random.usize(0..2)]);
    }
    let mut record = Record::from_start(board.position(), board.side_to_move());
    let max_plies = random.usize(0..90);
    while !board.is_over() && record.turns.len() < max_plies {
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

/// Returns the path of a file or folder of the reference data, which is not part of the project.
///
/// Returns `None` and says so on standard error, past the capture of the test harness, where it
/// is absent.
///
/// # Panics
/// The file is absent and `UMIGAME_REQUIRE_DATA` is set.
pub fn reference(name: &str) -> Option<PathBuf> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/data").join(name);
    if path.exists() {
        return Some(path);
    }
    skip(&format!("no {}", path.display()));
    None
}

/// Says on standard error, past the capture of the test harness, that a test is skipped.
///
/// # Panics
/// `UMIGAME_REQUIRE_DATA` is set: then every skip is a failure.
pub fn skip(reason: &str) {
    assert!(
        std::env::var_os("UMIGAME_REQUIRE_DATA").is_none(),
        "UMIGAME_REQUIRE_DATA is set, and a test would be skipped: {reason}"
    );
    let test = std::thread::current().name().unwrap_or("test").to_owned();
    // In one piece, or the lines of other tests come between.
    let _ = io::stderr().write_all(format!("SKIPPED {test}: {reason}\n").as_bytes());
}

/// Returns a text with one to four of its characters changed, dropped, doubled or moved.
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
