//! The network's kernels for x86-64 with AVX2: 16 numbers of 16 bits in a register.
#![allow(unsafe_code)]

use std::arch::x86_64::*;

pub use super::portable::{activated, clipped_dot, dot};

/// The name of these kernels in `umigame --version` and `bench`.
pub const NAME: &str = "AVX2";

/// Prefetches a value into the nearest cache.
#[inline(always)]
pub fn prefetch<T>(at: &T) {
    // SAFETY: the module is compiled only where AVX2, and so SSE, is enabled; a prefetch changes
    // the caches only.
    unsafe { _mm_prefetch::<_MM_HINT_T0>((&raw const *at).cast()) }
}

/// A sum of rows of 32 pairs of small numbers (an embedding bag).
///
/// Words and upper bytes are added up, which takes fewer instructions than widening every byte.
#[derive(Clone, Copy, Debug)]
pub struct PairSum {
    words: [__m256i; 2],
    upper: [__m256i; 2],
}

impl PairSum {
    /// Returns the sum of no rows.
    #[inline(always)]
    pub fn zero() -> PairSum {
        // SAFETY: the module is compiled only where AVX2 is enabled.
        let zero = [unsafe { _mm256_setzero_si256() }; 2];
        PairSum { words: zero, upper: zero }
    }

    /// Adds one row of pairs, each made by [`pair`](super::pair).
    #[inline(always)]
    #[must_use]
    pub fn with(mut self, row: &[i16; 32]) -> PairSum {
        let (quarters, _) = row.as_chunks::<16>();
        for (i, words) in quarters.iter().enumerate() {
            // SAFETY: the module is compiled only where AVX2 is enabled; the load reads 32 bytes of
            // the row.
            unsafe {
                let words = _mm256_loadu_si256(words.as_ptr().cast());
                self.words[i] = _mm256_add_epi16(self.words[i], words);
                self.upper[i] = _mm256_add_epi16(self.upper[i], _mm256_srai_epi16::<8>(words));
            }
        }
        self
    }

    /// Adds two sums.
    #[inline(always)]
    #[must_use]
    pub fn plus(mut self, other: PairSum) -> PairSum {
        for i in 0..2 {
            // SAFETY: the module is compiled only where AVX2 is enabled.
            unsafe {
                self.words[i] = _mm256_add_epi16(self.words[i], other.words[i]);
                self.upper[i] = _mm256_add_epi16(self.upper[i], other.upper[i]);
            }
        }
        self
    }

    /// Permutes the blocks of four pairs: block `i` becomes the old block `from[i]`, below 8.
    #[inline(always)]
    #[must_use]
    pub fn ordered(self, from: &[u64; 8]) -> PairSum {
        PairSum { words: ordered(self.words, from), upper: ordered(self.upper, from) }
    }

    /// Returns the sum of the first numbers of the pairs and that of the second. `rows` is the number
    /// of rows added, at most 256.
    #[inline(always)]
    pub fn halves(self, rows: i16) -> [RowSum; 2] {
        let [low, high] = [0, 1].map(|i| {
            // SAFETY: the module is compiled only where AVX2 is enabled.
            unsafe {
                let words = _mm256_sub_epi16(self.words[i], _mm256_slli_epi16::<8>(self.upper[i]));
                _mm256_sub_epi16(words, _mm256_set1_epi16(rows.wrapping_mul(128)))
            }
        });
        [RowSum(low, high), RowSum(self.upper[0], self.upper[1])]
    }
}

/// Permutes the blocks of four numbers in two registers.
#[inline(always)]
fn ordered([low, high]: [__m256i; 2], from: &[u64; 8]) -> [__m256i; 2] {
    let (halves, _) = from.as_chunks::<4>();
    // SAFETY: the module is compiled only where AVX2 is enabled; the loads read the 32 bytes of
    // each half.
    std::array::from_fn(|half| unsafe {
        let from = _mm256_loadu_si256(halves[half].as_ptr().cast());
        // Indices of 32-bit words; from 8 on they are in the upper register.
        let words = _mm256_slli_epi64::<1>(from);
        let next = _mm256_slli_epi64::<32>(_mm256_add_epi64(words, _mm256_set1_epi64x(1)));
        let words = _mm256_or_si256(words, next);
        let of_low = _mm256_permutevar8x32_epi32(low, words);
        let of_high = _mm256_permutevar8x32_epi32(high, words);
        _mm256_blendv_epi8(of_low, of_high, _mm256_cmpgt_epi64(from, _mm256_set1_epi64x(3)))
    })
}

/// Half of a sum of rows: 32 numbers.
#[derive(Clone, Copy, Debug)]
pub struct RowSum(__m256i, __m256i);

impl RowSum {
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

/// Computes a dense layer of 64 inputs and 32 outputs. Input `2 i + j` has the weight
/// `weights[i][2 k + j]` in output `k`. No sum of products may exceed 32 bits.
#[inline(always)]
pub fn dense_layer(inputs: &[i16; 64], weights: &[[i16; 64]; 32], biases: &[i32; 32]) -> [i32; 32] {
    let mut outputs = *biases;
    // SAFETY: the module is compiled only where AVX2 is enabled; the loads and stores are of 32
    // bytes each, or of a pair of inputs, within the arrays.
    unsafe {
        let mut sums: [__m256i; 4] =
            std::array::from_fn(|part| _mm256_loadu_si256(biases.as_ptr().add(8 * part).cast()));
        for (i, weights) in weights.iter().enumerate() {
            let pair = inputs.as_ptr().cast::<i32>().add(i).read_unaligned();
            let pair = _mm256_set1_epi32(pair);
            for (part, sum) in sums.iter_mut().enumerate() {
                let weights = _mm256_loadu_si256(weights.as_ptr().add(16 * part).cast());
                *sum = _mm256_add_epi32(*sum, _mm256_madd_epi16(pair, weights));
            }
        }
        for (part, sum) in sums.into_iter().enumerate() {
            _mm256_storeu_si256(outputs.as_mut_ptr().add(8 * part).cast(), sum);
        }
    }
    outputs
}
