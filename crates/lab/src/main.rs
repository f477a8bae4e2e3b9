//! `umigame-lab`: measurements for developers of the engine.

mod commands;

use std::io::Write;
use std::process::ExitCode;

use umigame_othello::kernels;

fn main() -> ExitCode {
    if let Some(missing) = kernels::unsupported() {
        let _ = writeln!(
            std::io::stderr(),
            "umigame-lab: this binary was built for a newer processor: this one lacks {missing}"
        );
        return ExitCode::FAILURE;
    }
    commands::main()
}
