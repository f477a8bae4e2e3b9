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

/// Prefetches a value into the nearest cache.
#[inline(always)]
pub fn prefetch<T>(at: &T) {
    // SAFETY: the module is compiled only where AVX2, and so SSE, is enabled; a prefetch changes
    // the caches only.
    unsafe { _mm_prefetch::<_MM_HINT_T0>((&raw const *at).cast()) }
}

/// A sum of rows of 32 small numbers (an embedding bag), in two halves.
#[derive(Clone, Copy, Debug)]
pub struct RowSum(__m256i, __m256i);

impl RowSum {
    /// Returns the sum of no rows.
    #[inline(always)]
    pub fn zero() -> RowSum {
        // SAFETY: the module is compiled only where AVX2 is enabled.
        let zero = unsafe { _mm256_setzero_si256() };
        RowSum(zero, zero)
    }

    /// Adds one row.
    #[inline(always)]
    #[must_use]
    pub fn with(self, row: &[i8; 32]) -> RowSum {
        let (low, high) = row.split_at(16);
        // SAFETY: the module is compiled only where AVX2 is enabled; the loads read the 16 bytes of
        // each half.
        unsafe {
            let [low, high] =
                [low, high].map(|row| _mm256_cvtepi8_epi16(_mm_loadu_si128(row.as_ptr().cast())));
            RowSum(_mm256_add_epi16(self.0, low), _mm256_add_epi16(self.1, high))
        }
    }

    /// Adds two sums.
    #[inline(always)]
    #[must_use]
    pub fn plus(self, other: RowSum) -> RowSum {
        // SAFETY: the module is compiled only where AVX2 is enabled.
        unsafe { RowSum(_mm256_add_epi16(self.0, other.0), _mm256_add_epi16(self.1, other.1)) }
    }

    /// Permutes the blocks of four numbers: block `i` becomes the old block `from[i]`, below 8.
    #[inline(always)]
    #[must_use]
    pub fn ordered(self, from: &[u64; 8]) -> RowSum {
        let (low, high) = from.split_at(4);
        // SAFETY: the module is compiled only where AVX2 is enabled; the loads read the 32 bytes of
        // each half.
        unsafe {
            let [low, high] = [low, high].map(|from| {
                let from = _mm256_loadu_si256(from.as_ptr().cast());
                // Indices of 32-bit words; from 8 on they are in the upper half.
                let words = _mm256_slli_epi64::<1>(from);
                let next = _mm256_slli_epi64::<32>(_mm256_add_epi64(words, _mm256_set1_epi64x(1)));
                let words = _mm256_or_si256(words, next);
                let of_low = _mm256_permutevar8x32_epi32(self.0, words);
                let of_high = _mm256_permutevar8x32_epi32(self.1, words);
                _mm256_blendv_epi8(of_low, of_high, _mm256_cmpgt_epi64(from, _mm256_set1_epi64x(3)))
            });
            RowSum(low, high)
        }
    }

    /// Returns the 32 numbers.
    #[inline(always)]
    pub fn numbers(self) -> [i16; 32] {
        let mut numbers = [0; 32];
        // SAFETY: the module is compiled only where AVX2 is enabled; the stores write the 64 bytes
        // of the array.
        unsafe {
            _mm256_storeu_si256(numbers.as_mut_ptr().cast(), self.0);
            _mm256_storeu_si256(numbers.as_mut_ptr().add(16).cast(), self.1);
        }
        numbers
    }
}

/// Computes a dense layer of 32 inputs and 16 outputs. Input `2 i + j` has the weight
/// `weights[i][2 k + j]` in output `k`. No sum of two products may exceed 32 bits.
#[inline(always)]
pub fn dense_layer(inputs: &[i16; 32], weights: &[[i16; 32]; 16], biases: &[i32; 16]) -> [i32; 16] {
    let mut outputs = [0; 16];
    // SAFETY: the module is compiled only where AVX2 is enabled; the loads and stores are of 32
    // bytes each, within the arrays.
    unsafe {
        let mut low = _mm256_loadu_si256(biases.as_ptr().cast());
        let mut high = _mm256_loadu_si256(biases.as_ptr().add(8).cast());
        for (i, weights) in weights.iter().enumerate() {
            let pair = inputs.as_ptr().cast::<i32>().add(i).read_unaligned();
            let pair = _mm256_set1_epi32(pair);
            let of_low = _mm256_loadu_si256(weights.as_ptr().cast());
            let of_high = _mm256_loadu_si256(weights.as_ptr().add(16).cast());
            low = _mm256_add_epi32(low, _mm256_madd_epi16(pair, of_low));
            high = _mm256_add_epi32(high, _mm256_madd_epi16(pair, of_high));
        }
        _mm256_storeu_si256(outputs.as_mut_ptr().cast(), low);
        _mm256_storeu_si256(outputs.as_mut_ptr().add(8).cast(), high);
    }
    outputs
}
