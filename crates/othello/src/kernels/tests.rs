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
