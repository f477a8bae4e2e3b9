//! The play that a search expects.

use arrayvec::ArrayVec;

use umigame_othello::Move;

/// A line of play; passes count, and no game has more than this many plies
/// left.
#[derive(Clone, Debug, Default)]
pub(super) struct Variation(ArrayVec<Move, 128>);

impl Variation {
    pub fn clear(&mut self) {
        self.0.clear();
    }

    /// Becomes a move and what follows it.
    pub fn set(&mut self, first: Move, rest: &Variation) {
        self.0.clear();
        self.0.push(first);
        self.0.extend(rest.0.iter().copied().take(self.0.remaining_capacity()));
    }

    pub fn moves(&self) -> &[Move] {
        &self.0
    }
}
