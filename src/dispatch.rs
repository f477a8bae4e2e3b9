//! Starts the build inside this binary that suits the processor best. The release file for Linux is
//! a build for any x86-64 that holds two faster ones (`.ci/release`).
//!
//! The other build runs from memory, as the same process with the same arguments and streams. Where
//! that fails, this build goes on.

use std::convert::Infallible;
use std::env;
use std::fs::File;
use std::io::{self, Write};
use std::os::fd::AsRawFd;
use std::os::unix::process::CommandExt;
use std::process::Command;

use rustix::fs::{MemfdFlags, memfd_create};
use rustix::process::{Resource, getrlimit};
use umigame_othello::kernels;

#[cfg(not(all(target_os = "linux", target_arch = "x86_64")))]
compile_error!("the feature `dispatch` is for Linux on x86-64");

/// The builds for x86-64-v3 and x86-64-v4. They lack the feature `dispatch`, so none starts another.
const V3: &[u8] =
    include_bytes!(env!("UMIGAME_X86_64_V3", "the path of a build for x86-64-v3: see .ci/release"));
const V4: &[u8] =
    include_bytes!(env!("UMIGAME_X86_64_V4", "the path of a build for x86-64-v4: see .ci/release"));

/// Starts a build for a newer processor in place of this one. Returns where this one is to go on.
pub(crate) fn start_faster_build() {
    let program = match kernels::faster_build() {
        Some("x86-64-v4") => V4,
        Some("x86-64-v3") => V3,
        _ => return,
    };
    // The copy in memory counts as a file, and SIGXFSZ would end the process that exceeds the limit.
    let limit = getrlimit(Resource::Fsize).current;
    if limit.is_none_or(|limit| limit >= program.len() as u64) {
        let Err(_failed) = start(program);
    }
}

/// Starts a program from memory in place of this one. Returns only if that fails.
fn start(program: &[u8]) -> io::Result<Infallible> {
    // Linux before 6.3 does not know the flag that asks for a file which may be executed.
    let file = memfd_create("umigame", MemfdFlags::CLOEXEC | MemfdFlags::EXEC)
        .or_else(|_| memfd_create("umigame", MemfdFlags::CLOEXEC))?;
    let mut file = File::from(file);
    file.write_all(program)?;
    let mut arguments = env::args_os();
    Err(Command::new(format!("/proc/self/fd/{}", file.as_raw_fd()))
        .arg0(arguments.next().unwrap_or_default())
        .args(arguments)
        .exec())
}
