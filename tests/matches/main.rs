//! `umigame match` and the match runner. This binary is also the engines of its tests, so that `main`
//! is its own (`harness = false`).

mod cli;
#[path = "../console/mod.rs"]
mod console;
mod fault_engine;
mod faults;

use std::process::ExitCode;

fn main() -> ExitCode {
    #[cfg(windows)]
    if console::windows_event::was_sender() {
        return ExitCode::SUCCESS;
    }
    fault_engine::main(cli::trials().into_iter().chain(faults::trials()).collect())
}
