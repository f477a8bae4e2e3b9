//! `umigame learn calibrate`: values that speak in discs.

use std::io::Write;
use std::path::PathBuf;

use anyhow::Result;
use clap::Args;
use umigame_engine::eval::SharedEvaluation;
use umigame_lab::learn::calibrate::{self, Line, Pair};
use umigame_lab::learn::sources;

use super::test::TruthArg;
use super::{MeasureArgs, explain, progress, threads, write_weights};
use crate::cli::interrupt::{INTERRUPTED, outcome, stop_when_interrupted};
use crate::cli::{Outcome, bad_input, shown};

/// Fit a scale and an offset for each stage of the game to known scores
///
/// Searches every position of the files whose score is known to --depth at
/// 73 %, and finds for each stage the line that takes the value of a search
/// whose leaves lie there to the score. With --into, the lines become part of
/// a file of weights: of the one that --weights names, if it is to be that.
/// Measure what ProbCut cuts by after it.
#[derive(Args, Debug)]
#[command(after_help = "\
Examples:
  umigame learn calibrate strong.umi
  umigame --weights new.weights learn calibrate strong.umi --into new.weights")]
pub(super) struct CalibrateArgs {
    /// Training data, or OBF lines with scores
    #[arg(value_name = "FILE")]
    from: PathBuf,

    /// What a search ought to say
    #[arg(long, value_name = "WHAT", value_enum, default_value_t)]
    truth: TruthArg,

    /// Plies of the searches; 0 for the evaluation alone
    #[arg(long, value_name = "0-30", default_value_t = 8,
          value_parser = clap::value_parser!(u32).range(0..=30))]
    depth: u32,

    /// Only so many of the positions, chosen at random
    #[arg(long, value_name = "COUNT")]
    sample: Option<usize>,

    #[command(flatten)]
    measure: MeasureArgs,
}

pub(super) fn run(
    evaluation: &SharedEvaluation,
    args: &CalibrateArgs,
    out: &mut dyn Write,
) -> Result<Outcome> {
    let weights = args.measure.weights()?;
    let mut samples = sources::read(&args.from).map_err(explain)?;
    if let Some(count) = args.sample {
        fastrand::Rng::with_seed(args.measure.seed).shuffle(&mut samples);
        samples.truncate(count);
    }
    stop_when_interrupted()?;
    let bar = progress(Some(samples.len() as u64), "positions");
    let (truth, threads) = (args.truth.into(), threads(args.measure.threads));
    let how = (args.depth, evaluation);
    let searched = calibrate::pairs(&samples, truth, how, threads, &INTERRUPTED, || bar.inc(1));
    bar.finish_and_clear();
    let pairs = searched.map_err(explain)?;
    if outcome() == Outcome::Interrupted {
        return Ok(Outcome::Interrupted);
    }
    if pairs.is_empty() {
        let from = shown(&args.from);
        return Err(bad_input(format!("{from}: there is no position with such a score")));
    }
    let lines = calibrate::lines(&pairs);
    print(&pairs, &lines, args.measure.jsonl, out)?;
    if let (Some(path), Some((mut weights, deviations))) = (&args.measure.into, weights) {
        calibrate::apply(&mut weights, &lines);
        write_weights(path, &weights, &deviations)?;
    }
    Ok(Outcome::Done)
}

/// The mean distance from the score of what `value` makes of some pairs, in
/// discs.
fn error<'a>(pairs: impl Iterator<Item = &'a Pair>, value: impl Fn(&Pair) -> f64) -> f64 {
    let (sum, count) = pairs.fold((0.0, 0), |(sum, count), pair| {
        (sum + (value(pair) - f64::from(pair.score)).abs(), count + 1)
    });
    sum / f64::from(count.max(1)) / 100.0
}

fn print(pairs: &[Pair], lines: &[Line], jsonl: bool, out: &mut dyn Write) -> Result<()> {
    if !jsonl {
        writeln!(out, "plies  positions  scale  offset   error  as it would be  (discs)")?;
    }
    let before = |pair: &Pair| f64::from(pair.value);
    let after = |pair: &Pair| lines.get(pair.stage).map_or(0.0, |line| line.apply(pair.value));
    for (stage, line) in lines.iter().enumerate() {
        let own = || pairs.iter().filter(|pair| pair.stage == stage);
        let (first, last, offset) = (2 * stage, 2 * stage + 1, line.offset / 100.0);
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
                "{plies:>5}  {count:>9}  {scale:>5.3}  {offset:>+6.2}  {before:>6.2}  {after:>14.2}"
            )?;
        }
    }
    if !jsonl {
        let (count, before) = (pairs.len(), error(pairs.iter(), before));
        let after = error(pairs.iter(), after);
        writeln!(out, "# {count} positions, error {before:.2}, as it would be {after:.2}")?;
    }
    Ok(())
}
