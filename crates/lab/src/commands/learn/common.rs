//! Common parts of the steps of `umigame-lab learn`.

use std::fmt::Display;
use std::ops::{ControlFlow, RangeInclusive};
use std::path::{Path, PathBuf};

use anyhow::{Context, Result};
use clap::Args;
use umigame_eval::file::{self, FittedModels, Weights, WeightsError, WeightsFile};
use umigame_support::args::{number_in, range_in};
use umigame_support::exit::{bad_input, shown};
use umigame_support::files;
use umigame_support::interrupt::is_interrupted;
use umigame_training::LearnError;
use umigame_training::data::{self, Sample};
use umigame_training::fit::Targets;
use umigame_training::sources::keep_random;

/// Largest size of a file that is read as weights; today's have 12 MB.
const MAX_WEIGHTS_BYTES: u64 = 1 << 26;

/// Converts an error: bad input if a file that the user named is the reason.
pub(super) fn explain(error: LearnError) -> anyhow::Error {
    if error.is_bad_input() { bad_input(error) } else { error.into() }
}

/// Breaks after an interrupt.
pub(super) fn go_on() -> ControlFlow<()> {
    if is_interrupted() { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
}

/// Reads the packed weights and the models of the file that `option` names.
pub(super) fn read_weights(option: &str, path: &Path) -> Result<(Weights, FittedModels)> {
    let wrong = |why: &dyn Display| bad_input(format!("{option}: {}: {why}", shown(path)));
    let bytes = files::read_at_most(path, MAX_WEIGHTS_BYTES).map_err(|error| wrong(&error))?;
    parse_weights(&bytes).map_err(|error| wrong(&error))
}

/// Parses the packed weights and the models of a weights file.
pub(super) fn parse_weights(bytes: &[u8]) -> Result<(Weights, FittedModels), WeightsError> {
    Ok((file::from_bytes(bytes)?, WeightsFile::new(bytes)?.models()))
}

/// Writes packed weights and their models. Returns the size of the file in bytes.
pub(super) fn write_weights(
    path: &Path,
    weights: &Weights,
    models: &FittedModels,
) -> Result<usize> {
    let bytes = file::to_bytes(weights, models);
    files::replace(path, &bytes).with_context(|| format!("{} cannot be written", shown(path)))?;
    Ok(bytes.len())
}

/// Options of the commands that learn from training data.
#[derive(Args, Debug)]
pub(super) struct DataArgs {
    /// Files of training data
    #[arg(value_name = "FILE", required = true)]
    files: Vec<PathBuf>,

    /// Share of game results in a target, 0 to 1; the rest is the search value. Exact scores stand
    /// alone
    #[arg(long, value_name = "SHARE", default_value_t = Targets::default().blend,
          value_parser = parse_share)]
    blend: f32,

    /// Score at which a position counts half as much as an even one [default: all count alike]
    #[arg(long, value_name = "DISCS", value_parser = parse_half)]
    half: Option<f32>,
}

impl DataArgs {
    /// Reads the positions of the files.
    pub(super) fn load(&self) -> Result<Vec<Sample>> {
        let samples = data::load(&self.files).map_err(|error| explain(error.into()))?;
        if samples.is_empty() {
            return Err(bad_input("no position in the training data"));
        }
        Ok(samples)
    }

    pub(super) fn targets(&self) -> Targets {
        let half = self.half.unwrap_or(f32::INFINITY);
        Targets { blend: self.blend, half, ..Targets::default() }
    }
}

fn parse_half(text: &str) -> Result<f32, String> {
    number_in(text, 1.0..=64.0, "a number of discs from 1 to 64")
}

fn parse_share(text: &str) -> Result<f32, String> {
    number_in(text, 0.0..=1.0, "a number from 0 to 1")
}

/// Options of the commands that search positions chosen from files.
#[derive(Args, Debug)]
pub(super) struct SampleArgs {
    /// Maximum number of positions, chosen at random
    #[arg(long, value_name = "COUNT")]
    sample: Option<usize>,

    /// Seed of the choice
    #[arg(long, value_name = "NUMBER", default_value_t = 1)]
    seed: u64,

    /// Positions searched at once [default: one for each core]
    #[arg(long, value_name = "1-256", value_parser = clap::value_parser!(u32).range(1..=256))]
    threads: Option<u32>,
}

impl SampleArgs {
    /// Keeps the positions of the choice, if there is a maximum.
    pub(super) fn choose<T>(&self, positions: &mut Vec<T>) {
        if let Some(count) = self.sample {
            keep_random(positions, count, self.seed);
        }
    }

    /// Returns the number of positions searched at once.
    pub(super) fn threads(&self) -> usize {
        threads(self.threads)
    }
}

/// Parses a range of empties, such as `22-26` or `30`.
pub(super) fn parse_empties(text: &str) -> Result<RangeInclusive<u32>, String> {
    range_in(text, ..=60, "a number up to 60, or a range of them such as 6-44")
}

/// Returns the number of threads asked for, or that of the machine.
pub(super) fn threads(asked: Option<u32>) -> usize {
    asked.map_or_else(umigame_engine::processors, |threads| threads as usize)
}
