//! The kernels for x86-64 with AVX-512 (F, CD and VL): leading-zero counts and three-way logic
//! on four rays at a time.
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
pub use super::avx2::{moves, potential_moves};

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
