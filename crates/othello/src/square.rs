//! The 64 squares and the eight directions.
//!
//! A1 is the top-left corner and has index 0, H1 index 7, A2 index 8, H8 index 63: the order in
//! which every text format lists a board.

use std::fmt;
use std::str::FromStr;

use derive_more::Debug;

/// One of the 64 squares.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
#[debug("{self:#}")]
pub struct Square(u8);

/// The eight directions as (column step, row step), clockwise from north. Bit `k` of a direction
/// mask stands for `DIRECTIONS[k]`.
pub const DIRECTIONS: [(i8, i8); 8] =
    [(0, -1), (1, -1), (1, 0), (1, 1), (0, 1), (-1, 1), (-1, 0), (-1, -1)];

/// The squares of the leftmost column, as the kernels use them.
pub(crate) const COLUMN_A: u64 = 0x0101_0101_0101_0101;

macro_rules! named_squares {
    ($($name:ident = $index:expr),* $(,)?) => {
        #[allow(missing_docs)]
        impl Square { $(pub const $name: Square = Square($index);)* }
    };
}

named_squares! {
    A1 = 0, B1 = 1, C1 = 2, D1 = 3, E1 = 4, F1 = 5, G1 = 6, H1 = 7,
    A2 = 8, B2 = 9, C2 = 10, D2 = 11, E2 = 12, F2 = 13, G2 = 14, H2 = 15,
    A3 = 16, B3 = 17, C3 = 18, D3 = 19, E3 = 20, F3 = 21, G3 = 22, H3 = 23,
    A4 = 24, B4 = 25, C4 = 26, D4 = 27, E4 = 28, F4 = 29, G4 = 30, H4 = 31,
    A5 = 32, B5 = 33, C5 = 34, D5 = 35, E5 = 36, F5 = 37, G5 = 38, H5 = 39,
    A6 = 40, B6 = 41, C6 = 42, D6 = 43, E6 = 44, F6 = 45, G6 = 46, H6 = 47,
    A7 = 48, B7 = 49, C7 = 50, D7 = 51, E7 = 52, F7 = 53, G7 = 54, H7 = 55,
    A8 = 56, B8 = 57, C8 = 58, D8 = 59, E8 = 60, F8 = 61, G8 = 62, H8 = 63,
}

impl Square {
    /// Number of squares.
    pub const COUNT: usize = 64;

    /// Returns every square, from A1 to H8.
    pub fn all() -> impl DoubleEndedIterator<Item = Square> + ExactSizeIterator {
        (0..64u8).map(Square)
    }

    /// Returns the square with an index, or `None` from 64 on.
    #[inline]
    pub const fn from_index(index: usize) -> Option<Square> {
        if index < 64 { Some(Square(index as u8)) } else { None }
    }

    /// Returns the square of the lowest set bit. `bits` must not be zero.
    #[inline(always)]
    pub(crate) const fn lowest(bits: u64) -> Square {
        debug_assert!(bits != 0);
        Square((bits.trailing_zeros() & 63) as u8)
    }

    /// Returns the square at a column and a row, both 0 to 7, or `None` off the board.
    #[inline]
    pub const fn at(column: i8, row: i8) -> Option<Square> {
        if column >= 0 && column < 8 && row >= 0 && row < 8 {
            Some(Square((row * 8 + column) as u8))
        } else {
            None
        }
    }

    /// Returns 0 for A1 to 63 for H8.
    #[inline(always)]
    pub const fn index(self) -> usize {
        self.0 as usize
    }

    /// Returns 0 for column a to 7 for column h.
    #[inline(always)]
    pub const fn column(self) -> u8 {
        self.0 & 7
    }

    /// Returns 0 for row 1 (top) to 7 for row 8 (bottom).
    #[inline(always)]
    pub const fn row(self) -> u8 {
        self.0 >> 3
    }

    /// Returns the word of the set that holds this square alone, as kernels take it.
    #[inline(always)]
    pub const fn bit(self) -> u64 {
        1 << self.0
    }

    /// Returns the next square in direction `k` of [`DIRECTIONS`], or `None` at the edge.
    #[inline]
    pub const fn step(self, k: usize) -> Option<Square> {
        let (dx, dy) = DIRECTIONS[k];
        Square::at(self.column() as i8 + dx, self.row() as i8 + dy)
    }
}

/// Writes `f5`, or `F5` with `{:#}`.
impl fmt::Display for Square {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let first = if f.alternate() { b'A' } else { b'a' };
        write!(f, "{}{}", char::from(first + self.column()), self.row() + 1)
    }
}

/// A text that is no square; quotes the text.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("`{0}` is no square: expected a letter a-h and a digit 1-8")]
pub struct ParseSquareError(pub String);

impl FromStr for Square {
    type Err = ParseSquareError;

    /// Reads a letter a-h in either case and a digit 1-8.
    fn from_str(text: &str) -> Result<Square, ParseSquareError> {
        let square = match text.as_bytes() {
            [letter, digit] => {
                let column = letter.to_ascii_lowercase().wrapping_sub(b'a');
                let row = digit.wrapping_sub(b'1');
                (column < 8 && row < 8).then(|| Square(row * 8 + column))
            }
            _ => None,
        };
        square.ok_or_else(|| ParseSquareError(crate::text::quote(text)))
    }
}
