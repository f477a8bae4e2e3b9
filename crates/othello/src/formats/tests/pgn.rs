//! Tests of PGN.

use super::super::pgn::{games, parse, text};
use super::*;
use crate::record::GameOutcome;

const PLAYED: &str = "[Event \"?\"]\n[Site \"PlayOK\"]\n[Date \"2014.10.19\"]\n[Time \"07:31:22\"]\n\
    [Black \"a \\\"b\\\"\"]\n[White \"c\"]\n[BlackElo \"1200\"]\n[WhiteElo \"1310.5\"]\n\
    [Result \"37-27\"]\n\n1. f5 d6 2. c3 d3 3. c4 37-27\n\n";

#[test]
fn a_game_is_written_as_it_was_read() {
    let game = parse(PLAYED).unwrap();
    assert_eq!(transcript::text(&game), "f5d6c3d3c4");
    assert_eq!(game.place, "PlayOK");
    assert_eq!(game.date, "2014.10.19 07:31:22");
    assert_eq!(game.players[0].name, "a \"b\"");
    assert_eq!(game.players[1].rating, Some(1310.5));
    assert_eq!(game.outcome.unwrap().score_for_black(), Score::new(10));
    assert_eq!(text(&game), PLAYED);
}

#[test]
fn comments_variations_and_annotations_are_skipped() {
    let game = parse("1.f5 {why (not} d6! $2 2.c3 (2. c4 (2. d3)) d3?! ; c4\n3. c4 *").unwrap();
    assert_eq!(transcript::text(&game), "f5d6c3d3c4");
    assert_eq!(game.outcome, None);
}

#[test]
fn a_win_without_a_margin_is_counted_on_the_final_board_or_kept_as_a_tag() {
    let wiped_out = "f5 d6 c5 f4 e7 f6 g5 e6 e3";
    let game = parse(&format!("[Result \"1-0\"]\n{wiped_out} 1-0")).unwrap();
    assert_eq!(game.outcome.unwrap().score_for_black(), Score::new(64));
    let game = parse("[Result \"0-1\"] f5 d6 0-1").unwrap();
    assert_eq!((game.outcome, game.tag("Result")), (None, Some("0-1")));
    assert!(text(&game).ends_with("1. f5 d6 0-1\n\n"));
}

#[test]
fn games_from_other_positions_with_passes_are_read() {
    let board = "-OXXXXXX".to_owned() + &"-".repeat(56) + " O";
    for fen in [board.as_str(), "1OXXXXXX/8/8/8/8/8/8/8 O"] {
        for moves in ["1. -- a1", "1. pass a1", "a1"] {
            let game = parse(&format!("[FEN \"{fen}\"]\n{moves} *")).unwrap();
            assert_eq!(position_text(game.start, game.side), board);
            assert_eq!(game.turns.len(), 2, "{moves}");
        }
    }
}

#[test]
fn reading_goes_on_behind_a_faulty_game() {
    let bad = "[Site \"x\"]\n[Black \"y\"]\n\n1. f5 zz\n2. c3 *\n\n";
    let list = format!("{PLAYED}{bad}{PLAYED}f5 f6 40-24 f5 d6 *");
    let found: Vec<_> = games(&list).map(|e| (e.game, e.line, e.record.is_ok())).collect();
    let expected = [(1, 1, true), (2, 13, false), (3, 19, true), (4, 31, true), (5, 31, true)];
    assert_eq!(found, expected);
}

#[test]
fn errors_name_the_place_and_quote_the_text() {
    for (text, message) in [
        ("", "no game: expected tags such as [Black \"name\"], or moves"),
        ("[Black", "character 1 of the game: `[Black` is no tag: expected [Name \"value\"]"),
        ("1. f5 zz", "character 7 of the game: `zz` is no move: expected a square or --"),
        ("1. f5 a1", "character 7 of the game: move 2 is illegal: a1: flips nothing for White"),
        ("1. f5 {zz", "character 7 of the game: `{zz` does not end"),
        ("1. f5 ((zz)", "character 7 of the game: `((zz)` does not end"),
        (
            "[FEN \"9\"]",
            "the position of FEN: column 1: `9` is no square: expected X x * B b, O o W w 0, - or .",
        ),
    ] {
        assert_eq!(parse(text).unwrap_err().to_string(), message, "{text}");
    }
}

#[test]
fn junk_takes_linear_time() {
    for junk in
        ["[", "[a", "{", "(", "f5 [", "zz\n[", "zz\n[a \"b\"]\n", "((", "[x \"y\" ", "1.", "\n"]
    {
        let text = junk.repeat(500_000 / junk.len());
        let _ = games(&text).count();
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(300))]

    #[test]
    fn a_written_game_reads_back(mut game in record()) {
        for turn in &mut game.turns {
            *turn = turn.played.into();
        }
        for player in &mut game.players {
            player.clock = None;
            player.name = player.name.replace('?', "q");
        }
        game.place = game.place.replace('?', "q");
        game.date = game.date.split_whitespace().collect::<Vec<_>>().join(" ");
        let over = game.board().unwrap();
        game.outcome = over.is_over().then(|| GameOutcome::of(over.score_for_black()));
        game.tags.push(("Event".to_string(), "an event".to_string()));
        prop_assert_eq!(parse(&text(&game)), Ok(game));
    }

    #[test]
    fn damaged_text_never_panics(game in record(), seed in any::<u64>(), junk in "[\\[\\]{}();\" a-h1-8\\\\.\n-]{0,100}") {
        for text in [mutated(&text(&game), seed), junk] {
            for entry in games(&text) {
                if let Ok(read) = entry.record {
                    prop_assert!(read.board().is_ok());
                }
            }
        }
    }
}
