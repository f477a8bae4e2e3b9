//! The kernels for x86-64 with AVX-512 (F, BW, CD and VL): leading-zero counts and three-way logic
//! on four rays at a time, and whole rows of numbers in a register.
//!
//! Rays use registers of 256 bits, since they are folded into one word at once.
#![allow(unsafe_code)]

use std::arch::asm;
use std::arch::x86_64::*;

use super::rays::RAYS;
use crate::square::Square;

/// The name of these kernels in `umigame --version` and `bench`.
pub const NAME: &str = "AVX-512";

// The compiler turns the AVX2 code of mobility into three-way logic by itself; all eight directions
// in 512 bits took 1.3 times as long (Zen 4).
pub use super::avx2::{moves, potential_moves, prefetch};

/// Returns the discs that `player` flips by placing a disc on an empty square.
#[inline(always)]
pub fn flips(player: u64, opponent: u64, square: Square) -> u64 {
    let rays = &RAYS[square.index()];
    // SAFETY: the module is compiled only where AVX-512 F, CD and VL are enabled; the two loads
    // read 32 aligned bytes each of a `repr(C, align(64))` struct.
    unsafe {
        let own = _mm256_set1_epi64x(player as i64);
        let theirs = _mm256_set1_epi64x(opponent as i64);
        let zero = _mm256_setzero_si256();

        let rising = _mm256_load_si256(rays.rising.as_ptr().cast());
        let stop = _mm256_andnot_si256(theirs, rising);
        let first = _mm256_ternarylogic_epi64::<0x80>(stop, _mm256_sub_epi64(zero, stop), own);
        // Every bit below the outflanking disc; zero where there is none.
        let below = _mm256_add_epi64(first, _mm256_set1_epi64x(-1));
        let up = _mm256_and_si256(_mm256_min_epu64(first, below), rising);

        let falling = _mm256_load_si256(rays.falling.as_ptr().cast());
        let stop = _mm256_andnot_si256(theirs, falling);
        // A ray without a stop shifts by 64, which leaves zero.
        let first = shifted_right(_mm256_set1_epi64x(i64::MIN), _mm256_lzcnt_epi64(stop));
        let outflank = _mm256_and_si256(first, own);
        let above = _mm256_sub_epi64(zero, _mm256_add_epi64(outflank, outflank));
        let both = _mm256_or_si256(up, _mm256_and_si256(falling, above));
        let half = _mm_or_si128(_mm256_castsi256_si128(both), _mm256_extracti128_si256::<1>(both));
        let one = _mm_or_si128(half, _mm_unpackhi_epi64(half, half));
        _mm_cvtsi128_si64(one) as u64
    }
}

/// Shifts each word right (`vpsrlvq`). The intrinsic compiles to two more instructions, which make
/// sure that a shift by 64 leaves zero; the processor does that by itself.
#[inline(always)]
unsafe fn shifted_right(bits: __m256i, by: __m256i) -> __m256i {
    let shifted;
    // SAFETY: the module is compiled only where AVX-512 VL is enabled; the instruction touches its
    // registers only.
    unsafe {
        asm!("vpsrlvq {shifted}, {bits}, {by}", shifted = lateout(ymm_reg) shifted,
            bits = in(ymm_reg) bits, by = in(ymm_reg) by,
            options(pure, nomem, nostack, preserves_flags));
    }
    shifted
}

/// A sum of rows of 32 small numbers (an embedding bag).
#[derive(Clone, Copy, Debug)]
pub struct RowSum(__m512i);

impl RowSum {
    /// Returns the sum of no rows.
    #[inline(always)]
    pub fn zero() -> RowSum {
        // SAFETY: the module is compiled only where AVX-512 F is enabled.
        RowSum(unsafe { _mm512_setzero_si512() })
    }

    /// Adds one row.
    #[inline(always)]
    #[must_use]
    pub fn with(self, row: &[i8; 32]) -> RowSum {
        // SAFETY: the module is compiled only where AVX-512 BW is enabled; the load reads the 32
        // bytes of the row.
        RowSum(unsafe {
            let row = _mm256_loadu_si256(row.as_ptr().cast());
            _mm512_add_epi16(self.0, _mm512_cvtepi8_epi16(row))
        })
    }

    /// Adds two sums.
    #[inline(always)]
    #[must_use]
    pub fn plus(self, other: RowSum) -> RowSum {
        // SAFETY: the module is compiled only where AVX-512 BW is enabled.
        RowSum(unsafe { _mm512_add_epi16(self.0, other.0) })
    }

    /// Permutes the blocks of four numbers: block `i` becomes the old block `from[i]`, below 8.
    #[inline(always)]
    #[must_use]
    pub fn ordered(self, from: &[u64; 8]) -> RowSum {
        // SAFETY: the module is compiled only where AVX-512 F is enabled; the load reads the 64
        // bytes of the order.
        RowSum(unsafe {
            let from = _mm512_loadu_si512(from.as_ptr().cast());
            _mm512_permutexvar_epi64(from, self.0)
        })
    }

    /// Returns the 32 numbers.
    #[inline(always)]
    pub fn numbers(self) -> [i16; 32] {
        let mut numbers = [0; 32];
        // SAFETY: the module is compiled only where AVX-512 F is enabled; the store writes the 64
        // bytes of the array.
        unsafe { _mm512_storeu_si512(numbers.as_mut_ptr().cast(), self.0) };
        numbers
    }
}

/// Computes a dense layer of 32 inputs and 16 outputs. Input `2 i + j` has the weight
/// `weights[i][2 k + j]` in output `k`. No sum of two products may exceed 32 bits.
#[inline(always)]
pub fn dense_layer(inputs: &[i16; 32], weights: &[[i16; 32]; 16], biases: &[i32; 16]) -> [i32; 16] {
    let mut outputs = [0; 16];
    // SAFETY: the module is compiled only where AVX-512 BW is enabled; the loads and the store are
    // of 64 bytes each, or of a pair of inputs, within the arrays.
    unsafe {
        // Two sums halve the chain of dependent additions.
        let mut parts = [_mm512_loadu_si512(biases.as_ptr().cast()), _mm512_setzero_si512()];
        for (i, weights) in weights.iter().enumerate() {
            let pair = inputs.as_ptr().cast::<i32>().add(i).read_unaligned();
            let weights = _mm512_loadu_si512(weights.as_ptr().cast());
            let products = _mm512_madd_epi16(_mm512_set1_epi32(pair), weights);
            parts[i % 2] = _mm512_add_epi32(parts[i % 2], products);
        }
        let sum = _mm512_add_epi32(parts[0], parts[1]);
        _mm512_storeu_si512(outputs.as_mut_ptr().cast(), sum);
    }
    outputs
}
