//! Compares the chosen kernels with the portable ones, and those with the rules of the mailbox
//! board.

use super::*;
use crate::{Board, Color, DIRECTIONS, Position, Square, squares, testing};

fn assert_agree(position: Position) {
    let Position { player, opponent } = position;
    let empty = position.empty();
    assert_eq!(moves(player, opponent), portable::moves(player, opponent), "{position:?}");
    assert_eq!(stable(player, opponent), portable::stable(player, opponent), "{position:?}");
    let expected = portable::potential_moves(opponent, empty);
    assert_eq!(potential_moves(opponent, empty), expected, "{position:?}");
    for square in squares(empty) {
        let expected = portable::flips(player, opponent, square);
        assert_eq!(flips(player, opponent, square), expected, "{position:?} {square}");
    }
}

#[test]
fn kernels_agree_with_the_portable_ones_in_random_games() {
    testing::random_positions(1, 1_000_000, |position| {
        assert_agree(position);
        assert_agree(position.passed());
    });
}

#[test]
fn kernels_agree_with_the_portable_ones_on_random_discs() {
    let mut random = fastrand::Rng::with_seed(2);
    for round in 0..2_000_000u32 {
        // Boards from nearly empty to nearly full.
        let (a, b) = (random.u64(..), random.u64(..));
        let filled = match round % 3 {
            0 => random.u64(..),
            1 => random.u64(..) | random.u64(..) | random.u64(..),
            _ => a & b,
        };
        assert_agree(Position { player: filled & a, opponent: filled & !a });
    }
}

#[test]
fn portable_kernels_follow_the_rules_of_the_mailbox_board() {
    testing::random_positions(3, 20_000, |position| {
        let board = Board::from_position(position, Color::White);
        let mut legal = 0;
        for square in Square::all() {
            let mut copy = board.clone();
            let flipped =
                copy.place(square).map_or(0, |flips| flips.iter().fold(0, |all, s| all | s.bit()));
            if position.empty() & square.bit() != 0 {
                assert_eq!(portable::flips(position.player, position.opponent, square), flipped);
            }
            legal |= if flipped != 0 { square.bit() } else { 0 };
        }
        assert_eq!(portable::moves(position.player, position.opponent), legal);
    });
}

#[test]
fn potential_moves_are_empty_neighbours_of_discs_that_can_be_flipped_along_that_axis() {
    testing::random_positions(7, 20_000, |position| {
        let mut expected = 0;
        for square in squares(position.opponent) {
            for (k, (dx, _)) in DIRECTIONS.into_iter().enumerate() {
                if dx == 0 || (1..7).contains(&square.column()) {
                    expected |= square.step(k).map_or(0, Square::bit);
                }
            }
        }
        let found = portable::potential_moves(position.opponent, position.empty());
        assert_eq!(found, expected & position.empty(), "{position:?}");
    });
}

#[test]
fn last_flips_agree_with_the_portable_ones() {
    let mut random = fastrand::Rng::with_seed(4);
    for _ in 0..100_000 {
        let discs = random.u64(..);
        for square in Square::all() {
            let player = discs & !square.bit();
            assert_eq!(last_flips(player, square), portable::last_flips(player, square));
        }
    }
}

#[test]
fn column_a_and_onto_column_a_are_inverses() {
    for line in 0..=u8::MAX {
        assert_eq!(onto_column_a(line), portable::onto_column_a(line));
        assert_eq!(column_a(onto_column_a(line)), line);
        assert_eq!(portable::column_a(onto_column_a(line) | !crate::COLUMN_A), line);
    }
}

#[test]
fn the_processor_that_runs_the_tests_lacks_nothing() {
    assert_eq!(unsupported(), None);
}

#[test]
fn row_sums_agree_with_the_portable_ones() {
    let mut random = fastrand::Rng::with_seed(3);
    for _ in 0..10_000 {
        let (mut sum, mut expected) = (PairSum::zero(), portable::PairSum::zero());
        let rows = random.usize(0..100);
        let mut numbers = [[0; 32]; 2];
        for _ in 0..rows {
            let pairs: [[i8; 2]; 32] = std::array::from_fn(|_| [random.i8(..), random.i8(..)]);
            let row = pairs.map(|[first, second]| pair(first, second));
            (sum, expected) = (sum.with(&row), expected.with(&row));
            for (i, pair) in pairs.into_iter().enumerate() {
                (0..2).for_each(|half| numbers[half][i] += i16::from(pair[half]));
            }
        }
        assert_halves(sum, expected, rows, numbers);
        let from: [u64; 8] = std::array::from_fn(|_| random.u64(0..8));
        let (sum, expected) = (sum.ordered(&from), expected.ordered(&from));
        let ordered =
            numbers.map(|half| std::array::from_fn(|i| half[4 * from[i / 4] as usize + i % 4]));
        assert_halves(sum, expected, rows, ordered);
        let doubled = ordered.map(|half| half.map(|number| 2 * number));
        assert_halves(sum.plus(sum), expected.plus(expected), 2 * rows, doubled);
    }
}

fn assert_halves(sum: PairSum, expected: portable::PairSum, rows: usize, numbers: [[i16; 32]; 2]) {
    assert_eq!(sum.halves(rows as i16).map(|half| half.numbers()), numbers);
    assert_eq!(expected.halves(rows as i16).map(|half| half.numbers()), numbers);
}

#[test]
fn dense_layers_agree_with_the_portable_ones() {
    let mut random = fastrand::Rng::with_seed(4);
    for _ in 0..10_000 {
        let inputs = std::array::from_fn(|_| random.i16(-17_000..17_000));
        let weights = std::array::from_fn(|_| std::array::from_fn(|_| random.i16(-1792..=1792)));
        let biases = std::array::from_fn(|_| random.i32(-1_000_000..1_000_000));
        let expected = portable::dense_layer(&inputs, &weights, &biases);
        assert_eq!(dense_layer(&inputs, &weights, &biases), expected);
    }
}

#[test]
fn activations_agree_with_their_definition() {
    let mut random = fastrand::Rng::with_seed(5);
    for _ in 0..10_000 {
        let activation = Activation {
            slope: random.i16(1..=32),
            saturation: random.i16(1..=512),
            limit: random.i16(512..=2048),
        };
        let sums = std::array::from_fn(|_| random.i16(-9_000..9_000));
        let biases = std::array::from_fn(|_| random.i16(-3_072..=3_072));
        let expected: [i16; 64] = std::array::from_fn(|i| activation.of(sums[i] + biases[i]));
        assert_eq!(activated(&sums, &biases, &activation), expected);
        assert_eq!(portable::activated(&sums, &biases, &activation), expected);
    }
}

#[test]
fn dot_products_agree_with_the_portable_ones() {
    let mut random = fastrand::Rng::with_seed(6);
    for _ in 0..10_000 {
        let [a, b] = [17_000, 1_792].map(|max| std::array::from_fn(|_| random.i16(-max..=max)));
        assert_eq!(dot(&a, &b), portable::dot(&a, &b));
        let numbers = std::array::from_fn(|_| random.i32(..));
        let weights = std::array::from_fn(|_| random.i32(-3_072..=3_072));
        let expected = portable::clipped_dot::<14, 8_191>(&numbers, &weights);
        assert_eq!(clipped_dot::<14, 8_191>(&numbers, &weights), expected);
    }
}
