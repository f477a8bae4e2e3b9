//! Small tables for the many positions near the leaves, private to a thread
//! and sized to stay in its core's own cache.

use crate::board::{Position, Square};
use crate::search::table::decided;

/// What is known of a position: bounds of its score in discs, and its best
/// move.
#[derive(Clone, Copy, Debug)]
pub(super) struct Known {
    position: Position,
    lower: i8,
    pub upper: i8,
    best: u8,
}

impl Known {
    /// The best move found, if any.
    #[inline(always)]
    pub fn best(&self) -> Option<Square> {
        Square::from_index(usize::from(self.best))
    }

    /// The score, where what is known decides the window `alpha..alpha + 1`.
    #[inline(always)]
    pub fn decided(&self, alpha: i32) -> Option<i32> {
        decided((self.lower.into(), self.upper.into()), alpha)
    }
}

const NOTHING: Known =
    Known { position: Position { player: 0, opponent: 0 }, lower: -64, upper: 64, best: 64 };

/// A table of `1 << BITS` entries of 24 bytes: one for each place, the latest
/// stays. Entries hold the whole position, so a match is never false.
#[derive(Debug)]
pub(super) struct Cache<const BITS: u32>(Box<[Known]>);

impl<const BITS: u32> Cache<BITS> {
    /// An empty table.
    pub fn new() -> Cache<BITS> {
        Cache(vec![NOTHING; 1 << BITS].into_boxed_slice())
    }

    /// Forgets everything.
    pub fn clear(&mut self) {
        self.0.fill(NOTHING);
    }

    #[inline(always)]
    fn place(position: Position) -> usize {
        let mixed = position.player.wrapping_mul(0x9E37_79B9_7F4A_7C15)
            ^ position.opponent.rotate_left(29).wrapping_mul(0xD6E8_FEB8_6659_FD93);
        (mixed >> (64 - BITS)) as usize
    }

    /// What is known of a position.
    #[inline(always)]
    pub(super) fn probe(&self, position: Position) -> Option<&Known> {
        let known = &self.0[Self::place(position)];
        (known.position == position).then_some(known)
    }

    /// The score of a position, where what is known decides the window
    /// `alpha..alpha + 1`.
    #[inline(always)]
    pub(super) fn decided(&self, position: Position, alpha: i32) -> Option<i32> {
        self.probe(position)?.decided(alpha)
    }

    /// Stores the score that a search with the window `alpha..alpha + 1`
    /// found.
    #[inline(always)]
    pub(super) fn store(
        &mut self,
        position: Position,
        alpha: i32,
        score: i32,
        best: Option<Square>,
    ) {
        let slot = &mut self.0[Self::place(position)];
        let (mut lower, mut upper) =
            if slot.position == position { (slot.lower, slot.upper) } else { (-64, 64) };
        if score > alpha {
            lower = lower.max(score as i8);
        } else {
            upper = upper.min(score as i8);
        }
        let best = best.map_or(64, |square| square.index() as u8);
        *slot = Known { position, lower, upper, best };
    }
}
