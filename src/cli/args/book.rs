//! The options of playing from a book.

use std::path::PathBuf;

use clap::{Args, ValueEnum};

use super::number_in;

/// What decides between the moves of a book.
#[derive(ValueEnum, Clone, Copy, PartialEq, Eq, Debug)]
pub(in crate::cli) enum ByArg {
    /// The value backed up from searches
    Value,
    /// The share of games won, where ten or more have a result
    WinRate,
}

/// Which book to play from, and how.
#[derive(Args, Clone, Default, Debug)]
#[command(next_help_heading = "Book")]
pub(in crate::cli) struct BookArgs {
    /// Play from this book where it knows the position, without searching;
    /// see `umigame book`
    #[arg(long, value_name = "FILE")]
    pub book: Option<PathBuf>,

    /// What decides between the moves of the book [default: value]
    #[arg(long, value_name = "WHAT")]
    pub book_by: Option<ByArg>,

    /// Choose by chance among the moves that are at most so many discs worse
    /// than the best [default: 0]
    #[arg(long, value_name = "DISCS", value_parser = parse_discs)]
    pub book_loose: Option<f64>,

    /// Seed of that chance [default: another one each time]
    #[arg(long, value_name = "NUMBER")]
    pub book_seed: Option<u64>,
}

fn parse_discs(text: &str) -> Result<f64, String> {
    number_in(text, 0.0..=64.0, "a number of discs from 0 to 64, such as 1.5")
}

impl BookArgs {
    /// The first option that was given.
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
