//! The command line: a file for each command, a thin layer over the crates.
//!
//! A command reads its arguments ([`args`], [`settings`], [`position`]), asks a crate and hands the
//! result to a formatter ([`format`], [`json`]). This file dispatches the commands and turns their
//! errors into exit codes ([`exit`]).

// `eprintln!` and `println!` panic if their stream is full or its reader has gone.
#![cfg_attr(not(test), deny(clippy::print_stderr, clippy::print_stdout))]

mod analyze;
mod args;
mod bench;
mod book;
mod convert;
mod database;
mod diagram;
mod exit;
mod explain;
mod format;
mod hint;
mod interrupt;
mod json;
mod learn;
mod levels;
mod match_;
mod parse;
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

use std::ffi::OsString;
use std::io::{self, BufWriter, IsTerminal, Write};
use std::process::ExitCode;

use anyhow::Result;
use umigame_engine::SharedEvaluation;
use umigame_othello::kernels;
use umigame_support::pipe;

use crate::protocol::Protocol;
use args::{Cli, Command};
use exit::{BadInput, Exit, complain};

/// Returns the error for a processor that lacks instructions which the binary
/// was built for.
fn unsupported_processor(missing: &str) -> String {
    format!(
        "this binary was built for a newer processor: this one lacks {missing}. \
         Build it on this machine, or build the portable one: \
         RUSTFLAGS=\"-C target-cpu=x86-64\" cargo build --release"
    )
}

/// Returns the way to a faster build if the processor could run one.
fn slower_than_need_be() -> Option<String> {
    kernels::faster_build().map(|processor| {
        format!(
            "this build is for {}; one for {processor} is faster here: \
             RUSTFLAGS=\"-C target-cpu=native\" cargo install --path .",
            kernels::BUILT_FOR
        )
    })
}

/// Runs the command line of the process and returns its exit code.
pub fn main() -> ExitCode {
    if let Some(missing) = kernels::unsupported() {
        complain(&unsupported_processor(&missing));
        return ExitCode::FAILURE;
    }
    ExitCode::from(run(std::env::args_os()))
}

/// Runs a command line, the name of the program first, and returns its exit code. `python -m umigame`
/// is this function.
// Never inlined: its first instructions may be those that the processor lacks.
#[inline(never)]
pub fn run(words: impl IntoIterator<Item = OsString>) -> u8 {
    let cli = match Cli::read(words) {
        Ok(cli) => cli,
        Err(error) => {
            return match error.print().and_then(|()| io::stdout().flush()) {
                // Help that cannot be written is a failure, unless its reader has gone.
                Err(failed) if !error.use_stderr() && !pipe::is_closed(&failed) => {
                    complain(&failed);
                    Exit::Failed as u8
                }
                _ => u8::try_from(error.exit_code()).unwrap_or(Exit::BadInput as u8),
            };
        }
    };
    start_logger(cli.verbose, cli.quiet);
    if let Some(advice) = slower_than_need_be() {
        log::info!("{advice}");
    }
    let mut out = BufWriter::new(io::stdout());
    let evaluation = weights::evaluation(cli.weights.as_deref());
    let result = evaluation
        .and_then(|evaluation| run_command(cli, &evaluation, &mut out))
        .and_then(|outcome| {
            out.flush()?;
            Ok(outcome)
        });
    match result {
        Ok(outcome) => outcome as u8,
        Err(error) if is_closed_pipe(&error) => Exit::Done as u8,
        Err(error) => {
            // Results from before the error are kept.
            let _ = out.flush();
            complain(&format_args!("{error:#}"));
            let bad_input = error.is::<BadInput>();
            if bad_input { Exit::BadInput as u8 } else { Exit::Failed as u8 }
        }
    }
}

/// Runs the command of the command line, or else a protocol or the prompt.
fn run_command(cli: Cli, evaluation: &SharedEvaluation, out: &mut dyn Write) -> Result<Exit> {
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

/// Starts to log on standard error: warnings, unless `-v` or `-q` is given. `RUST_LOG` overrides
/// both.
fn start_logger(verbose: u8, quiet: bool) {
    let level = match (quiet, verbose) {
        (true, _) => log::LevelFilter::Off,
        (_, 0) => log::LevelFilter::Warn,
        (_, 1) => log::LevelFilter::Info,
        (_, 2) => log::LevelFilter::Debug,
        _ => log::LevelFilter::Trace,
    };
    let logger = env_logger::Builder::new().filter_level(level).parse_default_env().try_init();
    // A second command line in one process keeps the logger of the first.
    drop(logger);
}

/// Returns whether an error comes from a reader that closed the pipe, as in `umigame ... | head`.
fn is_closed_pipe(error: &anyhow::Error) -> bool {
    error.chain().any(|cause| cause.downcast_ref::<io::Error>().is_some_and(pipe::is_closed))
}
