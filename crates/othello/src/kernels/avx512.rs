//! The kernels for x86-64 with AVX-512 (F, BW, CD and VL): leading-zero counts
//! and three-way logic on four rays at a time, and whole rows of numbers.
//! Registers of 256 bits serve better than 512 for rays, since they are folded
//! into one word at once.
#![allow(unsafe_code)]

use std::arch::asm;
use std::arch::x86_64::*;

use super::rays::RAYS;
use crate::Square;

/// What `umigame --version` and `bench` call these kernels.
pub const NAME: &str = "AVX-512";

// Mobility of its own was measured and left out: out of the AVX2 code the compiler makes three-way
// logic by itself, and all eight directions in 512 bits took 1.3 times as long (Zen 4).
pub use super::avx2::{moves, potential_moves};

/// The discs that `player` flips with a disc on an empty square.
#[inline(always)]
pub fn flips(player: u64, opponent: u64, square: Square) -> u64 {
    let rays = &RAYS[square.index()];
    // SAFETY: the module is compiled only where AVX-512 F, CD and VL are
    // enabled; the two loads read 32 aligned bytes each of a
    // `repr(C, align(64))` struct.
    unsafe {
        let own = _mm256_set1_epi64x(player as i64);
        let theirs = _mm256_set1_epi64x(opponent as i64);
        let zero = _mm256_setzero_si256();

        let rising = _mm256_load_si256(rays.rising.as_ptr().cast());
        let stop = _mm256_andnot_si256(theirs, rising);
        let first = _mm256_ternarylogic_epi64::<0x80>(stop, _mm256_sub_epi64(zero, stop), own);
        // All below the disc that closes the ray; nothing where none does.
        let below = _mm256_add_epi64(first, _mm256_set1_epi64x(-1));
        let up = _mm256_and_si256(_mm256_min_epu64(first, below), rising);

        let falling = _mm256_load_si256(rays.falling.as_ptr().cast());
        let stop = _mm256_andnot_si256(theirs, falling);
        // A ray without a stop shifts by 64, which leaves nothing.
        let first = shifted_right(_mm256_set1_epi64x(i64::MIN), _mm256_lzcnt_epi64(stop));
        let outflank = _mm256_and_si256(first, own);
        let above = _mm256_sub_epi64(zero, _mm256_add_epi64(outflank, outflank));
        let both = _mm256_or_si256(up, _mm256_and_si256(falling, above));
        let half = _mm_or_si128(_mm256_castsi256_si128(both), _mm256_extracti128_si256::<1>(both));
        let one = _mm_or_si128(half, _mm_unpackhi_epi64(half, half));
        _mm_cvtsi128_si64(one) as u64
    }
}

/// `vpsrlvq`, for which the intrinsic is compiled to two instructions more:
/// the compiler makes sure of what the processor does by itself, that nothing
/// is left of a number shifted by 64.
#[inline(always)]
unsafe fn shifted_right(bits: __m256i, by: __m256i) -> __m256i {
    let shifted;
    // SAFETY: the module is compiled only where AVX-512 VL is enabled; the
    // instruction touches nothing but its registers.
    unsafe {
        asm!("vpsrlvq {shifted}, {bits}, {by}", shifted = lateout(ymm_reg) shifted,
            bits = in(ymm_reg) bits, by = in(ymm_reg) by,
            options(pure, nomem, nostack, preserves_flags));
    }
    shifted
}

/// The sum of rows of 32 small numbers.
#[derive(Clone, Copy, Debug)]
pub struct RowSum(__m512i);

impl RowSum {
    /// The sum of no rows.
    #[inline(always)]
    pub fn zero() -> RowSum {
        // SAFETY: the module is compiled only where AVX-512 F is enabled.
        RowSum(unsafe { _mm512_setzero_si512() })
    }

    /// With one row more.
    #[inline(always)]
    #[must_use]
    pub fn with(self, row: &[i8; 32]) -> RowSum {
        // SAFETY: the module is compiled only where AVX-512 BW is enabled; the
        // load reads the 32 bytes of the row.
        RowSum(unsafe {
            let row = _mm256_loadu_si256(row.as_ptr().cast());
            _mm512_add_epi16(self.0, _mm512_cvtepi8_epi16(row))
        })
    }

    /// Both sums together.
    #[inline(always)]
    #[must_use]
    pub fn plus(self, other: RowSum) -> RowSum {
        // SAFETY: the module is compiled only where AVX-512 BW is enabled.
        RowSum(unsafe { _mm512_add_epi16(self.0, other.0) })
    }

    /// The sum with its blocks of four numbers in another order: block `i` is
    /// the old one `from[i]`, less than 8.
    #[inline(always)]
    #[must_use]
    pub fn ordered(self, from: &[u64; 8]) -> RowSum {
        // SAFETY: the module is compiled only where AVX-512 F is enabled; the
        // load reads the 64 bytes of the order.
        RowSum(unsafe {
            let from = _mm512_loadu_si512(from.as_ptr().cast());
            _mm512_permutexvar_epi64(from, self.0)
        })
    }

    /// The numbers.
    #[inline(always)]
    pub fn numbers(self) -> [i16; 32] {
        let mut numbers = [0; 32];
        // SAFETY: the module is compiled only where AVX-512 F is enabled; the
        // store writes the 64 bytes of the array.
        unsafe { _mm512_storeu_si512(numbers.as_mut_ptr().cast(), self.0) };
        numbers
    }
}

/// Sixteen sums of products: to each of `first` what every number adds with
/// its weight. Number `2 i + j` has the weight `weights[i][2 k + j]` in sum `k`.
/// No sum of two products may be beyond 32 bits.
#[inline(always)]
pub fn mixed(numbers: &[i16; 32], weights: &[[i16; 32]; 16], first: &[i32; 16]) -> [i32; 16] {
    let mut sums = [0; 16];
    // SAFETY: the module is compiled only where AVX-512 BW is enabled; the
    // loads and the store are of 64 bytes each, or of a pair of numbers,
    // within the arrays.
    unsafe {
        // Two sums, so that one need not wait for the other.
        let mut parts = [_mm512_loadu_si512(first.as_ptr().cast()), _mm512_setzero_si512()];
        for (i, weights) in weights.iter().enumerate() {
            let pair = numbers.as_ptr().cast::<i32>().add(i).read_unaligned();
            let weights = _mm512_loadu_si512(weights.as_ptr().cast());
            let products = _mm512_madd_epi16(_mm512_set1_epi32(pair), weights);
            parts[i % 2] = _mm512_add_epi32(parts[i % 2], products);
        }
        let sum = _mm512_add_epi32(parts[0], parts[1]);
        _mm512_storeu_si512(sums.as_mut_ptr().cast(), sum);
    }
    sums
}
