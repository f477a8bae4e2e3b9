//! `umigame book check`: is everything in the book as it must be?

use std::io::Write;
use std::path::Path;

use anyhow::Result;
use clap::Args;
use umigame_book::Book;

use super::explain;
use crate::cli::Outcome;
use crate::cli::learn::progress;

/// Check a book: pages, positions, moves, games recounted, values recomputed
///
/// Prints what is wrong, the first twenty things of it, and how much that is.
#[derive(Args, Debug)]
#[command(after_help = "Exit codes: 0 clean, 1 something is wrong, 2 no book")]
pub(super) struct CheckArgs {
    /// Print what was found as JSON
    #[arg(long)]
    json: bool,
}

pub(super) fn run(args: &CheckArgs, book: &Path, out: &mut dyn Write) -> Result<Outcome> {
    let mut open = Book::read(book).map_err(explain)?;
    let bar = progress(Some(65), "plies");
    let checked = open.check(|_| bar.inc(1)).map_err(explain)?;
    bar.finish_and_clear();
    let counts = checked.counts;
    let complaints: Vec<String> = checked.complaints.iter().map(ToString::to_string).collect();
    if args.json {
        let found = serde_json::json!({
            "games": counts.games, "positions": counts.positions, "searched": counts.searched,
            "exact": counts.exact, "wrong": checked.wrong, "complaints": complaints,
        });
        writeln!(out, "{found}")?;
    } else {
        for complaint in &complaints {
            writeln!(out, "{complaint}")?;
        }
        writeln!(
            out,
            "# {} games, {} positions, {} searched, {} fully searched: {}",
            counts.games,
            counts.positions,
            counts.searched,
            counts.exact,
            if checked.wrong == 0 {
                "clean".to_owned()
            } else {
                format!("{} wrong", checked.wrong)
            }
        )?;
    }
    Ok(if checked.wrong == 0 { Outcome::Done } else { Outcome::Failed })
}
