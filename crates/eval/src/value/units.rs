//! Units of value inside the search, always for the side to move.
//!
//! The endgame search counts [`Discs`]; the midgame search, the transposition table and the split
//! points count [`Centidiscs`]. They convert only by name: [`Discs::to_centidiscs`],
//! [`Centidiscs::floor`] and [`Centidiscs::ceil`]. Move ordering scores are plain integers: they
//! mix evaluation with bonuses and are never compared with a window.

use std::ops;

use derive_more::{Add, Neg, Sub};
use umigame_othello::{Score, Square};

/// A unit of value.
pub trait Unit:
    Copy + Ord + ops::Neg<Output = Self> + ops::Add<Output = Self> + ops::Sub<Output = Self>
{
    /// The least difference of two values.
    const STEP: Self;
    /// Below every value.
    const NEG_INFINITY: Self;

    /// Returns the same in centidiscs.
    fn to_centidiscs(self) -> Centidiscs;

    /// Returns the greatest value that is not more than `value`.
    fn floor_of(value: Centidiscs) -> Self;
}

/// Whole discs.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Add, Neg, Sub)]
#[repr(transparent)]
pub struct Discs(pub i32);

/// Hundredths of a disc.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Default, Add, Neg, Sub)]
#[repr(transparent)]
pub struct Centidiscs(pub i32);

impl Unit for Discs {
    const STEP: Discs = Discs(1);
    const NEG_INFINITY: Discs = Discs(-65);

    #[inline(always)]
    fn to_centidiscs(self) -> Centidiscs {
        self.to_centidiscs()
    }

    #[inline(always)]
    fn floor_of(value: Centidiscs) -> Discs {
        value.floor()
    }
}

impl Unit for Centidiscs {
    const STEP: Centidiscs = Centidiscs(1);
    const NEG_INFINITY: Centidiscs = Discs::NEG_INFINITY.to_centidiscs();

    #[inline(always)]
    fn to_centidiscs(self) -> Centidiscs {
        self
    }

    #[inline(always)]
    fn floor_of(value: Centidiscs) -> Centidiscs {
        value
    }
}

impl Discs {
    /// The best final score: a won wipe-out.
    pub const MAX: Discs = Discs(64);

    /// The same in centidiscs.
    #[inline(always)]
    pub const fn to_centidiscs(self) -> Centidiscs {
        Centidiscs(100 * self.0)
    }
}

impl From<Score> for Discs {
    #[inline(always)]
    fn from(score: Score) -> Discs {
        Discs(score.discs())
    }
}

impl Centidiscs {
    /// The least value: a lost wipe-out.
    pub const MIN: Centidiscs = Centidiscs(-6400);
    /// The greatest value: a won wipe-out.
    pub const MAX: Centidiscs = Centidiscs(6400);

    /// The greatest number of whole discs that is not more.
    #[inline(always)]
    pub const fn floor(self) -> Discs {
        Discs(self.0.div_euclid(100))
    }

    /// The least number of whole discs that is not less.
    #[inline(always)]
    pub const fn ceil(self) -> Discs {
        Discs((self.0 + 99).div_euclid(100))
    }
}

/// The best value found at a node, with its move; no move where nothing was found yet.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct BestMove<V> {
    /// Value for the side to move.
    pub value: V,
    /// Its move, if one was found.
    pub square: Option<Square>,
}

impl<V: Unit> BestMove<V> {
    /// No move tried yet.
    pub const UNSEARCHED: BestMove<V> = BestMove { value: V::NEG_INFINITY, square: None };

    /// The value of a move.
    #[inline(always)]
    pub const fn new(value: V, square: Square) -> BestMove<V> {
        BestMove { value, square: Some(square) }
    }

    /// The same in centidiscs.
    #[inline(always)]
    pub fn to_centidiscs(self) -> BestMove<Centidiscs> {
        BestMove { value: self.value.to_centidiscs(), square: self.square }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn conversions_round_to_the_named_side() {
        for centidiscs in -6600..=6600 {
            let value = Centidiscs(centidiscs);
            let (floor, ceil) = (value.floor().to_centidiscs(), value.ceil().to_centidiscs());
            assert!(floor <= value && value <= ceil, "{value:?}");
            assert!(ceil - floor <= Centidiscs(100), "{value:?}");
            assert_eq!(floor == ceil, centidiscs % 100 == 0, "{value:?}");
        }
    }
}
