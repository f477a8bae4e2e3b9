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

/// Returns whether the processor has the instructions of the faster build (x86-64-v3).
#[pyfunction]
pub(crate) fn has_v3() -> bool {
    #[cfg(target_arch = "x86_64")]
    {
        is_x86_feature_detected!("avx2")
            && is_x86_feature_detected!("bmi1")
            && is_x86_feature_detected!("bmi2")
            && is_x86_feature_detected!("f16c")
            && is_x86_feature_detected!("fma")
            && is_x86_feature_detected!("lzcnt")
            && is_x86_feature_detected!("movbe")
            && is_x86_feature_detected!("popcnt")
    }
    #[cfg(not(target_arch = "x86_64"))]
    {
        false
    }
}
