//! The error on a processor that lacks instructions, under the emulator `qemu-x86_64` (Debian's
//! package `qemu-user`). With `--release` this tests the binary that users build.

#![cfg(all(target_arch = "x86_64", target_os = "linux", target_feature = "avx"))]

use std::process::Command;

use umigame_othello::testing;

#[test]
fn a_processor_of_2008_gets_one_line_of_error() {
    if Command::new("qemu-x86_64").arg("--version").output().is_err() {
        return testing::skip("qemu-x86_64 is not installed");
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
