//! Tests of the table of openings.

#![allow(clippy::unwrap_used)]

use super::*;
use crate::Symmetry;
use crate::formats::transcript::read_position;

#[test]
fn every_row_of_the_table_is_read() {
    let rows = TABLE.lines().filter(|row| !row.starts_with('#'));
    assert_eq!(rows.count(), all().count());
    assert_eq!(BY_POSITION.len(), all().count());
}

#[test]
fn every_line_of_the_table_is_legal_named_and_unique() {
    let mut last = "";
    for opening in all() {
        assert!(opening.moves > last, "{} is out of order", opening.moves);
        last = opening.moves;
        let board = read_position(opening.moves).unwrap();
        assert_eq!(board.plies(), opening.plies(), "{}: no pass", opening.moves);
        assert!(opening.english().is_some() || opening.japanese().is_some(), "{}", opening.moves);
        assert!(opening.english().is_none_or(|name| name.is_ascii() && name.trim() == name));
        assert!(opening.japanese().is_none_or(|name| !name.is_ascii()));
        assert_eq!(of_position(board.position()), Some(opening), "another line leads here too");
    }
    assert!(all().count() >= 400);
}

#[test]
fn well_known_openings_have_their_names() {
    for (moves, name) in [
        ("f5d6", "Perpendicular"),
        ("f5f6", "Diagonal"),
        ("f5f4", "Parallel"),
        ("f5d6c3d3c4", "Tiger"),
        ("f5d6c5f4e3c6d3f6e6d7", "Rose"),
        ("f5f6e6f4e3", "Cow"),
        ("f5d6c4d3c5", "Cat"),
    ] {
        assert_eq!(english(&read_position(moves).unwrap()), Some(name), "{moves}");
    }
    assert_eq!(japanese(&read_position("f5f6e6f4e3").unwrap()), Some("\u{725b}\u{5b9a}\u{77f3}"));
    assert_eq!(english(&Board::start()), None);
}

#[test]
fn a_game_keeps_its_name_until_it_reaches_a_longer_named_line() {
    let board = read_position("f5d6c3d3c4f4").unwrap();
    assert_eq!(english(&board), Some("Tiger"));
    let names: Vec<_> = along(&board).filter_map(|opening| opening.english()).collect();
    assert_eq!(names, ["Tiger", "Perpendicular"]);
}

#[test]
fn lines_are_found_from_all_four_first_moves() {
    for opening in all() {
        let ours = of_position(read_position(opening.moves).unwrap().position());
        for symmetry in Symmetry::ALL {
            // Four of the eight symmetries leave the start position unchanged.
            if symmetry.of_position(Position::START) != Position::START {
                continue;
            }
            let mut board = Board::start();
            for played in read_position(opening.moves).unwrap().history() {
                board.play(symmetry.of_square(played.square().unwrap())).unwrap();
            }
            assert_eq!(of_position(board.position()), ours, "{}", opening.moves);
        }
    }
}

#[test]
fn a_transposition_has_the_name_of_the_line_that_it_joins() {
    for (moves, name) in [
        ("f5d6c4d3c3", "Tiger"),
        ("f5f4e3f6e6", "Cow"),
        ("f5d6c4f4f6d3c3", "Stephenson"),
        ("f5f6e6f4f3d7c3", "Maruoka Buffalo"),
    ] {
        assert!(all().all(|line| line.moves != moves), "{moves} is a row of the table");
        assert_eq!(english(&read_position(moves).unwrap()), Some(name), "{moves}");
    }
}
