//! The search's position: two words, the side to move first.
//!
//! A position does not know whose turn it is by colour; [`super::Board`]
//! does. Both convert into each other.

use super::color::Color;
use super::kernels;
use super::score::Score;
use super::square::{Square, squares};
use super::zobrist;

/// The discs of the side to move and of the other side, one bit a square.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, PartialOrd, Ord)]
pub struct Position {
    /// Discs of the side to move.
    pub player: u64,
    /// Discs of the other side.
    pub opponent: u64,
}

impl Position {
    /// The start of a game, Black to move.
    pub const START: Position = Position {
        player: Square::E4.bit() | Square::D5.bit(),
        opponent: Square::D4.bit() | Square::E5.bit(),
    };

    /// A position from two words, or `None` where they share a square.
    pub const fn new(player: u64, opponent: u64) -> Option<Position> {
        if player & opponent == 0 { Some(Position { player, opponent }) } else { None }
    }

    /// The empty squares.
    #[inline(always)]
    pub const fn empty(self) -> u64 {
        !(self.player | self.opponent)
    }

    /// How many squares are empty.
    #[inline(always)]
    pub const fn empties(self) -> u32 {
        self.empty().count_ones()
    }

    /// The legal squares of the side to move.
    #[inline(always)]
    pub fn moves(self) -> u64 {
        kernels::moves(self.player, self.opponent)
    }

    /// The discs that a disc on an empty square flips; zero where it is
    /// illegal.
    #[inline(always)]
    pub fn flips(self, square: Square) -> u64 {
        kernels::flips(self.player, self.opponent, square)
    }

    /// The position after a disc with these flips, the other side to move.
    #[inline(always)]
    #[must_use]
    pub const fn after(self, square: Square, flips: u64) -> Position {
        Position { player: self.opponent ^ flips, opponent: self.player | flips | square.bit() }
    }

    /// The position after a disc on a square, or `None` where it is illegal.
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

    /// The same discs with the other side to move.
    #[inline(always)]
    #[must_use]
    pub const fn passed(self) -> Position {
        Position { player: self.opponent, opponent: self.player }
    }

    /// Whether the side to move has no square and the other has one.
    pub fn must_pass(self) -> bool {
        self.moves() == 0 && self.passed().moves() != 0
    }

    /// Whether neither side has a move.
    pub fn is_over(self) -> bool {
        self.moves() == 0 && self.passed().moves() == 0
    }

    /// The score for the side to move if the game ended here, the winner
    /// taking the empty squares.
    #[inline(always)]
    pub const fn final_score(self) -> Score {
        Score::of_finished(self.player.count_ones(), self.opponent.count_ones())
    }

    /// The identity of the position with a colour to move, computed anew;
    /// [`super::Board::key`] is the same number kept up ply by ply.
    pub fn key(self, side: Color) -> u64 {
        let words =
            |bits, color| squares(bits).fold(0, |key, square| key ^ zobrist::disc(color, square));
        zobrist::side(side) ^ words(self.player, side) ^ words(self.opponent, !side)
    }
}

impl Default for Position {
    fn default() -> Position {
        Position::START
    }
}
