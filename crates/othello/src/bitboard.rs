//! Sets of squares: a 64-bit word, bit `i` for the square with index `i`.

use std::fmt::{self, Write};
use std::iter::FusedIterator;
use std::str::FromStr;

use derive_more::{
    BitAnd, BitAndAssign, BitOr, BitOrAssign, BitXor, BitXorAssign, Debug, From, Into, Not,
};

use crate::square::{COLUMN_A, Square};
use crate::text::quote;

/// A set of squares.
///
/// Operators are those of sets: `|` union, `&` intersection, `^` symmetric difference, `!`
/// complement. Iteration goes from A1 to H8. The kernels take and return the bare word, see
/// [`bits`](Bitboard::bits).
///
/// ```
/// use umigame_othello::{Bitboard, Square};
///
/// let set = Bitboard::CORNERS & Bitboard::ROW_1 | Square::F5.into();
/// assert_eq!(set.iter().collect::<Vec<_>>(), [Square::A1, Square::H1, Square::F5]);
/// assert!(set.contains(Square::F5) && set.is_disjoint(Bitboard::X_SQUARES));
/// ```
#[derive(
    Clone,
    Copy,
    PartialEq,
    Eq,
    PartialOrd,
    Ord,
    Hash,
    Default,
    Debug,
    From,
    Into,
    Not,
    BitAnd,
    BitAndAssign,
    BitOr,
    BitOrAssign,
    BitXor,
    BitXorAssign,
)]
#[debug("{self}")]
#[repr(transparent)]
pub struct Bitboard(u64);

impl Bitboard {
    /// No square.
    pub const EMPTY: Bitboard = Bitboard(0);
    /// Every square.
    pub const FULL: Bitboard = Bitboard(u64::MAX);
    /// The four corners.
    pub const CORNERS: Bitboard = Bitboard(0x8100_0000_0000_0081);
    /// The C squares: next to a corner, on an edge.
    pub const C_SQUARES: Bitboard = Bitboard(0x4281_0000_0000_8142);
    /// The X squares: next to a corner, on a diagonal.
    pub const X_SQUARES: Bitboard = Bitboard(0x0042_0000_0000_4200);
    /// Column a.
    pub const COLUMN_A: Bitboard = Bitboard(COLUMN_A);
    /// Row 1.
    pub const ROW_1: Bitboard = Bitboard(0xFF);

    /// The four quadrants: north-west, north-east, south-west, south-east.
    pub const QUADRANTS: [Bitboard; 4] = [
        Bitboard(0x0000_0000_0F0F_0F0F),
        Bitboard(0x0000_0000_F0F0_F0F0),
        Bitboard(0x0F0F_0F0F_0000_0000),
        Bitboard(0xF0F0_F0F0_0000_0000),
    ];

    /// Returns the set of a word's bits.
    #[inline(always)]
    pub const fn from_bits(bits: u64) -> Bitboard {
        Bitboard(bits)
    }

    /// Returns the word.
    #[inline(always)]
    pub const fn bits(self) -> u64 {
        self.0
    }

    /// Returns true if there is no square in the set.
    #[inline(always)]
    pub const fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// Returns the number of squares.
    #[inline(always)]
    pub const fn count(self) -> u32 {
        self.0.count_ones()
    }

    /// Returns true if a square is in the set.
    #[inline(always)]
    pub const fn contains(self, square: Square) -> bool {
        self.0 & square.bit() != 0
    }

    /// Returns true if every square of this set is in the other.
    #[inline(always)]
    pub const fn is_subset(self, other: Bitboard) -> bool {
        self.0 & !other.0 == 0
    }

    /// Returns true if no square is in both sets.
    #[inline(always)]
    pub const fn is_disjoint(self, other: Bitboard) -> bool {
        self.0 & other.0 == 0
    }

    /// Returns the set with a square.
    #[inline(always)]
    #[must_use]
    pub const fn with(self, square: Square) -> Bitboard {
        Bitboard(self.0 | square.bit())
    }

    /// Returns the set without a square.
    #[inline(always)]
    #[must_use]
    pub const fn without(self, square: Square) -> Bitboard {
        Bitboard(self.0 & !square.bit())
    }

    /// Adds a square.
    #[inline(always)]
    pub const fn insert(&mut self, square: Square) {
        *self = self.with(square);
    }

    /// Removes a square.
    #[inline(always)]
    pub const fn remove(&mut self, square: Square) {
        *self = self.without(square);
    }

    /// Returns the squares that are in this set and not in the other.
    #[inline(always)]
    #[must_use]
    pub const fn difference(self, other: Bitboard) -> Bitboard {
        Bitboard(self.0 & !other.0)
    }

    /// Returns the square with the lowest index, or `None` in the empty set.
    #[inline(always)]
    pub const fn first(self) -> Option<Square> {
        if self.0 == 0 { None } else { Some(Square::lowest(self.0)) }
    }

    /// Returns the square with the lowest index of a set that is not empty. A debug build checks it.
    #[inline(always)]
    pub const fn lowest(self) -> Square {
        Square::lowest(self.0)
    }

    /// Returns the squares, lowest index first.
    #[inline(always)]
    pub const fn iter(self) -> Squares {
        Squares(self.0)
    }
}

/// The squares of a set, lowest index first.
#[derive(Clone, Debug)]
pub struct Squares(u64);

impl Iterator for Squares {
    type Item = Square;

    #[inline(always)]
    fn next(&mut self) -> Option<Square> {
        if self.0 == 0 {
            return None;
        }
        let square = Square::lowest(self.0);
        self.0 &= self.0 - 1;
        Some(square)
    }

    #[inline(always)]
    fn size_hint(&self) -> (usize, Option<usize>) {
        let count = self.0.count_ones() as usize;
        (count, Some(count))
    }
}

impl ExactSizeIterator for Squares {}
impl FusedIterator for Squares {}

impl IntoIterator for Bitboard {
    type Item = Square;
    type IntoIter = Squares;

    #[inline(always)]
    fn into_iter(self) -> Squares {
        self.iter()
    }
}

impl FromIterator<Square> for Bitboard {
    fn from_iter<I: IntoIterator<Item = Square>>(squares: I) -> Bitboard {
        squares.into_iter().fold(Bitboard::EMPTY, Bitboard::with)
    }
}

impl Extend<Square> for Bitboard {
    fn extend<I: IntoIterator<Item = Square>>(&mut self, squares: I) {
        *self |= squares.into_iter().collect::<Bitboard>();
    }
}

impl From<Square> for Bitboard {
    #[inline(always)]
    fn from(square: Square) -> Bitboard {
        Bitboard(square.bit())
    }
}

/// Writes eight rows of `X` for a square in the set and `-` for any other.
impl fmt::Display for Bitboard {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for square in Square::all() {
            if square.column() == 0 && square.row() > 0 {
                f.write_char('\n')?;
            }
            f.write_char(if self.contains(square) { 'X' } else { '-' })?;
        }
        Ok(())
    }
}

/// A text that is no set of squares.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum ParseBitboardError {
    /// A character that is neither; quotes it.
    #[error("`{0}` is no square of a set: expected X or -")]
    BadSquare(String),
    /// A text of another number of squares.
    #[error("the set has {0} squares of 64")]
    OtherLength(usize),
}

impl FromStr for Bitboard {
    type Err = ParseBitboardError;

    /// Reads 64 squares, `X` or `-`, with blanks and line breaks anywhere.
    fn from_str(text: &str) -> Result<Bitboard, ParseBitboardError> {
        let (mut set, mut count) = (Bitboard::EMPTY, 0);
        for letter in text.chars().filter(|letter| !letter.is_whitespace()) {
            match letter {
                'X' => set.extend(Square::from_index(count)),
                '-' => {}
                _ => return Err(ParseBitboardError::BadSquare(quote(&letter.to_string()))),
            }
            count += 1;
        }
        if count == Square::COUNT { Ok(set) } else { Err(ParseBitboardError::OtherLength(count)) }
    }
}
