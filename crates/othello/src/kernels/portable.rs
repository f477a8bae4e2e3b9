//! The kernels in plain Rust, for any processor. They define the results of all others.

use super::rays::RAYS;
use super::stable::{stable_count_with, stable_with};
use crate::square::{COLUMN_A, Square};

/// The name of these kernels in `umigame --version` and `bench`.
pub const NAME: &str = "portable";

/// Columns b to g: discs from which a run along a row or a diagonal goes on without wrapping
/// around an edge.
const INNER_COLUMNS: u64 = 0x7E7E_7E7E_7E7E_7E7E;

/// Returns the discs that `player` flips by placing a disc on an empty square.
#[inline]
pub fn flips(player: u64, opponent: u64, square: Square) -> u64 {
    let rays = &RAYS[square.index()];
    let mut flips = 0;
    for ray in rays.rising {
        let stop = ray & !opponent;
        let outflank = stop & stop.wrapping_neg() & player;
        flips |= ray & outflank.wrapping_sub(u64::from(outflank != 0));
    }
    for ray in rays.falling {
        let stop = ray & !opponent;
        let highest = (1u64 << 63).checked_shr(stop.leading_zeros()).unwrap_or(0);
        let outflank = highest & player;
        flips |= ray & (outflank << 1).wrapping_neg();
    }
    flips
}

/// Returns the legal squares of `player`.
#[inline]
pub fn moves(player: u64, opponent: u64) -> u64 {
    let inner = opponent & INNER_COLUMNS;
    let found = squares_behind_runs(player, inner, 1)
        | squares_behind_runs(player, opponent, 8)
        | squares_behind_runs(player, inner, 7)
        | squares_behind_runs(player, inner, 9);
    found & !(player | opponent)
}

/// Returns the squares behind a run of `through` next to `from`, both ways along one axis.
#[inline]
fn squares_behind_runs(from: u64, through: u64, shift: u32) -> u64 {
    let mut up = through & (from << shift);
    let mut down = through & (from >> shift);
    for _ in 0..5 {
        up |= through & (up << shift);
        down |= through & (down >> shift);
    }
    (up << shift) | (down >> shift)
}

/// Returns the potential moves towards `discs`: the empty squares next to them. Discs on columns
/// a and h count only up and down, since nothing flips them along the other axes.
#[inline(always)]
pub fn potential_moves(discs: u64, empty: u64) -> u64 {
    let across = discs & INNER_COLUMNS;
    let column = across | (across << 8) | (across >> 8);
    ((column << 1) | (column >> 1) | (discs << 8) | (discs >> 8)) & empty
}

/// Gathers column a into a byte, row 1 lowest.
#[inline(always)]
pub const fn column_a(bits: u64) -> u8 {
    ((bits & COLUMN_A).wrapping_mul(0x0102_0408_1020_4080) >> 56) as u8
}

/// Scatters a byte onto column a, the lowest bit on row 1.
#[inline(always)]
pub const fn onto_column_a(line: u8) -> u64 {
    // The seven copies must not overlap, or the product would carry.
    let low = (line & 0x7F) as u64;
    (low.wrapping_mul(0x0002_0408_1020_4081) & COLUMN_A) | ((line as u64 >> 7) << 56)
}

/// Returns the player's stable discs; see [`crate::stability::stable`].
#[inline(always)]
pub fn stable(player: u64, opponent: u64) -> u64 {
    stable_with(player, opponent, column_a, onto_column_a)
}

/// Returns a number of stable discs of the player that is at least `wanted`; see
/// [`crate::stability::at_least`].
#[inline(always)]
pub fn stable_count(player: u64, opponent: u64, wanted: u32) -> Option<u32> {
    stable_count_with(player, opponent, wanted, column_a, onto_column_a)
}

/// Returns the number of discs that `player` flips with the last disc of a game, on `square`: all
/// other squares are full.
#[inline]
pub fn last_flips(player: u64, square: Square) -> u32 {
    flips(player, !(player | square.bit()), square).count_ones()
}
