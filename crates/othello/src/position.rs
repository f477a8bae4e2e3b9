//! The position that the search uses: two 64-bit words, player and opponent.
//!
//! A position does not know the colour of the side to move; [`crate::Board`] does. Each converts
//! into the other.

use crate::color::Color;
use crate::kernels;
use crate::score::Score;
use crate::square::{Square, squares};
use crate::zobrist;

/// The discs of the side to move (player) and of the other side (opponent), one bit a square.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, PartialOrd, Ord)]
pub struct Position {
    /// Discs of the side to move.
    pub player: u64,
    /// Discs of the opponent.
    pub opponent: u64,
}

impl Position {
    /// The start of a game, Black to move.
    pub const START: Position = Position {
        player: Square::E4.bit() | Square::D5.bit(),
        opponent: Square::D4.bit() | Square::E5.bit(),
    };

    /// Returns the position of two words, or `None` if they share a square.
    #[inline]
    pub const fn new(player: u64, opponent: u64) -> Option<Position> {
        if player & opponent == 0 { Some(Position { player, opponent }) } else { None }
    }

    /// Returns the empty squares.
    #[inline(always)]
    pub const fn empty(self) -> u64 {
        !(self.player | self.opponent)
    }

    /// Returns the number of empties.
    #[inline(always)]
    pub const fn empties(self) -> u32 {
        self.empty().count_ones()
    }

    /// Returns the legal squares of the side to move.
    #[inline(always)]
    pub fn moves(self) -> u64 {
        kernels::moves(self.player, self.opponent)
    }

    /// Returns the discs that a disc on an empty square flips; zero if the move is illegal.
    #[inline(always)]
    pub fn flips(self, square: Square) -> u64 {
        kernels::flips(self.player, self.opponent, square)
    }

    /// Returns the position after a legal move with its flips, the opponent to move.
    #[inline(always)]
    #[must_use]
    pub const fn after(self, square: Square, flips: u64) -> Position {
        Position { player: self.opponent ^ flips, opponent: self.player | flips | square.bit() }
    }

    /// Returns the position after a move, the opponent to move, or `None` if the move is illegal.
    #[inline]
    #[must_use]
    pub fn place(self, square: Square) -> Option<Position> {
        if self.empty() & square.bit() == 0 {
            return None;
        }
        match self.flips(square) {
            0 => None,
            flips => Some(self.after(square, flips)),
        }
    }

    /// Returns the same discs with the opponent to move.
    #[inline(always)]
    #[must_use]
    pub const fn passed(self) -> Position {
        Position { player: self.opponent, opponent: self.player }
    }

    /// Returns true if the side to move has no legal square and the opponent has one.
    #[inline]
    pub fn must_pass(self) -> bool {
        self.moves() == 0 && self.passed().moves() != 0
    }

    /// Returns true if neither side has a legal square.
    #[inline]
    pub fn is_over(self) -> bool {
        self.moves() == 0 && self.passed().moves() == 0
    }

    /// Returns the score for the side to move if the game ends here. The winner takes the empties.
    #[inline(always)]
    pub const fn final_score(self) -> Score {
        Score::of_finished(self.player.count_ones(), self.opponent.count_ones())
    }

    /// Computes the Zobrist key of the position with `side` to move. [`crate::Board::key`] is the same
    /// number, updated ply by ply.
    pub fn key(self, side: Color) -> u64 {
        let words =
            |bits, color| squares(bits).fold(0, |key, square| key ^ zobrist::disc(color, square));
        zobrist::side(side) ^ words(self.player, side) ^ words(self.opponent, !side)
    }
}

/// The start of a game.
impl Default for Position {
    fn default() -> Position {
        Position::START
    }
}
