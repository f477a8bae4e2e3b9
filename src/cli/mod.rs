//! The command line: a file for each command, a thin layer over the crates.
//!
//! A command reads its arguments ([`args`], [`settings`], [`position`]), asks a crate and hands the
//! result to a formatter ([`format`], [`json`]). This file dispatches the commands; errors become exit
//! codes in [`umigame_support::frame`].

// `eprintln!` and `println!` panic if their stream is full or its reader has gone.
#![cfg_attr(not(test), deny(clippy::print_stderr, clippy::print_stdout))]

mod analyze;
mod args;
mod bench;
mod board_view;
mod book;
mod browser;
mod convert;
mod diagram;
mod explain;
mod format;
mod hint;
mod json;
mod learn;
mod levels;
mod match_;
mod perft;
mod play;
mod position;
mod processor;
mod protocols;
mod serve;
mod settings;
mod shell;
mod solve;
#[cfg(test)]
mod tests;
mod weights;

use std::ffi::OsString;
use std::io::{self, IsTerminal, Write};
use std::process::ExitCode;

use anyhow::Result;
use umigame_engine::SharedEvaluation;
use umigame_othello::kernels;
use umigame_support::frame;

use crate::protocol::Protocol;
use args::{Cli, Command};
use umigame_support::exit::{Exit, complain};
pub use weights::evaluation;

/// Runs the command line of the process and returns its exit code.
pub fn main() -> ExitCode {
    if let Some(missing) = kernels::unsupported() {
        complain(&processor::unsupported(&missing));
        return ExitCode::FAILURE;
    }
    ExitCode::from(run(std::env::args_os()))
}

/// Runs a command line, the name of the program first, and returns its exit code. `python -m umigame`
/// is this function.
// Never inlined: its first instructions may be those that the processor lacks.
#[inline(never)]
pub fn run(words: impl IntoIterator<Item = OsString>) -> u8 {
    frame::run(
        "umigame",
        Cli::read(words),
        |cli| cli.log,
        |cli, out| {
            if let Some(advice) = processor::faster_build() {
                log::info!("{advice}");
            }
            let evaluation = weights::evaluation(cli.weights.as_deref())?;
            run_command(cli, &evaluation, out)
        },
    )
}

/// Runs the command of the command line, or else a protocol or the prompt.
fn run_command(cli: Cli, evaluation: &SharedEvaluation, out: &mut dyn Write) -> Result<Exit> {
    let Some(command) = cli.command else {
        return if io::stdin().is_terminal() {
            play::run(evaluation, &args::PlayArgs { save: None, game: cli.game }, out)
        } else {
            protocols::run(evaluation, None, &cli.game)
        };
    };
    match command {
        Command::Nboard(args) => protocols::run(evaluation, Some(Protocol::NBoard), &args),
        Command::Gtp(args) => protocols::run(evaluation, Some(Protocol::Gtp), &args),
        Command::Play(args) => play::run(evaluation, &args, out),
        Command::Serve(args) => serve::run(evaluation, &args, out),
        Command::Hint(args) => hint::run(evaluation, args, out),
        Command::Analyze(args) => analyze::run(evaluation, &args, out),
        Command::Diagram(args) => diagram::run(evaluation, &args, out),
        Command::Explain(args) => explain::run(evaluation, &args, out),
        Command::Solve(args) => solve::run(evaluation, &args, out),
        Command::Convert(args) => convert::run(&args, out),
        Command::Book(args) => book::run(evaluation, &args, out),
        Command::Perft(args) => perft::run(&args, out),
        Command::Bench(args) => bench::run(evaluation, &args, out),
        Command::Match(args) => match_::run(&args, out),
        Command::Learn(args) => learn::run(&args, out),
        Command::Levels => levels::run(out),
        Command::Completions(args) => shell::completions(&args, out),
        Command::Man(args) => shell::man(&args, out),
    }
}
