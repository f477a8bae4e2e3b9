//! `umigame-lab learn calibrate`: a scale and an offset for the values of each phase.

use std::io::Write;
use std::path::PathBuf;

use anyhow::Result;
use clap::Args;
use umigame_engine::SharedEvaluation;
use umigame_training::models::calibrate::{self, CalibrationLine, CalibrationPair};
use umigame_training::sources;

use super::common::{MeasureArgs, choose, explain, threads, write_weights};
use super::test::TruthArg;
use umigame_support::exit::{Exit, bad_input, shown};
use umigame_support::interrupt::{INTERRUPTED, outcome, stop_when_interrupted};
use umigame_support::progress;

/// Calibrate weights: fit a scale and an offset for each phase to known scores
///
/// Searches every position with a known score to --depth at 73 % and fits, for each phase, the line
/// from the values of searches with leaves at that phase to the scores. With --into, the lines are
/// applied to the weights of that file, usually the one of --weights. Run `learn probcut` and then
/// `learn scores` afterwards: both models change.
#[derive(Args, Debug)]
#[command(after_help = "\
Examples:
  umigame-lab learn calibrate strong.umi
  umigame-lab --weights new.weights learn calibrate strong.umi --into new.weights")]
pub(super) struct CalibrateArgs {
    /// Training data, or OBF lines with scores
    #[arg(value_name = "FILE")]
    from: PathBuf,

    /// Reference for the values
    #[arg(long, value_name = "REFERENCE", value_enum, default_value_t)]
    truth: TruthArg,

    /// Plies of the searches; 0 for the static evaluation
    #[arg(long, value_name = "0-30", default_value_t = 8,
          value_parser = clap::value_parser!(u32).range(0..=30))]
    depth: u32,

    /// Maximum number of positions, chosen at random
    #[arg(long, value_name = "COUNT")]
    sample: Option<usize>,

    #[command(flatten)]
    measure: MeasureArgs,
}

pub(super) fn run(
    evaluation: &SharedEvaluation,
    args: &CalibrateArgs,
    out: &mut dyn Write,
) -> Result<Exit> {
    let weights = args.measure.weights()?;
    let mut samples = sources::read(&args.from).map_err(explain)?;
    if let Some(count) = args.sample {
        choose(&mut samples, count, args.measure.seed);
    }
    stop_when_interrupted()?;
    let bar = progress::bar(Some(samples.len() as u64), "positions");
    let (truth, threads) = (args.truth.into(), threads(args.measure.threads));
    let done = || bar.inc(1);
    let searched =
        calibrate::pairs(&samples, truth, args.depth, evaluation, threads, &INTERRUPTED, done);
    bar.finish_and_clear();
    let pairs = searched.map_err(explain)?;
    if outcome() == Exit::Interrupted {
        return Ok(Exit::Interrupted);
    }
    if pairs.is_empty() {
        let from = shown(&args.from);
        return Err(bad_input(format!("{from}: no position with such a score")));
    }
    let lines = calibrate::lines(&pairs);
    print(&pairs, &lines, args.measure.jsonl, out)?;
    if let (Some(path), Some((mut weights, models))) = (&args.measure.into, weights) {
        calibrate::apply(&mut weights, &lines);
        write_weights(path, &weights, &models)?;
    }
    Ok(Exit::Done)
}

/// Returns the mean absolute difference between `value` and score of pairs, in discs.
fn error<'a>(
    pairs: impl Iterator<Item = &'a CalibrationPair>,
    value: impl Fn(&CalibrationPair) -> f64,
) -> f64 {
    let (sum, count) = pairs.fold((0.0, 0), |(sum, count), pair| {
        (sum + (value(pair) - f64::from(pair.score)).abs(), count + 1)
    });
    sum / f64::from(count.max(1)) / 100.0
}

fn print(
    pairs: &[CalibrationPair],
    lines: &[CalibrationLine],
    jsonl: bool,
    out: &mut dyn Write,
) -> Result<()> {
    if !jsonl {
        writeln!(out, "plies  positions  scale  offset   error  calibrated  (discs)")?;
    }
    let before = |pair: &CalibrationPair| f64::from(pair.value);
    let after =
        |pair: &CalibrationPair| lines.get(pair.phase).map_or(0.0, |line| line.apply(pair.value));
    for (phase, line) in lines.iter().enumerate() {
        let own = || pairs.iter().filter(|pair| pair.phase == phase);
        let (first, last, offset) = (2 * phase, 2 * phase + 1, line.offset / 100.0);
        let (before, after) = (error(own(), before), error(own(), after));
        let (count, scale) = (own().count(), line.scale);
        if jsonl {
            let line = serde_json::json!({
                "first": first, "last": last, "positions": count, "scale": scale,
                "offset": offset, "error_before": before, "error_after": after,
            });
            writeln!(out, "{line}")?;
        } else {
            let plies = format!("{first}-{last}");
            writeln!(
                out,
                "{plies:>5}  {count:>9}  {scale:>5.3}  {offset:>+6.2}  {before:>6.2}  {after:>10.2}"
            )?;
        }
    }
    if !jsonl {
        let (count, before) = (pairs.len(), error(pairs.iter(), before));
        let after = error(pairs.iter(), after);
        writeln!(out, "# {count} positions, error {before:.2}, calibrated {after:.2}")?;
    }
    Ok(())
}
