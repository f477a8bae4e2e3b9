//! The legal moves of a node with what ordering knows of them.

use arrayvec::ArrayVec;

use super::table::Entry;
use crate::board::{Position, Square, squares};

/// More legal squares than this no position has; 33 is the most known.
const MOST: usize = 34;

/// A legal move.
#[derive(Clone, Copy, Debug)]
pub(super) struct Candidate {
    pub flips: u64,
    /// The greater, the sooner it is tried.
    pub worth: i32,
    pub square: Square,
}

impl Candidate {
    /// The position after this move.
    #[inline(always)]
    pub fn after(&self, position: Position) -> Position {
        position.after(self.square, self.flips)
    }
}

/// The legal moves of a node, handed out best first: those that the table
/// remembers at once, the others when they are in order. Most nodes that are
/// met again need only the first.
#[derive(Clone, Debug, Default)]
pub(super) struct Candidates {
    left: ArrayVec<Candidate, MOST>,
    taken: u32,
    ordered: bool,
}

impl Candidates {
    /// The moves of `legal` with their flips.
    #[inline(always)]
    pub fn new(position: Position, legal: u64) -> Candidates {
        let mut candidates = Candidates::default();
        let flips = |square| Candidate { flips: position.flips(square), worth: 0, square };
        candidates.left.extend(squares(legal).take(MOST).map(flips));
        candidates
    }

    pub fn iter(&self) -> impl Iterator<Item = &Candidate> {
        self.left.iter()
    }

    pub fn iter_mut(&mut self) -> impl Iterator<Item = &mut Candidate> {
        self.left.iter_mut()
    }

    pub fn len(&self) -> usize {
        self.left.len()
    }

    /// Whether each move left has its worth.
    #[inline(always)]
    pub fn is_ordered(&self) -> bool {
        self.ordered || self.left.len() <= 1
    }

    /// From now on, every move has its worth.
    #[inline(always)]
    pub fn set_ordered(&mut self) {
        self.ordered = true;
    }

    /// The first of the table's moves that is still left, while the moves are
    /// not in order.
    #[inline(always)]
    pub fn take_remembered(&mut self, entry: Option<&Entry>) -> Option<Candidate> {
        if self.is_ordered() {
            return None;
        }
        let among = |square| self.left.iter().position(|candidate| candidate.square == square);
        let at = entry?.moves.iter().find_map(|square| among((*square)?))?;
        self.taken += 1;
        Some(self.left.swap_remove(at))
    }

    /// The best of those left.
    #[inline(always)]
    pub fn take_best(&mut self) -> Option<Candidate> {
        let mut best = 0;
        for (i, candidate) in self.left.iter().enumerate().skip(1) {
            if candidate.worth > self.left[best].worth {
                best = i;
            }
        }
        (!self.left.is_empty()).then(|| {
            self.taken += 1;
            self.left.swap_remove(best)
        })
    }

    /// How many moves have been handed out.
    #[inline(always)]
    pub fn taken(&self) -> u32 {
        self.taken
    }
}
