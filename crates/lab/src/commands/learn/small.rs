//! `umigame-lab learn small`: small weights for the first values of a page.

use std::io::Write;
use std::path::PathBuf;

use anyhow::Result;
use clap::Args;
use umigame_engine::SharedEvaluation;
use umigame_eval::file::FittedModels;
use umigame_training::small::distil;

use super::common::{go_on, write_weights};
use umigame_support::exit::Exit;
use umigame_support::interrupt::{outcome, stop_when_interrupted};

/// Write small weights, for the first values of a page while it fetches the full ones
///
/// Few patterns, coarse phases and no network, fitted to the full evaluation in positions of games that
/// are played for it. The same games, seed and weights give the same file.
#[derive(Args, Debug)]
#[command(after_help = "\
Examples:
  umigame-lab learn small --out crates/eval/weights/small.weights")]
pub(super) struct SmallArgs {
    /// Games to play
    #[arg(long, value_name = "COUNT", default_value_t = 12_000,
          value_parser = clap::value_parser!(u32).range(1..=10_000_000))]
    games: u32,

    /// Seed of the games
    #[arg(long, value_name = "NUMBER", default_value_t = 1)]
    seed: u64,

    /// Weights file; an existing one is replaced
    #[arg(long, value_name = "FILE")]
    out: PathBuf,
}

pub(super) fn run(
    evaluation: &SharedEvaluation,
    args: &SmallArgs,
    out: &mut dyn Write,
) -> Result<Exit> {
    stop_when_interrupted()?;
    let Some(weights) = distil(evaluation, args.games, args.seed, |_| go_on()) else {
        return Ok(outcome());
    };
    let models = FittedModels {
        probcut: *evaluation.probcut_model(),
        calibration: *evaluation.score_calibration(),
        ..FittedModels::DEFAULT
    };
    let size = write_weights(&args.out, &weights, &models)?;
    let (games, checksum) = (args.games, weights.checksum());
    writeln!(out, "# {games} games, {size} bytes, weights {checksum:08x}")?;
    Ok(Exit::Done)
}
