//! Turtle's second board: the middle game, with the indices of all patterns
//! brought up to date move by move.

use super::shapes::{LANES, POWERS};
use umigame_othello::{Position, Square, squares};

/// So many flips are added up, fewer with zeroes, before it is asked whether
/// there are more: their number is what a processor foresees badly.
const AT_LEAST: usize = 3;

/// One number for each lane.
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

/// A position with the index of every pattern, seen by both sides.
///
/// The index of a lane has a digit in base three for each square of the
/// placement: 0 empty, 1 the side's own disc, 2 the other's. A disc that
/// changes sides adds its power to one view and takes it from the other, so
/// that a move costs two vector additions for each flip.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct MidBoard {
    position: Position,
    /// As the side to move sees it.
    own: Lanes,
    /// As the other side sees it.
    other: Lanes,
}

impl MidBoard {
    /// The board of a position, computed anew.
    pub fn new(position: Position) -> MidBoard {
        let (player, opponent) = (sum(position.player), sum(position.opponent));
        let view =
            |own: &Lanes, other: &Lanes| Lanes(std::array::from_fn(|i| own.0[i] + 2 * other.0[i]));
        MidBoard { position, own: view(&player, &opponent), other: view(&opponent, &player) }
    }

    /// The discs.
    #[inline(always)]
    pub const fn position(&self) -> Position {
        self.position
    }

    /// The indices as the side to move sees them.
    #[inline(always)]
    pub const fn indices(&self) -> &Lanes {
        &self.own
    }

    /// The board after a disc with these flips, the other side to move.
    #[inline(always)]
    #[must_use]
    pub fn after(&self, square: Square, flips: u64) -> MidBoard {
        let (disc, flipped) = (&POWERS[square.index()], sum(flips));
        let own = |i: usize| self.other.0[i] + flipped.0[i] + 2 * disc[i];
        let other = |i: usize| self.own.0[i] - flipped.0[i] + disc[i];
        let next = MidBoard {
            position: self.position.after(square, flips),
            own: Lanes(std::array::from_fn(own)),
            other: Lanes(std::array::from_fn(other)),
        };
        debug_assert_eq!(next, MidBoard::new(next.position));
        next
    }

    /// The indices of [`MidBoard::after`] as its side to move sees them: all
    /// that an evaluation needs.
    #[inline(always)]
    pub fn indices_after(&self, square: Square, flips: u64) -> Lanes {
        let (disc, flipped) = (&POWERS[square.index()], sum(flips));
        let mut own = self.other;
        for (i, &disc) in disc.iter().enumerate() {
            own.0[i] += flipped.0[i] + 2 * disc;
        }
        own
    }

    /// The same discs with the other side to move.
    #[inline(always)]
    #[must_use]
    pub const fn passed(&self) -> MidBoard {
        MidBoard { position: self.position.passed(), own: self.other, other: self.own }
    }
}

/// The sum of the powers of some squares.
#[inline(always)]
fn sum(bits: u64) -> Lanes {
    let mut sum = Lanes([0; LANES]);
    let mut rest = bits;
    for _ in 0..AT_LEAST {
        sum = sum.plus(&POWERS[rest.trailing_zeros() as usize]);
        rest &= rest.wrapping_sub(1);
    }
    for square in squares(rest) {
        sum = sum.plus(&POWERS[square.index()]);
    }
    sum
}
