//! The umigame binary: is the processor good enough, then the command line.

use std::process::ExitCode;

use umigame_othello::kernels;

fn main() -> ExitCode {
    if let Some(missing) = kernels::unsupported() {
        eprintln!("{}", umigame::unsupported_sentence(&missing));
        return ExitCode::FAILURE;
    }
    umigame::main()
}
