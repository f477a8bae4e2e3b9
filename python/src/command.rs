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

/// Returns whether this build is for any x86-64 and the processor runs the faster one (x86-64-v3).
#[pyfunction]
pub(crate) fn has_v3() -> bool {
    umigame_othello::kernels::faster_build().is_some()
}
