//! `umigame-lab scaling`: the same searches with one thread, two, and more.

use std::io::Write;
use std::path::{Path, PathBuf};
use std::time::Duration;

use anyhow::Result;
use clap::Args;
use serde::Serialize;
use umigame::bench::{
    FfoEnding, RepeatArgs, ffo_endings, median_by, parse_confidence, solve_ending,
};
use umigame_engine::{Confidence, Engine, Limits, SharedEvaluation};
use umigame_othello::text::shown_path;
use umigame_support::exit::{Exit, bad_input};
use umigame_support::files;
use umigame_support::picture::{self, Corner, Curve, Plot, Style};

use super::common::{engine_options, write_json};
use super::midgame::{MidgameRow, midgame_positions};
use crate::usage::Usage;

/// Search with 1, 2 and more threads: speedup, extra nodes, processors used, context switches
///
/// Endings are solved exactly; the twenty midgame positions of `umigame-lab midgame` are searched to a
/// depth. Threads beyond the machine's processors are not started, unless processors are simulated:
/// then the threads take turns, and time is counted in nodes. The simulation models neither shared
/// memory and caches nor the time to wake a thread.
#[derive(Args, Debug)]
#[command(after_help = "\
Example:
  umigame-lab scaling --threads 16 --depth 24 --runs 3 --svg scaling.svg
  umigame-lab scaling --threads 256 --simulate --from 45 --to 45")]
pub(super) struct ScalingArgs {
    /// First ending
    #[arg(long, value_name = "40-59", default_value_t = 50)]
    from: u32,

    /// Last ending
    #[arg(long, value_name = "40-59", default_value_t = 54)]
    to: u32,

    /// Depth of the midgame searches, 0 for none
    #[arg(long, value_name = "0-60", default_value_t = 20,
          value_parser = clap::value_parser!(u32).range(0..=60))]
    depth: u32,

    /// Confidence of the midgame searches
    #[arg(long, value_name = "PERCENT", default_value = "73", value_parser = parse_confidence)]
    confidence: Confidence,

    /// Largest number of threads
    #[arg(long, value_name = "1-256", default_value_t = 2,
          value_parser = clap::value_parser!(u32).range(1..=256))]
    threads: u32,

    /// Simulate a processor for each thread
    #[arg(long)]
    simulate: bool,

    /// Draw the speedups
    #[arg(long, value_name = "FILE")]
    svg: Option<PathBuf>,

    /// Print JSON Lines, one object per row
    #[arg(long)]
    jsonl: bool,

    #[command(flatten)]
    repeat: RepeatArgs,
}

/// A row as JSON.
#[derive(Serialize)]
struct Record<'a> {
    work: &'a str,
    #[serde(flatten)]
    row: ScalingRow,
    speedup: f64,
}

pub(super) fn run(
    evaluation: &SharedEvaluation,
    args: &ScalingArgs,
    out: &mut dyn Write,
) -> Result<Exit> {
    let ScalingArgs { from, to, depth, .. } = *args;
    let endings = ffo_endings(from, to).ok_or_else(|| {
        bad_input(format!("--from {from} --to {to}: expected numbers from 40 to 59"))
    })?;
    let mut works = vec![(format!("FFO {from} to {to}"), ScalingWork::Endings(endings))];
    if depth > 0 {
        let name = format!("midgame {depth}@{}", args.confidence);
        works.push((name, ScalingWork::Midgame(depth, args.confidence)));
    }
    let mut curves = Vec::new();
    for (name, work) in works {
        let rows = measure(evaluation, args, &name, work, out)?;
        curves.push((name, rows));
    }
    if let Some(path) = &args.svg {
        save(path, &curves)?;
    }
    let wrong: u32 = curves.iter().flat_map(|(_, rows)| rows).map(|row| row.wrong).sum();
    if wrong > 0 {
        writeln!(out, "WRONG: {wrong} scores; see umigame bench ffo")?;
        return Ok(Exit::Failed);
    }
    Ok(Exit::Done)
}

/// Measures and prints the rows of some work.
fn measure(
    evaluation: &SharedEvaluation,
    args: &ScalingArgs,
    name: &str,
    work: ScalingWork<'_>,
    out: &mut dyn Write,
) -> Result<Vec<ScalingRow>> {
    let RepeatArgs { hash, runs } = args.repeat;
    if !args.jsonl {
        writeln!(out, "# {name}, {hash} MB, median of {runs} runs")?;
        let time = if args.simulate { "Mnodes each" } else { "seconds" };
        writeln!(
            out,
            "# threads          nodes {time:>11}  faster  more nodes  processors  switches"
        )?;
    }
    let mut rows: Vec<ScalingRow> = Vec::new();
    for threads in thread_counts(args.threads as usize) {
        let make = if args.simulate { Engine::simulated } else { Engine::new };
        let mut engine = make(evaluation.clone(), engine_options(hash, threads as u32))?;
        let row = ScalingRow::measure(&mut engine, work, runs);
        let speedup = row.speedup(rows.first().unwrap_or(&row));
        if args.jsonl {
            write_json(&Record { work: name, row, speedup }, out)?;
        } else {
            let extra = row.extra_nodes_percent(rows.first().unwrap_or(&row));
            let processors = row.processors.map_or("-".to_owned(), |it| format!("{it:.2}"));
            let switches = row.voluntary_switches.map_or("-".to_owned(), |it| it.to_string());
            let (nodes, time) = (row.nodes, row.time());
            writeln!(
                out,
                "{threads:9} {nodes:14} {time:11.3} {speedup:7.2} {extra:+9.1} % {processors:>11} \
                 {switches:>9}"
            )?;
        }
        out.flush()?;
        rows.push(row);
    }
    Ok(rows)
}

fn save(path: &Path, curves: &[ScalingCurve]) -> Result<()> {
    let failed = |why: String| bad_input(format!("--svg: {}: {why}", shown_path(path)));
    let svg = picture::svg(&[plot(curves)]).map_err(failed)?;
    files::replace(path, svg.as_bytes()).map_err(|error| failed(error.to_string()))
}

/// Searches whose time is measured.
#[derive(Clone, Copy, Debug)]
enum ScalingWork<'a> {
    /// Endings solved exactly.
    Endings(&'a [FfoEnding]),
    /// The midgame positions to a depth.
    Midgame(u32, Confidence),
}

/// Totals of some work with one number of threads.
#[derive(Serialize, Clone, Copy, Default, Debug)]
struct ScalingRow {
    /// Threads that searched.
    threads: usize,
    /// Nodes of all searches.
    nodes: u64,
    /// Time of all searches in seconds.
    seconds: f64,
    /// Nodes that one thread visits in the time of all searches, if the processors are simulated.
    simulated_nodes: Option<u64>,
    /// Processors used on average.
    processors: Option<f64>,
    /// Times that a thread gave its processor up to wait.
    voluntary_switches: Option<u64>,
    /// Endings with a wrong score.
    wrong: u32,
}

impl ScalingRow {
    /// Does the work `runs` times, each search with an empty table, and returns the run of median
    /// time.
    fn measure(engine: &mut Engine, work: ScalingWork<'_>, runs: usize) -> ScalingRow {
        let rows = (0..runs.max(1)).map(|_| ScalingRow::once(engine, work)).collect();
        median_by(rows, |row| Duration::from_secs_f64(row.seconds)).unwrap_or_default()
    }

    fn once(engine: &mut Engine, work: ScalingWork<'_>) -> ScalingRow {
        let before = engine.simulated_nodes();
        let ((nodes, wrong), usage) = Usage::of(|| match work {
            ScalingWork::Endings(endings) => {
                endings.iter().fold((0, 0), |(nodes, wrong), ending| {
                    let row = solve_ending(engine, ending, 1);
                    (nodes + row.nodes, wrong + u32::from(!row.right))
                })
            }
            ScalingWork::Midgame(depth, confidence) => {
                let limits = Limits::midgame(depth, confidence);
                let nodes = midgame_positions()
                    .into_iter()
                    .map(|position| MidgameRow::measure(engine, 0, position, &limits, 1).nodes);
                (nodes.sum(), 0)
            }
        });
        let simulated = engine.simulated_nodes().zip(before).map(|(now, before)| now - before);
        ScalingRow {
            threads: engine.threads(),
            nodes,
            seconds: usage.time.as_secs_f64(),
            simulated_nodes: simulated,
            processors: match simulated {
                Some(time) => Some(nodes as f64 / time.max(1) as f64),
                None => usage.processors(),
            },
            voluntary_switches: usage.voluntary_switches.filter(|_| simulated.is_none()),
            wrong,
        }
    }

    /// Returns the time of all searches: in seconds, or in million nodes of one thread if the
    /// processors are simulated.
    fn time(&self) -> f64 {
        self.simulated_nodes.map_or(self.seconds, |nodes| nodes as f64 / 1e6)
    }

    /// Returns the ratio of the time of one thread to this time.
    fn speedup(&self, one_thread: &ScalingRow) -> f64 {
        one_thread.time() / self.time().max(1e-9)
    }

    /// Returns the nodes beyond those of one thread, in percent of them.
    fn extra_nodes_percent(&self, one_thread: &ScalingRow) -> f64 {
        100.0 * (self.nodes as f64 / one_thread.nodes.max(1) as f64 - 1.0)
    }
}

/// Returns the numbers of threads to measure: 1 to 4, then each twice the last, and `most`.
fn thread_counts(most: usize) -> Vec<usize> {
    let doubling = std::iter::successors(Some(8), |count| Some(2 * count));
    let mut counts: Vec<_> = (1..=4).chain(doubling).take_while(|&count| count < most).collect();
    counts.push(most.max(1));
    counts
}

/// Rows of some work, one for each number of threads, with its name. The first is that of one
/// thread.
type ScalingCurve = (String, Vec<ScalingRow>);

/// Returns the speedup of each work beside the ideal one.
fn plot(works: &[ScalingCurve]) -> Plot {
    let threads = |row: &ScalingRow| row.threads as f64;
    let most = works.iter().flat_map(|(_, rows)| rows).map(threads).fold(2.0, f64::max);
    let mut curves = vec![Curve::new("ideal", vec![(1.0, 1.0), (most, most)], 7, Style::Line)];
    for (color, (name, rows)) in works.iter().enumerate() {
        let speedup = |row| (threads(row), row.speedup(&rows[0]));
        curves.push(Curve::new(name, rows.iter().map(speedup).collect(), color, Style::Line));
    }
    let title = "Speedup over one thread";
    Plot { legend: Corner::UpperLeft, ..Plot::new(title, "threads", 1.0..most, curves) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_numbers_of_threads_rise_to_the_largest() {
        assert_eq!(thread_counts(1), [1]);
        assert_eq!(thread_counts(4), [1, 2, 3, 4]);
        assert_eq!(thread_counts(20), [1, 2, 3, 4, 8, 16, 20]);
        assert_eq!(thread_counts(64), [1, 2, 3, 4, 8, 16, 32, 64]);
    }
}
