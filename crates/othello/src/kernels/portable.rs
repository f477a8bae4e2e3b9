//! The kernels in plain Rust, for any processor. They define what is right.

use super::rays::RAYS;
use crate::{COLUMN_A, Square, stability};

/// What `umigame --version` and `bench` call these kernels.
pub const NAME: &str = "portable";

/// Columns b to g: discs from which a run along a row or diagonal goes on
/// without wrapping around an edge.
const INNER_COLUMNS: u64 = 0x7E7E_7E7E_7E7E_7E7E;

/// The discs that `player` flips with a disc on an empty square.
pub fn flips(player: u64, opponent: u64, square: Square) -> u64 {
    let rays = &RAYS[square.index()];
    let mut flipped = 0;
    for ray in rays.rising {
        let stop = ray & !opponent;
        let outflank = stop & stop.wrapping_neg() & player;
        flipped |= ray & outflank.wrapping_sub(u64::from(outflank != 0));
    }
    for ray in rays.falling {
        let stop = ray & !opponent;
        let highest = (1u64 << 63).checked_shr(stop.leading_zeros()).unwrap_or(0);
        let outflank = highest & player;
        flipped |= ray & (outflank << 1).wrapping_neg();
    }
    flipped
}

/// The empty squares where `player` flips something.
pub fn moves(player: u64, opponent: u64) -> u64 {
    let inner = opponent & INNER_COLUMNS;
    let found = runs(player, inner, 1)
        | runs(player, opponent, 8)
        | runs(player, inner, 7)
        | runs(player, inner, 9);
    found & !(player | opponent)
}

/// The squares behind a run of `through` next to `from`, both ways along
/// one axis.
fn runs(from: u64, through: u64, shift: u32) -> u64 {
    let mut up = through & (from << shift);
    let mut down = through & (from >> shift);
    for _ in 0..5 {
        up |= through & (up << shift);
        down |= through & (down >> shift);
    }
    (up << shift) | (down >> shift)
}

/// The empty squares beside these discs, where the other side may come to
/// play: above, below, and, but for discs on columns a and h, which nothing
/// flips that way, on the other axes.
#[inline(always)]
pub fn potential_moves(discs: u64, empty: u64) -> u64 {
    let across = discs & INNER_COLUMNS;
    let column = across | (across << 8) | (across >> 8);
    ((column << 1) | (column >> 1) | (discs << 8) | (discs >> 8)) & empty
}

/// The bits of column a, row 1 lowest.
#[inline(always)]
pub const fn column_a(bits: u64) -> u8 {
    ((bits & COLUMN_A).wrapping_mul(0x0102_0408_1020_4080) >> 56) as u8
}

/// Eight bits laid down column a, the lowest on row 1.
#[inline(always)]
pub const fn onto_column_a(line: u8) -> u64 {
    // The seven copies must not overlap, or the product would carry.
    let low = (line & 0x7F) as u64;
    (low.wrapping_mul(0x0002_0408_1020_4081) & COLUMN_A) | ((line as u64 >> 7) << 56)
}

/// The stable discs of the player, as [`stability::stable`] has them.
#[inline(always)]
pub fn stable(player: u64, opponent: u64) -> u64 {
    stability::stable_with(player, opponent, column_a, onto_column_a)
}

/// How many discs `player` flips with the last disc, on `square`, all other
/// squares being the opponent's.
pub fn last_flips(player: u64, square: Square) -> u32 {
    flips(player, !(player | square.bit()), square).count_ones()
}

/// The sum of rows of 32 small numbers.
#[derive(Clone, Copy, Debug)]
pub struct RowSum([i16; 32]);

impl RowSum {
    /// The sum of no rows.
    pub fn zero() -> RowSum {
        RowSum([0; 32])
    }

    /// With one row more.
    #[inline(always)]
    #[must_use]
    pub fn with(mut self, row: &[i8; 32]) -> RowSum {
        self.0.iter_mut().zip(row).for_each(|(sum, &number)| *sum += i16::from(number));
        self
    }

    /// Both sums together.
    #[inline(always)]
    #[must_use]
    pub fn plus(mut self, other: RowSum) -> RowSum {
        self.0.iter_mut().zip(other.0).for_each(|(sum, number)| *sum += number);
        self
    }

    /// The sum with its blocks of four numbers in another order: block `i` is
    /// the old one `from[i]`, less than 8.
    #[inline(always)]
    #[must_use]
    pub fn ordered(self, from: &[u64; 8]) -> RowSum {
        RowSum(std::array::from_fn(|i| self.0[4 * from[i / 4] as usize + i % 4]))
    }

    /// The numbers.
    #[inline(always)]
    pub fn numbers(self) -> [i16; 32] {
        self.0
    }
}

/// Sixteen sums of products: to each of `first` what every number adds with
/// its weight. Number `2 i + j` has the weight `weights[i][2 k + j]` in sum `k`.
/// No sum of two products may be beyond 32 bits.
#[inline(always)]
pub fn mixed(numbers: &[i16; 32], weights: &[[i16; 32]; 16], first: &[i32; 16]) -> [i32; 16] {
    let mut sums = *first;
    for (i, weights) in weights.iter().enumerate() {
        for (k, sum) in sums.iter_mut().enumerate() {
            for j in 0..2 {
                *sum += i32::from(numbers[2 * i + j]) * i32::from(weights[2 * k + j]);
            }
        }
    }
    sums
}

/// Nothing: there is no portable way to bring something near.
#[inline(always)]
pub fn prefetch<T>(_: &T) {}
