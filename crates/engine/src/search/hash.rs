//! Where a position lies in a table, and how it is known again there.
//!
//! Both words are multiply-shift hashes of the two halves of the board: the
//! high 64 bits of `a * player + b * opponent + c` modulo 2^128, with a, b
//! and c drawn at random. For such a family the words of two different
//! positions are equal with probability 2^-64, whatever the positions.
//! After: M. Dietzfelbinger, "Universal hashing and k-wise independent
//! random variables via integer arithmetic without primes", 1996.

use umigame_othello::Position;

/// Two independent words of a position.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Hash {
    /// Chooses the place in a table.
    pub index: u64,
    /// Tells the positions of one place apart; independent of `index`.
    pub check: u64,
}

/// Drawn once from the system's random source.
const INDEX: [u128; 3] = [
    0xF050_B6AC_D743_0887_ECBC_1E47_A7EF_A95C,
    0x892F_CF94_B311_C851_5096_1C30_D521_2C05,
    0x087E_E27C_82CC_DA4E_C0FE_0B6D_E205_832B,
];
const CHECK: [u128; 3] = [
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
    /// The two words of a position.
    #[inline(always)]
    pub const fn of(position: Position) -> Hash {
        Hash { index: word(position, INDEX), check: word(position, CHECK) }
    }
}
