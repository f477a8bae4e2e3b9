//! The umigame binary: is the processor good enough, then the command line.

mod cli;

use std::process::ExitCode;
use umigame::board::kernels;

fn main() -> ExitCode {
    if let Some(missing) = kernels::unsupported() {
        eprintln!("{}", cli::unsupported_sentence(&missing));
        return ExitCode::FAILURE;
    }
    cli::main()
}
