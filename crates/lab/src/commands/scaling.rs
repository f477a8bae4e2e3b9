//! `umigame-lab scaling`: the same searches with one thread, two, and more.

use std::io::Write;
use std::path::PathBuf;

use anyhow::Result;
use clap::Args;
use serde::Serialize;
use umigame::bench::parse_confidence;
use umigame::bench::{RepeatArgs, ffo_endings};
use umigame_engine::{Confidence, Engine, SharedEvaluation};
use umigame_lab::measure::{ScalingCurve, ScalingRow, ScalingWork, scaling_svg, thread_counts};
use umigame_othello::text::shown_path;
use umigame_support::exit::{Exit, bad_input};
use umigame_support::files;

use super::common::{engine_options, write_json};

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

fn save(path: &std::path::Path, curves: &[ScalingCurve]) -> Result<()> {
    let failed = |why: String| bad_input(format!("--svg: {}: {why}", shown_path(path)));
    let svg = scaling_svg(curves).map_err(failed)?;
    files::replace(path, svg.as_bytes()).map_err(|error| failed(error.to_string()))
}
