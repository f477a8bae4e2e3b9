//! `umigame-lab learn average`: the mean of several weights.

use std::io::Write;
use std::path::PathBuf;

use anyhow::Result;
use clap::Args;
use umigame_eval::file::Weights;
use umigame_training::average::average;

use super::common::{read_weights, write_weights};
use umigame_support::args::number_in;
use umigame_support::exit::{Exit, bad_input, shown};

/// Write the mean of several weights
///
/// Stages of one training differ by chance: their mean usually errs less than each of them. Weights
/// whose trainings began apart have no useful mean. The models are those of the first file: calibrate the
/// mean, then fit them again by `learn fit-models`.
#[derive(Args, Debug)]
#[command(after_help = "\
Examples:
  umigame-lab learn average stage1.weights stage2.weights stage3.weights --out new.weights
  umigame-lab learn average old.weights more.weights --shares 2,1 --out new.weights")]
pub(super) struct AverageArgs {
    /// Weights files
    #[arg(value_name = "WEIGHTS", required = true, num_args = 2..)]
    files: Vec<PathBuf>,

    /// Share of each file, in their order [default: all alike]
    #[arg(long, value_name = "SHARES", value_delimiter = ',', value_parser = parse_share)]
    shares: Vec<f64>,

    /// Weights file; an existing one is replaced
    #[arg(long, value_name = "FILE")]
    out: PathBuf,
}

fn parse_share(text: &str) -> Result<f64, String> {
    number_in(text, 0.0..=1e6, "a number from 0 to 1000000")
}

pub(super) fn run(args: &AverageArgs, out: &mut dyn Write) -> Result<Exit> {
    let (files, shares) = (args.files.len(), args.shares.len());
    if shares != 0 && shares != files {
        return Err(bad_input(format!(
            "--shares: expected {files} numbers for {files} files, found {shares}"
        )));
    }
    if shares != 0 && args.shares.iter().all(|&share| share == 0.0) {
        return Err(bad_input("--shares: they add up to 0"));
    }
    let shares = args.shares.iter().copied().chain(std::iter::repeat(1.0));
    let read: Result<Vec<_>> =
        args.files.iter().map(|path| read_weights("WEIGHTS", path)).collect();
    let read = read?;
    let models = read[0].1;
    let parts: Vec<(Weights, f64)> =
        read.into_iter().map(|(weights, _)| weights).zip(shares).collect();
    let Some(mean) = average(&parts) else {
        let mut paths = args.files.iter().zip(&parts);
        let without = paths.find(|(_, (weights, _))| weights.network.is_none());
        let without = without.map(|(path, _)| shown(path).to_string()).unwrap_or_default();
        let why = format!("only some of the files have a network: {without} has none");
        return Err(bad_input(why));
    };
    let size = write_weights(&args.out, &mean, &models)?;
    writeln!(out, "# {files} files, {size} bytes, weights {:08x}", mean.checksum())?;
    Ok(Exit::Done)
}
