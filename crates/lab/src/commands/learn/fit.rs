//! `umigame-lab learn fit`: pattern weights from training data.

use std::io::Write;
use std::ops::Bound::{Excluded, Included};
use std::path::PathBuf;

use anyhow::Result;
use clap::Args;
use umigame_eval::file::FittedModels;
use umigame_training::fit::{self, FitSettings, PhaseError};

use super::common::{DataArgs, go_on, read_weights, write_weights};
use umigame_support::args::number_in;
use umigame_support::exit::Exit;
use umigame_support::interrupt::{outcome, stop_when_interrupted};
use umigame_support::progress;

/// Fit pattern weights to training data
///
/// Least squares over all patterns, for each phase of two plies. One position in 40 is held out;
/// the errors on this validation set are printed. The weights do not depend on the number of
/// threads. With --from the fit starts from earlier weights: weights that the data say little about
/// are kept, and so are the models and the network of that file.
#[derive(Args, Debug)]
#[command(after_help = "\
Examples:
  umigame-lab learn fit a.umi b.umi --out new.weights
  umigame-lab learn fit a.umi --out new.weights --blend 0.8 --ridge 20
  umigame-lab learn fit b.umi --from old.weights --out new.weights")]
pub(super) struct FitArgs {
    #[command(flatten)]
    data: DataArgs,

    /// Weights file; an existing one is replaced
    #[arg(long, value_name = "FILE")]
    out: PathBuf,

    /// Start from the weights of this file instead of zeros
    #[arg(long, value_name = "WEIGHTS")]
    from: Option<PathBuf>,

    /// Ridge: number of positions that move a weight halfway to their mean
    #[arg(long, value_name = "COUNT", default_value_t = FitSettings::default().ridge,
          value_parser = parse_ridge)]
    ridge: f32,

    /// Passes over the data for each phase
    #[arg(long, value_name = "COUNT", default_value_t = FitSettings::default().iterations as u32,
          value_parser = clap::value_parser!(u32).range(1..=1000))]
    iterations: u32,

    /// Print one JSON object for each phase
    #[arg(long)]
    jsonl: bool,
}

fn parse_ridge(text: &str) -> Result<f32, String> {
    number_in(text, (Excluded(0.0), Included(1e6)), "a number above 0, at most 1000000")
}

pub(super) fn run(args: &FitArgs, out: &mut dyn Write) -> Result<Exit> {
    let before = args.from.as_deref().map(|from| read_weights("--from", from)).transpose()?;
    let samples = args.data.load()?;
    let settings = FitSettings {
        targets: args.data.targets(),
        ridge: args.ridge,
        iterations: args.iterations as usize,
    };
    let bar = progress::bar(Some(fit::STEPS as u64), "fits");
    stop_when_interrupted()?;
    let from = before.as_ref().map(|(weights, _)| &weights.patterns[..]);
    let fitted = fit::fit(&samples, &settings, from, |done| {
        bar.set_position(done as u64);
        go_on()
    });
    bar.finish_and_clear();
    let Some(mut fitted) = fitted else { return Ok(outcome()) };
    let mut models = FittedModels::DEFAULT;
    if let Some((before, known)) = before {
        (fitted.weights.network, models) = (before.network, known);
    }
    let size = write_weights(&args.out, &fitted.weights, &models)?;
    if !args.jsonl {
        let count = samples.len();
        writeln!(
            out,
            "# {count} positions, {size} bytes, weights {:08x}",
            fitted.weights.checksum()
        )?;
    }
    table(&fitted.errors, args.jsonl, out)?;
    Ok(Exit::Done)
}

/// Prints the validation errors of each phase.
pub(super) fn table(errors: &[PhaseError], jsonl: bool, out: &mut dyn Write) -> Result<()> {
    if !jsonl {
        writeln!(out, "plies   fitted to  held out  mean abs  mean sq  (discs)")?;
    }
    for (phase, error) in errors.iter().enumerate() {
        let first = 2 * phase;
        let last = if phase + 1 == errors.len() { 60 } else { first + 1 };
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
