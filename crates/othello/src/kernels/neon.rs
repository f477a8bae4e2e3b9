//! The network's kernels for aarch64 with NEON: eight numbers of 16 bits in a register, and the
//! prefetch, which has no portable form.
//!
//! Flips and moves are the portable ones: vectors of two words gain nothing over 64-bit arithmetic.
#![allow(unsafe_code)]

use std::arch::aarch64::*;
use std::arch::asm;

pub use super::portable::{flips, moves, potential_moves};

/// The name of these kernels in `umigame bench`.
pub const NAME: &str = "NEON";

/// Asks for the cache line of a value.
#[inline(always)]
pub fn prefetch<T>(at: &T) {
    // SAFETY: a prefetch reads nothing and cannot fault.
    unsafe {
        asm!("prfm pldl1keep, [{}]", in(reg) at, options(nostack, preserves_flags, readonly))
    };
}

/// Loads eight numbers.
#[inline(always)]
fn load(numbers: &[i16; 8]) -> int16x8_t {
    // SAFETY: the pointer is that of 16 bytes; the load may be unaligned.
    unsafe { vld1q_s16(numbers.as_ptr()) }
}

/// A sum of rows of 32 small numbers (an embedding bag), in four quarters.
#[derive(Clone, Copy, Debug)]
pub struct RowSum([int16x8_t; 4]);

impl RowSum {
    /// Returns the sum of no rows.
    #[inline(always)]
    pub fn zero() -> RowSum {
        RowSum([load(&[0; 8]); 4])
    }

    /// Adds one row.
    #[inline(always)]
    #[must_use]
    pub fn with(self, row: &[i8; 32]) -> RowSum {
        let (quarters, _) = row.as_chunks::<8>();
        let mut sums = self.0;
        for (sum, quarter) in sums.iter_mut().zip(quarters) {
            // SAFETY: the pointer is that of eight bytes; the load may be unaligned.
            let numbers = unsafe { vld1_s8(quarter.as_ptr()) };
            // SAFETY: every aarch64 has NEON.
            *sum = unsafe { vaddw_s8(*sum, numbers) };
        }
        RowSum(sums)
    }

    /// Adds two sums.
    #[inline(always)]
    #[must_use]
    pub fn plus(self, other: RowSum) -> RowSum {
        let mut sums = self.0;
        for (sum, other) in sums.iter_mut().zip(other.0) {
            // SAFETY: every aarch64 has NEON.
            *sum = unsafe { vaddq_s16(*sum, other) };
        }
        RowSum(sums)
    }

    /// Permutes the blocks of four numbers: block `i` becomes the old block `from[i]`, below 8.
    #[inline(always)]
    #[must_use]
    pub fn ordered(self, from: &[u64; 8]) -> RowSum {
        let numbers = self.numbers();
        let (blocks, _) = numbers.as_chunks::<4>();
        let blocks: [[i16; 4]; 8] = std::array::from_fn(|i| blocks[from[i] as usize & 7]);
        let (quarters, _) = blocks.as_flattened().as_chunks::<8>();
        RowSum(std::array::from_fn(|i| load(&quarters[i])))
    }

    /// Returns the 32 numbers.
    #[inline(always)]
    pub fn numbers(self) -> [i16; 32] {
        let mut numbers = [0; 32];
        let (quarters, _) = numbers.as_chunks_mut::<8>();
        for (quarter, sum) in quarters.iter_mut().zip(self.0) {
            // SAFETY: the pointer is that of 16 bytes; the store may be unaligned.
            unsafe { vst1q_s16(quarter.as_mut_ptr(), sum) };
        }
        numbers
    }
}

/// Computes a dense layer of 32 inputs and 16 outputs. Input `2 i + j` has the weight
/// `weights[i][2 k + j]` in output `k`. No sum of two products may exceed 32 bits.
#[inline(always)]
pub fn dense_layer(inputs: &[i16; 32], weights: &[[i16; 32]; 16], biases: &[i32; 16]) -> [i32; 16] {
    let (pairs, _) = inputs.as_chunks::<2>();
    // Products of the two inputs of a pair stand side by side until the end.
    // SAFETY: every aarch64 has NEON.
    let mut products = [unsafe { vdupq_n_s32(0) }; 8];
    for (&[even, odd], weights) in pairs.iter().zip(weights) {
        let pair = load(&[even, odd, even, odd, even, odd, even, odd]);
        let (weights, _) = weights.as_chunks::<8>();
        let (products, _) = products.as_chunks_mut::<2>();
        for ([low, high], weights) in products.iter_mut().zip(weights) {
            let weights = load(weights);
            // SAFETY: every aarch64 has NEON.
            unsafe {
                *low = vmlal_s16(*low, vget_low_s16(pair), vget_low_s16(weights));
                *high = vmlal_high_s16(*high, pair, weights);
            }
        }
    }
    let mut outputs = *biases;
    let (quarters, _) = outputs.as_chunks_mut::<4>();
    let (products, _) = products.as_chunks::<2>();
    for (outputs, &[low, high]) in quarters.iter_mut().zip(products) {
        // SAFETY: the pointers are those of 16 bytes, and every aarch64 has NEON.
        unsafe {
            let sum = vaddq_s32(vld1q_s32(outputs.as_ptr()), vpaddq_s32(low, high));
            vst1q_s32(outputs.as_mut_ptr(), sum);
        }
    }
    outputs
}
