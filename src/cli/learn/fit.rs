//! `umigame learn fit`: weights from training data.

use std::io::Write;
use std::ops::Bound::{Excluded, Included};
use std::path::PathBuf;

use anyhow::Result;
use clap::Args;
use umigame_engine::eval::ErrorModel;
use umigame_lab::learn::fit::{self, FitSettings, StageError};

use super::{DataArgs, go_on, progress, read_weights, write_weights};
use crate::cli::Outcome;
use crate::cli::args::number_in;
use crate::cli::interrupt::{outcome, stop_when_interrupted};

/// Fit the weights of the evaluation to training data
///
/// Least squares over all patterns, two plies of the game at a time. One
/// position in forty is held out, and the errors on those are printed. The
/// same data and options give the same weights with any number of threads.
/// With --from it goes on from earlier weights: what the data say little of
/// stays as it is, and so do the deviations and the network of that file.
#[derive(Args, Debug)]
#[command(after_help = "\
Examples:
  umigame learn fit a.umi b.umi --out new.weights
  umigame learn fit a.umi --out new.weights --blend 0.8 --ridge 20
  umigame learn fit b.umi --from old.weights --out new.weights")]
pub(super) struct FitArgs {
    #[command(flatten)]
    data: DataArgs,

    /// The file of weights; one that exists is replaced
    #[arg(long, value_name = "FILE")]
    out: PathBuf,

    /// Begin with the weights of this file, in place of nothing
    #[arg(long, value_name = "WEIGHTS")]
    from: Option<PathBuf>,

    /// How many positions it takes to bring a weight half way to what they
    /// say of it
    #[arg(long, value_name = "COUNT", default_value_t = FitSettings::default().ridge,
          value_parser = parse_ridge)]
    ridge: f32,

    /// Passes over the data for each stage
    #[arg(long, value_name = "COUNT", default_value_t = FitSettings::default().iterations as u32,
          value_parser = clap::value_parser!(u32).range(1..=1000))]
    iterations: u32,

    /// One JSON object a stage
    #[arg(long)]
    jsonl: bool,
}

fn parse_ridge(text: &str) -> Result<f32, String> {
    number_in(text, (Excluded(0.0), Included(1e6)), "a number above 0, at most 1000000")
}

pub(super) fn run(args: &FitArgs, out: &mut dyn Write) -> Result<Outcome> {
    let before = args.from.as_deref().map(|from| read_weights("--from", from)).transpose()?;
    let samples = args.data.load()?;
    let settings = FitSettings {
        targets: args.data.targets(),
        ridge: args.ridge,
        iterations: args.iterations as usize,
        ..FitSettings::default()
    };
    let bar = progress(Some(fit::STEPS as u64), "fits");
    stop_when_interrupted()?;
    let from = before.as_ref().map(|(weights, _)| &weights.patterns[..]);
    let fitted = fit::fit(&samples, &settings, from, |done| {
        bar.set_position(done as u64);
        go_on()
    });
    bar.finish_and_clear();
    let Some(mut fitted) = fitted else { return Ok(outcome()) };
    let mut deviations = ErrorModel::DEFAULT;
    if let Some((before, known)) = before {
        (fitted.weights.network, deviations) = (before.network, known);
    }
    let size = write_weights(&args.out, &fitted.weights, &deviations)?;
    if !args.jsonl {
        let count = samples.len();
        writeln!(
            out,
            "# {count} positions, {size} bytes, weights {:08x}",
            fitted.weights.checksum()
        )?;
    }
    table(&fitted.errors, args.jsonl, out)?;
    Ok(Outcome::Done)
}

/// The errors of each stage on positions held out.
pub(super) fn table(errors: &[StageError], jsonl: bool, out: &mut dyn Write) -> Result<()> {
    if !jsonl {
        writeln!(out, "plies   fitted to  held out  mean abs  mean sq  (discs)")?;
    }
    for (stage, error) in errors.iter().enumerate() {
        let first = 2 * stage;
        let last = if stage + 1 == errors.len() { 60 } else { first + 1 };
        if jsonl {
            let line = serde_json::json!({
                "first_ply": first, "last_ply": last, "fitted": error.fitted,
                "held_out": error.held_out, "mean_absolute": error.mean_absolute,
                "mean_squared": error.mean_squared,
            });
            writeln!(out, "{line}")?;
        } else {
            writeln!(
                out,
                "{first:>2}-{last:<2}  {:>10}  {:>8}  {:>8.2}  {:>7.1}",
                error.fitted, error.held_out, error.mean_absolute, error.mean_squared
            )?;
        }
    }
    Ok(())
}
