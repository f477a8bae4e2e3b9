//! `umigame book`: the database of positions; one file for each subcommand.

mod check;
mod common;
mod export;
mod grow;
mod import;
mod merge;
mod show;

use std::io::Write;
use std::path::{Path, PathBuf};

use anyhow::Result;
use clap::{Args, Subcommand};
use umigame_engine::SharedEvaluation;

use umigame_support::exit::Exit;

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
