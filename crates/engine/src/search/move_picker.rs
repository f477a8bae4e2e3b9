//! The legal moves of a node with what ordering knows of them.

use std::cmp::Reverse;

use arrayvec::ArrayVec;

use super::hash::Hash;
use super::table::{Entry, SearchDepth, TableRef};
use umigame_othello::{Position, Square, squares};

/// More legal squares than this no position has; 33 is the most known.
const MAX_MOVES: usize = 34;

/// A legal move.
#[derive(Clone, Copy, Debug)]
pub(super) struct ScoredMove {
    pub flips: u64,
    /// The greater, the sooner it is tried.
    pub score: i32,
    pub square: Square,
}

impl ScoredMove {
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
pub(super) struct MovePicker {
    left: ArrayVec<ScoredMove, MAX_MOVES>,
    /// The table's moves that were not handed out, the best first.
    hash_move: [Option<Square>; 2],
    taken: u32,
    /// Each move left has its worth, except those hash_move.
    ordered: bool,
}

impl MovePicker {
    /// Puts in the moves of `legal` with their flips, and what the table knows
    /// of the position. (Returned as a value, all its room would be copied.)
    #[inline(always)]
    pub fn fill(&mut self, position: Position, legal: u64, entry: Option<&Entry>) {
        self.hash_move = entry.map_or([None; 2], |entry| entry.moves);
        for square in squares(legal).take(MAX_MOVES) {
            self.left.push(ScoredMove { flips: position.flips(square), score: 0, square });
        }
    }

    pub fn iter(&self) -> impl Iterator<Item = &ScoredMove> {
        self.left.iter()
    }

    pub fn iter_mut(&mut self) -> impl Iterator<Item = &mut ScoredMove> {
        self.left.iter_mut()
    }

    /// The moves left, those of most worth first.
    pub fn best_first(&mut self) -> impl Iterator<Item = &mut ScoredMove> {
        self.left.sort_by_key(|candidate| Reverse(candidate.score));
        self.left.iter_mut()
    }

    pub fn len(&self) -> usize {
        self.left.len()
    }

    /// The move to try next. `order` gives the moves their worth; it is
    /// called once, and only where none is left that the table remembers.
    #[inline(always)]
    pub fn next(&mut self, order: impl FnOnce(&mut MovePicker)) -> Option<ScoredMove> {
        self.take_hash_move().or_else(|| {
            self.put_in_order(order);
            self.take_best()
        })
    }

    /// Calls `order` where it has not been and there is a choice.
    #[inline(always)]
    pub fn put_in_order(&mut self, order: impl FnOnce(&mut MovePicker)) {
        if !self.ordered && self.left.len() > 1 {
            order(self);
            self.ordered = true;
        }
    }

    /// The move to try next of moves that are in order.
    #[inline(always)]
    pub fn take(&mut self) -> Option<ScoredMove> {
        self.take_hash_move().or_else(|| self.take_best())
    }

    #[inline(always)]
    fn take_hash_move(&mut self) -> Option<ScoredMove> {
        for hash_move in &mut self.hash_move {
            let Some(square) = hash_move.take() else { continue };
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
    fn take_best(&mut self) -> Option<ScoredMove> {
        let key = |(at, candidate): (usize, &ScoredMove)| {
            i64::from(candidate.score) << 8 | (255 - at) as i64
        };
        let best = self.left.iter().enumerate().map(key).max()?;
        self.taken += 1;
        Some(self.left.swap_remove(255 - (best & 255) as usize))
    }

    /// A value of at least `beta` for the side to move, in centidiscs, that the
    /// table already holds for some move, known as well as is needed.
    #[inline(always)]
    pub fn etc_cutoff(
        &self,
        position: Position,
        table: TableRef,
        needed: SearchDepth,
        beta: i32,
    ) -> Option<i32> {
        // All are on their way before the first is waited for.
        let hashes: ArrayVec<Hash, MAX_MOVES> = self
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
