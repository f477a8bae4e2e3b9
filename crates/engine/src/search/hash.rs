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
pub(super) struct Hash {
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
        .wrapping_mul(position.player as u128)
        .wrapping_add(b.wrapping_mul(position.opponent as u128))
        .wrapping_add(c);
    (sum >> 64) as u64
}

impl Hash {
    /// Hashes a position.
    #[inline(always)]
    pub const fn of(position: Position) -> Hash {
        Hash { index: word(position, INDEX_FACTORS), check: word(position, CHECK_FACTORS) }
    }
}
