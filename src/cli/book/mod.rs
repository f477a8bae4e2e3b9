//! `umigame book`: the database of positions; one file for each subcommand.

mod check;
mod export;
mod grow;
mod import;
mod merge;
mod show;

use std::io::Write;
use std::path::{Path, PathBuf};

use anyhow::Result;
use clap::{Args, Subcommand};
use umigame_book::BookError;
use umigame_engine::SharedEvaluation;

use super::{Exit, bad_input};

/// The book used without --book.
const DEFAULT_BOOK: &str = "book.sqlite";

/// Import games into a book, show it, grow it by searching
#[derive(Args, Debug)]
#[command(after_help = "\
Examples:
  umigame book import games.ggf wthor/
  umigame book show f5d6
  umigame book grow --hours 1
  umigame nboard --book book.sqlite")]
pub(super) struct BookCommandArgs {
    /// The book [default: book.sqlite]
    // A global option must not share its id with an option of the top level.
    #[arg(id = "book_file", long = "book", global = true, value_name = "FILE")]
    book: Option<PathBuf>,

    #[command(subcommand)]
    command: BookCommand,
}

#[derive(Subcommand, Debug)]
enum BookCommand {
    Import(import::ImportArgs),
    Show(show::ShowArgs),
    Grow(grow::GrowArgs),
    Check(check::CheckArgs),
    Export(export::ExportArgs),
    Merge(merge::MergeArgs),
}

pub(super) fn run(
    evaluation: &SharedEvaluation,
    args: &BookCommandArgs,
    out: &mut dyn Write,
) -> Result<Exit> {
    let book = args.book.clone().unwrap_or_else(|| DEFAULT_BOOK.into());
    let book: &Path = &book;
    match &args.command {
        BookCommand::Import(args) => import::run(args, book, out),
        BookCommand::Show(args) => show::run(args, book, out),
        BookCommand::Grow(args) => grow::run(evaluation, args, book, out),
        BookCommand::Check(args) => check::run(args, book, out),
        BookCommand::Export(args) => export::run(args, book, out),
        BookCommand::Merge(args) => merge::run(args, book, out),
    }
}

/// Returns an error with exit code 2 where the user named a file that cannot be used, else 1.
fn explain(error: BookError) -> anyhow::Error {
    if error.is_bad_input() { bad_input(error) } else { error.into() }
}

/// Returns the size of a book, with the part that is still in its log.
fn file_bytes(book: &Path) -> u64 {
    let bytes_of = |path: &Path| std::fs::metadata(path).map_or(0, |file| file.len());
    let mut log = book.as_os_str().to_owned();
    log.push("-wal");
    bytes_of(book) + bytes_of(Path::new(&log))
}

/// Returns a count with its noun: `1 game`, `2 games`.
fn counted(count: u64, noun: &str) -> String {
    format!("{count} {noun}{}", if count == 1 { "" } else { "s" })
}

fn megabytes(bytes: u64) -> f64 {
    bytes as f64 / 1e6
}
