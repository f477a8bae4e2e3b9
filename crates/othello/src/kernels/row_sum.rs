//! Row sums in four vectors of eight numbers, for processors whose vectors have 128 bits. The vector
//! operations are those of [`super::neon`] or [`super::simd128`].

#[cfg(target_arch = "aarch64")]
use super::neon::{Vector, add, add_row, load, store};
#[cfg(target_arch = "wasm32")]
use super::simd128::{Vector, add, add_row, load, store};

/// A sum of rows of 32 small numbers (an embedding bag), in four quarters.
#[derive(Clone, Copy, Debug)]
pub struct RowSum([Vector; 4]);

impl RowSum {
    /// Returns the sum of no rows.
    #[inline(always)]
    pub fn zero() -> RowSum {
        RowSum([load(&[0; 8]); 4])
    }

    /// Adds one row.
    #[inline(always)]
    #[must_use]
    pub fn with(self, row: &[i8; 32]) -> RowSum {
        let (quarters, _) = row.as_chunks::<8>();
        let mut sums = self.0;
        for (sum, quarter) in sums.iter_mut().zip(quarters) {
            *sum = add_row(*sum, quarter);
        }
        RowSum(sums)
    }

    /// Adds two sums.
    #[inline(always)]
    #[must_use]
    pub fn plus(self, other: RowSum) -> RowSum {
        let mut sums = self.0;
        for (sum, other) in sums.iter_mut().zip(other.0) {
            *sum = add(*sum, other);
        }
        RowSum(sums)
    }

    /// Permutes the blocks of four numbers: block `i` becomes the old block `from[i]`, below 8.
    #[inline(always)]
    #[must_use]
    pub fn ordered(self, from: &[u64; 8]) -> RowSum {
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
