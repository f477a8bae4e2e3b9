//! Proves stability by exhaustive search: no continuation of a small endgame flips a stable disc.

use super::*;
use crate::kernels::full_lines;
use crate::square::COLUMN_A;
use crate::testing::random_positions;
use crate::{Symmetry, parse_position};

const COUNTS: [fn(Position) -> Bitboard; 3] = [edge_runs, spread, stable];

/// Returns the player's stable discs by the classic rule of the evaluation texts of 2001 to 2016, a count
/// between the two. From the corners outward, a disc is
/// stable if each of its four axes is safe: at the rim, next to a stable disc of the player, or in
/// a full line.
fn spread(position: Position) -> Bitboard {
    const NOT_A: u64 = !COLUMN_A;
    const NOT_H: u64 = !(COLUMN_A << 7);
    const SIDES: u64 = COLUMN_A | COLUMN_A << 7;
    const ENDS: u64 = 0xFF | 0xFF << 56;
    let player = position.player().bits();
    let [row, column, falling, rising] = full_lines(!position.empty().bits());
    let mut stable = 0;
    loop {
        let right = (stable & NOT_H) << 1;
        let left = (stable & NOT_A) >> 1;
        let grown = player
            & (SIDES | row | right | left)
            & (ENDS | column | (stable << 8) | (stable >> 8))
            & (SIDES | ENDS | falling | (right << 8) | (left >> 8))
            & (SIDES | ENDS | rising | (left << 8) | (right >> 8));
        if grown == stable {
            return Bitboard::from_bits(stable);
        }
        stable = grown;
    }
}

/// Returns the discs that no continuation flips: (player's, opponent's).
fn never_flipped(position: Position, passed: bool) -> (Bitboard, Bitboard) {
    let moves = position.legal_moves();
    if moves.is_empty() {
        if passed {
            return (position.player(), position.opponent());
        }
        let (opponent, player) = never_flipped(position.passed(), true);
        return (player, opponent);
    }
    let mut kept = (position.player(), position.opponent());
    for square in moves {
        let flips = position.flips(square);
        let (opponent, player) = never_flipped(position.after(square, flips), false);
        kept = (kept.0 & player, kept.1 & opponent & !flips);
    }
    kept
}

/// Checks the counts of `wanted` random positions against every continuation.
fn check_endgames(seed: u64, empties: std::ops::RangeInclusive<u32>, wanted: usize) {
    let (mut checked, mut called, mut kept) = (0, [0; 3], 0);
    random_positions(seed, wanted * 30, |position| {
        if !empties.contains(&position.empties()) || checked == wanted {
            return;
        }
        checked += 1;
        let (player, opponent) = never_flipped(position, false);
        kept += player.count() + opponent.count();
        for (count, called) in COUNTS.iter().zip(&mut called) {
            let own = count(position);
            let other = count(position.passed());
            *called += own.count() + other.count();
            assert!(own.is_subset(player), "{position:?}");
            assert!(other.is_subset(opponent), "{position:?}");
        }
    });
    assert!(checked >= wanted / 2, "only {checked} endgames");
    // The counts must find discs for the proof to mean anything.
    assert!(called[0] > 0 && called[1] > called[0] && called[2] > called[1], "{called:?}");
    println!("{checked} endgames: called stable {called:?} of {kept} never flipped");
}

#[test]
fn no_continuation_flips_a_stable_disc() {
    check_endgames(1, 5..=7, 600);
}

/// `cargo test --release stability -- --ignored --nocapture`
#[test]
#[ignore = "searches every continuation of endgames of 8 to 10 empties: about a minute"]
fn no_continuation_flips_a_stable_disc_in_larger_endgames() {
    check_endgames(2, 8..=10, 1500);
}

#[test]
fn each_count_is_a_lower_bound_of_the_next() {
    let mut counted = [0; 3];
    random_positions(3, 20_000, |position| {
        let [runs, spread, stable] = COUNTS.map(|f| f(position));
        assert!(runs.is_subset(spread), "{position:?}");
        assert!(spread.is_subset(stable), "{position:?}");
        assert!(stable.is_subset(position.player()), "{position:?}");
        for (sum, found) in counted.iter_mut().zip([runs, spread, stable]) {
            *sum += found.count();
        }
    });
    assert!(counted[0] < counted[1] && counted[1] < counted[2], "{counted:?}");
}

#[test]
fn a_stable_disc_is_stable_after_any_move() {
    random_positions(4, 3_000, |position| {
        let own = stable(position);
        for square in position.legal_moves() {
            let next = position.after(square, position.flips(square));
            assert!(own.is_subset(stable(next.passed())), "{position:?} {square}");
        }
    });
}

#[test]
fn stability_is_the_same_in_all_eight_images() {
    random_positions(5, 2_000, |position| {
        for symmetry in Symmetry::ALL {
            let image = symmetry.of_position(position);
            for count in COUNTS {
                let expected = symmetry.of_set(count(position));
                assert_eq!(count(image), expected, "{position:?}");
            }
        }
    });
}

#[test]
fn full_lines_have_no_empty_square() {
    let steps = [(1i8, 0i8), (0, 1), (1, 1), (1, -1)];
    random_positions(6, 3_000, |position| {
        let occupied = !position.empty();
        for (axis, (dx, dy)) in full_lines(occupied.bits()).into_iter().zip(steps) {
            for square in crate::Square::all() {
                let on_line = |k: i8| {
                    crate::Square::at(square.column() as i8 + k * dx, square.row() as i8 + k * dy)
                };
                let full = (-7..8).filter_map(on_line).all(|s| occupied.contains(s));
                assert_eq!(axis & square.bit() != 0, full, "{position:?} {square}");
            }
        }
    });
}

/// Reads a drawn board; `X` is the player.
fn drawn(rows: &str) -> Position {
    parse_position(&format!("{rows} X")).map(|(position, _)| position).unwrap_or_default()
}

#[test]
fn each_count_finds_more_than_the_one_before() {
    // A full edge of both colours; a block between two opponents' discs that is safe without any
    // corner: only the table finds the second.
    let full_edge = drawn(
        "XXOOXXOX
         --------
         --------
         ---XO---
         ---OX---
         --------
         --------
         --------",
    );
    assert_eq!(edge_runs(full_edge), full_edge.player() & Bitboard::ROW_1);
    let triangle = drawn(
        "XXX-----
         XX------
         X-------
         ---XO---
         ---OX---
         --------
         --------
         --------",
    );
    let counts = COUNTS.map(|count| count(triangle).count());
    assert_eq!(counts, [5, 6, 6]);
    let block = drawn(
        "-OXXXXO-
         --------
         --------
         ---XO---
         ---OX---
         --------
         --------
         --------",
    );
    let counts = COUNTS.map(|count| count(block).count());
    assert_eq!(counts, [0, 0, 4]);
}

/// `cargo test --release speed_of_stable -- --ignored --nocapture`
#[test]
#[ignore = "a measurement"]
fn speed_of_stable() {
    let mut positions = Vec::new();
    random_positions(8, 4096, |position| positions.push(position));
    for (name, count) in ["edge_runs", "spread", "stable"].iter().zip(COUNTS) {
        let (start, mut sum) = (std::time::Instant::now(), 0u64);
        for _ in 0..500 {
            for position in &positions {
                sum += u64::from(count(std::hint::black_box(*position)).count());
            }
        }
        let calls = 500 * positions.len();
        let nanoseconds = start.elapsed().as_secs_f64() * 1e9 / calls as f64;
        println!("{name}: {nanoseconds:.1} ns ({sum})");
    }
}
