//! The umigame binary.

#[cfg(all(feature = "dispatch", target_os = "linux", target_arch = "x86_64"))]
mod dispatch;

fn main() -> std::process::ExitCode {
    umigame::main()
}
