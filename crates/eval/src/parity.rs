//! Parity of quadrants and regions of empties.
//!
//! The side that moves first into a region with an odd number of empties moves last in it, if every
//! move there is answered there.

use umigame_othello::Bitboard;

/// Returns squares and all their neighbours.
#[inline(always)]
pub const fn around(set: Bitboard) -> Bitboard {
    let bits = set.bits();
    const NOT_A: u64 = 0xFEFE_FEFE_FEFE_FEFE;
    const NOT_H: u64 = 0x7F7F_7F7F_7F7F_7F7F;
    let row = bits | ((bits << 1) & NOT_A) | ((bits >> 1) & NOT_H);
    Bitboard::from_bits(row | (row << 8) | (row >> 8))
}

/// Returns the quadrants with an odd number of empties: bit `k` stands for
/// [`Bitboard::QUADRANTS`]`[k]`.
#[inline(always)]
pub const fn odd_quadrants(empty: Bitboard) -> u8 {
    let (mut odd, mut k) = (0, 0);
    while k < Bitboard::QUADRANTS.len() {
        let inside = empty.bits() & Bitboard::QUADRANTS[k].bits();
        odd |= ((inside.count_ones() & 1) as u8) << k;
        k += 1;
    }
    odd
}

/// Returns the squares of quadrants with an odd number of empties. By parity, the side to move does
/// well to play there: a region of empties seldom spans two quadrants.
#[inline(always)]
pub fn odd_quadrant_squares(empty: Bitboard) -> Bitboard {
    let odd = Bitboard::QUADRANTS
        .map(|quadrant| quadrant.bits() & u64::from((empty & quadrant).count() & 1).wrapping_neg());
    Bitboard::from_bits(odd[0] | odd[1] | odd[2] | odd[3])
}

/// Returns the connected regions of empties, one set each, in order of their first square. Squares
/// are connected if they touch, corners included.
pub fn regions(empty: Bitboard) -> impl Iterator<Item = Bitboard> {
    let mut rest = empty;
    std::iter::from_fn(move || {
        let mut region = Bitboard::from(rest.first()?);
        loop {
            let grown = around(region) & rest;
            if grown == region {
                break;
            }
            region = grown;
        }
        rest = rest.difference(region);
        Some(region)
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use umigame_othello::{Square, testing::random_positions};

    fn set(squares: impl IntoIterator<Item = Square>) -> Bitboard {
        squares.into_iter().collect()
    }

    #[test]
    fn regions_partition_the_empties_and_do_not_touch() {
        random_positions(21, 5_000, |position| {
            let empty = position.empty();
            let found: Vec<Bitboard> = regions(empty).collect();
            assert_eq!(found.iter().fold(Bitboard::EMPTY, |all, &region| all | region), empty);
            for (i, &region) in found.iter().enumerate() {
                for &other in &found[..i] {
                    assert!(around(region).is_disjoint(other), "{position:?}");
                }
            }
            let odd = found.iter().filter(|region| region.count() % 2 == 1).count();
            assert_eq!(odd % 2, position.empties() as usize % 2);
        });
    }

    #[test]
    fn diagonal_neighbours_are_connected_and_opposite_rims_are_not() {
        let diagonal = set([Square::A1, Square::B2]);
        assert_eq!(regions(diagonal).collect::<Vec<_>>(), [diagonal]);
        let opposite_rims = set([Square::H1, Square::A2]);
        assert_eq!(regions(opposite_rims).count(), 2);
        assert_eq!(regions(Bitboard::EMPTY).count(), 0);
        assert_eq!(regions(Bitboard::FULL).collect::<Vec<_>>(), [Bitboard::FULL]);
    }

    #[test]
    fn odd_quadrants_are_those_with_an_odd_count() {
        assert_eq!(odd_quadrants(Bitboard::EMPTY), 0);
        assert_eq!(odd_quadrants(Bitboard::FULL), 0);
        assert_eq!(odd_quadrants(set([Square::A1, Square::H1, Square::H8])), 0b1011);
        assert_eq!(odd_quadrants(set([Square::A1, Square::D4, Square::E5])), 0b1000);
    }
}
