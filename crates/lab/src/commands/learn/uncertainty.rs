//! `umigame-lab learn uncertainty`: how uncertain the value of a position is.

use std::io::Write;
use std::path::PathBuf;

use anyhow::Result;
use clap::Args;
use umigame_engine::{Confidence, SharedEvaluation};
use umigame_eval::file::FittedModels;
use umigame_training::models::noise::{self, PhaseFit};
use umigame_training::models::probcut::ProfileSettings;

use super::common::{MeasureArgs, write_weights};
use super::probcut::searched;
use umigame_support::exit::{Exit, bad_input};
use umigame_support::interrupt::outcome;

/// Fit the uncertainty of positions: which of them searches change more than others
///
/// Searches positions at every depth up to --depth at 95 %, and solves those with at most --solve
/// empties. ProbCut multiplies the sigmas of its error model by the uncertainty, and the score model
/// depends on it: run `learn scores` afterwards. Phases with fewer than 1,000 positions get none. With
/// --into, the fit is stored in that weights file, usually the one of --weights.
#[derive(Args, Debug)]
#[command(after_help = "\
Examples:
  umigame-lab learn uncertainty a.umi
  umigame-lab --weights new.weights learn uncertainty a.umi --into new.weights")]
pub(super) struct UncertaintyArgs {
    /// Training data, or OBF: one position a line
    #[arg(value_name = "FILE")]
    from: PathBuf,

    /// Maximum number of positions for each number of empties
    #[arg(long, value_name = "COUNT", default_value_t = 3000)]
    positions: usize,

    /// Maximum depth
    #[arg(long, value_name = "4-30", default_value_t = 9,
          value_parser = clap::value_parser!(u32).range(4..=30))]
    depth: u32,

    /// Maximum number of empties of positions that are solved
    #[arg(long, value_name = "0-30", default_value_t = 18,
          value_parser = clap::value_parser!(u32).range(0..=30))]
    solve: u32,

    #[command(flatten)]
    measure: MeasureArgs,
}

pub(super) fn run(
    evaluation: &SharedEvaluation,
    args: &UncertaintyArgs,
    out: &mut dyn Write,
) -> Result<Exit> {
    let weights = args.measure.weights()?;
    let (depth, solve) = (args.depth, args.solve);
    let settings = ProfileSettings { depth, solve, confidence: Confidence::P95 };
    let profiles = searched(evaluation, &args.from, args.positions, settings, &args.measure)?;
    if outcome() == Exit::Interrupted {
        return Ok(Exit::Interrupted);
    }
    let Some((model, fits)) = noise::fit(&profiles, evaluation) else {
        return Err(bad_input("the weights have no network"));
    };
    if fits.is_empty() {
        return Err(bad_input("too few positions for a fit: no phase has 1,000"));
    }
    print(&fits, args.measure.jsonl, out)?;
    if !args.measure.jsonl {
        writeln!(out, "# {} positions", profiles.len())?;
    }
    if let (Some(path), Some((weights, models))) = (&args.measure.into, weights) {
        write_weights(path, &weights, &FittedModels { noise: model, ..models })?;
    }
    Ok(Exit::Done)
}

fn print(fits: &[PhaseFit], jsonl: bool, out: &mut dyn Write) -> Result<()> {
    if !jsonl {
        writeln!(out, "plies  positions  5 % below  5 % above   gain  (factors of sigma)")?;
    }
    for PhaseFit { phase, positions, low, high, gain } in fits {
        let (first, last) = (2 * phase, 2 * phase + 1);
        if jsonl {
            let line = serde_json::json!({
                "first": first, "last": last, "positions": positions,
                "low": low, "high": high, "gain": gain,
            });
            writeln!(out, "{line}")?;
        } else {
            let plies = format!("{first}-{last}");
            writeln!(out, "{plies:>5}  {positions:>9}  {low:>9.2}  {high:>9.2}  {gain:>5.3}")?;
        }
    }
    Ok(())
}
