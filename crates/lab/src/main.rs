//! `umigame-lab`: what only developers of the engine run.

mod commands;

use std::process::ExitCode;

fn main() -> ExitCode {
    commands::main()
}
