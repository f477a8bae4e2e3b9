//! Exit codes and error messages of the commands.

use std::fmt;
use std::io::{self, Write};
use std::path::Path;
use std::process::ExitCode;
use std::sync::OnceLock;

use anyhow::Result;

/// Exit code of a command.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Exit {
    /// The work is done, or the reader of the output has closed the pipe.
    Done = 0,
    /// The work failed, or a result is not the expected one.
    Failed = 1,
    /// The command line or the input was wrong.
    BadInput = 2,
    /// The user interrupted the work; finished results are kept.
    Interrupted = 130,
}

impl From<Exit> for ExitCode {
    fn from(exit: Exit) -> ExitCode {
        ExitCode::from(exit as u8)
    }
}

/// Error in the command line or the input: [`Exit::BadInput`].
#[derive(Debug, thiserror::Error)]
#[error("{0}")]
pub struct BadInput(String);

/// Makes a [`BadInput`] error.
pub fn bad_input(message: impl ToString) -> anyhow::Error {
    BadInput(message.to_string()).into()
}

/// Returns whether a path stands for standard input or output.
pub fn is_dash(path: &Path) -> bool {
    path == Path::new("-")
}

/// Returns the name of a file for messages, in ASCII.
pub fn shown(path: &Path) -> String {
    if is_dash(path) {
        return "standard input".to_owned();
    }
    path.to_string_lossy().chars().map(ascii).collect()
}

/// Refuses a path that does not exist, and standard input.
///
/// # Errors
/// A [`BadInput`] with the path.
pub fn must_exist(path: &Path, command: &str) -> Result<()> {
    if is_dash(path) {
        return Err(bad_input(format!("-: {command} does not read standard input: name a file")));
    }
    if !path.exists() {
        return Err(bad_input(format!("{}: no such file or folder", shown(path))));
    }
    Ok(())
}

/// Name of the running program, which its messages begin with.
static PROGRAM: OnceLock<&str> = OnceLock::new();

/// Sets the name of the running program.
pub(crate) fn set_program(name: &'static str) {
    // A second command line in one process keeps the name of the first.
    let _ = PROGRAM.set(name);
}

/// Prints an error on standard error, in ASCII: the system's part may be in any language. A standard
/// error that cannot be written to never ends the work.
pub fn complain(error: &dyn fmt::Display) {
    let text = in_ascii(&error.to_string());
    let _ = writeln!(io::stderr(), "{}: {text}", PROGRAM.get().unwrap_or(&"umigame"));
}

/// Returns a text with `?` for every character but ends of lines and printable ASCII.
pub(crate) fn in_ascii(text: &str) -> String {
    text.chars().map(|letter| if letter == '\n' { letter } else { ascii(letter) }).collect()
}

/// Returns a printable ASCII character unchanged and `?` for any other.
const fn ascii(letter: char) -> char {
    if letter.is_ascii_graphic() || letter == ' ' { letter } else { '?' }
}
