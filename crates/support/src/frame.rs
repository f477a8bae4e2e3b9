//! The frame of a program: from the words of its command line to its exit code.

use std::io::{self, BufWriter, Write};

use anyhow::Result;
use clap::Args;

use crate::exit::{BadInput, Exit, complain, in_ascii, set_program};
use crate::pipe;

/// How much a program logs on standard error.
#[derive(Args, Clone, Copy, Default, Debug)]
pub struct LogArgs {
    /// Log more on standard error; -vv and -vvv log still more
    #[arg(short, long, global = true, help_heading = "Common", action = clap::ArgAction::Count)]
    pub verbose: u8,

    /// Log nothing
    #[arg(short, long, global = true, help_heading = "Common", conflicts_with = "verbose")]
    pub quiet: bool,
}

impl LogArgs {
    /// Starts to log on standard error: warnings, unless `-v` or `-q` is given. `RUST_LOG` overrides
    /// both.
    fn start_logger(self) {
        let level = match (self.quiet, self.verbose) {
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
}

/// Runs a program and returns its exit code.
///
/// `cli` is its command line as clap has read it: help and errors are printed here. `command` writes
/// results to a buffer that is flushed at the end, after an error too. An error that holds a
/// [`BadInput`] ends with code 2, another with 1; a reader of the output that has gone is no error.
pub fn run<C>(
    name: &'static str,
    cli: Result<C, clap::Error>,
    log: impl FnOnce(&C) -> LogArgs,
    command: impl FnOnce(C, &mut dyn Write) -> Result<Exit>,
) -> u8 {
    set_program(name);
    let cli = match cli {
        Ok(cli) => cli,
        Err(error) => return print(&error),
    };
    log(&cli).start_logger();
    let mut out = BufWriter::new(io::stdout());
    let result = command(cli, &mut out).and_then(|exit| {
        out.flush()?;
        Ok(exit)
    });
    match result {
        Ok(exit) => exit as u8,
        Err(error) if is_closed_pipe(&error) => Exit::Done as u8,
        Err(error) => {
            // Results from before the error are kept.
            let _ = out.flush();
            complain(&format_args!("{error:#}"));
            let bad_input = error.is::<BadInput>();
            (if bad_input { Exit::BadInput } else { Exit::Failed }) as u8
        }
    }
}

/// Prints help, version or an error of the command line.
fn print(error: &clap::Error) -> u8 {
    let text = error.to_string();
    let printed = if error.use_stderr() && in_ascii(&text) != text {
        // It quotes a word that was typed.
        io::stderr().write_all(in_ascii(&text).as_bytes())
    } else {
        error.print()
    };
    match printed.and_then(|()| io::stdout().flush()) {
        // Help that cannot be written is a failure, unless its reader has gone.
        Err(failed) if !error.use_stderr() && !pipe::is_closed(&failed) => {
            complain(&failed);
            Exit::Failed as u8
        }
        _ => u8::try_from(error.exit_code()).unwrap_or(Exit::BadInput as u8),
    }
}

/// Returns whether an error comes from a reader that closed the pipe, as in `umigame ... | head`.
fn is_closed_pipe(error: &anyhow::Error) -> bool {
    error.chain().any(|cause| cause.downcast_ref::<io::Error>().is_some_and(pipe::is_closed))
}
