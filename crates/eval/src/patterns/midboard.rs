//! Midgame position with incrementally updated pattern indices: Turtle's second board.

use super::shapes::{LANES, POWERS};
use umigame_othello::{Bitboard, Position, Square};

/// Flips added before the first test for more, with zeros where there are fewer: branch
/// predictors do badly on the number of flips.
const UNCONDITIONAL_FLIPS: usize = 3;

/// One index for each lane.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[repr(align(64))]
pub struct Lanes(pub [u16; LANES]);

impl Lanes {
    #[inline(always)]
    fn plus(mut self, powers: &[u16; LANES]) -> Lanes {
        for (sum, power) in self.0.iter_mut().zip(powers) {
            *sum += power;
        }
        self
    }
}

/// A position with the index of every pattern, as seen by both sides.
///
/// The index of a lane has a base-3 digit for each square of its placement: 0 empty, 1 own disc,
/// 2 the other side's. A flipped disc adds its power of 3 to one view and subtracts it from the
/// other, so a move costs two vector additions for each flip.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct MidBoard {
    position: Position,
    /// Indices as seen by the side to move.
    own: Lanes,
    /// Indices as seen by the other side.
    other: Lanes,
}

impl MidBoard {
    /// Computes the indices of `position` from scratch.
    pub fn new(position: Position) -> MidBoard {
        let (player, opponent) = (sum(position.player()), sum(position.opponent()));
        let view =
            |own: &Lanes, other: &Lanes| Lanes(std::array::from_fn(|i| own.0[i] + 2 * other.0[i]));
        MidBoard { position, own: view(&player, &opponent), other: view(&opponent, &player) }
    }

    /// The position.
    #[inline(always)]
    pub const fn position(&self) -> Position {
        self.position
    }

    /// The indices as seen by the side to move.
    #[inline(always)]
    pub const fn indices(&self) -> &Lanes {
        &self.own
    }

    /// Returns the board after a disc on `square` that flips `flips`, the other side to move.
    #[inline(always)]
    #[must_use]
    pub fn after(&self, square: Square, flips: Bitboard) -> MidBoard {
        let (disc, flipped) = (&POWERS[square.index()], sum(flips));
        let own = |i: usize| self.other.0[i] + flipped.0[i] + 2 * disc[i];
        let other = |i: usize| self.own.0[i] - flipped.0[i] + disc[i];
        MidBoard {
            position: self.position.after(square, flips),
            own: Lanes(std::array::from_fn(own)),
            other: Lanes(std::array::from_fn(other)),
        }
    }

    /// Returns the indices of [`MidBoard::after`] as seen by its side to move: enough to evaluate.
    #[inline(always)]
    pub fn indices_after(&self, square: Square, flips: Bitboard) -> Lanes {
        let (disc, flipped) = (&POWERS[square.index()], sum(flips));
        let mut own = self.other;
        for (i, &disc) in disc.iter().enumerate() {
            own.0[i] += flipped.0[i] + 2 * disc;
        }
        own
    }

    /// Returns the same discs with the other side to move.
    #[inline(always)]
    #[must_use]
    pub const fn passed(&self) -> MidBoard {
        MidBoard { position: self.position.passed(), own: self.other, other: self.own }
    }
}

/// Returns the sum of the powers of all squares of a set.
#[inline(always)]
fn sum(set: Bitboard) -> Lanes {
    let mut sum = Lanes([0; LANES]);
    let mut rest = set.bits();
    for _ in 0..UNCONDITIONAL_FLIPS {
        sum = sum.plus(&POWERS[rest.trailing_zeros() as usize]);
        rest &= rest.wrapping_sub(1);
    }
    for square in Bitboard::from_bits(rest) {
        sum = sum.plus(&POWERS[square.index()]);
    }
    sum
}
