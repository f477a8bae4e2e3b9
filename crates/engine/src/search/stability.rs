//! The stability cut-off: the opponent keeps his stable discs whatever
//! happens, so the score is at most 64 less twice their number.
//!
//! Counting costs as much as a few nodes, so it is done only where it is
//! likely to pay: where the window is high enough for the number of empties,
//! or, with few of them, where the opponent has discs and corners to spare.

use umigame_othello::{CORNERS, Position, stability};

/// For each number of empties, the least `alpha` (in discs) at which stable
/// discs are counted; with fewer than seven, [`late_stability_cut`] decides.
const LEAST_ALPHA: [i8; 61] = {
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

/// With few empties, stable discs are counted where the opponent has so many
/// discs more than are needed, a corner standing for [`CORNER`] of them. With two
/// corners and 8 to 11 discs more, it cuts one in four of the nodes below
/// positions with four empties, and one in ten with five or six; with no corner
/// hardly any.
const TO_SPARE: i32 = 16;
/// What an opponent's corner counts for: discs hold to it.
const CORNER: i32 = 4;

/// The greatest score (discs) still possible, where it is at most `alpha`.
#[inline(always)]
pub(super) fn stability_cut(position: Position, alpha: i32) -> Option<i32> {
    let empties = position.empties() as usize;
    // More discs than the opponent has cannot be stable.
    let possible = discs(position.opponent) >= needed(alpha);
    let likely = possible && alpha >= i32::from(LEAST_ALPHA[empties.min(60)]);
    if likely { counted(position, alpha) } else { None }
}

/// The same with four to six empties.
#[inline(always)]
pub(super) fn late_stability_cut(position: Position, alpha: i32) -> Option<i32> {
    let score = discs(position.opponent) + CORNER * discs(position.opponent & CORNERS);
    let likely = score >= needed(alpha) + TO_SPARE;
    if likely { counted(position, alpha) } else { None }
}

/// How many stable discs of the opponent prove that the score is at most
/// `alpha`.
#[inline(always)]
const fn needed(alpha: i32) -> i32 {
    (64 - alpha + 1) / 2
}

#[inline(always)]
const fn discs(bits: u64) -> i32 {
    bits.count_ones() as i32
}

/// The greatest score by the opponent's stable discs, where it is at most
/// `alpha`.
#[inline(always)]
fn counted(position: Position, alpha: i32) -> Option<i32> {
    let most = 64 - 2 * discs(stability::stable(position.opponent, position.player));
    (most <= alpha).then_some(most)
}
