//! Hashes of positions: a table index and a check word.
//!
//! Both words are multiply-shift hashes of the two halves of the board: the high 64 bits of
//! `a * player + b * opponent + c` modulo 2^128, with random a, b and c. Two different positions
//! share a word with probability 2^-64, whatever the positions.
//!
//! After: M. Dietzfelbinger, "Universal hashing and k-wise independent random variables via integer
//! arithmetic without primes", 1996.

use umigame_othello::Position;

/// Two independent words of a position.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Hash {
    /// Chooses the bucket.
    pub index: u64,
    /// Tells apart the positions of a bucket.
    pub check: u64,
}

/// Factors of the index, drawn once at random.
const INDEX_FACTORS: [u128; 3] = [
    0xF050_B6AC_D743_0887_ECBC_1E47_A7EF_A95C,
    0x892F_CF94_B311_C851_5096_1C30_D521_2C05,
    0x087E_E27C_82CC_DA4E_C0FE_0B6D_E205_832B,
];
/// Factors of the check word, drawn once at random.
const CHECK_FACTORS: [u128; 3] = [
    0xEA33_3CBD_26B7_2E58_789E_FB6B_6656_9339,
    0x6E76_3F0E_0094_DD68_DCC6_5FC4_6384_3479,
    0xB7A5_5C1A_9BAB_B84B_87A7_E9AC_5332_E449,
];

#[inline(always)]
const fn word(position: Position, [a, b, c]: [u128; 3]) -> u64 {
    let sum = a
        .wrapping_mul(position.player().bits() as u128)
        .wrapping_add(b.wrapping_mul(position.opponent().bits() as u128))
        .wrapping_add(c);
    (sum >> 64) as u64
}

impl Hash {
    /// Hashes a position.
    #[inline(always)]
    pub const fn of(position: Position) -> Hash {
        Hash { index: word(position, INDEX_FACTORS), check: word(position, CHECK_FACTORS) }
    }

    /// Returns the bucket, below `buckets`: `index * buckets / 2^64`.
    #[inline(always)]
    pub const fn bucket(self, buckets: usize) -> usize {
        if cfg!(target_pointer_width = "32") {
            scale_by_halves(self.index, buckets as u32)
        } else {
            ((self.index as u128 * buckets as u128) >> 64) as usize
        }
    }
}

/// Returns `index * count / 2^64` by two products of 64 bits: processors of 32 bits and WebAssembly
/// have no product of 128.
#[inline(always)]
const fn scale_by_halves(index: u64, count: u32) -> usize {
    let (high, low) = (index >> 32, index & u32::MAX as u64);
    ((high * count as u64 + ((low * count as u64) >> 32)) >> 32) as usize
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_bucket_by_halves_is_that_of_the_whole_product() {
        let mut random = fastrand::Rng::with_seed(1);
        for _ in 0..100_000 {
            let index = [0, u64::MAX, random.u64(..)][random.usize(..3)];
            let count = [1, u32::MAX, random.u32(1..)][random.usize(..3)];
            let whole = (u128::from(index) * u128::from(count)) >> 64;
            assert_eq!(scale_by_halves(index, count) as u128, whole, "{index} {count}");
        }
    }
}
