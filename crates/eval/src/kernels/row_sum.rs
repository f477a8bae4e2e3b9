//! Row sums in four vectors of eight numbers, for processors whose vectors have 128 bits. The vector
//! operations are those of [`super::neon`] or [`super::simd128`].

#[cfg(target_arch = "aarch64")]
use super::neon::{Vector, add, load, store, upper_bytes};
#[cfg(target_arch = "wasm32")]
use super::simd128::{Vector, add, load, store, upper_bytes};

/// A sum of rows of 32 pairs of small numbers (an embedding bag).
///
/// Words and upper bytes are added up, which takes fewer instructions than widening every byte.
#[derive(Clone, Copy, Debug)]
pub struct PairSum {
    words: RowSum,
    upper: RowSum,
}

impl PairSum {
    /// Returns the sum of no rows.
    #[inline(always)]
    pub fn zero() -> PairSum {
        let zero = RowSum([load(&[0; 8]); 4]);
        PairSum { words: zero, upper: zero }
    }

    /// Adds one row of pairs, each made by [`pair`](super::pair).
    #[inline(always)]
    #[must_use]
    pub fn with(mut self, row: &[i16; 32]) -> PairSum {
        let (quarters, _) = row.as_chunks::<8>();
        let sums = self.words.0.iter_mut().zip(&mut self.upper.0);
        for ((words, upper), quarter) in sums.zip(quarters) {
            let row = load(quarter);
            *words = add(*words, row);
            *upper = add(*upper, upper_bytes(row));
        }
        self
    }

    /// Adds two sums.
    #[inline(always)]
    #[must_use]
    pub fn plus(self, other: PairSum) -> PairSum {
        PairSum { words: self.words.plus(other.words), upper: self.upper.plus(other.upper) }
    }

    /// Permutes the blocks of four pairs: block `i` becomes the old block `from[i]`, below 8.
    #[inline(always)]
    #[must_use]
    pub fn ordered(self, from: &[u64; 8]) -> PairSum {
        PairSum { words: self.words.ordered(from), upper: self.upper.ordered(from) }
    }

    /// Returns the sum of the first numbers of the pairs and that of the second. `rows` is the number
    /// of rows added, at most 256.
    #[inline(always)]
    pub fn halves(self, rows: i16) -> [RowSum; 2] {
        let bias = rows.wrapping_mul(128);
        let (words, upper) = (self.words.numbers(), self.upper.numbers());
        let lower: [i16; 32] =
            std::array::from_fn(|i| words[i].wrapping_sub(upper[i] << 8).wrapping_sub(bias));
        let (quarters, _) = lower.as_chunks::<8>();
        [RowSum(std::array::from_fn(|i| load(&quarters[i]))), self.upper]
    }
}

/// Half of a sum of rows: 32 numbers, in four quarters.
#[derive(Clone, Copy, Debug)]
pub struct RowSum([Vector; 4]);

impl RowSum {
    /// Adds two sums.
    #[inline(always)]
    fn plus(self, other: RowSum) -> RowSum {
        let mut sums = self.0;
        for (sum, other) in sums.iter_mut().zip(other.0) {
            *sum = add(*sum, other);
        }
        RowSum(sums)
    }

    /// Permutes the blocks of four numbers: block `i` becomes the old block `from[i]`, below 8.
    #[inline(always)]
    fn ordered(self, from: &[u64; 8]) -> RowSum {
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
            store(sum, quarter);
        }
        numbers
    }
}
