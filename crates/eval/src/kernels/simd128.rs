//! The network's kernels for WebAssembly with SIMD128: eight numbers of 16 bits in a register.
#![allow(unsafe_code)]

use std::arch::wasm32::*;

pub use super::portable::{activated, clipped_dot, dot, prefetch};

/// The name of these kernels in `Engine.info` and `bench`.
pub const NAME: &str = "SIMD128";

/// Eight numbers.
pub(super) type Vector = v128;

/// Loads eight numbers.
#[inline(always)]
pub(super) fn load(numbers: &[i16; 8]) -> Vector {
    // SAFETY: the pointer is that of 16 bytes; the load may be unaligned.
    unsafe { v128_load(numbers.as_ptr().cast()) }
}

/// Stores eight numbers.
#[inline(always)]
pub(super) fn store(vector: Vector, numbers: &mut [i16; 8]) {
    // SAFETY: the pointer is that of 16 bytes; the store may be unaligned.
    unsafe { v128_store(numbers.as_mut_ptr().cast(), vector) };
}

/// Adds eight numbers to eight.
#[inline(always)]
pub(super) fn add(sum: Vector, other: Vector) -> Vector {
    i16x8_add(sum, other)
}

/// Returns the upper bytes of eight words, signed.
#[inline(always)]
pub(super) fn upper_bytes(words: Vector) -> Vector {
    i16x8_shr(words, 8)
}

/// Computes a dense layer of 64 inputs and 32 outputs. Input `2 i + j` has the weight
/// `weights[i][2 k + j]` in output `k`. No sum of products may exceed 32 bits.
#[inline(always)]
pub fn dense_layer(inputs: &[i16; 64], weights: &[[i16; 64]; 32], biases: &[i32; 32]) -> [i32; 32] {
    let (biases, _) = biases.as_chunks::<4>();
    let mut sums: [v128; 8] = std::array::from_fn(|i| {
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
    let mut outputs = [[0i32; 4]; 8];
    for (outputs, sum) in outputs.iter_mut().zip(sums) {
        // SAFETY: the pointer is that of 16 bytes; the store may be unaligned.
        unsafe { v128_store(outputs.as_mut_ptr().cast(), sum) };
    }
    std::array::from_fn(|i| outputs[i / 4][i % 4])
}
