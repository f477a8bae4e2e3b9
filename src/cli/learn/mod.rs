//! `umigame learn`: training data, and the evaluation made of it. One file
//! for each of its subcommands.

mod all;
mod calibrate;
mod fit;
mod label;
mod network;
mod play;
mod probcut;
mod test;

use std::io::{self, IsTerminal, Write};
use std::ops::{ControlFlow, RangeInclusive};
use std::path::{Path, PathBuf};

use anyhow::{Context, Result};
use clap::{Args, Subcommand};
use indicatif::ProgressBar;
use umigame_engine::eval::ErrorModel;
use umigame_engine::eval::SharedEvaluation;
use umigame_engine::eval::file::{self, Weights, WeightsFile};
use umigame_lab::files;
use umigame_lab::learn::LearnError;
use umigame_lab::learn::data::{self, DataError, Sample};
use umigame_lab::learn::fit::Targets;

use super::args::number_in;
use super::interrupt::is_interrupted;
use super::progress::styled;
use super::{Outcome, bad_input, shown};

/// Make training data, and learn from it
#[derive(Args, Debug)]
pub(super) struct LearnArgs {
    #[command(subcommand)]
    command: LearnCommand,
}

#[derive(Subcommand, Debug)]
enum LearnCommand {
    All(all::AllArgs),
    Calibrate(calibrate::CalibrateArgs),
    Fit(fit::FitArgs),
    Play(play::PlayArgs),
    Probcut(probcut::ProbcutArgs),
    Label(label::LabelArgs),
    Network(network::NetworkArgs),
    Test(test::TestArgs),
}

pub(super) fn run(
    evaluation: &SharedEvaluation,
    args: LearnArgs,
    out: &mut dyn Write,
) -> Result<Outcome> {
    match args.command {
        LearnCommand::All(args) => all::run(&args, out),
        LearnCommand::Calibrate(args) => calibrate::run(evaluation, &args, out),
        LearnCommand::Fit(args) => fit::run(&args, out),
        LearnCommand::Play(args) => play::run(evaluation, &args, out),
        LearnCommand::Probcut(args) => probcut::run(evaluation, &args, out),
        LearnCommand::Label(args) => label::run(evaluation, &args, out),
        LearnCommand::Network(args) => network::run(&args, out),
        LearnCommand::Test(args) => test::run(evaluation, &args, out),
    }
}

/// A file that the user named is the reason, or something else is.
fn explain(error: LearnError) -> anyhow::Error {
    match error {
        LearnError::Data(DataError::Io { ref error, .. })
            if !matches!(
                error.kind(),
                io::ErrorKind::NotFound
                    | io::ErrorKind::PermissionDenied
                    | io::ErrorKind::IsADirectory
            ) =>
        {
            anyhow::Error::msg(error.to_string())
        }
        LearnError::Data(_) | LearnError::Source { .. } => bad_input(error),
        LearnError::Table(_) | LearnError::Unproven(_) => error.into(),
    }
}

/// Whether work that asks goes on: not after an interrupt.
fn go_on() -> ControlFlow<()> {
    if is_interrupted() { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
}

/// A range of whole numbers up to `most`: `6-44` or `20`.
fn parse_range(text: &str, most: u32) -> Result<RangeInclusive<u32>, String> {
    let (first, last) = text.split_once('-').unwrap_or((text, text));
    match (first.trim().parse(), last.trim().parse()) {
        (Ok(first), Ok(last)) if first <= last && last <= most => Ok(first..=last),
        _ => Err(format!("expected a number up to {most}, or a range of them such as 6-44")),
    }
}

/// The packed weights of the file that an option names, and the deviations
/// beside them, before hours of work are spent on it.
fn read_weights(option: &str, path: &Path) -> Result<(Weights, ErrorModel)> {
    let wrong =
        |why: &dyn std::fmt::Display| bad_input(format!("{option}: {}: {why}", shown(path)));
    let bytes = std::fs::read(path).map_err(|error| wrong(&error))?;
    let weights = file::from_bytes(&bytes).map_err(|error| wrong(&error))?;
    let file = WeightsFile::new(&bytes).map_err(|error| wrong(&error))?;
    Ok((weights, file.error_model()))
}

/// Writes packed weights and the deviations beside them.
fn write_weights(path: &Path, weights: &Weights, deviations: &ErrorModel) -> Result<usize> {
    let bytes = file::to_bytes(weights, deviations);
    files::replace(path, &bytes).with_context(|| format!("{} cannot be written", shown(path)))?;
    Ok(bytes.len())
}

/// What the commands that learn from training data have in common.
#[derive(Args, Debug)]
struct DataArgs {
    /// Files of training data
    #[arg(value_name = "FILE", required = true)]
    files: Vec<PathBuf>,

    /// How much the result of a position's games counts beside the value of
    /// its search, 0 to 1; exact scores stand alone
    #[arg(long, value_name = "SHARE", default_value_t = Targets::default().blend,
          value_parser = parse_share)]
    blend: f32,

    /// So many discs from even, a position counts half as much as one that
    /// is even [default: all count alike]
    #[arg(long, value_name = "DISCS", value_parser = parse_half)]
    half: Option<f32>,
}

impl DataArgs {
    /// The positions of the files.
    fn load(&self) -> Result<Vec<Sample>> {
        let samples = data::load(&self.files).map_err(|error| explain(error.into()))?;
        if samples.is_empty() {
            return Err(bad_input("no position in the training data"));
        }
        Ok(samples)
    }

    fn targets(&self) -> Targets {
        Targets { blend: self.blend, half: self.half.unwrap_or(f32::INFINITY) }
    }
}

fn parse_half(text: &str) -> Result<f32, String> {
    number_in(text, 1.0..=64.0, "a number of discs from 1 to 64")
}

fn parse_share(text: &str) -> Result<f32, String> {
    number_in(text, 0.0..=1.0, "a number from 0 to 1")
}

/// What the commands that measure weights have in common.
#[derive(Args, Debug)]
struct MeasureArgs {
    /// Seed of the choice of positions
    #[arg(long, value_name = "NUMBER", default_value_t = 1)]
    seed: u64,

    /// Put the fit into this file of weights
    #[arg(long, value_name = "WEIGHTS")]
    into: Option<PathBuf>,

    /// Positions at once [default: one for each core]
    #[arg(long, value_name = "1-256", value_parser = clap::value_parser!(u32).range(1..=256))]
    threads: Option<u32>,

    /// One JSON object for each row
    #[arg(long)]
    jsonl: bool,
}

impl MeasureArgs {
    /// The weights and deviations that are to be changed.
    fn weights(&self) -> Result<Option<(Weights, ErrorModel)>> {
        self.into.as_deref().map(|into| read_weights("--into", into)).transpose()
    }
}

/// Threads that are asked for, or all that the machine has.
pub(super) fn threads(asked: Option<u32>) -> usize {
    let all = || std::thread::available_parallelism().map_or(1, usize::from);
    asked.map_or_else(all, |threads| threads as usize)
}

/// A bar on standard error where that is a terminal; without a length, a
/// count. `{msg}` is for what else there is to say.
pub(super) fn progress(length: Option<u64>, unit: &str) -> ProgressBar {
    if !io::stderr().is_terminal() {
        return ProgressBar::hidden();
    }
    let template = match length {
        Some(_) => format!("{{bar:30}} {{pos}}/{{len}} {unit}  {{msg}}  {{elapsed}} (eta {{eta}})"),
        None => format!("{{spinner}} {{pos}} {unit}  {{msg}}  {{elapsed}}"),
    };
    styled(length.map_or_else(ProgressBar::new_spinner, ProgressBar::new), &template)
}
