//! The network's kernels for WebAssembly with SIMD128: eight numbers of 16 bits in a register.
//!
//! Flips and moves are the portable ones: vectors of two words gain nothing over 64-bit arithmetic.
#![allow(unsafe_code)]

use std::arch::wasm32::*;

pub use super::portable::{flips, moves, potential_moves, prefetch};

/// The name of these kernels in `umigame --version` and `bench`.
pub const NAME: &str = "SIMD128";

/// Loads the eight numbers of a chunk.
#[inline(always)]
fn load(numbers: &[i16; 8]) -> v128 {
    // SAFETY: the pointer is that of 16 bytes; the load may be unaligned.
    unsafe { v128_load(numbers.as_ptr().cast()) }
}

/// A sum of rows of 32 small numbers (an embedding bag), in four quarters.
#[derive(Clone, Copy, Debug)]
pub struct RowSum([v128; 4]);

impl RowSum {
    /// Returns the sum of no rows.
    #[inline(always)]
    pub fn zero() -> RowSum {
        RowSum([i16x8_splat(0); 4])
    }

    /// Adds one row.
    #[inline(always)]
    #[must_use]
    pub fn with(self, row: &[i8; 32]) -> RowSum {
        let quarters = row.as_ptr();
        let mut sums = self.0;
        for (i, sum) in sums.iter_mut().enumerate() {
            // SAFETY: quarter `i`, below 4, is the eight bytes from `8 i` on of 32.
            let numbers = unsafe { i16x8_load_extend_i8x8(quarters.add(8 * i)) };
            *sum = i16x8_add(*sum, numbers);
        }
        RowSum(sums)
    }

    /// Adds two sums.
    #[inline(always)]
    #[must_use]
    pub fn plus(self, other: RowSum) -> RowSum {
        let mut sums = self.0;
        for (sum, other) in sums.iter_mut().zip(other.0) {
            *sum = i16x8_add(*sum, other);
        }
        RowSum(sums)
    }

    /// Permutes the blocks of four numbers: block `i` becomes the old block `from[i]`, below 8.
    #[inline(always)]
    #[must_use]
    pub fn ordered(self, from: &[u64; 8]) -> RowSum {
        let halves = self.0.map(|sum| [u64x2_extract_lane::<0>(sum), u64x2_extract_lane::<1>(sum)]);
        let blocks: &[u64] = halves.as_flattened();
        let block = |i: usize| blocks[from[i] as usize & 7];
        RowSum(std::array::from_fn(|i| u64x2(block(2 * i), block(2 * i + 1))))
    }

    /// Returns the 32 numbers.
    #[inline(always)]
    pub fn numbers(self) -> [i16; 32] {
        let mut numbers = [[0i16; 8]; 4];
        for (numbers, sum) in numbers.iter_mut().zip(self.0) {
            // SAFETY: the pointer is that of 16 bytes; the store may be unaligned.
            unsafe { v128_store(numbers.as_mut_ptr().cast(), sum) };
        }
        std::array::from_fn(|i| numbers[i / 8][i % 8])
    }
}

/// Computes a dense layer of 32 inputs and 16 outputs. Input `2 i + j` has the weight
/// `weights[i][2 k + j]` in output `k`. No sum of two products may exceed 32 bits.
#[inline(always)]
pub fn dense_layer(inputs: &[i16; 32], weights: &[[i16; 32]; 16], biases: &[i32; 16]) -> [i32; 16] {
    let (biases, _) = biases.as_chunks::<4>();
    let mut sums: [v128; 4] = std::array::from_fn(|i| {
        let [a, b, c, d] = biases[i];
        i32x4(a, b, c, d)
    });
    let (pairs, _) = inputs.as_chunks::<2>();
    for (&[low, high], weights) in pairs.iter().zip(weights) {
        let pair = i32x4_splat(i32::from(high) << 16 | i32::from(low as u16));
        let (weights, _) = weights.as_chunks::<8>();
        for (sum, weights) in sums.iter_mut().zip(weights) {
            *sum = i32x4_add(*sum, i32x4_dot_i16x8(pair, load(weights)));
        }
    }
    let mut outputs = [[0i32; 4]; 4];
    for (outputs, sum) in outputs.iter_mut().zip(sums) {
        // SAFETY: the pointer is that of 16 bytes; the store may be unaligned.
        unsafe { v128_store(outputs.as_mut_ptr().cast(), sum) };
    }
    std::array::from_fn(|i| outputs[i / 4][i % 4])
}
