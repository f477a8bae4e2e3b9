//! The command line of `umigame-lab`: one file per command, each a formatter of rows that
//! [`umigame_lab::measure`] produces.

mod kernels;
mod levels;
mod midgame;
mod scaling;
mod selectivity;
mod support;
#[cfg(feature = "tune")]
mod tune;
#[cfg(not(feature = "tune"))]
#[path = "no_tune.rs"]
mod tune;

use std::io::{self, BufWriter, Write};
use std::path::PathBuf;
use std::process::ExitCode;

use clap::{Parser, Subcommand};
use support::{CommandError, evaluation};

/// Measurements for developers of the engine umigame
///
/// Measurements that users run, too, are commands of umigame: bench, bench ffo, match, learn.
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
  umigame-lab scaling --threads 4      the same endings with 1 to 4 threads
  umigame-lab selectivity xot.txt      nodes saved and accuracy lost by selective search
  umigame-lab tune nodes hard-20.obf --exact --log log.jsonl
                                       constants of the search (a build with --features tune)

Exit codes:
  0  done, also if the reader of the output went away
  1  the measurement failed, or a score is wrong
  2  the command line or the input was wrong
  130  interrupted; what is finished is kept"
)]
struct Cli {
    /// Evaluate with the weights in this file instead of those in the binary
    #[arg(long, global = true, value_name = "FILE")]
    weights: Option<PathBuf>,

    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand, Debug)]
enum Command {
    Kernels(kernels::KernelsArgs),
    Levels(levels::LevelsArgs),
    Midgame(midgame::MidgameArgs),
    Scaling(scaling::ScalingArgs),
    Selectivity(selectivity::SelectivityArgs),
    Tune(tune::TuneArgs),
}

/// Runs the command line and returns the exit code.
pub(crate) fn main() -> ExitCode {
    let cli = match Cli::try_parse() {
        Ok(cli) => cli,
        Err(error) => {
            // A closed pipe is not a failure of `--help`.
            let _ = error.print();
            return ExitCode::from(u8::try_from(error.exit_code()).unwrap_or(2));
        }
    };
    let mut out = BufWriter::new(io::stdout());
    let result = run(&cli, &mut out).and_then(|code| {
        out.flush()?;
        Ok(code)
    });
    match result {
        Ok(code) => code,
        Err(error) if error.is_closed_pipe() => ExitCode::SUCCESS,
        Err(error) => {
            let _ = out.flush();
            let _ = writeln!(io::stderr(), "umigame-lab: {error}");
            ExitCode::from(if matches!(error, CommandError::Input(_)) { 2 } else { 1 })
        }
    }
}

fn run(cli: &Cli, out: &mut dyn Write) -> Result<ExitCode, CommandError> {
    let evaluation = evaluation(cli.weights.as_deref())?;
    match &cli.command {
        Command::Kernels(args) => kernels::run(args, out),
        Command::Levels(args) => levels::run(&evaluation, args, out),
        Command::Midgame(args) => midgame::run(&evaluation, args, out),
        Command::Scaling(args) => scaling::run(&evaluation, args, out),
        Command::Selectivity(args) => selectivity::run(&evaluation, args, out),
        Command::Tune(args) => tune::run(&evaluation, args, out),
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
