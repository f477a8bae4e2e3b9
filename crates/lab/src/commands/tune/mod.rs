//! `umigame-lab tune`: constants of the search, by node counts, known scores or games.

mod accuracy;
mod args;
mod games;
mod nodes;

use std::io::Write;

use crate::tune::error::TuneError;
use crate::tune::objectives::constants::{ConstantError, constant_table};
use anyhow::Result;
use clap::{Args, Subcommand};
use umigame_engine::SharedEvaluation;
use umigame_support::exit::{Exit, bad_input};
use umigame_training::LearnError;

/// Tune constants of the search by node counts, known scores or games
///
/// The method is SPSA: each iteration moves all chosen constants at once to either side, compares
/// both settings, and goes a step towards the better. The log holds each iteration; the same command
/// goes on from it after an interrupt or a kill, and prints the summary once it is finished. The
/// same seed makes the same log, unless processor time is counted. Every fifth position is not tuned
/// on: after the last iteration, the values found are compared with the start values there.
#[derive(Args, Debug)]
#[command(after_help = "\
Examples:
  umigame-lab tune list
  umigame-lab tune nodes hard-20.obf --exact --constants endgame --log endgame.jsonl
  umigame-lab tune nodes xot.txt --depth 14 --positions 400 --log midgame.jsonl --hours 0.5
  umigame-lab tune games xot.txt --constants probcut,LMR_MIN_DEPTH=3..8 --log cuts.jsonl
  umigame-lab tune accuracy at24.umi --depth 13 --constants futility --log cuts.jsonl
  umigame-lab tune measure at24.umi FACTOR_1=1.5 --depth 13 --positions 4000
  umigame-lab tune compare xot.txt NEAR_SIGMAS=0.5 LMR_MIN_DEPTH=4 --move-time 25ms")]
pub(super) struct TuneArgs {
    #[command(subcommand)]
    command: TuneCommand,
}

#[derive(Subcommand, Debug)]
enum TuneCommand {
    /// List the constants: default, range, step, and what they change
    List,
    Nodes(nodes::NodesArgs),
    Accuracy(accuracy::AccuracyArgs),
    Measure(accuracy::MeasureArgs),
    Games(games::GamesArgs),
    Compare(games::CompareArgs),
}

/// Converts an error: bad input, unless the search is at fault or the machine is.
fn explain(error: anyhow::Error) -> anyhow::Error {
    if let Some(wrong) = error.downcast_ref::<ConstantError>() {
        return bad_input(format!("--constants: {wrong}"));
    }
    let is_fault =
        |wrong: &TuneError| matches!(wrong, TuneError::Wrong { .. } | TuneError::NoMove(_));
    let is_bad_input = error.is::<LearnError>()
        || error.downcast_ref::<TuneError>().is_some_and(|wrong| !is_fault(wrong));
    if is_bad_input { bad_input(error) } else { error }
}

pub(super) fn run(
    evaluation: &SharedEvaluation,
    args: &TuneArgs,
    out: &mut dyn Write,
) -> Result<Exit> {
    let result = match &args.command {
        TuneCommand::List => {
            write!(out, "{}", constant_table())?;
            Ok(Exit::Done)
        }
        TuneCommand::Nodes(args) => nodes::tune_nodes(evaluation, args, out),
        TuneCommand::Accuracy(args) => accuracy::tune_accuracy(evaluation, args, out),
        TuneCommand::Measure(args) => accuracy::measure(evaluation, args, out),
        TuneCommand::Games(args) => games::tune_games(evaluation, args, out),
        TuneCommand::Compare(args) => games::compare(evaluation, args, out),
    };
    result.map_err(explain)
}
