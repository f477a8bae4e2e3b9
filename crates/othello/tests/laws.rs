//! Laws of the game, by the public interface alone: both boards agree, undo is exact, symmetries
//! keep the rules, perft has the published counts, texts read back.

use std::collections::HashSet;

use proptest::prelude::*;
use umigame_othello::{
    Bitboard, Board, Color, Eval, IllegalMove, Move, PassRule, Position, Record, Score, Square,
    Symmetry, formats, parse_position, perft, perft_mailbox, position_text,
};

/// Plays a random game to its end, with `check` after every ply.
fn random_game(seed: u64, mut check: impl FnMut(&Board)) -> Board {
    let mut random = fastrand::Rng::with_seed(seed);
    let mut board = Board::start();
    while !board.is_over() {
        let legal: Vec<Square> = board.legal_squares().collect();
        if legal.is_empty() {
            board.pass().expect("a side without a legal square passes");
        } else {
            board.play(legal[random.usize(0..legal.len())]).expect("a listed move is legal");
        }
        check(&board);
    }
    board
}

/// A board's state that its history does not determine by definition.
#[derive(Debug, PartialEq)]
struct State {
    position: Position,
    side: Color,
    key: u64,
    counts: [u32; 2],
    directions: [u8; Square::COUNT],
}

impl State {
    fn of(board: &Board) -> State {
        State {
            position: board.position(),
            side: board.side_to_move(),
            key: board.key(),
            counts: Color::ALL.map(|color| board.count(color)),
            directions: directions(board),
        }
    }
}

/// Returns the direction mask of every square, by index.
fn directions(board: &Board) -> [u8; Square::COUNT] {
    let mut masks = [0; Square::COUNT];
    for square in Square::all() {
        masks[square.index()] = board.directions(square);
    }
    masks
}

#[test]
fn undo_restores_position_key_counts_and_direction_masks_over_a_million_plies() {
    let (mut plies, mut seed) = (0, 0);
    while plies < 1_000_000 {
        let mut seen = vec![State::of(&Board::start())];
        let mut board = random_game(seed, |board| seen.push(State::of(board)));
        plies += board.plies();
        while let Some(state) = seen.pop() {
            assert_eq!(State::of(&board), state);
            assert_eq!(board.undo().is_some(), !seen.is_empty());
        }
        assert_eq!(board, Board::start());
        seed += 1;
    }
}

#[test]
fn both_boards_agree_in_random_games() {
    for seed in 0..2_000 {
        let mut expected = Position::START;
        random_game(seed, |board| {
            let played = board.history().next_back().expect("a ply");
            expected = expected.play(played).expect("legal on the mailbox board");
            let position = board.position();
            assert_eq!(position, expected);
            let legal: Bitboard =
                Square::all().filter(|&square| board.directions(square) != 0).collect();
            assert_eq!(position.legal_moves(), legal);
            assert_eq!(board.legal_squares().collect::<Bitboard>(), legal);
            assert_eq!(position.is_over(), board.is_over());
            assert_eq!(position.must_pass(), board.must_pass());
            assert_eq!(position.empties(), board.empties());
            assert_eq!(position.key(board.side_to_move()), board.key());
        });
    }
}

#[test]
fn both_boards_flip_the_same_discs_along_the_masked_directions() {
    for seed in 0..200 {
        random_game(seed, |board| {
            for square in board.legal_squares() {
                let mut copy = board.clone();
                copy.play(square).expect("a listed move is legal");
                // The opponent's discs that the mover has now.
                let flipped = board.position().opponent() & copy.position().opponent();
                assert_eq!(flipped, board.position().flips(square));
                // Each set direction flips its neighbour; each clear one does not.
                for k in 0..8 {
                    let next = square.step(k).is_some_and(|next| flipped.contains(next));
                    assert_eq!(board.directions(square) >> k & 1 == 1, next, "{square} {k}");
                }
                // The number of changed discs, the placed one included.
                let changed = copy.count(board.side_to_move()) - board.count(board.side_to_move());
                assert_eq!(changed, flipped.count() + 1);
            }
        });
    }
}

#[test]
fn direction_masks_name_the_runs_that_flip() {
    let board = Board::start();
    // d3 flips d4 to the south, direction 4 of the eight.
    assert_eq!(board.directions(Square::D3), 1 << 4);
    assert_eq!(board.legal_squares().count(), 4);
    assert_eq!(board.directions(Square::A1), 0);
    assert_eq!(board.directions(Square::D4), 0);
}

/// Perft from depth 1: (a pass costs a ply, a pass is free).
const PERFT: [(u64, u64); 10] = [
    (4, 4),
    (12, 12),
    (56, 56),
    (244, 244),
    (1_396, 1_396),
    (8_200, 8_200),
    (55_092, 55_092),
    (390_216, 390_216),
    (3_005_288, 3_005_320),
    (24_571_284, 24_571_420),
];

/// Compares both boards with the published counts, in both pass conventions.
fn check_perft(depths: std::ops::RangeInclusive<u32>, mailbox_max_depth: u32) {
    for depth in depths {
        let (costs, free) = PERFT[depth as usize - 1];
        for (rule, count) in [(PassRule::CostsPly, costs), (PassRule::Free, free)] {
            assert_eq!(perft(Position::START, depth, rule), count, "depth {depth}");
            if depth <= mailbox_max_depth {
                let mut board = Board::start();
                assert_eq!(perft_mailbox(&mut board, depth, rule), count, "depth {depth}");
                assert_eq!(board, Board::start());
            }
        }
    }
}

#[test]
fn perft_has_the_published_counts() {
    check_perft(1..=9, 8);
}

/// `cargo test --release -p umigame-othello --test laws -- --ignored`
#[test]
#[ignore = "half a minute for the mailbox board in a release build"]
fn perft_has_the_published_counts_at_depths_nine_and_ten_on_both_boards() {
    check_perft(9..=10, 10);
}

#[test]
fn symmetries_keep_the_rules_and_have_inverses() {
    for seed in 0..100 {
        random_game(seed, |board| {
            let position = board.position();
            let (canonical, symmetry) = position.canonical();
            assert_eq!(symmetry.of_position(position), canonical);
            for symmetry in Symmetry::ALL {
                let image = symmetry.of_position(position);
                assert_eq!(symmetry.inverse().of_position(image), position);
                assert_eq!(symmetry.of_set(position.legal_moves()), image.legal_moves());
                assert_eq!(image.canonical().0, canonical);
                for second in Symmetry::ALL {
                    let both = second.after(symmetry).of_position(position);
                    assert_eq!(both, second.of_position(image));
                }
            }
        });
    }
}

#[test]
fn an_illegal_move_is_refused_with_a_reason() {
    let mut board = Board::start();
    let reason = |result: Result<(), IllegalMove>| result.expect_err("illegal").to_string();
    assert_eq!(reason(board.play(Move::Place(Square::A1))), "a1: flips nothing for Black");
    assert_eq!(reason(board.play(Move::Place(Square::D4))), "d4: there is a disc already");
    assert_eq!(reason(board.play(Move::Pass)), "pass: Black has a legal move");
    assert_eq!(board, Board::start());
    let mut over = random_game(1, |_| ());
    assert_eq!(reason(over.play(Move::Pass)), "pass: the game is over");
}

#[test]
fn a_finished_game_has_a_result_and_goes_from_board_to_record_to_text_and_back() {
    for seed in 0..200 {
        let board = random_game(seed, |board| {
            assert_eq!(board.result_for_black().is_some(), board.is_over());
        });
        let record = Record::from_board(&board);
        assert_eq!(record.board().as_ref(), Ok(&board));
        let ggf = formats::ggf::text(&record);
        assert_eq!(formats::ggf::parse(&ggf).as_ref(), Ok(&record));
        assert_eq!(ggf.parse::<Board>().as_ref(), Ok(&board));
        let transcript = formats::transcript::text(&record);
        assert_eq!(transcript.parse::<Board>().as_ref(), Ok(&board));
    }
}

#[test]
fn a_text_that_is_no_position_is_an_error_with_its_column() {
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
fn a_number_out_of_range_is_no_score_and_no_eval() {
    let error = |text: &str| text.parse::<Score>().expect_err("no score").to_string();
    assert_eq!(error("65"), "`65` is no score: expected discs from -64 to 64");
    assert_eq!(error("+1.5"), "`+1.5` is no score: expected discs from -64 to 64");
    let error = "64.01".parse::<Eval>().expect_err("no eval").to_string();
    assert_eq!(error, "`64.01` is no eval: expected discs from -64.00 to 64.00");
    assert!("red".parse::<Color>().is_err());
}

#[test]
fn of_all_two_character_texts_only_64_squares_in_two_cases_are_read() {
    let letters = || (0u8..128).map(char::from);
    let read = letters()
        .flat_map(|first| letters().map(move |second| format!("{first}{second}")))
        .filter(|text| text.parse::<Square>().is_ok());
    assert_eq!(read.count(), 2 * Square::COUNT);
}

#[test]
fn a_set_lists_every_square_once_from_the_lowest() {
    let mut random = fastrand::Rng::with_seed(5);
    for _ in 0..1_000 {
        let set = Bitboard::from_bits(random.u64(..) & random.u64(..));
        let listed: Vec<Square> = set.into_iter().collect();
        assert!(listed.is_sorted());
        assert_eq!((listed.len(), set.iter().len()), (set.count() as usize, listed.len()));
        assert_eq!(set.first(), listed.first().copied());
        assert_eq!(listed.into_iter().collect::<Bitboard>(), set);
    }
    assert_eq!(Bitboard::FULL.iter().collect::<Vec<_>>(), Square::all().collect::<Vec<_>>());
}

#[test]
fn the_named_sets_hold_the_squares_of_their_names() {
    let named = |names: &str| -> Bitboard {
        names.split(' ').map(|name| name.parse::<Square>().expect("a square")).collect()
    };
    assert_eq!(Bitboard::CORNERS, named("a1 h1 a8 h8"));
    assert_eq!(Bitboard::C_SQUARES, named("b1 g1 a2 h2 a7 h7 b8 g8"));
    assert_eq!(Bitboard::X_SQUARES, named("b2 g2 b7 g7"));
    assert_eq!(Bitboard::COLUMN_A, named("a1 a2 a3 a4 a5 a6 a7 a8"));
    assert_eq!(Bitboard::ROW_1, named("a1 b1 c1 d1 e1 f1 g1 h1"));
    assert_eq!((Bitboard::EMPTY.count(), Bitboard::FULL.count()), (0, 64));
}

/// Returns a position of two random words.
fn disjoint(player: u64, other: u64) -> Position {
    Position::new_unchecked(player.into(), (other & !player).into())
}

#[test]
fn a_position_refuses_discs_of_both_sides_and_names_their_squares() {
    let corners = Bitboard::CORNERS.with(Square::D4);
    let error = Position::new(corners, Bitboard::CORNERS).expect_err("shared squares");
    assert_eq!(error.shared, Bitboard::CORNERS);
    assert_eq!(error.to_string(), "player and opponent share squares: a1 h1 a8 h8");
    let position = Position::new(corners, !corners).expect("no square is shared");
    assert_eq!(
        (position.player(), position.opponent(), position.empties()),
        (corners, !corners, 0)
    );
}

proptest! {
    /// One implementation against another: a set of the standard library.
    #[test]
    fn a_bitboard_is_a_set_of_squares(one: u64, two: u64, index in 0usize..64) {
        let (one, two) = (Bitboard::from(one), Bitboard::from(two));
        let square = Square::from_index(index).expect("below 64");
        let set = |board: Bitboard| board.into_iter().collect::<HashSet<Square>>();
        let (first, second) = (set(one), set(two));
        prop_assert_eq!(set(one & two), &first & &second);
        prop_assert_eq!(set(one | two), &first | &second);
        prop_assert_eq!(set(one ^ two), &first ^ &second);
        prop_assert_eq!(set(one.difference(two)), &first - &second);
        prop_assert_eq!(set(!one), &set(Bitboard::FULL) - &first);
        prop_assert_eq!(one.is_subset(one & two), first.is_subset(&set(one & two)));
        prop_assert!((one & two).is_subset(two) && one.difference(two).is_disjoint(two));
        prop_assert_eq!(one.is_disjoint(two), first.is_disjoint(&second));
        prop_assert_eq!(one.contains(square), first.contains(&square));
        prop_assert_eq!(one.is_empty(), first.is_empty());
        // Each square once, from the lowest.
        prop_assert!(one.iter().is_sorted());
        prop_assert_eq!((one.iter().len(), one.count() as usize), (first.len(), first.len()));
        let (mut with, mut without) = (first.clone(), first);
        with.insert(square);
        without.remove(&square);
        prop_assert_eq!((set(one.with(square)), set(one.without(square))), (with, without));
        let mut changed = one;
        changed.insert(square);
        prop_assert_eq!(changed, one.with(square));
        changed.remove(square);
        prop_assert_eq!(changed, one.without(square));
        changed.extend(two);
        prop_assert_eq!(changed, one.without(square) | two);
        prop_assert_eq!(u64::from(changed), changed.bits());
        prop_assert_eq!(changed.to_string().parse(), Ok(changed));
    }

    #[test]
    fn a_written_position_reads_back(player: u64, other: u64, white: bool) {
        let position = disjoint(player, other);
        let side = if white { Color::White } else { Color::Black };
        prop_assert_eq!(parse_position(&position_text(position, side)), Ok((position, side)));
        prop_assert_eq!(position.to_string().parse(), Ok(position));
    }

    #[test]
    fn random_text_never_panics(text in ".{0,100}") {
        let _ = parse_position(&text);
        let _ = text.parse::<Bitboard>();
        let _ = text.parse::<Score>();
        let _ = text.parse::<Eval>();
        let _ = text.parse::<Color>();
        let _ = text.parse::<Move>();
        let _ = text.parse::<Board>();
    }

    #[test]
    fn a_written_score_eval_and_colour_read_back(discs in -64i32..=64, centidiscs in -6400i32..=6400) {
        let (score, eval) = (Score::saturating(discs), Eval::from_centidiscs(centidiscs));
        prop_assert_eq!(score.to_string().parse(), Ok(score));
        prop_assert_eq!(eval.to_string().parse(), Ok(eval));
        for color in Color::ALL {
            prop_assert_eq!(color.to_string().parse(), Ok(color));
        }
    }

    #[test]
    fn a_written_move_reads_back(index in 0usize..64) {
        let square = Square::from_index(index).expect("below 64");
        prop_assert_eq!(square.to_string().parse(), Ok(Move::Place(square)));
        prop_assert_eq!(format!("{square:#}").parse(), Ok(Move::Place(square)));
        prop_assert_eq!(Move::Pass.to_string().parse(), Ok(Move::Pass));
    }
}
