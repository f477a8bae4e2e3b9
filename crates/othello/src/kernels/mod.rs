//! The few functions that every node of a search runs, one file for each
//! instruction set, all with the same names. `portable` is always compiled
//! and is the definition of right; the others are checked against it.
//!
//! The choice is made when the crate is compiled (`target-cpu` in
//! `.cargo/config.toml`); [`unsupported`] tells whether the machine that
//! runs the binary has what it was compiled for.

pub mod portable;
pub(crate) mod rays;

#[cfg(all(target_arch = "x86_64", target_feature = "avx2"))]
pub mod avx2;
#[cfg(all(
    target_arch = "x86_64",
    target_feature = "avx512f",
    target_feature = "avx512bw",
    target_feature = "avx512cd",
    target_feature = "avx512vl"
))]
pub mod avx512;
#[cfg(all(target_arch = "x86_64", target_feature = "bmi2"))]
pub mod bmi2;
mod cpu;

pub use cpu::unsupported;

#[cfg(all(target_arch = "x86_64", target_feature = "avx2"))]
pub use avx2::prefetch;
#[cfg(all(
    target_arch = "x86_64",
    target_feature = "avx2",
    not(all(
        target_feature = "avx512f",
        target_feature = "avx512bw",
        target_feature = "avx512cd",
        target_feature = "avx512vl"
    ))
))]
pub use avx2::{NAME, RowSum, flips, mixed, moves, potential_moves};
#[cfg(all(
    target_arch = "x86_64",
    target_feature = "avx512f",
    target_feature = "avx512bw",
    target_feature = "avx512cd",
    target_feature = "avx512vl"
))]
pub use avx512::{NAME, RowSum, flips, mixed, moves, potential_moves};
#[cfg(not(all(target_arch = "x86_64", target_feature = "avx2")))]
pub use portable::{NAME, RowSum, flips, mixed, moves, potential_moves, prefetch};

#[cfg(all(target_arch = "x86_64", target_feature = "bmi2"))]
pub use bmi2::{column_a, last_flips, stable};
#[cfg(not(all(target_arch = "x86_64", target_feature = "bmi2")))]
pub use portable::{column_a, last_flips, stable};

#[cfg(test)]
mod tests;
