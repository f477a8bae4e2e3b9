//! `umigame-lab learn test`: errors of the static evaluation, or of reported estimates, against known
//! scores.

use std::io::Write;
use std::ops::RangeInclusive;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result};
use clap::Args;
use serde::Serialize;
use serde_json::json;
use umigame_engine::{Confidence, SharedEvaluation};
use umigame_training::data::{Sample, fold};
use umigame_training::errors::{self, Errors, PLIES, Truth};
use umigame_training::reliability::{
    self, Event, JudgedEstimate, MIN_TENTH_POSITIONS, Tenth, TruthLine,
};
use umigame_training::{Searches, sources};

use super::common::{SampleArgs, explain, parse_empties};
use umigame::bench::parse_confidence;
use umigame_support::exit::{Exit, bad_input, shown};
use umigame_support::interrupt::{INTERRUPTED, outcome, stop_when_interrupted};
use umigame_support::progress;

/// Compare the static evaluation, or the estimates of searches, with known scores
///
/// FILES are training data, OBF lines with scores, or lines of 64 squares and White's disc
/// difference, White to move. Without --depth nothing is searched, and the static evaluation is
/// compared on its own scale; with it, the estimates that a hint would report. Errors are in discs,
/// estimate minus score: mean absolute (error), mean squared (square) and mean (bias). Slope is that of
/// the score on the estimate, offset the mean of score minus estimate, by ply and by thirds of the
/// estimate's size; 1 and 0 are right. Then come the share of errors within the standard deviation, and
/// predicted probabilities beside what happened.
#[derive(Args, Debug)]
#[command(after_help = "\
Examples:
  umigame-lab learn test held-out.umi --svg errors.svg
  umigame-lab learn test problems.obf --group 10
  umigame-lab learn test exact.umi --depth 8 --reliability reliability.svg
  umigame-lab learn test a.umi b.umi --truth search --json")]
pub(super) struct TestArgs {
    /// Files of positions; symmetric positions count once
    #[arg(required = true, value_name = "FILES")]
    files: Vec<PathBuf>,

    /// Reference for the estimates
    #[arg(long, value_name = "REFERENCE", value_enum, default_value_t)]
    truth: Truth,

    /// Plies in a row of the table
    #[arg(long, value_name = "PLIES", default_value_t = 1,
          value_parser = clap::value_parser!(u32).range(1..=60))]
    group: u32,

    /// Plies of the searches; 0 for the static evaluation
    #[arg(long, value_name = "0-30", default_value_t = 0,
          value_parser = clap::value_parser!(u32).range(0..=30))]
    depth: u32,

    /// Confidence of the searches in percent
    #[arg(long, value_name = "PERCENT", default_value = "73", value_parser = parse_confidence)]
    confidence: Confidence,

    /// Range of empties of the positions
    #[arg(long, value_name = "FIRST-LAST", default_value = "1-60", value_parser = parse_empties)]
    empties: RangeInclusive<u32>,

    #[command(flatten)]
    chosen: SampleArgs,

    /// Draw mean score over estimate, and what happened over the probabilities, into this file
    #[arg(long, value_name = "FILE")]
    reliability: Option<PathBuf>,

    /// Draw error and bias by ply into this file
    #[arg(long, value_name = "FILE")]
    svg: Option<PathBuf>,

    /// Print the tables as JSON
    #[arg(long)]
    json: bool,
}

pub(super) fn run(
    evaluation: &SharedEvaluation,
    args: &TestArgs,
    out: &mut dyn Write,
) -> Result<Exit> {
    let samples = read(args)?;
    stop_when_interrupted()?;
    let bar = progress::bar(Some(samples.len() as u64), "positions");
    let searches = Searches { evaluation, threads: args.chosen.threads(), stop: &INTERRUPTED };
    let judged =
        reliability::judge(&samples, args.truth, args.depth, args.confidence, searches, || {
            bar.inc(1)
        });
    bar.finish_and_clear();
    let judged = judged.map_err(explain)?;
    if outcome() == Exit::Interrupted {
        return Ok(Exit::Interrupted);
    }
    if judged.is_empty() {
        return Err(bad_input("no position with such a score in the files"));
    }
    let errors = errors::of_estimates(judged.iter().map(|one| {
        let centidiscs = |discs: f64| (100.0 * discs).round() as i32;
        (one.ply, centidiscs(one.estimate), centidiscs(one.truth))
    }));
    write_picture("--svg", args.svg.as_deref(), || errors::svg(&errors))?;
    write_picture("--reliability", args.reliability.as_deref(), || reliability::svg(&judged))?;
    let report = TestReport::new(&errors, &judged, args.group as usize);
    if args.json {
        report.write_json(out)?;
    } else {
        report.write_tables(out)?;
    }
    Ok(Exit::Done)
}

/// Draws a picture into the file that `option` names, if it names one.
fn write_picture(
    option: &str,
    path: Option<&Path>,
    draw: impl FnOnce() -> Result<String, String>,
) -> Result<()> {
    let Some(path) = path else { return Ok(()) };
    let picture = draw().map_err(anyhow::Error::msg).context("drawing")?;
    std::fs::write(path, picture)
        .map_err(|error| bad_input(format!("{option} {}: {error}", shown(path))))
}

fn read(args: &TestArgs) -> Result<Vec<Sample>> {
    let mut samples = Vec::new();
    for file in &args.files {
        samples.extend(sources::read(file).map_err(explain)?);
    }
    if args.files.len() > 1 {
        fold(&mut samples);
    }
    samples.retain(|sample| {
        args.empties.contains(&sample.position.empties()) && args.truth.of(sample).is_some()
    });
    args.chosen.choose(&mut samples);
    Ok(samples)
}

/// Errors over a range of plies, and the line from estimate to score.
struct Row {
    first: usize,
    last: usize,
    errors: Errors,
    line: Option<TruthLine>,
}

/// A third of the positions, by the size of the estimate in discs.
#[derive(Serialize)]
struct Third {
    first: f64,
    last: f64,
    #[serde(flatten)]
    line: TruthLine,
}

/// The tables of a test.
struct TestReport {
    rows: Vec<Row>,
    all: Row,
    thirds: Vec<Third>,
    /// Share of errors within the standard deviation, and its mean in discs.
    coverage: Option<(f64, f64)>,
    wdl: [(&'static str, Vec<Tenth>); 2],
}

impl TestReport {
    fn new(errors: &[Errors; PLIES], judged: &[JudgedEstimate], group: usize) -> TestReport {
        let row = |(place, errors): (usize, &[Errors])| {
            let (first, last) = (place * group, place * group + errors.len() - 1);
            let here = judged.iter().filter(|one| (first..=last).contains(&(one.ply as usize)));
            let here: Vec<JudgedEstimate> = here.copied().collect();
            Row { first, last, errors: errors.iter().copied().sum(), line: TruthLine::of(&here) }
        };
        let rows = errors.chunks(group).enumerate().map(row);
        let third = |part: &Vec<JudgedEstimate>| {
            let sizes = || part.iter().map(|one| one.estimate.abs());
            let (first, last) = (sizes().fold(64.0, f64::min), sizes().fold(0.0, f64::max));
            Some(Third { first, last, line: TruthLine::of(part)? })
        };
        TestReport {
            rows: rows.filter(|row| row.errors.count > 0).collect(),
            all: Row {
                first: 0,
                last: PLIES - 1,
                errors: errors.iter().copied().sum(),
                line: TruthLine::of(judged),
            },
            thirds: reliability::thirds(judged).iter().filter_map(third).collect(),
            coverage: reliability::coverage(judged),
            wdl: [("win", Event::Win), ("loss", Event::Loss)]
                .map(|(name, event)| (name, reliability::tenths(judged, event))),
        }
    }

    fn write_tables(&self, out: &mut dyn Write) -> Result<()> {
        writeln!(
            out,
            "{:7}{:>10}{:>8}{:>9}{:>8}{:>8}{:>8}",
            "ply", "positions", "error", "square", "bias", "slope", "offset"
        )?;
        let mut line = |plies: &str, row: &Row| {
            let errors = row.errors;
            let [error, square, bias] =
                [errors.mean_absolute(), errors.mean_square(), errors.bias()];
            let slopes = row
                .line
                .map_or(String::new(), |line| format!("{:>8.3}{:>+8.2}", line.slope, line.offset));
            let count = errors.count;
            writeln!(out, "{plies:7}{count:>10}{error:>8.2}{square:>9.2}{bias:>+8.2}{slopes}")
        };
        for row in &self.rows {
            if row.first == row.last {
                line(&row.first.to_string(), row)?;
            } else {
                line(&format!("{}-{}", row.first, row.last), row)?;
            }
        }
        line("all", &self.all)?;
        writeln!(out)?;
        writeln!(out, "|estimate|    positions   error   slope    +-  offset")?;
        for Third { first, last, line } in &self.thirds {
            writeln!(
                out,
                "{first:>5.1} to {last:<5.1}{:>8}{:>8.2}{:>8.3}{:>6.3}{:>+8.2}",
                line.count, line.error, line.slope, line.slope_error, line.offset
            )?;
        }
        let Some((within, std_dev)) = self.coverage else { return Ok(()) };
        writeln!(out)?;
        writeln!(
            out,
            "within the standard deviation: {:.1} % of errors; mean {std_dev:.2}",
            100.0 * within
        )?;
        writeln!(out)?;
        writeln!(out, "result  positions  predicted  happened")?;
        for (name, tenths) in &self.wdl {
            for Tenth { count, predicted, happened } in tenths {
                let few = if *count < MIN_TENTH_POSITIONS { "  few" } else { "" };
                let [predicted, happened] = [predicted, happened].map(|share| 100.0 * share);
                writeln!(out, "{name:6}  {count:>9}  {predicted:>7.1} %  {happened:>6.1} %{few}")?;
            }
        }
        Ok(())
    }

    fn write_json(&self, out: &mut dyn Write) -> Result<()> {
        let object = |row: &Row| {
            json!({
                "first": row.first,
                "last": row.last,
                "positions": row.errors.count,
                "mean_absolute": row.errors.mean_absolute(),
                "mean_square": row.errors.mean_square(),
                "bias": row.errors.bias(),
                "slope": row.line.map(|line| line.slope),
                "offset": row.line.map(|line| line.offset),
            })
        };
        let [win, loss] = &self.wdl;
        let report = json!({
            "plies": self.rows.iter().map(object).collect::<Vec<_>>(),
            "all": object(&self.all),
            "thirds": self.thirds,
            "within": self.coverage.map(|(within, _)| within),
            "mean_std_dev": self.coverage.map(|(_, std_dev)| std_dev),
            "win": win.1,
            "loss": loss.1,
        });
        writeln!(out, "{report}")?;
        Ok(())
    }
}
