//! The legal moves of a node with what ordering knows of them.

use std::cmp::Reverse;

use arrayvec::ArrayVec;

use super::hash::Hash;
use super::table::{Entry, OpenTable, SearchDepth};
use umigame_othello::{Position, Square, squares};

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
    /// The table's moves that were not handed out, the best first.
    remembered: [Option<Square>; 2],
    taken: u32,
    /// Each move left has its worth, except those remembered.
    ordered: bool,
}

impl Candidates {
    /// Puts in the moves of `legal` with their flips, and what the table knows
    /// of the position. (Returned as a value, all its room would be copied.)
    #[inline(always)]
    pub fn fill(&mut self, position: Position, legal: u64, entry: Option<&Entry>) {
        self.remembered = entry.map_or([None; 2], |entry| entry.moves);
        for square in squares(legal).take(MOST) {
            self.left.push(Candidate { flips: position.flips(square), worth: 0, square });
        }
    }

    pub fn iter(&self) -> impl Iterator<Item = &Candidate> {
        self.left.iter()
    }

    pub fn iter_mut(&mut self) -> impl Iterator<Item = &mut Candidate> {
        self.left.iter_mut()
    }

    /// The moves left, those of most worth first.
    pub fn best_first(&mut self) -> impl Iterator<Item = &mut Candidate> {
        self.left.sort_by_key(|candidate| Reverse(candidate.worth));
        self.left.iter_mut()
    }

    pub fn len(&self) -> usize {
        self.left.len()
    }

    /// The move to try next. `order` gives the moves their worth; it is
    /// called once, and only where none is left that the table remembers.
    #[inline(always)]
    pub fn next(&mut self, order: impl FnOnce(&mut Candidates)) -> Option<Candidate> {
        self.take_remembered().or_else(|| {
            self.put_in_order(order);
            self.take_best()
        })
    }

    /// Calls `order` where it has not been and there is a choice.
    #[inline(always)]
    pub fn put_in_order(&mut self, order: impl FnOnce(&mut Candidates)) {
        if !self.ordered && self.left.len() > 1 {
            order(self);
            self.ordered = true;
        }
    }

    /// The move to try next of moves that are in order.
    #[inline(always)]
    pub fn take(&mut self) -> Option<Candidate> {
        self.take_remembered().or_else(|| self.take_best())
    }

    #[inline(always)]
    fn take_remembered(&mut self) -> Option<Candidate> {
        for remembered in &mut self.remembered {
            let Some(square) = remembered.take() else { continue };
            if let Some(at) = self.left.iter().position(|candidate| candidate.square == square) {
                self.taken += 1;
                return Some(self.left.swap_remove(at));
            }
        }
        None
    }

    /// Of moves worth the same, the first. Worth and place are compared as one
    /// number: no processor foresees which move is the best so far.
    #[inline(always)]
    fn take_best(&mut self) -> Option<Candidate> {
        let key = |(at, candidate): (usize, &Candidate)| {
            i64::from(candidate.worth) << 8 | (255 - at) as i64
        };
        let best = self.left.iter().enumerate().map(key).max()?;
        self.taken += 1;
        Some(self.left.swap_remove(255 - (best & 255) as usize))
    }

    /// A value of at least `beta` for the side to move, in centidiscs, that the
    /// table already holds for some move, known as well as is needed.
    #[inline(always)]
    pub fn known_after(
        &self,
        position: Position,
        table: OpenTable,
        needed: SearchDepth,
        beta: i32,
    ) -> Option<i32> {
        // All are on their way before the first is waited for.
        let hashes: ArrayVec<Hash, MOST> = self
            .iter()
            .map(|candidate| Hash::of(candidate.after(position)))
            .inspect(|&hash| table.prefetch(hash))
            .collect();
        hashes.iter().find_map(|&hash| {
            let (_, upper) = table.probe(hash)?.bounds(needed)?;
            (-upper >= beta).then_some(-upper)
        })
    }

    /// How many moves have been handed out.
    #[inline(always)]
    pub fn taken(&self) -> u32 {
        self.taken
    }
}
