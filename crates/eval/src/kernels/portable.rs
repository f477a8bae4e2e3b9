//! The network's kernels in plain Rust, for any processor. They define the results of all others.

/// The name of these kernels in `bench`.
pub const NAME: &str = "portable";

/// Returns a pair of small numbers as [`PairSum`] adds it: the first, plus 128, in the lower byte, the
/// second in the upper.
pub const fn pair(first: i8, second: i8) -> i16 {
    i16::from_le_bytes([(first as u8).wrapping_add(128), second as u8])
}

/// A sum of rows of 32 pairs of small numbers (an embedding bag).
///
/// Words and upper bytes are added up, which takes fewer instructions than widening every byte.
#[derive(Clone, Copy, Debug)]
pub struct PairSum {
    words: [i16; 32],
    upper: [i16; 32],
}

impl PairSum {
    /// Returns the sum of no rows.
    #[inline(always)]
    pub fn zero() -> PairSum {
        PairSum { words: [0; 32], upper: [0; 32] }
    }

    /// Adds one row of pairs, each made by [`pair`].
    #[inline(always)]
    #[must_use]
    pub fn with(mut self, row: &[i16; 32]) -> PairSum {
        for (i, &word) in row.iter().enumerate() {
            self.words[i] = self.words[i].wrapping_add(word);
            self.upper[i] += word >> 8;
        }
        self
    }

    /// Adds two sums.
    #[inline(always)]
    #[must_use]
    pub fn plus(mut self, other: PairSum) -> PairSum {
        for i in 0..32 {
            self.words[i] = self.words[i].wrapping_add(other.words[i]);
            self.upper[i] += other.upper[i];
        }
        self
    }

    /// Permutes the blocks of four pairs: block `i` becomes the old block `from[i]`, below 8.
    #[inline(always)]
    #[must_use]
    pub fn ordered(self, from: &[u64; 8]) -> PairSum {
        let source = |i: usize| 4 * from[i / 4] as usize + i % 4;
        PairSum {
            words: std::array::from_fn(|i| self.words[source(i)]),
            upper: std::array::from_fn(|i| self.upper[source(i)]),
        }
    }

    /// Returns the sum of the first numbers of the pairs and that of the second. `rows` is the number
    /// of rows added, at most 256.
    #[inline(always)]
    pub fn halves(self, rows: i16) -> [RowSum; 2] {
        let bias = rows.wrapping_mul(128);
        let lower = |i: usize| self.words[i].wrapping_sub(self.upper[i] << 8).wrapping_sub(bias);
        [RowSum(std::array::from_fn(lower)), RowSum(self.upper)]
    }
}

/// Half of a sum of rows: 32 numbers.
#[derive(Clone, Copy, Debug)]
pub struct RowSum([i16; 32]);

impl RowSum {
    /// Returns the 32 numbers.
    #[inline(always)]
    pub fn numbers(self) -> [i16; 32] {
        self.0
    }
}

/// Computes a dense layer of 64 inputs and 32 outputs. Input `2 i + j` has the weight
/// `weights[i][2 k + j]` in output `k`. No sum of products may exceed 32 bits.
#[inline(always)]
pub fn dense_layer(inputs: &[i16; 64], weights: &[[i16; 64]; 32], biases: &[i32; 32]) -> [i32; 32] {
    let mut outputs = *biases;
    for (i, weights) in weights.iter().enumerate() {
        for (k, output) in outputs.iter_mut().enumerate() {
            for j in 0..2 {
                *output += i32::from(inputs[2 * i + j]) * i32::from(weights[2 * k + j]);
            }
        }
    }
    outputs
}

/// An activation with slope `slope` from 0 to `saturation`, slope 1 outside, and constant beyond
/// `limit` from 0.
#[derive(Clone, Copy, Debug)]
pub struct Activation {
    /// Slope from 0 to `saturation`.
    pub slope: i16,
    /// End of the steep slope.
    pub saturation: i16,
    /// Magnitude from which the activation is constant.
    pub limit: i16,
}

impl Activation {
    /// Returns the activation of a sum.
    #[inline(always)]
    pub fn of(&self, sum: i16) -> i16 {
        let within = sum.clamp(0, self.saturation);
        self.slope * within + (sum.clamp(-self.limit, self.limit) - within)
    }
}

/// Returns the activations of sums with their biases; none may overflow.
#[inline(always)]
pub fn activated(sums: &[i16; 64], biases: &[i16; 64], activation: &Activation) -> [i16; 64] {
    let mut activated = [0; 64];
    for (activated, (sum, bias)) in activated.iter_mut().zip(sums.iter().zip(biases)) {
        *activated = activation.of(sum + bias);
    }
    activated
}

/// Returns the sum of the products of two rows of numbers; it may not exceed 32 bits.
#[inline(always)]
pub fn dot(a: &[i16; 64], b: &[i16; 64]) -> i32 {
    a.iter().zip(b).map(|(&a, &b)| i32::from(a) * i32::from(b)).sum()
}

/// Shifts each number right by `SHIFT`, clips it to `0..=MAX`, and returns the sum of the products
/// with `weights`, which are of 16 bits; it may not exceed 32 bits.
#[inline(always)]
pub fn clipped_dot<const SHIFT: u32, const MAX: i16>(
    numbers: &[i32; 32],
    weights: &[i32; 32],
) -> i32 {
    let clipped = |number: i32| (number >> SHIFT).clamp(0, i32::from(MAX));
    numbers.iter().zip(weights).map(|(&number, weight)| clipped(number) * weight).sum()
}

/// Does nothing: there is no portable prefetch.
#[inline(always)]
pub fn prefetch<T>(_: &T) {}
