//! Tests of records, GGF and transcripts; one file for each other format.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing)]

mod format;
mod obf;
mod pgn;
mod sgf;
mod strategy;
mod wthor;

use std::time::Duration;

use proptest::prelude::*;

use super::ggf::{self, GgfError};
use super::transcript::{self, TranscriptError, read_position};
use super::wthor::WthorNames;
use super::{Format, read_games};
use crate::record::Record;
use crate::testing::{mutated, reference};
use crate::{Board, Color, Eval, Move, Position, Score, Square, position_text};
use strategy::record;

/// The first game of a session with NBoard, as captured.
const START: &str = "(;GM[Othello]PC[NBoard]DT[2026-11-21 07:40:20 GMT]PB[]PW[]RE[?]TI[5:00]TY[8]\
    BO[8 ---------------------------O*------*O--------------------------- *];)";

fn with_moves(moves: &str) -> String {
    START.replace("];)", &format!("]{moves};)"))
}

#[test]
fn a_game_of_nboard_is_written_as_it_was_read() {
    let text = with_moves("B[F5//27.379]W[F4/1.25/0.1]B[E3]");
    let game = ggf::parse(&text).unwrap();
    assert_eq!(game.place, "NBoard");
    assert_eq!(game.turns[0].time, Some(Duration::from_millis(27_379)));
    assert_eq!(game.turns[1].eval, Some(Eval::from_centidiscs(125)));
    assert_eq!(game.time_left(Color::Black), Some(Duration::from_millis(272_621)));
    assert_eq!(ggf::text(&game), text);
}

#[test]
fn a_board_in_eight_groups_reads_as_one_without_blanks() {
    let grouped = START.replace(
        "---------------------------O*------*O---------------------------",
        "-------- -------- -------- ---O*--- ---*O--- -------- -------- --------",
    );
    assert_eq!(ggf::parse(&grouped), ggf::parse(START));
}

#[test]
fn white_may_move_first_from_another_board_with_unequal_clocks() {
    let text = "(;GM[Othello]PC[GGS/os]DT[2003.12.15_13:24:03.MST]PB[Saio1200]PW[Saio3000]RE[?]\
        RB[2197.01]RW[2199.72]TB[5:00]TW[10:00/2/1:00]TY[8r18]\
        BO[8 ------------------O*O-----OO*-----**O------*O------***---------- O]\
        W[D2/-1.23/5.01]B[D1//0.5];)";
    let game = ggf::parse(text).unwrap();
    assert_eq!(game.side, Color::White);
    assert_eq!(game.mover(0), Color::White);
    assert_eq!(game.player(Color::Black).rating, Some(2197.01));
    assert_eq!(game.time_left(Color::White), Some(Duration::from_millis(596_990)));
    assert_eq!(game.time_left(Color::Black), Some(Duration::from_millis(299_500)));
    assert_eq!(ggf::text(&game), text);
}

#[test]
fn moves_are_read_in_every_spelling() {
    let text = with_moves("B[f5/1,25/0.1]W[D6]B[c3/-0.50/12.04]w[d3//2.7680000000000002]");
    let game = ggf::parse(&text).unwrap();
    assert_eq!(game.turns[0].eval, Some(Eval::from_centidiscs(125)));
    assert_eq!(game.turns[2].eval, Some(Eval::from_centidiscs(-50)));
    assert_eq!(game.turns[3].time, Some(Duration::from_millis(2768)));
    assert_eq!(game.turns.len(), 4);
}

#[test]
fn a_pass_at_the_end_changes_the_side_to_move() {
    let must_pass = "-OXXXXXX".to_owned() + &"-".repeat(56) + " O";
    let board = read_position(&must_pass).unwrap();
    assert!(board.must_pass());
    for pass in ["PA", "pass", "--", "pa", "P", "PAS", "PA//3.1"] {
        let game = ggf::parse(&format!("(;BO[8 {must_pass}]W[{pass}];)")).unwrap();
        assert_eq!(game.board().unwrap().side_to_move(), Color::Black, "{pass}");
    }
    let unstated = ggf::parse(&format!("(;BO[8 {must_pass}]B[A1]B[PA];)")).unwrap();
    let played: Vec<_> = unstated.turns.iter().map(|turn| turn.played).collect();
    assert_eq!(played, [Move::Pass, Move::Place(Square::A1)]);
}

#[test]
fn tags_may_be_missing_unknown_or_in_another_order() {
    let board = position_text(Position::START, Color::Black);
    let text = format!("(; B[F5] CO[a comment; with ;) in it]\n ZZ[?] BO[8 {board}] W[D6] ;)");
    let game = ggf::parse(&text).unwrap();
    assert_eq!(game.turns.len(), 2);
    assert_eq!(game.tag("ZZ"), Some("?"));
    assert_eq!(game.time_left(Color::Black), None);
    assert_eq!(ggf::parse("(;B[f5];)").unwrap().turns.len(), 1);
}

#[test]
fn names_of_any_kind_are_kept() {
    for name in ["", "two words", "\"quoted\"", "\u{6d77}\u{4e80}", "a[b"] {
        let game = ggf::parse(&START.replace("PB[]", &format!("PB[{name}]"))).unwrap();
        assert_eq!(game.player(Color::Black).name, name);
    }
}

#[test]
fn an_illegal_move_carries_the_game_up_to_it() {
    let error = ggf::parse(&with_moves("B[F5]W[D6]B[A1]W[C5]")).unwrap_err();
    assert_eq!(error.to_string(), "move 3 is illegal: a1: flips nothing for Black");
    assert_eq!(error.prefix().map(|game| game.turns.len()), Some(2));
    let error = ggf::parse(&with_moves("B[F5]W[Z9]")).unwrap_err();
    assert!(matches!(error, GgfError::BadMove { number: 2, .. }));
    assert_eq!(error.prefix().map(|game| game.turns.len()), Some(1));
    let error = ggf::parse(&with_moves("B[F5]B[D6]")).unwrap_err();
    assert!(matches!(error, GgfError::WrongSide { number: 2, mover: Color::Black, .. }));
    let error = ggf::parse(&with_moves("B[PA]")).unwrap_err();
    assert!(matches!(error, GgfError::Illegal { number: 1, .. }));
}

#[test]
fn other_board_sizes_are_errors() {
    let of = |size: &str| GgfError::UnsupportedSize(size.to_string());
    let ten = format!("(;GM[Othello]TY[10]BO[10 {} *];)", "-".repeat(100));
    assert_eq!(ggf::parse(&ten), Err(of("10")));
    assert_eq!(ggf::parse(&ten.replace("TY[10]", "")), Err(of("10")));
    assert_eq!(ggf::parse(&START.replace("TY[8]", "TY[4]")), Err(of("4")));
    assert_eq!(ggf::parse(&START.replace("BO[8 ", "BO[88 ")), Err(of("88")));
    for kind in ["8r18", "8k", "s8r20", "8a", ""] {
        assert!(ggf::parse(&START.replace("TY[8]", &format!("TY[{kind}]"))).is_ok(), "{kind}");
    }
}

#[test]
fn a_text_that_is_no_game_is_an_error_with_a_reason() {
    for (text, message) in [
        ("", "no game: expected `(;`"),
        ("(;GM[Othello", "the game does not end: expected `;)`"),
        ("(;GM[Othello]", "the game does not end: expected `;)`"),
        ("(;GM[Go];)", "unsupported game `Go`: expected GM[Othello]"),
        ("(;BO[8 --* *];)", "the board: the board has 4 squares of 64"),
    ] {
        assert_eq!(ggf::parse(text).unwrap_err().to_string(), message, "{text}");
    }
    let error = ggf::parse("(;GM[Othello] what;)").unwrap_err();
    assert!(error.to_string().starts_with("character 15 of the game: `what;)` is no tag"));
}

#[test]
fn reading_goes_on_behind_a_faulty_game() {
    let text = format!("1 {START}\n2 {START}{START}\n(;oops]\n1 {START}\n");
    let found: Vec<_> = ggf::games(&text).map(|e| (e.game, e.line, e.record.is_ok())).collect();
    assert_eq!(found, [(1, 1, true), (2, 2, true), (3, 2, true), (4, 3, false), (5, 4, true)]);
}

#[test]
fn endless_brackets_take_linear_time() {
    for junk in ["(;", "(;A[", "(;A[x]", "(;B[F5]W[PA]"] {
        let text = junk.repeat(1_000_000 / junk.len());
        assert!(ggf::games(&text).all(|entry| entry.record.is_err()), "{junk}");
    }
}

#[test]
fn transcripts_are_read_in_every_spelling() {
    let plain = transcript::parse("f5d6c3d3c4").unwrap();
    assert_eq!(plain.turns.len(), 5);
    for text in ["F5D6C3D3C4", " f5 d6\n c3 d3\tc4\n", "1. f5 d6 2. c3 d3 3. c4", "f5-d6-c3-d3-c4"]
    {
        assert_eq!(transcript::parse(text).as_ref(), Ok(&plain), "{text}");
    }
    assert_eq!(transcript::text(&plain), "f5d6c3d3c4");
    let position = position_text(Position::START, Color::Black);
    assert_eq!(transcript::parse(&format!("{position}; f5d6c3d3c4")), Ok(plain));
}

#[test]
fn errors_in_transcripts_name_the_place_and_the_move() {
    let error = |text: &str| transcript::parse(text).unwrap_err().to_string();
    assert_eq!(error("f5d6 a1"), "character 6: move 3 is illegal: a1: flips nothing for Black");
    assert_eq!(
        error("f5 d6 qq c3"),
        "character 7: `qq` is no move: expected a square such as f5, or pass"
    );
    assert_eq!(error("f5pass"), "character 3: move 2 is illegal: pass: White has a legal move");
    let rest = "-".repeat(56);
    let error = transcript::parse(&format!("-OXXXXXX{rest} O; h8")).unwrap_err();
    assert!(matches!(error, TranscriptError::Illegal { at: 69, number: 2, .. }), "{error:?}");
}

#[test]
fn positions_are_read_as_people_type_them() {
    assert_eq!(read_position("start").unwrap(), Board::start());
    assert_eq!(read_position("").unwrap(), Board::start());
    let after = read_position("f5d6").unwrap();
    assert_eq!((after.plies(), after.side_to_move()), (2, Color::Black));
    let typed = position_text(after.position(), Color::Black);
    assert_eq!(read_position(&typed).unwrap().position(), after.position());
    assert_eq!(read_position(&with_moves("B[F5]W[D6]")).unwrap(), after);
    assert_eq!(
        read_position("-- what").unwrap_err().to_string(),
        "the position: column 5: `h` is no square: expected X x * B b, O o W w 0, - or ."
    );
}

#[test]
fn a_record_replays_to_its_board_and_back() {
    let board = read_position("f5d6c3d3c4").unwrap();
    let record = Record::from_board(&board);
    assert_eq!(record.board().unwrap(), board);
    let mut broken = record;
    broken.turns.push(Move::Place(Square::A1).into());
    let error = broken.board().unwrap_err().to_string();
    assert_eq!(error, "move 6 (a1) is illegal: a1: flips nothing for White");
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(500))]

    #[test]
    fn a_game_written_as_ggf_reads_back(game in record()) {
        prop_assert_eq!(ggf::parse(&ggf::text(&game)), Ok(game));
    }

    #[test]
    fn moves_written_as_a_transcript_read_back(game in record()) {
        let read = transcript::parse(&transcript::text(&game)).unwrap();
        let (mut ours, mut theirs) = (game.board().unwrap(), read.board().unwrap());
        // A transcript cannot hold a pass at the end.
        for board in [&mut ours, &mut theirs] {
            if board.must_pass() { board.pass().unwrap(); }
        }
        prop_assert_eq!(ours, theirs);
    }

    #[test]
    fn random_bytes_never_panic(text in ".{0,200}", bytes in proptest::collection::vec(any::<u8>(), 0..300)) {
        for text in [text, String::from_utf8_lossy(&bytes).into_owned()] {
            let _ = ggf::games(&text).count();
            let _ = transcript::parse(&text);
            let _ = read_position(&text);
        }
    }

    #[test]
    fn damaged_text_never_panics(game in record(), seed in any::<u64>()) {
        let text = mutated(&ggf::text(&game), seed);
        for entry in ggf::games(&text) {
            match entry.record {
                Ok(read) => prop_assert!(read.board().is_ok()),
                Err(error) => prop_assert!(error.prefix().is_none_or(|game| game.board().is_ok())),
            }
        }
        if let Ok(read) = transcript::parse(&mutated(&transcript::text(&game), seed)) {
            prop_assert!(read.board().is_ok());
        }
    }
}

#[test]
fn a_game_of_a_million_empty_tags_is_refused_and_the_next_game_is_read() {
    let many = |opening: &str, tag: &str| opening.to_string() + &tag.repeat(1_000_000);
    let errors = |format, text: String| {
        let mut found = Vec::new();
        let read = read_games(format, text.as_bytes(), &WthorNames::default(), &mut |entry| {
            found.push(entry.record.map(|record| record.turns.len()).map_err(|e| e.to_string()));
            true
        });
        assert_eq!(read, Ok(()));
        found
    };
    let too_long = || Err("the game is longer than 1048576 bytes".to_string());
    let ggf = many("(;GM[Othello]", "A[]") + ";)(;GM[Othello]B[F5];)";
    assert_eq!(errors(Format::Ggf, ggf), [too_long(), Ok(1)]);
    let sgf = many("(;GM[2]", "C[]") + ")(;GM[2];B[f5])";
    assert_eq!(errors(Format::Sgf, sgf), [too_long(), Ok(1)]);
    let tags = Err("the tags of the game are longer than 1048576 bytes".to_string());
    let pgn = many("", "[A \"\"]\n") + "\n1. f5 *\n[A \"\"]\n1. f5 *\n";
    assert_eq!(errors(Format::Pgn, pgn), [tags, Ok(1)]);
    // Variations are not kept, so a tree of any size is read.
    let tree = "(;GM[2](;B[f5])".to_string() + &"(;B[d3]C[])".repeat(200_000) + ")";
    assert_eq!(errors(Format::Sgf, tree), [Ok(1)]);
}

#[test]
fn a_text_without_an_end_is_refused() {
    let endless = std::io::BufReader::new(std::io::repeat(0));
    let read = read_games(Format::Ggf, endless, &WthorNames::default(), &mut |_| true);
    assert_eq!(
        read.map_err(|error| error.to_string()),
        Err("the text is longer than 256 MiB".into())
    );
}
