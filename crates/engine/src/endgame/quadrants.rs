//! Parity of the quadrants of the board: a region of empties seldom spans two of them.

/// The squares of each quadrant.
const QUADRANTS: [u64; 4] =
    [0x0000_0000_0F0F_0F0F, 0x0000_0000_F0F0_F0F0, 0x0F0F_0F0F_0000_0000, 0xF0F0_F0F0_0000_0000];

/// Returns the squares of quadrants with an odd number of empties. By parity, the side to move does
/// well to play there.
#[inline(always)]
pub(super) fn odd_squares(empty: u64) -> u64 {
    QUADRANTS
        .iter()
        .map(|&quadrant| quadrant & u64::from((empty & quadrant).count_ones() & 1).wrapping_neg())
        .fold(0, |odd, squares| odd | squares)
}
