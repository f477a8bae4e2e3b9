//! Compares the chosen kernels with the portable ones, and those with the rules of the mailbox
//! board.

use super::*;
use crate::{Bitboard, Board, Color, DIRECTIONS, Position, Square, testing};

fn assert_agree(position: Position) {
    let [player, opponent, empty] =
        [position.player(), position.opponent(), position.empty()].map(Bitboard::bits);
    assert_eq!(moves(player, opponent), portable::moves(player, opponent), "{position:?}");
    assert_eq!(stable(player, opponent), portable::stable(player, opponent), "{position:?}");
    let all = portable::stable(player, opponent).count_ones();
    for wanted in [1, all / 2, all.saturating_sub(1), all, all + 1, all + 5] {
        let found = stable_count(player, opponent, wanted);
        assert_eq!(found.is_some(), all >= wanted, "{position:?} {wanted}");
        assert!(found.is_none_or(|found| (wanted..=all).contains(&found)), "{position:?} {wanted}");
    }
    let expected = portable::potential_moves(opponent, empty);
    assert_eq!(potential_moves(opponent, empty), expected, "{position:?}");
    for square in Bitboard::from_bits(empty) {
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
        assert_agree(Position::new_unchecked((filled & a).into(), (filled & !a).into()));
    }
}

#[test]
fn portable_kernels_follow_the_rules_of_the_mailbox_board() {
    testing::random_positions(3, 20_000, |position| {
        let board = Board::from_position(position, Color::White);
        let [player, opponent] = [position.player(), position.opponent()].map(Bitboard::bits);
        let mut legal = Bitboard::EMPTY;
        for square in Square::all() {
            let mut copy = board.clone();
            let flipped = match copy.play(square) {
                Ok(()) => position.opponent() & copy.position().opponent(),
                Err(_) => Bitboard::EMPTY,
            };
            if position.empty().contains(square) {
                assert_eq!(portable::flips(player, opponent, square), flipped.bits());
            }
            legal.extend((!flipped.is_empty()).then_some(square));
        }
        assert_eq!(portable::moves(player, opponent), legal.bits());
    });
}

#[test]
fn potential_moves_are_empty_neighbours_of_discs_that_can_be_flipped_along_that_axis() {
    testing::random_positions(7, 20_000, |position| {
        let mut expected = Bitboard::EMPTY;
        for square in position.opponent() {
            for (k, (dx, _)) in DIRECTIONS.into_iter().enumerate() {
                if dx == 0 || (1..7).contains(&square.column()) {
                    expected.extend(square.step(k));
                }
            }
        }
        let found = portable::potential_moves(position.opponent().bits(), position.empty().bits());
        assert_eq!(found, (expected & position.empty()).bits(), "{position:?}");
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
        assert_eq!(portable::column_a(onto_column_a(line) | !Bitboard::COLUMN_A.bits()), line);
    }
}

#[test]
fn the_processor_that_runs_the_tests_lacks_nothing() {
    assert_eq!(unsupported(), None);
}
