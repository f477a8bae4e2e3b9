//! Runs `umigame-lab`.

use std::process::{Command, Output, Stdio};

/// Returns a command that runs the binary with these arguments and an empty input.
pub fn lab(args: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_umigame-lab"));
    command.args(args).env_remove("RUST_LOG").stdin(Stdio::null());
    command
}

/// Runs the binary to its end. Returns exit code, standard output and standard error.
pub fn run(args: &[&str]) -> (i32, String, String) {
    let Output { status, stdout, stderr } = lab(args).output().expect("the binary starts");
    let text = |bytes| String::from_utf8(bytes).expect("all output is text");
    (status.code().expect("no signal"), text(stdout), text(stderr))
}

/// Runs `umigame-lab learn` with these arguments, as [`run`].
pub fn learn(args: &[&str]) -> (i32, String, String) {
    run(&[&["learn"], args].concat())
}

/// Creates a folder that lives as long as the first value; the second returns the path of a name
/// in it.
pub fn folder() -> (tempfile::TempDir, impl Fn(&str) -> String) {
    let folder = tempfile::tempdir().expect("a temporary directory");
    let path = folder.path().to_owned();
    (folder, move |name: &str| path.join(name).to_str().expect("a plain name").to_owned())
}
