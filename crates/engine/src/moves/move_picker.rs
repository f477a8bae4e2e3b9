//! The move picker: the legal moves of a node, handed out best first.
//!
//! Hash moves come first, before the others are scored: most nodes that are met again need no other
//! move. Scoring is left to the caller (see `ordering`).

use std::cmp::Reverse;

use arrayvec::ArrayVec;

use crate::table::hash::Hash;
use crate::table::{SearchDepth, TableEntry, TableRef};
use umigame_eval::value::Unit;
use umigame_othello::{Bitboard, Position, Square};

/// Room for moves; no known position has more than 33.
pub(crate) const MAX_MOVES: usize = 34;

/// A legal move with its ordering score.
#[derive(Clone, Copy, Debug)]
pub(crate) struct ScoredMove {
    pub flips: Bitboard,
    /// Moves of greater score are searched first.
    pub score: i32,
    pub square: Square,
}

impl ScoredMove {
    /// Returns the position after the move.
    #[inline(always)]
    pub fn after(&self, position: Position) -> Position {
        position.after(self.square, self.flips)
    }
}

/// The legal moves of a node that have not been searched yet.
#[derive(Clone, Debug, Default)]
pub(crate) struct MovePicker {
    left: ArrayVec<ScoredMove, MAX_MOVES>,
    /// Hash moves not yet handed out, the better first.
    hash_moves: [Option<Square>; 2],
    taken: u32,
    /// Every move left has its score, hash moves excepted.
    is_scored: bool,
}

impl MovePicker {
    /// Fills an empty picker with the moves of `legal` and the hash moves of `entry`.
    ///
    /// Filling in place spares the copy that returning a picker would make.
    #[inline(always)]
    pub fn fill(&mut self, position: Position, legal: Bitboard, entry: Option<&TableEntry>) {
        self.hash_moves = entry.map_or([None; 2], |entry| entry.moves);
        for square in legal.iter().take(MAX_MOVES) {
            self.left.push(ScoredMove { flips: position.flips(square), score: 0, square });
        }
    }

    /// The moves left.
    pub fn iter(&self) -> impl Iterator<Item = &ScoredMove> {
        self.left.iter()
    }

    /// The moves left.
    pub fn iter_mut(&mut self) -> impl Iterator<Item = &mut ScoredMove> {
        self.left.iter_mut()
    }

    /// Sorts the moves left by score, best first.
    pub fn sorted(&mut self) -> impl Iterator<Item = &mut ScoredMove> {
        self.left.sort_by_key(|candidate| Reverse(candidate.score));
        self.left.iter_mut()
    }

    /// Takes the next move. Calls `score_moves` once, when no hash move is left.
    #[inline(always)]
    pub fn next(&mut self, score_moves: impl FnOnce(&mut MovePicker)) -> Option<ScoredMove> {
        self.take_hash_move().or_else(|| {
            self.score_once(score_moves);
            self.take_best()
        })
    }

    /// Calls `score_moves` unless the moves have their scores or there is no choice.
    #[inline(always)]
    pub fn score_once(&mut self, score_moves: impl FnOnce(&mut MovePicker)) {
        if !self.is_scored && self.left.len() > 1 {
            score_moves(self);
            self.is_scored = true;
        }
    }

    /// Takes the next of moves that have their scores.
    #[inline(always)]
    pub fn take(&mut self) -> Option<ScoredMove> {
        self.take_hash_move().or_else(|| self.take_best())
    }

    #[inline(always)]
    fn take_hash_move(&mut self) -> Option<ScoredMove> {
        for hash_move in &mut self.hash_moves {
            let Some(square) = hash_move.take() else { continue };
            if let Some(at) = self.left.iter().position(|candidate| candidate.square == square) {
                self.taken += 1;
                return Some(self.left.swap_remove(at));
            }
        }
        None
    }

    /// Takes the move of greatest score, of equals the first. Score and place are compared as one
    /// number: a branch on the best so far would be mispredicted.
    #[inline(always)]
    fn take_best(&mut self) -> Option<ScoredMove> {
        let key = |(at, candidate): (usize, &ScoredMove)| {
            i64::from(candidate.score) << 8 | (255 - at) as i64
        };
        let best = self.left.iter().enumerate().map(key).max()?;
        self.taken += 1;
        Some(self.left.swap_remove(255 - (best & 255) as usize))
    }

    /// Enhanced transposition cutoff: returns a value of at least `beta` that the table holds for
    /// some move left, known to the depth `needed`.
    #[inline(always)]
    pub fn etc_cutoff<V: Unit>(
        &self,
        position: Position,
        table: TableRef,
        needed: SearchDepth,
        beta: V,
    ) -> Option<V> {
        // Prefetch every bucket before waiting for the first.
        let hashes: ArrayVec<Hash, MAX_MOVES> = self
            .iter()
            .map(|candidate| Hash::of(candidate.after(position)))
            .inspect(|&hash| table.prefetch(hash))
            .collect();
        hashes.iter().find_map(|&hash| {
            let value = -table.probe(hash)?.bounds(needed)?.to_unit::<V>().upper;
            (value >= beta).then_some(value)
        })
    }

    /// The number of moves handed out.
    #[inline(always)]
    pub fn taken(&self) -> u32 {
        self.taken
    }
}
