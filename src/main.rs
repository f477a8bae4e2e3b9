//! The umigame binary.

#[cfg(feature = "dispatch")]
mod dispatch;

fn main() -> std::process::ExitCode {
    #[cfg(feature = "dispatch")]
    dispatch::start_faster_build();
    umigame::main()
}
