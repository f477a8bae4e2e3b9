//! The network's kernels for x86-64 with AVX-512 (F, BW, CD and VL): whole rows of numbers in a
//! register.
#![allow(unsafe_code)]

use std::arch::asm;
use std::arch::x86_64::*;

pub use super::avx2::prefetch;
use super::portable::Activation;

/// The name of these kernels in `umigame --version` and `bench`.
pub const NAME: &str = "AVX-512";

/// Half of a sum of rows: 32 numbers.
#[derive(Clone, Copy, Debug)]
pub struct RowSum(__m512i);

impl RowSum {
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

/// A sum of rows of 32 pairs of small numbers (an embedding bag).
///
/// Words and upper bytes are added up, which takes fewer instructions than widening every byte.
#[derive(Clone, Copy, Debug)]
pub struct PairSum {
    words: __m512i,
    upper: __m512i,
}

impl PairSum {
    /// Returns the sum of no rows.
    #[inline(always)]
    pub fn zero() -> PairSum {
        // SAFETY: the module is compiled only where AVX-512 F is enabled.
        let zero = unsafe { _mm512_setzero_si512() };
        PairSum { words: zero, upper: zero }
    }

    /// Adds one row of pairs, each made by [`pair`](super::pair).
    #[inline(always)]
    #[must_use]
    pub fn with(self, row: &[i16; 32]) -> PairSum {
        // SAFETY: the module is compiled only where AVX-512 BW is enabled; the load reads the 64
        // bytes of the row.
        unsafe {
            let row = _mm512_loadu_si512(row.as_ptr().cast());
            let words = _mm512_add_epi16(self.words, row);
            let upper = _mm512_add_epi16(self.upper, _mm512_srai_epi16::<8>(row));
            PairSum { words, upper }.in_order()
        }
    }

    /// Adds two sums.
    #[inline(always)]
    #[must_use]
    pub fn plus(self, other: PairSum) -> PairSum {
        // SAFETY: the module is compiled only where AVX-512 BW is enabled.
        unsafe {
            let words = _mm512_add_epi16(self.words, other.words);
            let upper = _mm512_add_epi16(self.upper, other.upper);
            PairSum { words, upper }.in_order()
        }
    }

    /// Permutes the blocks of four pairs: block `i` becomes the old block `from[i]`, below 8.
    #[inline(always)]
    #[must_use]
    pub fn ordered(self, from: &[u64; 8]) -> PairSum {
        // SAFETY: the module is compiled only where AVX-512 F is enabled; the load reads the 64
        // bytes of the order.
        unsafe {
            let from = _mm512_loadu_si512(from.as_ptr().cast());
            PairSum {
                words: _mm512_permutexvar_epi64(from, self.words),
                upper: _mm512_permutexvar_epi64(from, self.upper),
            }
        }
    }

    /// Returns the sum of the first numbers of the pairs and that of the second. `rows` is the number
    /// of rows added, at most 256.
    #[inline(always)]
    pub fn halves(self, rows: i16) -> [RowSum; 2] {
        // SAFETY: the module is compiled only where AVX-512 BW is enabled.
        unsafe {
            let lower = _mm512_sub_epi16(self.words, _mm512_slli_epi16::<8>(self.upper));
            let bias = _mm512_set1_epi16(rows.wrapping_mul(128));
            [RowSum(_mm512_sub_epi16(lower, bias)), RowSum(self.upper)]
        }
    }

    /// Stops the compiler from reordering the additions: it would load all rows first and spill
    /// them, or leave the upper bytes to the end.
    #[inline(always)]
    fn in_order(mut self) -> PairSum {
        // SAFETY: there is no instruction.
        unsafe {
            asm!("/* {} {} */", inout(zmm_reg) self.words, inout(zmm_reg) self.upper,
                options(pure, nomem, nostack, preserves_flags));
        }
        self
    }
}

/// Returns the activations of sums with their biases; none may overflow.
#[inline(always)]
pub fn activated(sums: &[i16; 64], biases: &[i16; 64], activation: &Activation) -> [i16; 64] {
    let mut activated = [0; 64];
    for half in [0, 32] {
        // SAFETY: the module is compiled only where AVX-512 BW is enabled; the loads and the store
        // are of 64 bytes each, within the arrays.
        unsafe {
            let Activation { slope, saturation, limit } = *activation;
            let sum = _mm512_loadu_si512(sums.as_ptr().add(half).cast());
            let bias = _mm512_loadu_si512(biases.as_ptr().add(half).cast());
            let sum = _mm512_add_epi16(sum, bias);
            let within = clamped(sum, _mm512_setzero_si512(), _mm512_set1_epi16(saturation));
            let limited = clamped(sum, _mm512_set1_epi16(-limit), _mm512_set1_epi16(limit));
            let steep = _mm512_mullo_epi16(_mm512_set1_epi16(slope), within);
            let sum = _mm512_add_epi16(steep, _mm512_sub_epi16(limited, within));
            _mm512_storeu_si512(activated.as_mut_ptr().add(half).cast(), sum);
        }
    }
    activated
}

#[inline(always)]
fn clamped(numbers: __m512i, low: __m512i, high: __m512i) -> __m512i {
    // SAFETY: the module is compiled only where AVX-512 BW is enabled.
    unsafe { _mm512_min_epi16(_mm512_max_epi16(numbers, low), high) }
}

/// Returns the sum of the products of two rows of numbers; it may not exceed 32 bits.
#[inline(always)]
pub fn dot(a: &[i16; 64], b: &[i16; 64]) -> i32 {
    // SAFETY: the module is compiled only where AVX-512 BW is enabled; the loads are of 64 bytes
    // each, within the arrays.
    unsafe {
        let [low, high] = [0, 32].map(|half| {
            let a = _mm512_loadu_si512(a.as_ptr().add(half).cast());
            _mm512_madd_epi16(a, _mm512_loadu_si512(b.as_ptr().add(half).cast()))
        });
        _mm512_reduce_add_epi32(_mm512_add_epi32(low, high))
    }
}

/// Shifts each number right by `SHIFT`, clips it to `0..=MAX`, and returns the sum of the products
/// with `weights`, which are of 16 bits; it may not exceed 32 bits.
#[inline(always)]
pub fn clipped_dot<const SHIFT: u32, const MAX: i16>(
    numbers: &[i32; 32],
    weights: &[i32; 32],
) -> i32 {
    // SAFETY: the module is compiled only where AVX-512 BW is enabled; the loads are of 64 bytes
    // each, within the arrays.
    unsafe {
        let [low, high] = [0, 16].map(|half| {
            let numbers = _mm512_loadu_si512(numbers.as_ptr().add(half).cast());
            let weights = _mm512_loadu_si512(weights.as_ptr().add(half).cast());
            let shifted =
                _mm512_max_epi32(_mm512_srai_epi32::<SHIFT>(numbers), _mm512_setzero_si512());
            let clipped = _mm512_min_epi32(shifted, _mm512_set1_epi32(MAX.into()));
            // Both factors have 16 bits: this takes half the time of 32-bit products.
            _mm512_madd_epi16(clipped, weights)
        });
        _mm512_reduce_add_epi32(_mm512_add_epi32(low, high))
    }
}

/// Computes a dense layer of 64 inputs and 32 outputs. Input `2 i + j` has the weight
/// `weights[i][2 k + j]` in output `k`. No sum of products may exceed 32 bits.
#[inline(always)]
pub fn dense_layer(inputs: &[i16; 64], weights: &[[i16; 64]; 32], biases: &[i32; 32]) -> [i32; 32] {
    let mut outputs = [0; 32];
    let inputs: *const i32 = inputs.as_ptr().cast();
    // SAFETY: there is no instruction. The compiler reads the inputs from memory afterwards: a pair is
    // broadcast from there by one instruction, from a register by two.
    unsafe { asm!("/* {} */", in(reg) inputs, options(nostack, preserves_flags)) };
    // SAFETY: the module is compiled only where AVX-512 BW is enabled; the loads and the stores are
    // of 64 bytes each, or of a pair of inputs, within the arrays.
    unsafe {
        // Several sums shorten the chain of dependent additions.
        let mut parts = [[_mm512_setzero_si512(); 2]; 4];
        parts[0] = [0, 16].map(|at| _mm512_loadu_si512(biases.as_ptr().add(at).cast()));
        let (groups, _) = weights.as_chunks::<4>();
        for (group, weights) in groups.iter().enumerate() {
            for (i, weights) in weights.iter().enumerate() {
                let pair = _mm512_set1_epi32(inputs.add(4 * group + i).read_unaligned());
                for (half, part) in parts[i].iter_mut().enumerate() {
                    let weights = _mm512_loadu_si512(weights.as_ptr().add(32 * half).cast());
                    *part = add_products(*part, pair, weights);
                }
            }
        }
        for half in 0..2 {
            let [a, b, c, d] = parts.map(|part| part[half]);
            let sum = _mm512_add_epi32(_mm512_add_epi32(a, b), _mm512_add_epi32(c, d));
            _mm512_storeu_si512(outputs.as_mut_ptr().add(16 * half).cast(), sum);
        }
    }
    outputs
}

/// Adds the products of 16 pairs of numbers to 16 sums.
#[inline(always)]
fn add_products(sums: __m512i, a: __m512i, b: __m512i) -> __m512i {
    // SAFETY: the module is compiled only where AVX-512 BW is enabled, and this branch only where
    // VNNI is.
    #[cfg(target_feature = "avx512vnni")]
    return unsafe { _mm512_dpwssd_epi32(sums, a, b) };
    // SAFETY: the module is compiled only where AVX-512 BW is enabled.
    #[cfg(not(target_feature = "avx512vnni"))]
    return unsafe { _mm512_add_epi32(sums, _mm512_madd_epi16(a, b)) };
}
