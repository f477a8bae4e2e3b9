//! Stability cutoffs: the opponent keeps every stable disc, so the score is at most 64 less twice
//! their number.
//!
//! Counting stable discs costs as much as a few nodes, so it is done only where a cutoff is likely:
//! where the window is high enough for the number of empties or, late in the game, where the
//! opponent has discs and corners to spare.

use umigame_eval::value::{Discs, NullWindow};
use umigame_othello::{Bitboard, Position, stability};

/// For each number of empties, the minimum `alpha` in discs at which stable discs are counted.
/// Below seven empties, [`late_stability_cutoff`] decides.
const MIN_ALPHA_BY_EMPTIES: [i8; 61] = {
    let known = [(7, 12), (8, 14), (9, 16), (10, 20), (12, 24), (16, 32), (20, 40)];
    let mut table = [64; 61];
    let (mut empties, mut at) = (7, 0);
    while empties < table.len() {
        if at + 1 < known.len() && known[at + 1].0 <= empties {
            at += 1;
        }
        table[empties] = match empties {
            ..=23 => known[at].1,
            24..=29 => 48,
            30..=35 => 54,
            36..=39 => 60,
            _ => 64,
        };
        empties += 1;
    }
    table
};

/// Discs that the opponent must have beyond those needed for a cutoff, late in the game; a corner
/// stands for [`CORNER_DISCS`]. With two corners and 8 to 11 discs more, one node in four below
/// positions of four empties is cut, and one in ten with five or six; with no corner hardly any.
const LATE_SPARE_DISCS: i32 = 16;
/// Discs that a corner of the opponent stands for: others are anchored to it.
const CORNER_DISCS: i32 = 4;

/// Returns an upper bound of the score that is at most the window's `alpha`, by stable discs.
#[inline(always)]
pub(crate) fn stability_cutoff(position: Position, window: NullWindow<Discs>) -> Option<Discs> {
    let empties = position.empties() as usize;
    // Stable discs are at most the opponent's discs.
    let possible = count(position.opponent()) >= needed(window);
    let likely = possible && window.alpha.0 >= i32::from(MIN_ALPHA_BY_EMPTIES[empties.min(60)]);
    if likely { counted_cutoff(position, window) } else { None }
}

/// [`stability_cutoff`] for four to six empties.
#[inline(always)]
pub(crate) fn late_stability_cutoff(
    position: Position,
    window: NullWindow<Discs>,
) -> Option<Discs> {
    let discs =
        count(position.opponent()) + CORNER_DISCS * count(position.opponent() & Bitboard::CORNERS);
    let likely = discs >= needed(window) + LATE_SPARE_DISCS;
    if likely { counted_cutoff(position, window) } else { None }
}

/// Returns the stable discs of the opponent that prove a score of at most `alpha`.
#[inline(always)]
const fn needed(window: NullWindow<Discs>) -> i32 {
    (64 - window.alpha.0 + 1) / 2
}

#[inline(always)]
const fn count(set: Bitboard) -> i32 {
    set.count() as i32
}

#[inline(always)]
fn counted_cutoff(position: Position, window: NullWindow<Discs>) -> Option<Discs> {
    let stable = stability::at_least(position.passed(), needed(window) as u32)?;
    Some(Discs(64 - 2 * stable as i32))
}
