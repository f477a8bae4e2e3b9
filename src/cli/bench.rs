//! `umigame bench`: a fixed set of positions. Their node total is the
//! signature of the search: with one thread it is the same on every machine,
//! and it changes only where the search or the evaluation does.

use std::io::Write;
use std::time::{Duration, Instant};

use anyhow::Result;
use umigame::board::{Position, parse_position};
use umigame::search::{Level, Limits, Megabytes, SearchOptions, Searcher, Silent};

use super::args::BenchArgs;
use super::settings::explain_table;
use super::{Outcome, bad_input};

/// A position and how deep it is searched.
type Task = (&'static str, u32);

/// Depth of the openings and middle games; the endings are read out.
const TASKS: [Task; 1] =
    [("---------------------------OX------XO--------------------------- X", 9)];

/// The table of the bench: the signature depends on its size.
const OPTIONS: SearchOptions = SearchOptions { hash: Megabytes(16), threads: 1 };

pub(super) fn run(args: &BenchArgs, out: &mut dyn Write) -> Result<Outcome> {
    match args.levels {
        Some((first, last)) => measure_levels(first, last, out),
        None => sign(out),
    }
}

fn sign(out: &mut dyn Write) -> Result<Outcome> {
    let mut searcher = Searcher::new(OPTIONS).map_err(explain_table)?;
    let start = Instant::now();
    let mut total = 0;
    for (text, depth) in TASKS {
        let position = read(text)?;
        searcher.clear();
        let report = searcher.search(position, &Limits::depth(depth), &Silent::default());
        let best = report.best().map_or("-".to_owned(), |line| line.first().to_string());
        writeln!(
            out,
            "{:2} empties  {:>5}  {best:4}  {}",
            position.empties(),
            report.kind,
            report.nodes
        )?;
        out.flush()?;
        total += report.nodes;
    }
    let seconds = start.elapsed().as_secs_f64();
    writeln!(out, "signature {total}")?;
    writeln!(out, "# {seconds:.3} s, {:.0} nodes/s", total as f64 / seconds.max(1e-9))?;
    Ok(Outcome::Done)
}

fn read(text: &str) -> Result<Position> {
    Ok(parse_position(text).map_err(bad_input)?.0)
}

/// Mean and longest time a move at each level, over the same positions.
fn measure_levels(first: u32, last: u32, out: &mut dyn Write) -> Result<Outcome> {
    let mut searcher = Searcher::new(SearchOptions::default()).map_err(explain_table)?;
    writeln!(out, "level  mean s  longest s")?;
    for level in (first..=last).filter_map(Level::new) {
        let mut times = Vec::new();
        for (text, _) in TASKS {
            searcher.clear();
            let start = Instant::now();
            searcher.search(read(text)?, &level.limits(), &Silent::default());
            times.push(start.elapsed());
        }
        let longest = times.iter().max().copied().unwrap_or_default();
        let mean = times.iter().sum::<Duration>().as_secs_f64() / times.len() as f64;
        writeln!(out, "{:5}  {mean:6.2}  {:9.2}", level.number(), longest.as_secs_f64())?;
        out.flush()?;
    }
    Ok(Outcome::Done)
}
