//! The umigame binary.

#[cfg(all(feature = "dispatch", target_os = "linux", target_arch = "x86_64"))]
mod dispatch;
#[cfg(all(feature = "dispatch", target_os = "linux", target_arch = "x86_64"))]
mod x86_64_level;

fn main() -> std::process::ExitCode {
    umigame::main()
}
