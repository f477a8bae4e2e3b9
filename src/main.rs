//! The umigame binary.

fn main() -> std::process::ExitCode {
    umigame::main()
}
