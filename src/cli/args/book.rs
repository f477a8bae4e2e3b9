//! The options of playing from a book.

use std::path::PathBuf;

use clap::{Args, ValueEnum};

use umigame_support::args::number_in;

const HEADING: &str = "Book";

/// The criterion by which moves of a book are ordered.
#[derive(ValueEnum, Clone, Copy, PartialEq, Eq, Debug)]
pub(in crate::cli) enum ByArg {
    /// The value backed up from searches
    Value,
    /// The share of games won, where at least ten have a result
    WinRate,
}

/// The book to play from, and how to choose from it.
///
/// A heading set for a whole struct also applies to all options after it: each option sets its own,
/// and the struct resets the one set before.
#[derive(Args, Clone, Default, Debug)]
#[command(next_help_heading = None::<&'static str>)]
pub(in crate::cli) struct BookArgs {
    /// Play from this book, without searching, where it knows the position; see `umigame book`
    #[arg(long, value_name = "FILE", help_heading = HEADING)]
    pub book: Option<PathBuf>,

    /// Criterion by which moves of the book are ordered [default: value]
    #[arg(long, value_name = "CRITERION", help_heading = HEADING)]
    pub book_by: Option<ByArg>,

    /// Choose at random among the moves at most this much worse than the best [default: 0]
    #[arg(long, value_name = "DISCS", value_parser = parse_discs, help_heading = HEADING)]
    pub book_loose: Option<f64>,

    /// Seed of the random choice [default: another one each time]
    #[arg(long, value_name = "NUMBER", help_heading = HEADING)]
    pub book_seed: Option<u64>,
}

fn parse_discs(text: &str) -> Result<f64, String> {
    number_in(text, 0.0..=64.0, "a number of discs from 0 to 64, such as 1.5")
}

impl BookArgs {
    /// Returns the name of the first option given.
    pub(in crate::cli) fn first_given(&self) -> Option<&'static str> {
        let given = [
            ("--book", self.book.is_some()),
            ("--book-by", self.book_by.is_some()),
            ("--book-loose", self.book_loose.is_some()),
            ("--book-seed", self.book_seed.is_some()),
        ];
        given.into_iter().find_map(|(option, is_given)| is_given.then_some(option))
    }
}
