//! The command line, and the choice of the build at import.

use std::ffi::OsString;

use pyo3::prelude::*;

/// Runs a command line of the binary, without the program's name, and returns its exit code.
///
/// Output goes to the standard output of the process, not to `sys.stdout`.
/// It is for `python -m umigame`: commands install handlers of signals that stay.
#[pyfunction]
pub(crate) fn main(py: Python<'_>, arguments: Vec<OsString>) -> u8 {
    let words = std::iter::once(OsString::from("umigame")).chain(arguments);
    py.detach(|| umigame::run(words))
}

/// Returns the level of x86-64, "v3" or "v4", whose build would run here and be faster than this one.
#[pyfunction]
pub(crate) fn faster_level() -> Option<&'static str> {
    umigame_othello::kernels::faster_build()?.strip_prefix("x86-64-")
}
