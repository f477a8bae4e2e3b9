//! The stability cut-off: the opponent keeps his stable discs whatever
//! happens, so the score is at most 64 less twice their number.
//!
//! Counting costs as much as a few nodes, so it is done only where the
//! window is high enough for it to pay: how high depends on the empties.

use crate::board::{Position, stability};

/// For each number of empties, the least `alpha` (in discs) at which stable
/// discs are counted. Few empties leave many stable discs and few nodes to
/// save.
const LEAST_ALPHA: [i8; 61] = {
    let known =
        [(5, 8), (6, 10), (7, 12), (8, 14), (9, 16), (10, 20), (12, 24), (16, 32), (20, 40)];
    let mut table = [64; 61];
    let (mut empties, mut at) = (5, 0);
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

/// The greatest score (discs) still possible, where it is at most `alpha`.
#[inline(always)]
pub(super) fn stability_cut(position: Position, alpha: i32) -> Option<i32> {
    let empties = position.empties() as usize;
    if alpha < i32::from(LEAST_ALPHA[empties.min(60)]) {
        return None;
    }
    // More discs than the opponent has cannot be stable.
    let needed = (64 - alpha + 1) / 2;
    if (position.opponent.count_ones() as i32) < needed {
        return None;
    }
    let stable = stability::stable(position.opponent, position.player).count_ones() as i32;
    let most = 64 - 2 * stable;
    (most <= alpha).then_some(most)
}
