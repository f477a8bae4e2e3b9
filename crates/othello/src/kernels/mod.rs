//! Kernels: the few functions that every node of a search calls, one file an instruction set, all
//! with the same names and results.
//!
//! [`portable`] is always compiled and defines the results; tests compare the others with it. The
//! choice is made at compile time, from `target-cpu` in `.cargo/config.toml`; the feature
//! `portable` chooses the portable kernels on any machine. [`unsupported`] tells whether the
//! processor has the instructions that the binary was built for, [`faster_build`] whether it could
//! run a faster one.

pub mod portable;
mod rays;
mod stable;

// Which of them are in use depends on the target and the feature `portable`.
#[cfg(all(target_arch = "x86_64", target_feature = "avx2"))]
#[allow(dead_code, unused_imports)]
mod avx2;
#[cfg(all(
    target_arch = "x86_64",
    target_feature = "avx512f",
    target_feature = "avx512cd",
    target_feature = "avx512vl"
))]
#[allow(dead_code, unused_imports)]
mod avx512;
#[cfg(all(target_arch = "x86_64", target_feature = "bmi2"))]
#[allow(dead_code)]
mod bmi2;
mod cpu;

pub use cpu::{BUILT_FOR, faster_build, unsupported};
#[cfg(test)]
pub(crate) use stable::full_lines;

cfg_if::cfg_if! {
    if #[cfg(any(feature = "portable", not(all(target_arch = "x86_64", target_feature = "avx2"))))] {
        // Elsewhere vectors of two words gain nothing over 64-bit arithmetic.
        pub use portable::{NAME, flips, moves, potential_moves};
    } else if #[cfg(all(
        target_feature = "avx512f",
        target_feature = "avx512cd",
        target_feature = "avx512vl"
    ))] {
        pub use avx512::{NAME, flips, moves, potential_moves};
    } else {
        pub use avx2::{NAME, flips, moves, potential_moves};
    }
}

cfg_if::cfg_if! {
    if #[cfg(any(feature = "portable", not(all(target_arch = "x86_64", target_feature = "bmi2"))))] {
        pub(crate) use portable::{column_a, onto_column_a};
        pub use portable::{last_flips, stable, stable_count};
    } else {
        pub(crate) use bmi2::{column_a, onto_column_a};
        pub use bmi2::{last_flips, stable, stable_count};
    }
}

#[cfg(test)]
mod tests;
