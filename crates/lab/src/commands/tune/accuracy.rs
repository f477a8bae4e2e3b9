//! `umigame-lab tune accuracy` and `tune measure`: searches of positions with known scores.

use std::io::Write;
use std::path::PathBuf;

use anyhow::Result;
use clap::Args;
use umigame::bench::parse_confidence;
use umigame_arena::Estimate;
use umigame_engine::{Confidence, Limits, SharedEvaluation};
use umigame_support::args::number_in;
use umigame_support::exit::Exit;
use umigame_support::interrupt::{self, INTERRUPTED};

use super::args::{RunArgs, WorkArgs, chosen_values};
use crate::tune::objectives::accuracy::{
    AccuracyDifference, AccuracyObjective, AccuracyRow, AccuracySettings, measure_accuracy,
};
use crate::tune::objectives::constants::TunedConstants;
use crate::tune::objectives::scored::{ScoredPosition, read_scored};
use crate::tune::objectives::searches::SearchSettings;
use crate::tune::summary::ResultUnit;

/// Searches of positions with known scores.
#[derive(Args, Debug)]
struct ScoredArgs {
    /// Search to this depth
    #[arg(long, value_name = "1-60", value_parser = clap::value_parser!(u32).range(1..=60))]
    depth: u32,

    /// Confidence of the searches
    #[arg(long, value_name = "PERCENT", default_value = "73", value_parser = parse_confidence)]
    confidence: Confidence,

    /// Square discs of error that are worth a doubling of the nodes
    #[arg(long, value_name = "DISCS", default_value_t = 1.6, value_parser = parse_trade)]
    trade: f64,

    /// Count processor time instead of nodes
    #[arg(long)]
    time: bool,
}

/// Tune by the error of searches against known scores at equal nodes: for cuts and reductions
///
/// The cost of a setting is the mean squared distance of the scores from a line through the values
/// of the searches, and --trade for each doubling of the nodes. Scores are exact ones, or else the
/// values of deep searches, as `learn label` makes them.
#[derive(Args, Debug)]
pub(super) struct AccuracyArgs {
    /// Positions with known scores: training data, or OBF
    #[arg(value_name = "FILE", required = true)]
    files: Vec<PathBuf>,

    #[command(flatten)]
    scored: ScoredArgs,

    /// Positions of an iteration
    #[arg(long, value_name = "COUNT", default_value_t = 400,
          value_parser = clap::value_parser!(u32).range(2..))]
    batch: u32,

    /// Use only this many positions of each file, spread evenly over it
    #[arg(long, value_name = "COUNT")]
    positions: Option<usize>,

    #[command(flatten)]
    work: WorkArgs,
}

/// Compare the error and the nodes of chosen values with those of the defaults
///
/// The measure is that of `tune accuracy`. Prints both settings, and their differences with 95 %
/// intervals. Without values, measures the defaults at the depth and a ply to either side, which shows
/// what nodes are worth: --trade.
#[derive(Args, Debug)]
pub(super) struct MeasureArgs {
    /// Positions with known scores: training data, or OBF
    #[arg(value_name = "FILE")]
    file: PathBuf,

    /// Constants with the values to try: LMR_MIN_DEPTH=4
    #[arg(value_name = "NAME=VALUE")]
    values: Vec<String>,

    #[command(flatten)]
    scored: ScoredArgs,

    /// Use only this many positions, spread evenly over the file
    #[arg(long, value_name = "COUNT", default_value_t = 2000,
          value_parser = clap::value_parser!(u32).range(2..))]
    positions: u32,

    #[command(flatten)]
    run: RunArgs,
}

pub(super) fn tune_accuracy(
    evaluation: &SharedEvaluation,
    args: &AccuracyArgs,
    out: &mut dyn Write,
) -> Result<Exit> {
    let work = &args.work;
    let (constants, spsa) = work.start(false)?;
    let settings = AccuracySettings {
        search: args.scored.search(&work.run, args.scored.depth),
        trade: args.scored.trade,
        batch: args.batch as usize,
        seed: work.run.seed,
    };
    let scored = read_scored(&args.files, args.positions.unwrap_or(usize::MAX))?;
    let mut objective =
        AccuracyObjective::new(constants, evaluation, &scored, work.check, settings, &INTERRUPTED)?;
    work.run(evaluation, spsa, &mut objective, ResultUnit::Accuracy, out)
}

pub(super) fn measure(
    evaluation: &SharedEvaluation,
    args: &MeasureArgs,
    out: &mut dyn Write,
) -> Result<Exit> {
    let scored = read_scored(std::slice::from_ref(&args.file), args.positions as usize)?;
    let constants = chosen_values(&args.values)?;
    interrupt::on_interrupt(|| ())?;
    writeln!(out, "{}", header(args.scored.time))?;
    let is_finished = if args.values.is_empty() {
        args.measure_depths(evaluation, &constants, &scored, out)?
    } else {
        args.measure_values(evaluation, constants, &scored, out)?
    };
    Ok(if is_finished { Exit::Done } else { Exit::Interrupted })
}

impl MeasureArgs {
    /// Compares the chosen values with the defaults; `false` if interrupted.
    fn measure_values(
        &self,
        evaluation: &SharedEvaluation,
        constants: TunedConstants,
        scored: &[ScoredPosition],
        out: &mut dyn Write,
    ) -> Result<bool> {
        let (values, defaults) = (constants.starts(), constants.defaults());
        let search = self.scored.search(&self.run, self.scored.depth);
        let rows = measure_accuracy(
            constants,
            [&values, &defaults],
            evaluation,
            scored,
            search,
            &INTERRUPTED,
        )?;
        let Some([values, defaults]) = rows else { return Ok(false) };
        write!(out, "{}", row_text("defaults", &defaults))?;
        write!(out, "{}", row_text("values", &values))?;
        if let Some(difference) = values.difference(&defaults, self.scored.trade) {
            write!(out, "{}", difference_text(&difference, self.scored.trade))?;
        }
        Ok(true)
    }

    /// Measures the defaults at three depths; `false` if interrupted.
    fn measure_depths(
        &self,
        evaluation: &SharedEvaluation,
        no_constants: &TunedConstants,
        scored: &[ScoredPosition],
        out: &mut dyn Write,
    ) -> Result<bool> {
        let depth = self.scored.depth;
        for depth in depth.saturating_sub(1).max(1)..=(depth + 1).min(60) {
            let search = self.scored.search(&self.run, depth);
            let constants = no_constants.clone();
            let rows =
                measure_accuracy(constants, [&[]], evaluation, scored, search, &INTERRUPTED)?;
            let Some([row]) = rows else { return Ok(false) };
            write!(out, "{}", row_text(&format!("depth {depth}"), &row))?;
            out.flush()?;
        }
        Ok(true)
    }
}

impl ScoredArgs {
    fn search(&self, run: &RunArgs, depth: u32) -> SearchSettings {
        run.search(Limits::midgame(depth, self.confidence), self.time)
    }
}

fn parse_trade(text: &str) -> Result<f64, String> {
    number_in(text, 0.0..=1000.0, "square discs from 0 to 1000")
}

/// Returns the header of lines of [`row_text`].
fn header(by_time: bool) -> String {
    let cost = if by_time { "microseconds" } else { "nodes" };
    format!("# setting   squared error  error   slope  offset  {cost}")
}

/// Returns the error and the cost of a setting as a line.
fn row_text(name: &str, row: &AccuracyRow) -> String {
    let AccuracyRow { slope, offset, error, squared_error, cost, .. } = row;
    format!("{name:11} {squared_error:13.3} {error:6.3} {slope:7.3} {offset:+7.2}  {cost:.0}\n")
}

/// Returns how a setting differs from the defaults.
fn difference_text(difference: &AccuracyDifference, trade: f64) -> String {
    let AccuracyDifference { squared_error, cost, traded } = difference;
    let Estimate { value, low, high } = cost;
    let signed =
        |Estimate { value, low, high }: &Estimate| format!("{value:+.3} [{low:+.3}, {high:+.3}]");
    let [squared_error, both] = [squared_error, traded].map(signed);
    let cost = format!("{value:.3} [{low:.3}, {high:.3}]");
    format!("# squared error {squared_error}, cost {cost}, both at {trade} a doubling: {both}\n")
}
