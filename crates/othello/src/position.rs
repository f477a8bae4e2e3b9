//! The position that the search uses: two 64-bit words, player and opponent.
//!
//! A position does not know the colour of the side to move; [`crate::Board`] does. Each converts
//! into the other.

use derive_more::Debug;

use crate::bitboard::Bitboard;
use crate::color::Color;
use crate::moves::Move;
use crate::score::Score;
use crate::square::Square;
use crate::{kernels, zobrist};

/// The discs of the side to move (player) and of the other side (opponent). No square has both.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
#[debug("{self}")]
pub struct Position {
    player: Bitboard,
    opponent: Bitboard,
}

/// Two sets of discs that share squares.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("player and opponent share squares: {}", names(*shared))]
pub struct OverlapError {
    /// The squares in both sets.
    pub shared: Bitboard,
}

fn names(set: Bitboard) -> String {
    set.iter().map(|square| square.to_string()).collect::<Vec<_>>().join(" ")
}

impl Position {
    /// The start of a game, Black to move.
    pub const START: Position = Position {
        player: Bitboard::EMPTY.with(Square::E4).with(Square::D5),
        opponent: Bitboard::EMPTY.with(Square::D4).with(Square::E5),
    };

    /// Returns the position of two sets of discs.
    ///
    /// # Errors
    /// [`OverlapError`] if they share a square.
    #[inline]
    pub const fn new(player: Bitboard, opponent: Bitboard) -> Result<Position, OverlapError> {
        if player.is_disjoint(opponent) {
            Ok(Position { player, opponent })
        } else {
            Err(OverlapError { shared: Bitboard::from_bits(player.bits() & opponent.bits()) })
        }
    }

    /// Returns the position of two sets of discs that share no square, as the caller knows. A debug
    /// build checks it; in a release build a shared square gives wrong moves, but no undefined
    /// behaviour.
    #[inline(always)]
    pub const fn new_unchecked(player: Bitboard, opponent: Bitboard) -> Position {
        debug_assert!(player.is_disjoint(opponent));
        Position { player, opponent }
    }

    /// Returns the discs of the side to move.
    #[inline(always)]
    pub const fn player(self) -> Bitboard {
        self.player
    }

    /// Returns the discs of the opponent.
    #[inline(always)]
    pub const fn opponent(self) -> Bitboard {
        self.opponent
    }

    /// Returns the empty squares.
    #[inline(always)]
    pub const fn empty(self) -> Bitboard {
        Bitboard::from_bits(!(self.player.bits() | self.opponent.bits()))
    }

    /// Returns the number of empties.
    #[inline(always)]
    pub const fn empties(self) -> u32 {
        self.empty().count()
    }

    /// Returns the legal squares of the side to move.
    #[inline(always)]
    pub fn legal_moves(self) -> Bitboard {
        Bitboard::from_bits(kernels::moves(self.player.bits(), self.opponent.bits()))
    }

    /// Returns the discs that a disc on an empty square flips; none if the move is illegal.
    #[inline(always)]
    pub fn flips(self, square: Square) -> Bitboard {
        Bitboard::from_bits(kernels::flips(self.player.bits(), self.opponent.bits(), square))
    }

    /// Returns the position after a legal move with its flips, the opponent to move.
    #[inline(always)]
    #[must_use]
    pub const fn after(self, square: Square, flips: Bitboard) -> Position {
        Position {
            player: Bitboard::from_bits(self.opponent.bits() ^ flips.bits()),
            opponent: Bitboard::from_bits(self.player.bits() | flips.bits() | square.bit()),
        }
    }

    /// Returns the position after a disc or a pass, the opponent to move, or `None` if the move is
    /// illegal. [`Board::play`](crate::Board::play) tells the reason.
    #[inline]
    #[must_use]
    pub fn play(self, played: impl Into<Move>) -> Option<Position> {
        let Move::Place(square) = played.into() else {
            return self.must_pass().then(|| self.passed());
        };
        if !self.empty().contains(square) {
            return None;
        }
        let flips = self.flips(square);
        (!flips.is_empty()).then(|| self.after(square, flips))
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
        self.legal_moves().is_empty() && !self.passed().legal_moves().is_empty()
    }

    /// Returns true if neither side has a legal square.
    #[inline]
    pub fn is_over(self) -> bool {
        self.legal_moves().is_empty() && self.passed().legal_moves().is_empty()
    }

    /// Returns the score for the side to move if the game ends here. The winner takes the empties.
    #[inline(always)]
    pub const fn final_score(self) -> Score {
        Score::of_finished(self.player.count(), self.opponent.count())
    }

    /// Computes the Zobrist key of the position with `side` to move. [`crate::Board::key`] is the same
    /// number, updated ply by ply.
    pub fn key(self, side: Color) -> u64 {
        let words = |discs: Bitboard, color| {
            discs.iter().fold(0, |key, square| key ^ zobrist::disc(color, square))
        };
        zobrist::side(side) ^ words(self.player, side) ^ words(self.opponent, !side)
    }
}

/// The start of a game.
impl Default for Position {
    fn default() -> Position {
        Position::START
    }
}
