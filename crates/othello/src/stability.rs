//! Stable discs: discs that no legal continuation can flip.
//!
//! Two counts, the first a subset of the second and neither ever too large:
//!
//! - [`edge_runs`] looks at edges only;
//! - [`stable`] also works inward along four axes, and adds edge discs that are safe before their
//!   corners are taken.
//!
//! Both return discs of the side to move; [`Position::passed`] gives the opponent's. Neither finds
//! every stable disc.
//!
//! After the evaluation texts of 2001 to 2016 (`edge_runs`); the edge table is the usual one of
//! Othello programs, computed in `line.rs`.

use crate::bitboard::Bitboard;
use crate::kernels::{self, column_a, onto_column_a};
use crate::position::Position;

pub use crate::line::{LINES, edge_stable, line_flips, line_index, line_of_index};

/// Returns the player's stable discs by the stronger of the two counts: on the edges by a table
/// of all play on an edge, inside by full lines and contact with stable discs.
///
/// ```
/// use umigame_othello::{Bitboard, Position, Square, stability::stable};
///
/// // The corner a1 with b1 and c1 beside it; without the corner nothing holds them.
/// let row: Bitboard = [Square::A1, Square::B1, Square::C1].into_iter().collect();
/// assert_eq!(stable(Position::new(row, Bitboard::EMPTY)?), row);
/// let row = row.without(Square::A1);
/// assert_eq!(stable(Position::new(row, Bitboard::EMPTY)?), Bitboard::EMPTY);
/// # Ok::<(), umigame_othello::OverlapError>(())
/// ```
#[inline]
pub fn stable(position: Position) -> Bitboard {
    Bitboard::from_bits(kernels::stable(position.player().bits(), position.opponent().bits()))
}

/// Returns how many stable discs the player has by [`stable`], if `wanted` or more. Counting stops
/// where that is known, so that the number may be too small, but not below `wanted`.
#[inline(always)]
pub fn at_least(position: Position, wanted: u32) -> Option<u32> {
    kernels::stable_count(position.player().bits(), position.opponent().bits(), wanted)
}

/// Returns the player's stable discs by edges alone: runs of one colour from a corner, and every
/// disc of a full edge.
pub fn edge_runs(position: Position) -> Bitboard {
    if Bitboard::CORNERS.is_subset(position.empty()) {
        return Bitboard::EMPTY;
    }
    let (player, opponent) = (position.player().bits(), position.opponent().bits());
    let edge = |player: u8, opponent: u8| {
        if player | opponent == 0xFF {
            return player;
        }
        let low = (1u16 << player.trailing_ones()) - 1;
        let high = !(0xFFu16 >> player.leading_ones());
        (low | high) as u8
    };
    let rows = u64::from(edge(player as u8, opponent as u8))
        | u64::from(edge((player >> 56) as u8, (opponent >> 56) as u8)) << 56;
    let columns = onto_column_a(edge(column_a(player), column_a(opponent)))
        | onto_column_a(edge(column_a(player >> 7), column_a(opponent >> 7))) << 7;
    Bitboard::from_bits(rows | columns)
}

#[cfg(test)]
mod tests;
