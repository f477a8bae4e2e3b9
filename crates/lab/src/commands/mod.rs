//! The command line of `umigame-lab`: a file or folder for each command.

mod common;
mod kernels;
mod learn;
mod levels;
mod losses;
mod midgame;
#[cfg(feature = "profile")]
mod profile;
#[cfg(not(feature = "profile"))]
#[path = "no_profile.rs"]
mod profile;
mod ratings;
mod record;
mod replay;
mod scaling;
mod selectivity;
#[cfg(feature = "tune")]
mod tune;
#[cfg(not(feature = "tune"))]
#[path = "no_tune.rs"]
mod tune;

use std::io::Write;
use std::path::PathBuf;
use std::process::ExitCode;

use anyhow::Result;
use clap::{Parser, Subcommand};
use umigame_support::exit::{Exit, complain};
use umigame_support::frame::{self, LogArgs};

/// Measurements, tuning, steps of training and replay, for developers of the engine umigame
///
/// What users run, too, are commands of umigame: bench, bench ffo, match, learn.
#[derive(Parser, Debug)]
#[command(
    name = "umigame-lab",
    version,
    max_term_width = 100,
    after_help = "\
Examples:
  umigame-lab kernels --runs 9         board kernels against the portable ones
  umigame-lab midgame --lines 4        the four best moves of twenty positions to depth 18
  umigame-lab levels 26-30 --positions 6 --at-most 5m
                                       time per move of the highest levels
  umigame-lab profile --to 49          what the solver does at each number of empties (a build with
                                       --features profile)
  umigame-lab ratings -j 2             levels below and above level 1 on one scale
  umigame-lab learn test held-out.umi  the static evaluation against known scores
  umigame-lab record talk.txt -- umigame nboard
                                       write down what NBoard and the engine say
  umigame-lab replay talk.txt -- umigame nboard
                                       say it again and compare the replies
  umigame-lab scaling --threads 4      the same endings with 1 to 4 threads
  umigame-lab selectivity xot.txt      nodes saved and accuracy lost by selective search
  umigame-lab tune nodes hard-20.obf --exact --log log.jsonl
                                       constants of the search (a build with --features tune)

Exit codes:
    0  done; also when the reader of the output closed the pipe
    1  the work failed, or a result is not the expected one
    2  the command line or the input was wrong
  130  interrupted; finished results are kept"
)]
struct Cli {
    /// Evaluate with the weights in this file instead of those in the binary
    #[arg(long, global = true, help_heading = "Common", value_name = "FILE")]
    weights: Option<PathBuf>,

    #[command(flatten)]
    log: LogArgs,

    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand, Debug)]
enum Command {
    Kernels(kernels::KernelsArgs),
    Learn(learn::LearnArgs),
    Levels(levels::LevelsArgs),
    Losses(losses::LossesArgs),
    Midgame(midgame::MidgameArgs),
    Profile(profile::ProfileArgs),
    Ratings(ratings::RatingsArgs),
    Record(record::RecordArgs),
    Replay(replay::ReplayArgs),
    Scaling(scaling::ScalingArgs),
    Selectivity(selectivity::SelectivityArgs),
    Tune(tune::TuneArgs),
}

/// Runs the command line and returns the exit code.
pub(crate) fn main() -> ExitCode {
    if let Some(missing) = umigame_othello::kernels::unsupported() {
        complain(&format!("this binary was built for a newer processor: this one lacks {missing}"));
        return Exit::Failed.into();
    }
    ExitCode::from(frame::run(
        "umigame-lab",
        Cli::try_parse(),
        |cli| cli.log,
        |cli, out| run(&cli, out),
    ))
}

fn run(cli: &Cli, out: &mut dyn Write) -> Result<Exit> {
    let evaluation = || umigame::evaluation(cli.weights.as_deref());
    match &cli.command {
        Command::Kernels(args) => kernels::run(args, out),
        Command::Learn(args) => learn::run(&evaluation()?, cli.weights.as_deref(), args, out),
        Command::Levels(args) => levels::run(&evaluation()?, args, out),
        Command::Losses(args) => losses::run(&evaluation()?, args, out),
        Command::Midgame(args) => midgame::run(&evaluation()?, args, out),
        Command::Profile(args) => profile::run(&evaluation()?, args, out),
        Command::Ratings(args) => ratings::run(&evaluation()?, args, out),
        Command::Record(args) => record::run(args),
        Command::Replay(args) => replay::run(args, out),
        Command::Scaling(args) => scaling::run(&evaluation()?, args, out),
        Command::Selectivity(args) => selectivity::run(&evaluation()?, args, out),
        Command::Tune(args) => tune::run(&evaluation()?, args, out),
    }
}

#[cfg(test)]
mod tests {
    use clap::CommandFactory;

    #[test]
    fn the_definition_of_the_arguments_is_consistent() {
        super::Cli::command().debug_assert();
    }
}
