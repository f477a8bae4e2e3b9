//! The eight symmetries of the board: four rotations and their mirror
//! images. They fold positions that are the same game into one.

use super::position::Position;
use super::square::Square;

/// One of the eight symmetries.
///
/// Bit 0 mirrors the columns, bit 1 then turns the rows over, bit 2 then
/// reflects about the diagonal from A1 to H8.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Symmetry(u8);

/// Mirrors the columns: A1 goes to H1.
const fn mirror_columns(mut bits: u64) -> u64 {
    bits = ((bits >> 1) & 0x5555_5555_5555_5555) | ((bits & 0x5555_5555_5555_5555) << 1);
    bits = ((bits >> 2) & 0x3333_3333_3333_3333) | ((bits & 0x3333_3333_3333_3333) << 2);
    ((bits >> 4) & 0x0F0F_0F0F_0F0F_0F0F) | ((bits & 0x0F0F_0F0F_0F0F_0F0F) << 4)
}

/// Reflects about the diagonal A1-H8: B1 goes to A2.
const fn transpose(mut bits: u64) -> u64 {
    let mut t = (bits ^ (bits >> 7)) & 0x00AA_00AA_00AA_00AA;
    bits ^= t ^ (t << 7);
    t = (bits ^ (bits >> 14)) & 0x0000_CCCC_0000_CCCC;
    bits ^= t ^ (t << 14);
    t = (bits ^ (bits >> 28)) & 0x0000_0000_F0F0_F0F0;
    bits ^ t ^ (t << 28)
}

impl Symmetry {
    /// Nothing moves.
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

    /// Its place in [`Symmetry::ALL`].
    pub const fn index(self) -> usize {
        self.0 as usize
    }

    /// The symmetry that does what the `first` does, and then this one.
    #[must_use]
    pub const fn after(self, first: Symmetry) -> Symmetry {
        // B1 is one of the squares whose eight images all differ.
        let probe = 1 << 1;
        let image = self.of_bits(first.of_bits(probe));
        let mut both = 0;
        while Symmetry(both).of_bits(probe) != image {
            both += 1;
        }
        Symmetry(both)
    }

    /// The image of a set of squares.
    pub const fn of_bits(self, mut bits: u64) -> u64 {
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

    /// The image of one square.
    pub const fn of_square(self, square: Square) -> Square {
        Square::lowest(self.of_bits(square.bit()))
    }

    /// The image of a position.
    #[must_use]
    pub const fn of_position(self, position: Position) -> Position {
        Position {
            player: self.of_bits(position.player),
            opponent: self.of_bits(position.opponent),
        }
    }

    /// The symmetry that takes the image back.
    #[must_use]
    pub const fn inverse(self) -> Symmetry {
        // Only the two quarter turns are not their own inverse.
        match self.0 {
            5 => Symmetry(6),
            6 => Symmetry(5),
            own => Symmetry(own),
        }
    }
}

impl Position {
    /// The least of the eight images of this position, and the symmetry that
    /// leads to it: one form for all positions that are the same game.
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
