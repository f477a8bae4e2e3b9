//! `umigame book grow`: searches positions for a book.

use std::io::Write;
use std::path::Path;
use std::time::{Duration, Instant};

use anyhow::Result;
use clap::Args;
use umigame_book::{Book, GrowProgress, GrowSettings};
use umigame_engine::{EngineOptions, Level, Megabytes, SharedEvaluation};
use umigame_othello::Position;

use super::common::{counted, explain, positions_text};
use crate::cli::position;
use umigame_support::exit::{Exit, bad_input};
use umigame_support::interrupt::{INTERRUPTED, outcome, stop_when_interrupted};
use umigame_support::{progress, time};

/// Search the positions that matter most, many at once
///
/// Every move of such a position is searched, and the values are backed up. The next position is
/// the one with the largest product of two factors: how much the value of the root depends on it,
/// and how large the error of its search may be. The book is made where it is missing. Each round
/// is one commit; an interrupt or a kill costs at most the round in progress, and the next call
/// continues.
#[derive(Args, Debug)]
#[command(after_help = "\
Examples:
  umigame book grow --hours 1
  umigame book grow --hours 0.5 --from f5d6c3d3c4 --level 22 --threads 2")]
pub(super) struct GrowArgs {
    /// How long to grow: 0.5, 8
    #[arg(long, value_name = "HOURS", value_parser = time::parse_hours)]
    hours: Duration,

    /// Root position: a game such as f5d6c3, or 64 squares and the side to move
    #[arg(long, value_name = "POSITION", default_value = "start")]
    from: String,

    /// Level of each search; see `umigame levels`
    #[arg(short, long, value_name = "1-30", default_value_t = 18,
          value_parser = clap::value_parser!(u32).range(1..=30))]
    level: u32,

    /// Positions searched at once [default: one for each core]
    #[arg(long, value_name = "1-256", value_parser = clap::value_parser!(u32).range(1..=256))]
    threads: Option<u32>,

    /// Memory for the tables of all searches together
    #[arg(long, value_name = "MB", default_value_t = 64,
          value_parser = clap::value_parser!(u32).range(1..=1_048_576))]
    hash: u32,

    /// Print the summary as JSON
    #[arg(long)]
    json: bool,
}

pub(super) fn run(
    evaluation: &SharedEvaluation,
    args: &GrowArgs,
    book: &Path,
    out: &mut dyn Write,
) -> Result<Exit> {
    let begun = Instant::now();
    let root = position::read(&args.from, &[])?;
    let level = Level::new(args.level).ok_or_else(|| bad_input("--level: expected 1 to 30"))?;
    let search = EngineOptions {
        hash: Megabytes(args.hash as usize),
        threads: args.threads.map_or_else(umigame_engine::processors, |threads| threads as usize),
    };
    let settings = GrowSettings {
        root: root.position(),
        ..GrowSettings::at_level(level, evaluation.clone(), search, begun + args.hours)
    };
    let mut open = Book::create(book, None).map_err(explain)?;
    stop_when_interrupted()?;
    let bar = progress::bar(None, "positions searched");
    let grown = open
        .grow(&settings, &INTERRUPTED, |book, progress| {
            bar.set_position(progress.searched);
            bar.set_message(value_text(book, settings.root));
        })
        .map_err(explain)?;
    bar.finish_and_clear();
    let GrowProgress { rounds, expanded, searched, finished } = grown;
    let counts = open.counts().map_err(explain)?;
    let (seconds, value) = (begun.elapsed().as_secs_f64(), value_text(&open, settings.root));
    if args.json {
        let summary = serde_json::json!({
            "rounds": rounds, "opened": expanded, "searched": searched, "finished": finished,
            "seconds": seconds, "value": value, "positions": counts.positions,
            "positions_searched": counts.searched, "positions_exact": counts.exact,
        });
        writeln!(out, "{summary}")?;
    } else {
        let (searched, commits) = (counted(searched, "position"), counted(rounds, "commit"));
        let end = if finished { "; nothing is left to search" } else { "" };
        writeln!(
            out,
            "# {searched} searched, {expanded} expanded, {commits}, {seconds:.1} s{end}"
        )?;
        writeln!(out, "# {value}; the book has {}", positions_text(&counts))?;
    }
    Ok(outcome())
}

/// Returns the value of the root as text.
fn value_text(book: &Book, root: Position) -> String {
    let value = book.entry(root).ok().flatten().and_then(|entry| entry.value);
    value.map_or_else(
        || "no value".to_owned(),
        |value| format!("value {} {}", value.eval, value.trust),
    )
}
