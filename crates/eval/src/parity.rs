//! Parity of quadrants and regions of empties.
//!
//! The side that moves first into a region with an odd number of empties moves last in it, if every
//! move there is answered there.

use umigame_othello::Square;

/// The four quadrants: north-west, north-east, south-west, south-east.
pub const QUADRANTS: [u64; 4] =
    [0x0000_0000_0F0F_0F0F, 0x0000_0000_F0F0_F0F0, 0x0F0F_0F0F_0000_0000, 0xF0F0_F0F0_0000_0000];

/// Returns squares and all their neighbours.
#[inline(always)]
pub const fn around(bits: u64) -> u64 {
    const NOT_A: u64 = 0xFEFE_FEFE_FEFE_FEFE;
    const NOT_H: u64 = 0x7F7F_7F7F_7F7F_7F7F;
    let row = bits | ((bits << 1) & NOT_A) | ((bits >> 1) & NOT_H);
    row | (row << 8) | (row >> 8)
}

/// Returns the quadrants with an odd number of empties: bit `k` stands for `QUADRANTS[k]`.
#[inline(always)]
pub const fn odd_quadrants(empty: u64) -> u8 {
    let (mut odd, mut k) = (0, 0);
    while k < QUADRANTS.len() {
        odd |= (((empty & QUADRANTS[k]).count_ones() & 1) as u8) << k;
        k += 1;
    }
    odd
}

/// Returns the squares of quadrants with an odd number of empties. By parity, the side to move does
/// well to play there: a region of empties seldom spans two quadrants.
#[inline(always)]
pub fn odd_quadrant_squares(empty: u64) -> u64 {
    QUADRANTS
        .iter()
        .map(|&quadrant| quadrant & u64::from((empty & quadrant).count_ones() & 1).wrapping_neg())
        .fold(0, |odd, squares| odd | squares)
}

/// Returns the connected regions of empties, one word each, in order of their first square. Squares
/// are connected if they touch, corners included.
pub fn regions(empty: u64) -> impl Iterator<Item = u64> {
    let mut rest = empty;
    std::iter::from_fn(move || {
        if rest == 0 {
            return None;
        }
        let mut region = Square::lowest(rest).bit();
        loop {
            let grown = around(region) & rest;
            if grown == region {
                break;
            }
            region = grown;
        }
        rest &= !region;
        Some(region)
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use umigame_othello::testing::random_positions;

    #[test]
    fn regions_partition_the_empties_and_do_not_touch() {
        random_positions(21, 5_000, |position| {
            let empty = position.empty();
            let found: Vec<u64> = regions(empty).collect();
            assert_eq!(found.iter().fold(0, |all, region| all | region), empty);
            for (i, &region) in found.iter().enumerate() {
                for &other in &found[..i] {
                    assert_eq!(around(region) & other, 0, "{position:?}");
                }
            }
            let odd = found.iter().filter(|region| region.count_ones() % 2 == 1).count();
            assert_eq!(odd % 2, position.empties() as usize % 2);
        });
    }

    #[test]
    fn diagonal_neighbours_are_connected_and_opposite_rims_are_not() {
        let diagonal = Square::A1.bit() | Square::B2.bit();
        assert_eq!(regions(diagonal).collect::<Vec<_>>(), [diagonal]);
        let opposite_rims = Square::H1.bit() | Square::A2.bit();
        assert_eq!(regions(opposite_rims).count(), 2);
        assert_eq!(regions(0).count(), 0);
        assert_eq!(regions(u64::MAX).collect::<Vec<_>>(), [u64::MAX]);
    }

    #[test]
    fn odd_quadrants_are_those_with_an_odd_count() {
        assert_eq!(odd_quadrants(0), 0);
        assert_eq!(odd_quadrants(u64::MAX), 0);
        assert_eq!(odd_quadrants(Square::A1.bit() | Square::H1.bit() | Square::H8.bit()), 0b1011);
        assert_eq!(odd_quadrants(Square::A1.bit() | Square::D4.bit() | Square::E5.bit()), 0b1000);
    }
}
