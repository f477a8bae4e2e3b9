//! `umigame learn network`: a network that corrects the weights of patterns.

use std::io::Write;
use std::ops::Bound::{Excluded, Included};
use std::path::PathBuf;

use anyhow::Result;
use clap::Args;
use umigame_lab::learn::network::{self, NetworkSettings};

use super::fit::table;
use super::{DataArgs, go_on, progress, read_weights, write_weights};
use crate::cli::args::number_in;
use crate::cli::interrupt::{outcome, stop_when_interrupted};
use crate::cli::{Outcome, bad_input, shown};

/// Train a network that corrects the weights of a fit
///
/// The network sees the patterns that the weights are of, and learns what
/// their sum misses, from training data, in random order. A network that the
/// file has is replaced; with --continue it is trained on. One position in
/// forty is held out, and the errors on those are printed, of the weights
/// alone and with the network. The same data, options and seed give the same
/// network with any number of threads.
#[derive(Args, Debug)]
#[command(after_help = "\
Examples:
  umigame learn fit a.umi b.umi --out new.weights
  umigame learn network a.umi b.umi --into new.weights
  umigame learn network a.umi --into new.weights --passes 8 --seed 2
  umigame learn network b.umi --into new.weights --continue")]
pub(super) struct NetworkArgs {
    #[command(flatten)]
    data: DataArgs,

    /// The file of weights that the network is put into
    #[arg(long, value_name = "WEIGHTS")]
    into: PathBuf,

    /// How often every position is seen
    #[arg(long, value_name = "COUNT", default_value_t = NetworkSettings::default().passes as u32,
          value_parser = clap::value_parser!(u32).range(1..=1000))]
    passes: u32,

    /// The size of the first steps
    #[arg(long, value_name = "SIZE", default_value_t = NetworkSettings::default().rate,
          value_parser = parse_rate)]
    rate: f32,

    /// Begin with the network that the file has, in place of a new one
    #[arg(long = "continue")]
    go_on: bool,

    /// Seed of the order of the positions
    #[arg(long, value_name = "NUMBER", default_value_t = NetworkSettings::default().seed)]
    seed: u64,

    /// One JSON object a stage
    #[arg(long)]
    jsonl: bool,
}

fn parse_rate(text: &str) -> Result<f32, String> {
    number_in(text, (Excluded(0.0), Included(1.0)), "a number above 0, at most 1")
}

pub(super) fn run(args: &NetworkArgs, out: &mut dyn Write) -> Result<Outcome> {
    let (weights, deviations) = read_weights("--into", &args.into)?;
    if args.go_on && weights.network.is_none() {
        let file = shown(&args.into);
        return Err(bad_input(format!("--continue: {file} has no network")));
    }
    let samples = args.data.load()?;
    let settings = NetworkSettings {
        passes: args.passes as usize,
        targets: args.data.targets(),
        rate: args.rate,
        seed: args.seed,
        go_on: args.go_on,
    };
    const STEPS: f64 = 1000.0;
    let bar = progress(Some(STEPS as u64), "parts of a thousand");
    stop_when_interrupted()?;
    let trained = network::train(&samples, &weights, &settings, |share| {
        bar.set_position((share * STEPS) as u64);
        go_on()
    });
    bar.finish_and_clear();
    let Some(trained) = trained else { return Ok(outcome()) };
    let size = write_weights(&args.into, &trained.weights, &deviations)?;
    let [before, after] = &trained.errors;
    if !args.jsonl {
        let (count, number) = (samples.len(), trained.weights.checksum());
        writeln!(out, "# {count} positions, {size} bytes, weights {number:08x}")?;
        writeln!(out, "# the weights alone:")?;
        table(before, false, out)?;
        writeln!(out, "# with the network:")?;
    }
    table(after, args.jsonl, out)?;
    Ok(Outcome::Done)
}
