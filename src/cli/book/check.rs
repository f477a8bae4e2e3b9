//! `umigame book check`: checks a whole book.

use std::io::Write;
use std::path::Path;

use anyhow::Result;
use clap::Args;
use umigame_book::Book;

use super::common::{counted, explain, positions_text};
use umigame_support::{exit::Exit, progress};

/// Layers of a book: positions with 0 to 64 empties.
const LAYERS: u64 = 65;

/// Check a book: pages, positions, moves, games recounted, values recomputed
///
/// Prints the first twenty faults and their number.
#[derive(Args, Debug)]
#[command(after_help = "Exit codes: 0 no faults, 1 faults, 2 no book")]
pub(super) struct CheckArgs {
    /// Print the result as JSON
    #[arg(long)]
    json: bool,
}

pub(super) fn run(args: &CheckArgs, book: &Path, out: &mut dyn Write) -> Result<Exit> {
    let mut open = Book::read(book).map_err(explain)?;
    let bar = progress::bar(Some(LAYERS), "plies");
    let report = open.check(|_| bar.inc(1)).map_err(explain)?;
    bar.finish_and_clear();
    let counts = report.counts;
    let faults: Vec<String> = report.faults.iter().map(ToString::to_string).collect();
    if args.json {
        let result = serde_json::json!({
            "games": counts.games, "positions": counts.positions, "searched": counts.searched,
            "exact": counts.exact, "wrong": report.fault_count, "complaints": faults,
        });
        writeln!(out, "{result}")?;
    } else {
        for fault in &faults {
            writeln!(out, "{fault}")?;
        }
        let verdict = match report.fault_count {
            0 => "clean".to_owned(),
            faults => format!("{faults} wrong"),
        };
        let games = counted(counts.games, "game");
        writeln!(out, "# {games}, {}: {verdict}", positions_text(&counts))?;
    }
    Ok(if report.fault_count == 0 { Exit::Done } else { Exit::Failed })
}
