//! Exit codes and error messages of the commands.

use std::fmt;
use std::io::{self, Write};
use std::path::Path;

use anyhow::Result;
use umigame_othello::text::ascii_char;

/// Exit code of a command.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(super) enum Exit {
    /// The work is done, or the reader of the output has closed the pipe.
    Done = 0,
    /// The work failed, or a result is not the expected one.
    Failed = 1,
    /// The command line or the input was wrong.
    BadInput = 2,
    /// The user interrupted the work; finished results are kept.
    Interrupted = 130,
}

/// Error in the command line or the input: [`Exit::BadInput`].
#[derive(Debug, thiserror::Error)]
#[error("{0}")]
pub(super) struct BadInput(String);

/// Makes a [`BadInput`] error.
pub(super) fn bad_input(message: impl ToString) -> anyhow::Error {
    BadInput(message.to_string()).into()
}

/// Returns whether a path stands for standard input or output.
pub(super) fn is_dash(path: &Path) -> bool {
    path == Path::new("-")
}

/// Returns the name of a file for messages, in ASCII.
pub(super) fn shown(path: &Path) -> String {
    if is_dash(path) {
        return "standard input".to_owned();
    }
    umigame_othello::text::shown_path(path)
}

/// Refuses a path that does not exist, and standard input.
pub(super) fn must_exist(path: &Path, command: &str) -> Result<()> {
    if is_dash(path) {
        return Err(bad_input(format!("-: {command} does not read standard input: name a file")));
    }
    if !path.exists() {
        return Err(bad_input(format!("{}: no such file or folder", shown(path))));
    }
    Ok(())
}

/// Prints an error on standard error, in ASCII: the system's part may be in any language. A standard
/// error that cannot be written to never ends the work.
pub(super) fn complain(error: &dyn fmt::Display) {
    let ascii = |letter| if letter == '\n' { letter } else { ascii_char(letter) };
    let text: String = error.to_string().chars().map(ascii).collect();
    let _ = writeln!(io::stderr(), "umigame: {text}");
}
