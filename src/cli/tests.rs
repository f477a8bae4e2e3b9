//! Tests of the command line that need no process.

use clap::CommandFactory;

use super::args::{Cli, Command};
use super::processor::unsupported;

#[test]
fn the_definition_of_the_arguments_passes_the_checks_of_clap() {
    Cli::command().debug_assert();
}

#[test]
fn the_error_for_an_old_processor_is_one_line_that_says_what_to_do() {
    let sentence = unsupported("AVX2, BMI2");
    assert!(sentence.contains("lacks AVX2, BMI2."), "{sentence}");
    assert!(sentence.contains("target-cpu=x86-64"), "{sentence}");
    assert!(sentence.is_ascii() && !sentence.contains('\n'));
}

fn read(words: &[&str]) -> Result<Cli, String> {
    let words = ["umigame"].iter().chain(words).map(Into::into);
    Cli::read(words).map_err(|error| error.to_string())
}

#[test]
fn only_common_options_may_precede_the_command() {
    for words in [&["--level", "3", "nboard"][..], &["--book", "b", "book", "show"]] {
        let error = read(words).expect_err("refused");
        assert!(error.contains("options follow the command: umigame "), "{error}");
        assert!(error.contains(words[0]), "{error}");
    }
    for words in [
        &["-q", "nboard"][..],
        &["-vv", "hint", "f5"],
        &["--weights", "w", "gtp", "--level", "3"],
        &["book", "import", "games.txt", "--book", "b"],
        &["--level", "3"],
        &[],
    ] {
        assert!(read(words).is_ok(), "{words:?}");
    }
}

#[test]
fn spellings_of_edax_are_read_in_any_order() {
    for words in [&["-nboard", "-level", "10"][..], &["-level", "10", "-nboard"]] {
        let Ok(Cli { command: Some(Command::Nboard(args)), .. }) = read(words) else {
            panic!("{words:?}: not NBoard");
        };
        assert_eq!(args.engine.level, "10".parse().ok());
    }
    assert_eq!(read(&["-level", "10"]).expect("read").game.engine.level, "10".parse().ok());
}
