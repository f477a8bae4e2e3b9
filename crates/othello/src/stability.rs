//! Stable discs: discs that no legal continuation can flip.
//!
//! Three counts of rising strength, each a subset of the next and none ever too large:
//!
//! - [`edge_runs`] looks at edges only;
//! - [`spread`] works outward from the corners along four axes;
//! - [`stable`] adds edge discs that are safe before their corners are taken.
//!
//! All return the player's discs; swap the arguments for the opponent's. None finds every stable
//! disc.
//!
//! After the evaluation texts of 2001 to 2016 (`edge_runs`, `spread`); the edge table is the usual
//! one of Othello programs, computed in `line.rs`.

use crate::kernels::{self, column_a, full_lines, onto_column_a};
use crate::position::Position;
use crate::square::{COLUMN_A, CORNERS};

pub use crate::line::{LINES, edge_stable, line_flips, line_index, line_of_index};

const ROW_1: u64 = 0xFF;

/// Returns the player's stable discs by the strongest of the three counts: on the edges by a table
/// of all play on an edge, inside by full lines and contact with stable discs.
///
/// ```
/// use umigame_othello::stability::stable;
/// // The corner a1 with b1 and c1 beside it; without the corner nothing holds them.
/// assert_eq!(stable(0b0111, 0), 0b0111);
/// assert_eq!(stable(0b0110, 0), 0);
/// ```
#[inline]
pub fn stable(player: u64, opponent: u64) -> u64 {
    kernels::stable(player, opponent)
}

/// Returns the player's stable discs by the classic rule. From the corners outward, a disc is
/// stable if each of its four axes is safe: at the rim, next to a stable disc of the player, or in
/// a full line.
pub fn spread(player: u64, opponent: u64) -> u64 {
    const NOT_A: u64 = !COLUMN_A;
    const NOT_H: u64 = !(COLUMN_A << 7);
    const SIDES: u64 = COLUMN_A | COLUMN_A << 7;
    const ENDS: u64 = ROW_1 | ROW_1 << 56;
    let [row, column, falling, rising] = full_lines(player | opponent);
    let mut stable = 0;
    loop {
        let right = (stable & NOT_H) << 1;
        let left = (stable & NOT_A) >> 1;
        let grown = player
            & (SIDES | row | right | left)
            & (ENDS | column | (stable << 8) | (stable >> 8))
            & (SIDES | ENDS | falling | (right << 8) | (left >> 8))
            & (SIDES | ENDS | rising | (left << 8) | (right >> 8));
        if grown == stable {
            return stable;
        }
        stable = grown;
    }
}

/// Returns the player's stable discs by edges alone: runs of one colour from a corner, and every
/// disc of a full edge.
pub fn edge_runs(player: u64, opponent: u64) -> u64 {
    if (player | opponent) & CORNERS == 0 {
        return 0;
    }
    let edge = |player: u8, opponent: u8| {
        if player | opponent == 0xFF {
            return player;
        }
        let low = (1u16 << player.trailing_ones()) - 1;
        let high = !(0xFFu16 >> player.leading_ones());
        (low | high) as u8
    };
    u64::from(edge(player as u8, opponent as u8))
        | u64::from(edge((player >> 56) as u8, (opponent >> 56) as u8)) << 56
        | onto_column_a(edge(column_a(player), column_a(opponent)))
        | onto_column_a(edge(column_a(player >> 7), column_a(opponent >> 7))) << 7
}

impl Position {
    /// Returns the stable discs of the side to move, by [`stable`].
    pub fn stable(self) -> u64 {
        stable(self.player, self.opponent)
    }
}

#[cfg(test)]
mod tests;
