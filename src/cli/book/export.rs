//! `umigame book export`: the positions of a book as text, or for play.

use std::io::Write;
use std::path::{Path, PathBuf};

use anyhow::Result;
use clap::Args;
use umigame_book::{Book, ExportFilter, TextFormat};

use super::{explain, megabytes, size};
use crate::cli::{Outcome, bad_input, shown};

/// Write the positions of a book into a file, by the name of the file
///
/// .csv and .jsonl: a position a line, folded, the side to move as X, with
/// its results, search and value and the games by move. .compact: a small
/// file to play from, only to read (`--book FILE.compact`). The file appears
/// whole or not at all.
#[derive(Args, Debug)]
#[command(after_help = "\
Examples:
  umigame book export positions.csv --plies 20
  umigame book export searched.jsonl --searched
  umigame book export play.compact --least-games 10")]
pub(super) struct ExportArgs {
    /// The file to write
    file: PathBuf,

    /// Only positions up to this ply
    #[arg(long, value_name = "0-60", default_value_t = 60,
          value_parser = clap::value_parser!(u8).range(0..=60))]
    plies: u8,

    /// Only positions that so many games met; in a compact file, the searched
    /// ones besides [default: all; for a compact file 2]
    #[arg(long, value_name = "COUNT")]
    min_games: Option<u32>,

    /// Only positions that were searched
    #[arg(long)]
    searched: bool,
}

pub(super) fn run(args: &ExportArgs, book: &Path, out: &mut dyn Write) -> Result<Outcome> {
    let extension = args.file.extension().unwrap_or_default().to_ascii_lowercase();
    let format = match extension.to_str() {
        Some("csv") => Some(TextFormat::Csv),
        Some("jsonl") => Some(TextFormat::JsonLines),
        Some("compact") => None,
        _ => {
            let file = shown(&args.file);
            return Err(bad_input(format!("{file}: expected a name in .csv, .jsonl or .compact")));
        }
    };
    let open = Book::read(book).map_err(explain)?;
    let selection = ExportFilter {
        max_ply: args.plies,
        min_games: args.min_games.unwrap_or(if format.is_none() { 2 } else { 0 }),
        searched: args.searched,
    };
    let positions = match format {
        Some(format) => open.write_text(&args.file, format, selection),
        None => open.write_compact(&args.file, selection),
    };
    let positions = positions.map_err(explain)?;
    writeln!(out, "# {positions} positions, {:.1} MB", megabytes(size(&args.file)))?;
    Ok(Outcome::Done)
}
