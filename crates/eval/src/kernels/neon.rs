//! The network's kernels for aarch64 with NEON: eight numbers of 16 bits in a register, and the
//! prefetch, which has no portable form.
#![allow(unsafe_code)]

use std::arch::aarch64::*;
use std::arch::asm;

pub use super::portable::{activated, clipped_dot, dot};

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

/// Eight numbers.
pub(super) type Vector = int16x8_t;

/// Loads eight numbers.
#[inline(always)]
pub(super) fn load(numbers: &[i16; 8]) -> Vector {
    // SAFETY: the pointer is that of 16 bytes; the load may be unaligned.
    unsafe { vld1q_s16(numbers.as_ptr()) }
}

/// Stores eight numbers.
#[inline(always)]
pub(super) fn store(vector: Vector, numbers: &mut [i16; 8]) {
    // SAFETY: the pointer is that of 16 bytes; the store may be unaligned.
    unsafe { vst1q_s16(numbers.as_mut_ptr(), vector) };
}

/// Adds eight numbers to eight.
#[inline(always)]
pub(super) fn add(sum: Vector, other: Vector) -> Vector {
    // SAFETY: every aarch64 has NEON.
    unsafe { vaddq_s16(sum, other) }
}

/// Returns the upper bytes of eight words, signed.
#[inline(always)]
pub(super) fn upper_bytes(words: Vector) -> Vector {
    // SAFETY: every aarch64 has NEON.
    unsafe { vshrq_n_s16::<8>(words) }
}

/// Computes a dense layer of 64 inputs and 32 outputs. Input `2 i + j` has the weight
/// `weights[i][2 k + j]` in output `k`. No sum of products may exceed 32 bits.
#[inline(always)]
pub fn dense_layer(inputs: &[i16; 64], weights: &[[i16; 64]; 32], biases: &[i32; 32]) -> [i32; 32] {
    let (pairs, _) = inputs.as_chunks::<2>();
    // Products of the two inputs of a pair stand side by side until the end.
    // SAFETY: every aarch64 has NEON.
    let mut products = [unsafe { vdupq_n_s32(0) }; 16];
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
