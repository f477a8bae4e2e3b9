//! The start of the binary: on a processor that lacks instructions, with limits and signals that the
//! parent process has set.

#![cfg(target_os = "linux")]

use std::fs;
use std::io::{Read, Write};
use std::process::{Command, Stdio};

use umigame_othello::kernels;

#[cfg(target_arch = "x86_64")]
const SIGILL: u32 = 4;

/// The emulator is `qemu-x86_64` (Debian's package `qemu-user`). With `--release` this tests the
/// binary that users build.
#[cfg(all(target_arch = "x86_64", target_feature = "avx"))]
#[test]
fn a_processor_of_2008_gets_one_line_of_error() {
    if Command::new("qemu-x86_64").arg("--version").output().is_err() {
        return umigame_othello::testing::skip("qemu-x86_64 is not installed");
    }
    let output = Command::new("qemu-x86_64")
        .args(["-cpu", "Nehalem"])
        .arg(env!("CARGO_BIN_EXE_umigame"))
        .args(["perft", "3"])
        .output()
        .expect("the emulator starts");
    let said = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(1), "{said}");
    assert_eq!(output.stdout, b"");
    assert!(said.contains("umigame: this binary was built for a newer processor"), "{said}");
}

/// The release file has other builds inside, which `.ci/release` tests in the same way.
#[test]
fn it_starts_where_files_may_have_a_megabyte_only() {
    let command = "ulimit -f 1000 && exec \"$0\" --version";
    let output = Command::new("bash")
        .args(["-c", command, env!("CARGO_BIN_EXE_umigame")])
        .stdin(Stdio::null())
        .output()
        .expect("bash starts");
    assert_eq!(output.status.code(), Some(0), "{output:?}");
    assert!(String::from_utf8_lossy(&output.stdout).contains(kernels::BUILT_FOR), "{output:?}");
}

/// The check of the processor handles illegal instructions for its own time only.
#[cfg(target_arch = "x86_64")]
#[test]
fn illegal_instructions_are_ignored_where_the_parent_ignores_them() {
    let mut child = Command::new("bash")
        .args(["-c", "trap '' ILL && exec \"$0\" nboard", env!("CARGO_BIN_EXE_umigame")])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .expect("bash starts");
    let mut input = child.stdin.take().expect("a pipe");
    input.write_all(b"ping 1\n").expect("the engine reads");
    let mut pong = [0; 6];
    child.stdout.take().expect("a pipe").read_exact(&mut pong).expect("an answer");
    assert_eq!(&pong, b"pong 1");
    let status = fs::read_to_string(format!("/proc/{}/status", child.id())).expect("Linux says");
    drop(input);
    assert!(child.wait().expect("the engine ends").success());
    let ignored = status.lines().find_map(|line| line.strip_prefix("SigIgn:")).expect("a line");
    let ignored = u64::from_str_radix(ignored.trim(), 16).expect("hexadecimal");
    assert_ne!(ignored & (1 << (SIGILL - 1)), 0, "{status}");
}
