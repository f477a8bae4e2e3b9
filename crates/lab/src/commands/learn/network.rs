//! `umigame-lab learn network`: the network that corrects the pattern sum.

use std::io::Write;
use std::ops::Bound::{Excluded, Included};
use std::path::PathBuf;

use anyhow::Result;
use clap::Args;
use umigame_training::network::{self, NetworkSettings};

use super::common::{DataArgs, go_on, read_weights, write_weights};
use super::fit::table;
use umigame_support::args::number_in;
use umigame_support::exit::{Exit, bad_input, shown};
use umigame_support::interrupt::{outcome, stop_when_interrupted};
use umigame_support::progress;

/// Train the network that corrects the pattern sum
///
/// The network sees the same patterns as the weights and learns the error of their sum. It replaces
/// the network of the file; with --continue that one is trained further. One position in 40 is held
/// out; the errors on this validation set are printed, of the patterns alone and with the network.
/// The network depends on data, options and seed, not on the number of threads.
#[derive(Args, Debug)]
#[command(after_help = "\
Examples:
  umigame-lab learn fit a.umi b.umi --out new.weights
  umigame-lab learn network a.umi b.umi --into new.weights
  umigame-lab learn network a.umi --into new.weights --passes 8 --seed 2
  umigame-lab learn network b.umi --into new.weights --continue")]
pub(super) struct NetworkArgs {
    #[command(flatten)]
    data: DataArgs,

    /// Weights file to store the network in
    #[arg(long, value_name = "WEIGHTS")]
    into: PathBuf,

    /// Passes over the positions
    #[arg(long, value_name = "COUNT", default_value_t = NetworkSettings::default().passes as u32,
          value_parser = clap::value_parser!(u32).range(1..=1000))]
    passes: u32,

    /// Learning rate at the beginning
    #[arg(long, value_name = "RATE", default_value_t = NetworkSettings::default().rate,
          value_parser = parse_rate)]
    rate: f32,

    /// Continue with the network of the file
    #[arg(long = "continue")]
    go_on: bool,

    /// Train the pattern weights of the file too, instead of only rescaling them
    #[arg(long)]
    patterns: bool,

    /// Seed of the order of the positions and of the initial network
    #[arg(long, value_name = "NUMBER", default_value_t = NetworkSettings::default().seed)]
    seed: u64,

    /// Print one JSON object for each phase
    #[arg(long)]
    jsonl: bool,
}

fn parse_rate(text: &str) -> Result<f32, String> {
    number_in(text, (Excluded(0.0), Included(1.0)), "a number above 0, at most 1")
}

pub(super) fn run(args: &NetworkArgs, out: &mut dyn Write) -> Result<Exit> {
    let (weights, models) = read_weights("--into", &args.into)?;
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
        patterns: args.patterns,
    };
    const STEPS: f64 = 100.0;
    let bar = progress::bar(Some(STEPS as u64), "%");
    stop_when_interrupted()?;
    let trained = network::train(&samples, &weights, &settings, |share| {
        bar.set_position((share * STEPS) as u64);
        go_on()
    });
    bar.finish_and_clear();
    let Some(trained) = trained else { return Ok(outcome()) };
    let size = write_weights(&args.into, &trained.weights, &models)?;
    if !args.jsonl {
        let (count, checksum) = (samples.len(), trained.weights.checksum());
        writeln!(out, "# {count} positions, {size} bytes, weights {checksum:08x}")?;
        writeln!(out, "# patterns alone:")?;
        table(&trained.errors_before, false, out)?;
        writeln!(out, "# with the network:")?;
    }
    table(&trained.errors_after, args.jsonl, out)?;
    Ok(Exit::Done)
}
