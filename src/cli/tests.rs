//! The parts of the command line that need no process.

use std::time::Duration;

use clap::CommandFactory;
use clap::Parser;

use super::args::{Cli, parse_time};
use super::{position, unsupported_sentence};

#[test]
fn the_definition_of_the_arguments_is_consistent() {
    Cli::command().debug_assert();
}

#[test]
fn an_old_processor_gets_a_sentence_that_says_what_to_do() {
    let sentence = unsupported_sentence("AVX2, BMI2");
    assert!(sentence.contains("lacks AVX2, BMI2."), "{sentence}");
    assert!(sentence.contains("target-cpu=x86-64"), "{sentence}");
    assert!(sentence.is_ascii() && !sentence.contains('\n'));
}

#[test]
fn times_have_units_and_a_plain_number_is_seconds() {
    for (text, millis) in
        [("500ms", 500), ("5s", 5_000), ("5", 5_000), ("1.5m", 90_000), ("1h", 3_600_000)]
    {
        assert_eq!(parse_time(text), Ok(Duration::from_millis(millis)), "{text}");
    }
    for text in ["", "s", "5 parsecs", "-5s", "0", "1e9h", "nan", "1..5s", "20000h"] {
        assert!(parse_time(text).is_err(), "{text}");
    }
}

#[test]
fn a_position_is_squares_with_a_side_or_moves() {
    let start = "---------------------------OX------XO---------------------------";
    let by_squares = position::read(start, Some("X")).unwrap();
    assert_eq!(by_squares, umigame_othello::Board::start());
    let by_moves = position::read("f5 D6", None).unwrap();
    assert_eq!(by_moves.empties(), 58);
    for (text, part) in [
        ("f5z9", "`z9`"),
        ("XXX", "`XXX`: the position: the board has 3 squares of 64"),
        ("f5f5", "f5: there is a disc already"),
        ("---?", "column 4: `?`"),
        (start, "side to move is missing"),
    ] {
        let error = position::read(text, None).unwrap_err().to_string();
        assert!(error.contains(part), "{text}: {error}");
    }
}

#[test]
fn options_before_the_command_count_unless_repeated_after_it() {
    let cli = Cli::try_parse_from(["umigame", "-l", "3", "--hash", "8", "hint", "f5", "-l", "5"]);
    let cli = cli.unwrap();
    let Some(super::args::Command::Hint(hint)) = cli.command else { panic!("not a hint") };
    let merged = hint.engine.or(cli.serve.game.engine).unwrap();
    assert_eq!((merged.level, merged.hash), (Some(5), Some(8)));
}
