//! Laws of the boards over random games.

use proptest::prelude::*;

use super::*;

/// Plays a random game with passes; calls `check` after every ply.
fn random_game(seed: u64, mut check: impl FnMut(&Board)) -> Board {
    let mut random = fastrand::Rng::with_seed(seed);
    let mut board = Board::start();
    while !board.is_over() {
        let legal: Vec<_> = board.legal_squares().collect();
        if legal.is_empty() {
            board.pass().expect("a side without a move passes");
        } else {
            board.place(legal[random.usize(0..legal.len())]).expect("a listed move is legal");
        }
        check(&board);
    }
    board
}

#[test]
fn undo_restores_every_position_over_a_million_plies() {
    let mut plies = 0;
    let mut seed = 0;
    while plies < 1_000_000 {
        let mut seen = vec![(Board::start().position(), Board::start().key())];
        let mut board = random_game(seed, |board| seen.push((board.position(), board.key())));
        plies += board.plies();
        while let Some((position, key)) = seen.pop() {
            assert_eq!((board.position(), board.key()), (position, key));
            assert_eq!(board.undo().is_some(), !seen.is_empty());
        }
        assert_eq!(board, Board::start());
        seed += 1;
    }
}

#[test]
fn the_two_boards_agree_in_random_games() {
    for seed in 0..2_000 {
        random_game(seed, |board| {
            let position = board.position();
            let (map, legal) = board.direction_map();
            let moves = map
                .iter()
                .enumerate()
                .fold(0u64, |bits, (i, &mask)| bits | u64::from(mask != 0) << i);
            assert_eq!(position.moves(), moves);
            assert_eq!(legal as u32, moves.count_ones());
            assert_eq!(position.is_over(), board.is_over());
            assert_eq!(position.must_pass(), board.must_pass());
            assert_eq!(position.empties(), board.empties());
            assert_eq!(position.key(board.side_to_move()), board.key());
            assert_eq!(board.validate(), Ok(()));
        });
    }
}

#[test]
fn directions_name_the_runs_that_flip() {
    let board = Board::start();
    // d3 flips d4 to the south, direction 4 of the eight.
    assert_eq!(board.directions(Square::D3), 1 << 4);
    assert_eq!(board.direction_map().1, 4);
    assert_eq!(board.directions(Square::A1), 0);
    assert_eq!(board.directions(Square::D4), 0);
}

#[test]
fn perft_agrees_with_the_published_counts() {
    // Depths 1 to 9; a pass costs a ply, or is free.
    let counts: [(u64, u64); 9] = [
        (4, 4),
        (12, 12),
        (56, 56),
        (244, 244),
        (1_396, 1_396),
        (8_200, 8_200),
        (55_092, 55_092),
        (390_216, 390_216),
        (3_005_288, 3_005_320),
    ];
    for (depth, (costs, free)) in (1..).zip(counts) {
        assert_eq!(perft(Position::START, depth, PassRule::CostsPly), costs);
        assert_eq!(perft(Position::START, depth, PassRule::Free), free);
        if depth <= 7 {
            let mut board = Board::start();
            assert_eq!(perft_mailbox(&mut board, depth, PassRule::CostsPly), costs);
            assert_eq!(perft_mailbox(&mut board, depth, PassRule::Free), free);
            assert_eq!(board, Board::start());
        }
    }
}

/// Depth 10 on both boards and depth 9 on the mailbox:
/// `cargo test --release perft_to_depth_ten -- --ignored`
#[test]
#[ignore = "half a minute on the mailbox"]
fn perft_to_depth_ten_on_both_boards() {
    let counts = [(8, 390_216, 390_216), (9, 3_005_288, 3_005_320), (10, 24_571_284, 24_571_420)];
    for (depth, costs, free) in counts {
        for (rule, count) in [(PassRule::CostsPly, costs), (PassRule::Free, free)] {
            assert_eq!(perft(Position::START, depth, rule), count);
            assert_eq!(perft_mailbox(&mut Board::start(), depth, rule), count);
        }
    }
}

#[test]
fn symmetries_keep_the_rules_and_have_inverses() {
    testing::random_positions(7, 5_000, |position| {
        let canonical = position.canonical();
        assert_eq!(canonical.1.of_position(position), canonical.0);
        for symmetry in Symmetry::ALL {
            let image = symmetry.of_position(position);
            assert_eq!(symmetry.inverse().of_position(image), position);
            assert_eq!(symmetry.of_bits(position.moves()), image.moves());
            assert_eq!(image.canonical().0, canonical.0);
        }
    });
}

#[test]
fn illegal_moves_say_why() {
    let mut board = Board::start();
    let reason = |result: Result<(), IllegalMove>| result.expect_err("illegal").to_string();
    assert_eq!(reason(board.play(Move::Place(Square::A1))), "a1: flips nothing for Black");
    assert_eq!(reason(board.play(Move::Place(Square::D4))), "d4: there is a disc already");
    assert_eq!(reason(board.play(Move::Pass)), "pass: Black has a legal move");
    assert_eq!(board, Board::start());
}

#[test]
fn a_position_that_cannot_be_read_says_where() {
    let error = |text: &str| parse_position(text).expect_err("bad").to_string();
    assert_eq!(error("---?"), "column 4: `?` is no square: expected X x * B b, O o W w 0, - or .");
    assert_eq!(error("---"), "the board has 3 squares of 64");
    let start = position_text(Position::START, Color::Black);
    assert_eq!(
        error(&start[..64]),
        "column 65: the side to move is missing: expected X or O after the 64 squares"
    );
    assert!(error(&start.replace(" X", " q")).starts_with("column 66: `q` is no side to move"));
    assert!(error(&format!("{start} f5")).starts_with("column 68: `f5` after the side to move"));
}

#[test]
fn every_two_characters_are_a_square_or_refused() {
    let letters = || (0u8..128).map(char::from);
    let squares = letters()
        .flat_map(|first| letters().map(move |second| format!("{first}{second}")))
        .filter(|text| text.parse::<Square>().is_ok());
    // Both cases of the letter.
    assert_eq!(squares.count(), 2 * Square::COUNT);
}

proptest! {
    #[test]
    fn positions_print_as_they_read(player: u64, other: u64, white: bool) {
        let position = Position { player, opponent: other & !player };
        let side = if white { Color::White } else { Color::Black };
        prop_assert_eq!(parse_position(&position_text(position, side)), Ok((position, side)));
    }

    #[test]
    fn any_text_reads_or_is_refused(text in ".{0,100}") {
        let _ = parse_position(&text);
        let _ = text.parse::<Move>();
    }

    #[test]
    fn moves_print_as_they_read(index in 0usize..64) {
        let square = Square::from_index(index).expect("below 64");
        prop_assert_eq!(square.to_string().parse(), Ok(Move::Place(square)));
        prop_assert_eq!(format!("{square:#}").parse(), Ok(Move::Place(square)));
        prop_assert_eq!(Move::Pass.to_string().parse(), Ok(Move::Pass));
    }
}
