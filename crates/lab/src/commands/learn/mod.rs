//! `umigame-lab learn`: the steps of training, one module each. `umigame learn` takes them all.

mod average;
mod common;
mod fit;
mod fit_models;
mod label;
mod network;
mod play;
mod small;
mod test;

use std::io::Write;
use std::path::Path;

use anyhow::Result;
use clap::{Args, Subcommand};
use umigame_engine::SharedEvaluation;

use umigame_support::exit::Exit;

/// Take one step of training: generate data, fit weights, or compare them with known scores
#[derive(Args, Debug)]
pub(super) struct LearnArgs {
    #[command(subcommand)]
    command: LearnCommand,
}

#[derive(Subcommand, Debug)]
enum LearnCommand {
    Average(average::AverageArgs),
    Fit(fit::FitArgs),
    FitModels(fit_models::FitModelsArgs),
    Play(play::PlayArgs),
    Label(label::LabelArgs),
    Network(network::NetworkArgs),
    Small(small::SmallArgs),
    Test(test::TestArgs),
}

/// Takes a step with the evaluation of the file `weights`, or the embedded one.
pub(super) fn run(
    evaluation: &SharedEvaluation,
    weights: Option<&Path>,
    args: &LearnArgs,
    out: &mut dyn Write,
) -> Result<Exit> {
    match &args.command {
        LearnCommand::Average(args) => average::run(args, out),
        LearnCommand::Fit(args) => fit::run(args, out),
        LearnCommand::FitModels(args) => fit_models::run(weights, args, out),
        LearnCommand::Play(args) => play::run(evaluation, args, out),
        LearnCommand::Label(args) => label::run(evaluation, args, out),
        LearnCommand::Network(args) => network::run(args, out),
        LearnCommand::Small(args) => small::run(evaluation, args, out),
        LearnCommand::Test(args) => test::run(evaluation, args, out),
    }
}
