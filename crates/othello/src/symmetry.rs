//! The eight symmetries of the board: four rotations and their mirror images.

use crate::bitboard::Bitboard;
use crate::position::Position;
use crate::square::Square;

/// One of the eight symmetries.
///
/// Applies up to three reflections in order: bit 0 mirrors the columns, bit 1 mirrors the rows,
/// bit 2 reflects about the diagonal A1-H8.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Symmetry(u8);

/// Mirrors the columns: A1 becomes H1.
const fn mirror_columns(mut bits: u64) -> u64 {
    bits = ((bits >> 1) & 0x5555_5555_5555_5555) | ((bits & 0x5555_5555_5555_5555) << 1);
    bits = ((bits >> 2) & 0x3333_3333_3333_3333) | ((bits & 0x3333_3333_3333_3333) << 2);
    ((bits >> 4) & 0x0F0F_0F0F_0F0F_0F0F) | ((bits & 0x0F0F_0F0F_0F0F_0F0F) << 4)
}

/// Reflects about the diagonal A1-H8: B1 becomes A2.
const fn transpose(mut bits: u64) -> u64 {
    let mut t = (bits ^ (bits >> 7)) & 0x00AA_00AA_00AA_00AA;
    bits ^= t ^ (t << 7);
    t = (bits ^ (bits >> 14)) & 0x0000_CCCC_0000_CCCC;
    bits ^= t ^ (t << 14);
    t = (bits ^ (bits >> 28)) & 0x0000_0000_F0F0_F0F0;
    bits ^ t ^ (t << 28)
}

impl Symmetry {
    /// Leaves every square in place.
    pub const IDENTITY: Symmetry = Symmetry(0);

    /// All eight, the identity first.
    pub const ALL: [Symmetry; 8] = [
        Symmetry(0),
        Symmetry(1),
        Symmetry(2),
        Symmetry(3),
        Symmetry(4),
        Symmetry(5),
        Symmetry(6),
        Symmetry(7),
    ];

    /// Returns the place in [`Symmetry::ALL`], 0 to 7.
    #[inline]
    pub const fn index(self) -> usize {
        self.0 as usize
    }

    /// Returns the symmetry that applies `first`, then this one.
    #[must_use]
    pub const fn after(self, first: Symmetry) -> Symmetry {
        // The eight images of B1 all differ.
        let probe = 1 << 1;
        let image = self.of_bits(first.of_bits(probe));
        let mut both = 0;
        while Symmetry(both).of_bits(probe) != image {
            both += 1;
        }
        Symmetry(both)
    }

    /// Returns the image of a set of squares.
    #[inline]
    pub const fn of_set(self, set: Bitboard) -> Bitboard {
        Bitboard::from_bits(self.of_bits(set.bits()))
    }

    #[inline]
    const fn of_bits(self, mut bits: u64) -> u64 {
        if self.0 & 1 != 0 {
            bits = mirror_columns(bits);
        }
        if self.0 & 2 != 0 {
            bits = bits.swap_bytes();
        }
        if self.0 & 4 != 0 {
            bits = transpose(bits);
        }
        bits
    }

    /// Returns the image of a square.
    #[inline]
    pub const fn of_square(self, square: Square) -> Square {
        Square::lowest(self.of_bits(square.bit()))
    }

    /// Returns the image of a position.
    #[inline]
    #[must_use]
    pub const fn of_position(self, position: Position) -> Position {
        Position::new_unchecked(self.of_set(position.player()), self.of_set(position.opponent()))
    }

    /// Returns the symmetry that undoes this one.
    #[must_use]
    pub const fn inverse(self) -> Symmetry {
        // The two quarter turns are each other's inverse; the others are their own.
        match self.0 {
            5 => Symmetry(6),
            6 => Symmetry(5),
            own => Symmetry(own),
        }
    }
}

impl Position {
    /// Returns the smallest of the eight images, and the symmetry that leads to it: one form for
    /// all positions that differ by a symmetry only.
    pub fn canonical(self) -> (Position, Symmetry) {
        let mut best = (self, Symmetry::IDENTITY);
        for symmetry in Symmetry::ALL {
            let image = symmetry.of_position(self);
            if image < best.0 {
                best = (image, symmetry);
            }
        }
        best
    }
}
