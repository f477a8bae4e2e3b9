//! Principal variations: the play that a search expects.

use arrayvec::ArrayVec;

use umigame_othello::Move;

/// A sequence of moves, passes included. No game has more plies than there is room for.
#[derive(Clone, Debug, Default)]
pub(crate) struct Variation(ArrayVec<Move, 128>);

impl Variation {
    /// Removes all moves.
    pub fn clear(&mut self) {
        self.0.clear();
    }

    /// Replaces the moves by `first` and those of `rest`.
    pub fn set(&mut self, first: Move, rest: &Variation) {
        self.0.clear();
        self.0.push(first);
        self.0.extend(rest.0.iter().copied().take(self.0.remaining_capacity()));
    }

    /// The moves from the first on.
    pub fn moves(&self) -> &[Move] {
        &self.0
    }
}
