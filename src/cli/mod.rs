//! The command line: one file for each subcommand, each a thin layer over
//! the library, and what they share: the arguments as typed ([`args`]), what
//! they mean ([`settings`]), and the way from an error to an exit code.

// `eprintln!` panics if standard error is closed, `println!` if the reader has gone.
#![cfg_attr(not(test), deny(clippy::print_stderr, clippy::print_stdout))]

mod analyze;
mod args;
mod bench;
mod book;
mod convert;
mod database;
mod diagram;
mod explain;
mod format;
mod hint;
mod interrupt;
mod json;
mod learn;
mod levels;
mod match_;
mod perft;
mod play;
mod position;
mod progress;
mod replay;
mod serve;
mod settings;
mod solve;
#[cfg(test)]
mod tests;
mod weights;

use std::fmt;
use std::io::{self, BufWriter, ErrorKind, IsTerminal, Write};
use std::path::Path;
use std::process::ExitCode;

use crate::protocol::Protocol;
use anyhow::Result;
use args::{Cli, Command};
use umigame_engine::SharedEvaluation;
use umigame_othello::kernels;

/// What a command came to, as an exit code.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
enum Outcome {
    /// The work is done.
    Done = 0,
    /// The work was done and something in it is not as it should be.
    Failed = 1,
    /// The command line or the input was wrong.
    BadInput = 2,
    /// The user interrupted it; what was done until then was kept.
    Interrupted = 130,
}

/// The user gave something that cannot be used: exit code 2.
#[derive(Debug, thiserror::Error)]
#[error("{0}")]
struct BadInput(String);

/// An error that says what was wrong with what the user gave.
fn bad_input(message: impl ToString) -> anyhow::Error {
    BadInput(message.to_string()).into()
}

/// Returns whether a path stands for standard input or output.
fn is_dash(path: &Path) -> bool {
    path == Path::new("-")
}

/// Returns the name of a file for messages, in ASCII.
fn shown(path: &Path) -> String {
    if is_dash(path) {
        return "standard input".to_owned();
    }
    umigame_othello::text::shown_path(path)
}

/// Refuses a path that does not exist, and standard input.
fn must_exist(path: &Path, command: &str) -> Result<()> {
    if is_dash(path) {
        return Err(bad_input(format!("-: {command} does not read standard input: name a file")));
    }
    if !path.exists() {
        return Err(bad_input(format!("{}: no such file or folder", shown(path))));
    }
    Ok(())
}

/// Prints an error on standard error. A standard error that cannot be written
/// to never ends the work.
fn complain(error: &dyn fmt::Display) {
    let _ = writeln!(io::stderr(), "umigame: {error}");
}

/// Returns the error for a processor that lacks instructions which the binary
/// was built for.
fn unsupported_processor(missing: &str) -> String {
    format!(
        "this binary was built for a newer processor: this one lacks {missing}. \
         Build it on this machine, or build the portable one: \
         RUSTFLAGS=\"-C target-cpu=x86-64\" cargo build --release"
    )
}

/// Runs the command line of the process and returns its exit code.
pub fn main() -> ExitCode {
    if let Some(missing) = kernels::unsupported() {
        complain(&unsupported_processor(&missing));
        return ExitCode::FAILURE;
    }
    run_command_line()
}

// Never inlined: its first instructions may be those that the processor lacks.
#[inline(never)]
fn run_command_line() -> ExitCode {
    let cli = match Cli::read(std::env::args_os()) {
        Ok(cli) => cli,
        Err(error) => {
            return match error.print().and_then(|()| io::stdout().flush()) {
                // A closed pipe is no reason to fail.
                Err(failed) if !error.use_stderr() && failed.kind() != ErrorKind::BrokenPipe => {
                    complain(&failed);
                    ExitCode::FAILURE
                }
                _ => ExitCode::from(u8::try_from(error.exit_code()).unwrap_or(2)),
            };
        }
    };
    start_logger(cli.verbose, cli.quiet);
    let mut out = BufWriter::new(io::stdout());
    let evaluation = weights::evaluation(cli.weights.as_deref());
    let result =
        evaluation.and_then(|evaluation| run(cli, &evaluation, &mut out)).and_then(|outcome| {
            out.flush()?;
            Ok(outcome)
        });
    match result {
        Ok(outcome) => ExitCode::from(outcome as u8),
        Err(error) if is_closed_pipe(&error) => ExitCode::SUCCESS,
        Err(error) => {
            // What was written before the error is still worth having.
            let _ = out.flush();
            complain(&format_args!("{error:#}"));
            ExitCode::from(if error.is::<BadInput>() { Outcome::BadInput as u8 } else { 1 })
        }
    }
}

fn run(cli: Cli, evaluation: &SharedEvaluation, out: &mut dyn Write) -> Result<Outcome> {
    let weights_chosen = cli.weights.is_some();
    let Some(command) = cli.command else {
        return match io::stdin().is_terminal() {
            true => play::run(evaluation, &cli.serve.without_record()?, out),
            false => serve::run(evaluation, None, &cli.serve),
        };
    };
    match command {
        Command::Nboard(args) => serve::run(evaluation, Some(Protocol::NBoard), &args),
        Command::Gtp(args) => serve::run(evaluation, Some(Protocol::Gtp), &args),
        Command::Play(args) => play::run(evaluation, &args, out),
        Command::Hint(args) => hint::run(evaluation, args, out),
        Command::Analyze(args) => analyze::run(evaluation, &args, out),
        Command::Diagram(args) => diagram::run(&args, out),
        Command::Explain(args) => explain::run(evaluation, &args, out),
        Command::Solve(args) => solve::run(evaluation, &args, out),
        Command::Convert(args) => convert::run(&args, out),
        Command::Book(args) => book::run(evaluation, &args, out),
        Command::Perft(args) => perft::run(&args, out),
        Command::Bench(args) => bench::run(evaluation, &args, out),
        Command::Match(args) => match_::run(&args, out),
        Command::Learn(args) => learn::run(evaluation, args, out),
        Command::Levels => levels::run(out),
        Command::Replay(args) => replay::run(weights_chosen.then_some(evaluation), &args, out),
    }
}

/// Logs go to stderr, warnings only unless the user asks for more or less;
/// `RUST_LOG` overrides both.
fn start_logger(verbose: u8, quiet: bool) {
    let level = match (quiet, verbose) {
        (true, _) => log::LevelFilter::Off,
        (_, 0) => log::LevelFilter::Warn,
        (_, 1) => log::LevelFilter::Info,
        (_, 2) => log::LevelFilter::Debug,
        _ => log::LevelFilter::Trace,
    };
    env_logger::Builder::new().filter_level(level).parse_default_env().init();
}

/// Whether the reader of our output has gone, anywhere in the chain of
/// causes: that is how `umigame ... | head` ends.
fn is_closed_pipe(error: &anyhow::Error) -> bool {
    error.chain().any(|cause| {
        cause.downcast_ref::<io::Error>().is_some_and(|io| io.kind() == ErrorKind::BrokenPipe)
    })
}
