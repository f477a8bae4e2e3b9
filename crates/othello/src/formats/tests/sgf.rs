//! Tests of SGF.

use super::super::sgf::{SgfError, games, parse, text};
use super::*;
use crate::clock::Clock;
use crate::record::{GameEnd, GameOutcome};

fn moves_of(game: &Record) -> String {
    transcript::text(game)
}

#[test]
fn both_spellings_of_moves_are_read() {
    let edax = parse("(;FF[4]GM[2]SZ[8]PB[a]PW[b]RE[B+12]B[f5];W[d6];B[c3];)").unwrap();
    let quarry = parse("(;FF[4]GM[2]SZ[8]PB[a]PW[b]RE[B+12];B[fe];W[df];B[cc])").unwrap();
    assert_eq!(edax, quarry);
    assert_eq!(moves_of(&edax), "f5d6c3");
    assert_eq!(edax.outcome.unwrap().score_for_black(), Score::new(12));
}

#[test]
fn the_main_line_is_the_first_variation_at_every_branch() {
    let game = parse(
        "(;GM[2]C[a \\] and a \\\\](;B[f5](;W[d6];B[c3](;W[d3])(;W[f3]))(;W[f4]))(;B[d3]C[)](;W[c5])))",
    )
    .unwrap();
    assert_eq!(moves_of(&game), "f5d6c3d3");
    assert_eq!(game.tag("C"), Some("a ] and a \\"));
}

#[test]
fn reading_goes_on_behind_a_faulty_game() {
    let found: Vec<_> =
        games("(;GM[2];B[f5])\n\n(;GM[1];B[f5]) (;B[a1])\n(;B[f5](;W[f6])(;W[d6]))")
            .map(|entry| (entry.game, entry.line, entry.record.is_ok()))
            .collect();
    assert_eq!(found, [(1, 1, true), (2, 3, false), (3, 3, false), (4, 4, true)]);
}

#[test]
fn an_unfinished_game_does_not_swallow_the_next_one() {
    let found: Vec<_> = games("(;GM[2];B[f5](;W[d6] (;FF[4]GM[2];B[f5])(;GM[2];B[d3])")
        .map(|entry| entry.record.map(|game| moves_of(&game)))
        .collect();
    let expected = [Err(SgfError::Unfinished), Ok("f5".to_string()), Ok("d3".to_string())];
    assert_eq!(found, expected);
}

#[test]
fn stones_and_the_side_to_move_are_set_up() {
    let game = parse("(;GM[2]AE[d4:e5]AB[c1:h1]AW[b1]PL[W];B[a1])").unwrap();
    assert_eq!(
        position_text(game.start, game.side),
        "-OXXXXXX".to_owned() + &"-".repeat(56) + " O"
    );
    assert_eq!(game.turns.len(), 2);
    assert_eq!(game.turns[0].played, Move::Pass);
    // Without PL the first move tells the side to move.
    assert_eq!(parse("(;GM[2]AB[de][ed]AW[dd][ee];W[fd])").unwrap().side, Color::White);
}

#[test]
fn passes_are_read_in_every_spelling_or_inserted() {
    for pass in ["W[]", "W[tt]", "W[PA]", "W[pass]", "W[--]", ""] {
        let text = format!("(;GM[2]AE[d4:e5]AB[c1:h1]AW[b1]PL[W];{pass};B[aa])");
        assert_eq!(parse(&text).unwrap().turns.len(), 2, "{pass}");
    }
}

#[test]
fn errors_name_the_place_and_quote_the_text() {
    for (text, message) in [
        ("", "no game: expected `(;`"),
        ("(;GM[2]", "the game does not end: expected `)`"),
        ("(;GM[2", "the game does not end: expected `)`"),
        ("(;GM[2]?)", "character 8 of the game: `?)` is no property: expected NAME[value]"),
        ("(;GM[1])", "unsupported game `1`: expected GM[2]"),
        ("(;SZ[10])", "unsupported size `10`: expected 8"),
        ("(;AB[zz])", "setup AB: `zz` is no square: expected f5 or fe"),
        ("(;PL[x])", "setup PL: `x` is no side: expected B or W"),
        ("(;B[f5];AB[a1])", "setup AB after move 1: expected before the first move only"),
        ("(;B[f5];W[zz])", "move 2: `zz` is no move: expected f5 or fe, or a pass"),
        ("(;B[f5];B[d6])", "move 2: d6 is by Black, but the other side is to move"),
        ("(;B[f5];W[a1])", "move 2: illegal: a1: flips nothing for White"),
    ] {
        assert_eq!(parse(text).unwrap_err().to_string(), message, "{text}");
    }
}

#[test]
fn deep_nesting_and_endless_brackets_take_linear_time() {
    for junk in ["(", "(;", "(;B[f5]", "(;A[", "(;A[\\", "(;?", "()"] {
        let text = junk.repeat(1_000_000 / junk.len());
        let _ = games(&text).count();
    }
    let balanced = format!("{};B[f5]{}", "(".repeat(300_000), ")".repeat(300_000));
    assert_eq!(moves_of(&parse(&balanced).unwrap()), "f5");
}

/// Spells a text as Quarry does: squares as two letters, and no passes.
fn as_quarry(text: &str) -> String {
    let mut text = text.replace(";B[PA]", "").replace(";W[PA]", "");
    for square in Square::all() {
        let letters = [square.column(), square.row()].map(|index| char::from(b'a' + index));
        text = text.replace(&format!("[{square}]"), &format!("[{}{}]", letters[0], letters[1]));
    }
    text
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(300))]

    #[test]
    fn a_written_game_reads_back(mut game in record()) {
        // SGF holds one clock without increments, no times, and no margin of a resignation.
        for turn in &mut game.turns {
            turn.time = None;
        }
        let clock = game.players[0].clock.map(|clock| Clock::new(clock.main));
        for player in &mut game.players {
            player.clock = clock;
        }
        if let Some(outcome) = &mut game.outcome && outcome.end != GameEnd::Played {
            *outcome = GameOutcome { black_centidiscs: 6400, end: outcome.end };
            if outcome.end == GameEnd::Agreed { outcome.end = GameEnd::Played }
        }
        prop_assert_eq!(parse(&text(&game)), Ok(game.clone()));
        let quarry = parse(&as_quarry(&text(&game))).unwrap();
        prop_assert_eq!(moves_of(&quarry), moves_of(&game));
    }

    #[test]
    fn damaged_text_never_panics(game in record(), seed in any::<u64>(), junk in "[;()\\[\\]BWAEPL a-h1-8\\\\]{0,100}") {
        for text in [mutated(&text(&game), seed), junk] {
            for entry in games(&text) {
                if let Ok(read) = entry.record {
                    prop_assert!(read.board().is_ok());
                }
            }
        }
    }
}
