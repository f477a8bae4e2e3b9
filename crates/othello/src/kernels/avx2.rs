//! The kernels for x86-64 with AVX2: four rays in a register.
#![allow(unsafe_code)]

use std::arch::x86_64::*;

use super::rays::RAYS;
use crate::square::Square;

/// The name of these kernels in `umigame --version` and `bench`.
pub const NAME: &str = "AVX2";

/// Returns the OR of the four words of a register.
#[inline(always)]
fn or_lanes(words: __m256i) -> u64 {
    // SAFETY: the module is compiled only where AVX2 is enabled.
    unsafe {
        let half =
            _mm_or_si128(_mm256_castsi256_si128(words), _mm256_extracti128_si256::<1>(words));
        let one = _mm_or_si128(half, _mm_unpackhi_epi64(half, half));
        _mm_cvtsi128_si64(one) as u64
    }
}

/// Returns the discs that `player` flips by placing a disc on an empty square.
#[inline(always)]
pub fn flips(player: u64, opponent: u64, square: Square) -> u64 {
    let rays = &RAYS[square.index()];
    // SAFETY: the module is compiled only where AVX2 is enabled; the two loads read 32 aligned
    // bytes each of a `repr(C, align(64))` struct.
    unsafe {
        let own = _mm256_set1_epi64x(player as i64);
        let theirs = _mm256_set1_epi64x(opponent as i64);
        let zero = _mm256_setzero_si256();

        let rising = _mm256_load_si256(rays.rising.as_ptr().cast());
        let stop = _mm256_andnot_si256(theirs, rising);
        let first = _mm256_and_si256(stop, _mm256_sub_epi64(zero, stop));
        let outflank = _mm256_and_si256(first, own);
        // outflank - 1, but 0 where there is no outflanking disc.
        let none = _mm256_cmpeq_epi64(outflank, zero);
        let below = _mm256_sub_epi64(outflank, _mm256_add_epi64(none, _mm256_set1_epi64x(1)));
        let up = _mm256_and_si256(rising, below);

        // Falling rays: shade every square behind the first stop; the run and its stop remain.
        let falling = _mm256_load_si256(rays.falling.as_ptr().cast());
        let stop = _mm256_andnot_si256(theirs, falling);
        let step = _mm256_set_epi64x(9, 8, 7, 1);
        let step2 = _mm256_slli_epi64::<1>(step);
        let step4 = _mm256_slli_epi64::<2>(step);
        let shade = _mm256_srlv_epi64(stop, step);
        let shade = _mm256_or_si256(shade, _mm256_srlv_epi64(shade, step));
        let shade = _mm256_or_si256(shade, _mm256_srlv_epi64(shade, step2));
        let shade = _mm256_or_si256(shade, _mm256_srlv_epi64(shade, step4));
        let first = _mm256_andnot_si256(shade, stop);
        let outflank = _mm256_and_si256(first, own);
        // Every bit above the outflanking disc; zero where there is none.
        let above = _mm256_sub_epi64(zero, _mm256_add_epi64(outflank, outflank));
        let down = _mm256_and_si256(falling, above);

        or_lanes(_mm256_or_si256(up, down))
    }
}

/// Returns the legal squares of `player`.
#[inline(always)]
pub fn moves(player: u64, opponent: u64) -> u64 {
    // SAFETY: the module is compiled only where AVX2 is enabled.
    unsafe {
        let step = _mm256_set_epi64x(7, 9, 8, 1);
        let step2 = _mm256_slli_epi64::<1>(step);
        let inner = 0x7E7E_7E7E_7E7E_7E7Eu64 as i64;
        let own = _mm256_set1_epi64x(player as i64);
        let theirs = _mm256_and_si256(
            _mm256_set1_epi64x(opponent as i64),
            _mm256_set_epi64x(inner, inner, -1, inner),
        );
        let mut up = _mm256_and_si256(theirs, _mm256_sllv_epi64(own, step));
        let mut down = _mm256_and_si256(theirs, _mm256_srlv_epi64(own, step));
        up = _mm256_or_si256(up, _mm256_and_si256(theirs, _mm256_sllv_epi64(up, step)));
        down = _mm256_or_si256(down, _mm256_and_si256(theirs, _mm256_srlv_epi64(down, step)));
        let pairs_up = _mm256_and_si256(theirs, _mm256_sllv_epi64(theirs, step));
        let pairs_down = _mm256_srlv_epi64(pairs_up, step);
        up = _mm256_or_si256(up, _mm256_and_si256(pairs_up, _mm256_sllv_epi64(up, step2)));
        down = _mm256_or_si256(down, _mm256_and_si256(pairs_down, _mm256_srlv_epi64(down, step2)));
        up = _mm256_or_si256(up, _mm256_and_si256(pairs_up, _mm256_sllv_epi64(up, step2)));
        down = _mm256_or_si256(down, _mm256_and_si256(pairs_down, _mm256_srlv_epi64(down, step2)));
        let found = _mm256_or_si256(_mm256_sllv_epi64(up, step), _mm256_srlv_epi64(down, step));
        or_lanes(found) & !(player | opponent)
    }
}

/// Returns the potential moves towards `discs`: the empty squares next to them.
#[inline(always)]
pub fn potential_moves(discs: u64, empty: u64) -> u64 {
    // SAFETY: the module is compiled only where AVX2 is enabled.
    unsafe {
        let step = _mm256_set_epi64x(7, 9, 8, 1);
        let inner = 0x7E7E_7E7E_7E7E_7E7Eu64 as i64;
        let discs = _mm256_and_si256(
            _mm256_set1_epi64x(discs as i64),
            _mm256_set_epi64x(inner, inner, -1, inner),
        );
        let beside =
            _mm256_or_si256(_mm256_sllv_epi64(discs, step), _mm256_srlv_epi64(discs, step));
        or_lanes(beside) & empty
    }
}
