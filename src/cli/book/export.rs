//! `umigame book export`: the positions of a book as text, or as a compact book.

use std::io::Write;
use std::path::{Path, PathBuf};

use anyhow::Result;
use clap::Args;
use umigame_book::{Book, BookError, ExportFilter, ExportFormat};
use umigame_support::files;

use super::common::{counted, explain, file_bytes, megabytes};
use umigame_support::exit::{Exit, bad_input, shown};

/// Games that met a position of a compact book, unless the user says otherwise.
const COMPACT_MIN_GAMES: u32 = 2;

/// Write the positions of a book to a file; its name decides the format
///
/// .csv and .jsonl: one position a line, turned as in games that begin with f5, the side to move as
/// X, with results, search, value, and the games of each move. .compact: a small read-only file to
/// play from (`--book FILE.compact`). The file is replaced in one step.
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

    /// Only positions that at least COUNT games met; a compact file has the searched positions
    /// besides [default: all; for a compact file 2]
    #[arg(long, value_name = "COUNT")]
    least_games: Option<u32>,

    /// Only positions that were searched
    #[arg(long)]
    searched: bool,
}

/// A format of an exported file.
enum FileFormat {
    Text(ExportFormat),
    Compact,
}

impl FileFormat {
    fn of(path: &Path) -> Option<FileFormat> {
        let extension = path.extension()?.to_ascii_lowercase();
        match extension.to_str()? {
            "csv" => Some(FileFormat::Text(ExportFormat::Csv)),
            "jsonl" => Some(FileFormat::Text(ExportFormat::JsonLines)),
            "compact" => Some(FileFormat::Compact),
            _ => None,
        }
    }
}

pub(super) fn run(args: &ExportArgs, book: &Path, out: &mut dyn Write) -> Result<Exit> {
    let file = shown(&args.file);
    let format = FileFormat::of(&args.file)
        .ok_or_else(|| bad_input(format!("{file}: expected a name in .csv, .jsonl or .compact")))?;
    let open = Book::read(book).map_err(explain)?;
    let default_min_games = match format {
        FileFormat::Text(_) => 0,
        FileFormat::Compact => COMPACT_MIN_GAMES,
    };
    let filter = ExportFilter {
        max_ply: args.plies,
        min_games: args.least_games.unwrap_or(default_min_games),
        searched_only: args.searched,
    };
    let failed = |error| anyhow::Error::from(error).context(file.clone());
    let positions = files::replace_with(&args.file, failed, |out| match format {
        FileFormat::Text(format) => open.export(out, format, filter).map_err(|error| match error {
            BookError::Output(error) => failed(error),
            error => explain(error),
        }),
        FileFormat::Compact => {
            let compact = open.compact(filter).map_err(explain)?;
            out.write_all(&compact.to_bytes()).map_err(failed)?;
            Ok(compact.len())
        }
    })?;
    let positions = counted(positions as u64, "position");
    writeln!(out, "# {positions}, {:.1} MB", megabytes(file_bytes(&args.file)))?;
    Ok(Exit::Done)
}
