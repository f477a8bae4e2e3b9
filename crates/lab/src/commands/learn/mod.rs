//! `umigame-lab learn`: the steps of training, one file each. `umigame learn` takes them all.

mod average;
mod calibrate;
mod common;
mod fit;
mod label;
mod network;
mod play;
mod probcut;
mod scores;
mod test;
mod uncertainty;

use std::io::Write;

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
    Calibrate(calibrate::CalibrateArgs),
    Fit(fit::FitArgs),
    Play(play::PlayArgs),
    Probcut(probcut::ProbcutArgs),
    Label(label::LabelArgs),
    Network(network::NetworkArgs),
    Scores(scores::ScoresArgs),
    Test(test::TestArgs),
    Uncertainty(uncertainty::UncertaintyArgs),
}

pub(super) fn run(
    evaluation: &SharedEvaluation,
    args: &LearnArgs,
    out: &mut dyn Write,
) -> Result<Exit> {
    match &args.command {
        LearnCommand::Average(args) => average::run(args, out),
        LearnCommand::Calibrate(args) => calibrate::run(evaluation, args, out),
        LearnCommand::Fit(args) => fit::run(args, out),
        LearnCommand::Play(args) => play::run(evaluation, args, out),
        LearnCommand::Probcut(args) => probcut::run(evaluation, args, out),
        LearnCommand::Label(args) => label::run(evaluation, args, out),
        LearnCommand::Network(args) => network::run(args, out),
        LearnCommand::Scores(args) => scores::run(evaluation, args, out),
        LearnCommand::Test(args) => test::run(evaluation, args, out),
        LearnCommand::Uncertainty(args) => uncertainty::run(evaluation, args, out),
    }
}
