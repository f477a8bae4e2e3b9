//! `umigame-lab`: measurements and tuning, which only developers of the engine run.

mod commands;
// Without the feature, tests alone use all of these two.
#[cfg_attr(not(feature = "tune"), allow(dead_code))]
mod tune;
#[cfg_attr(not(feature = "tune"), allow(dead_code))]
mod usage;

use std::process::ExitCode;

fn main() -> ExitCode {
    commands::main()
}
