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

/// Returns the lines of a command's examples, and those of its subcommands.
fn examples(command: &clap::Command) -> Vec<String> {
    let help = command.get_after_help().map(ToString::to_string).unwrap_or_default();
    let lines = help.lines().filter_map(|line| line.strip_prefix("  umigame"));
    // A remark stands far to the right of its example; a shell would take a pipe or a quote apart.
    let plain = lines
        .filter_map(|line| line.split("   ").next())
        .flat_map(|line| line.split(" && umigame").map(str::to_owned))
        .filter(|line| !line.contains(['|', '>', '<', '\'', '"']));
    plain.chain(command.get_subcommands().flat_map(examples)).collect()
}

#[test]
fn every_example_of_the_help_is_a_command_line() {
    let examples = examples(&Cli::command());
    assert!(examples.len() > 20, "{examples:?}");
    for example in examples {
        let words: Vec<&str> = example.split_whitespace().collect();
        let asks_for_help = words.contains(&"--help");
        let found = read(&words);
        assert!(asks_for_help || found.is_ok(), "umigame{example}: {}", found.unwrap_err());
    }
}
