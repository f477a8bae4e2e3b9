//! Kernels of the network: sums of embeddings and dense layers, one file an instruction set, all with
//! the same names and results. The game's kernels are in `umigame_othello::kernels`.
//!
//! [`portable`] is always compiled and defines the results; tests compare the others with it. The
//! choice is made at compile time, as for the game's; the feature `portable` chooses the portable
//! kernels on any machine.

pub mod portable;

// Which of them are in use depends on the target and the feature `portable`.
#[cfg(all(target_arch = "x86_64", target_feature = "avx2"))]
#[allow(dead_code, unused_imports)]
mod avx2;
#[cfg(all(
    target_arch = "x86_64",
    target_feature = "avx512f",
    target_feature = "avx512bw",
    target_feature = "avx512cd",
    target_feature = "avx512vl"
))]
#[allow(dead_code, unused_imports)]
mod avx512;
#[cfg(target_arch = "aarch64")]
#[allow(dead_code, unused_imports)]
mod neon;
#[cfg(any(target_arch = "aarch64", all(target_arch = "wasm32", target_feature = "simd128")))]
#[allow(dead_code)]
mod row_sum;
#[cfg(all(target_arch = "wasm32", target_feature = "simd128"))]
#[allow(dead_code, unused_imports)]
mod simd128;
#[cfg(test)]
mod tests;

pub use portable::{Activation, pair};

cfg_if::cfg_if! {
    if #[cfg(feature = "portable")] {
        pub use portable::{NAME, PairSum, RowSum, activated, clipped_dot, dense_layer, dot, prefetch};
    } else if #[cfg(all(
        target_arch = "x86_64",
        target_feature = "avx512f",
        target_feature = "avx512bw",
        target_feature = "avx512cd",
        target_feature = "avx512vl"
    ))] {
        pub use avx512::{NAME, PairSum, RowSum, activated, clipped_dot, dense_layer, dot, prefetch};
    } else if #[cfg(all(target_arch = "x86_64", target_feature = "avx2"))] {
        pub use avx2::{NAME, PairSum, RowSum, activated, clipped_dot, dense_layer, dot, prefetch};
    } else if #[cfg(target_arch = "aarch64")] {
        pub use neon::{NAME, activated, clipped_dot, dense_layer, dot, prefetch};
        pub use row_sum::{PairSum, RowSum};
    } else if #[cfg(all(target_arch = "wasm32", target_feature = "simd128"))] {
        pub use row_sum::{PairSum, RowSum};
        pub use simd128::{NAME, activated, clipped_dot, dense_layer, dot, prefetch};
    } else {
        pub use portable::{NAME, PairSum, RowSum, activated, clipped_dot, dense_layer, dot, prefetch};
    }
}
