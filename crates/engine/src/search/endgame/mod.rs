//! Endings, read to the last disc. Values are discs for the side to move.
//!
//! Stages by empties: `large` orders moves by evaluation and shares the
//! transposition table; `medium` orders by mobility and keeps a small table
//! of its own; `small` knows parity only and walks a linked list of empties,
//! Turtle's EBOARD; `last` has special code for the last four.

mod cache;
mod hash_search;
mod last_four;
mod mobility_search;
mod move_list;
mod parity_search;
mod pv;
mod state;
#[cfg(test)]
mod tests;

pub(super) use state::EndgameState;

/// With this many empties or fewer, moves are tried by parity alone.
const PARITY_MAX_EMPTIES: u32 = 6;
/// With this many empties or fewer, moves are ordered by mobility.
const MOBILITY_MAX_EMPTIES: u32 = 12;

/// The four quadrants of the board; a region of empties seldom spans two.
const QUADRANTS: [u64; 4] =
    [0x0000_0000_0F0F_0F0F, 0x0000_0000_F0F0_F0F0, 0x0F0F_0F0F_0000_0000, 0xF0F0_F0F0_0000_0000];

/// The squares of the quadrants that hold an odd number of empties: by
/// parity, the side to move does well to play there.
#[inline(always)]
fn odd_squares(empty: u64) -> u64 {
    QUADRANTS
        .iter()
        .map(|&quadrant| quadrant & u64::from((empty & quadrant).count_ones() & 1).wrapping_neg())
        .fold(0, |odd, squares| odd | squares)
}
