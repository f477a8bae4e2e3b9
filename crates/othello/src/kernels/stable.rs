//! Stable discs from edges, full lines and contact; shared by the kernels.

use crate::line::{edge_stable, line_index};
use crate::square::COLUMN_A;

/// Squares that lie on no edge.
const INNER: u64 = 0x007E_7E7E_7E7E_7E00;

/// Returns, for each axis, the squares whose whole line is full: row, column, the diagonals that
/// fall to the right, the diagonals that rise to the right.
#[inline(always)]
pub(crate) const fn full_lines(occupied: u64) -> [u64; 4] {
    const NOT_A: u64 = !COLUMN_A;
    const NOT_AB: u64 = !(COLUMN_A * 0x03);
    const NOT_ABCD: u64 = !(COLUMN_A * 0x0F);
    const NOT_H: u64 = !(COLUMN_A << 7);
    const NOT_GH: u64 = !(COLUMN_A * 0xC0);
    const NOT_EFGH: u64 = !(COLUMN_A * 0xF0);
    let empty = !occupied;

    let mut row = occupied & (occupied >> 4);
    row &= row >> 2;
    row &= row >> 1;
    row = (row & COLUMN_A) * 0xFF;

    let mut column = occupied & occupied.rotate_left(32);
    column &= column.rotate_left(16);
    column &= column.rotate_left(8);

    // An empty square spoils its diagonal in both directions: one, two, four steps.
    let mut down = empty | ((empty << 9) & NOT_A);
    down |= (down << 18) & NOT_AB;
    down |= (down << 36) & NOT_ABCD;
    let mut up = empty | ((empty >> 9) & NOT_H);
    up |= (up >> 18) & NOT_GH;
    up |= (up >> 36) & NOT_EFGH;
    let falling = !(down | up);

    let mut down = empty | ((empty << 7) & NOT_H);
    down |= (down << 14) & NOT_GH;
    down |= (down << 28) & NOT_EFGH;
    let mut up = empty | ((empty >> 7) & NOT_A);
    up |= (up >> 14) & NOT_AB;
    up |= (up >> 28) & NOT_ABCD;
    let rising = !(down | up);

    [row, column, falling, rising]
}

/// Returns the discs of `candidates` that are safe on all four axes if those of `stable` are: the
/// line is full, or one of them is next on it.
#[inline(always)]
const fn safe_beside(
    stable: u64,
    candidates: u64,
    [row, column, falling, rising]: [u64; 4],
) -> u64 {
    // Inner squares have eight neighbours, so no shift wraps onto one.
    candidates
        & (row | (stable << 1) | (stable >> 1))
        & (column | (stable << 8) | (stable >> 8))
        & (falling | (stable << 9) | (stable >> 9))
        & (rising | (stable << 7) | (stable >> 7))
}

/// Adds to the stable discs of `seed` the player's inner discs that are safe beside stable ones.
#[inline(always)]
const fn propagate(player: u64, full: [u64; 4], seed: u64) -> u64 {
    let candidates = player & INNER;
    let mut stable = seed | safe_beside(0, candidates, full);
    while stable != 0 {
        let grown = stable | safe_beside(stable, candidates, full);
        if grown == stable {
            break;
        }
        stable = grown;
    }
    stable
}

/// Returns the player's stable discs of the edges.
#[inline(always)]
fn edges(
    player: u64,
    opponent: u64,
    column_a: impl Fn(u64) -> u8,
    onto_column_a: impl Fn(u8) -> u64,
) -> u64 {
    let edge = |player, opponent| edge_stable(line_index(player, opponent));
    let north = edge(player as u8, opponent as u8);
    let south = edge((player >> 56) as u8, (opponent >> 56) as u8);
    let west = edge(column_a(player), column_a(opponent));
    let east = edge(column_a(player >> 7), column_a(opponent >> 7));
    u64::from(north) | u64::from(south) << 56 | onto_column_a(west) | onto_column_a(east) << 7
}

/// Returns the player's stable discs. `column_a` gathers column a into a byte, row 1 lowest;
/// `onto_column_a` scatters it: each instruction set has its own way.
#[inline(always)]
pub(super) fn stable_with(
    player: u64,
    opponent: u64,
    column_a: impl Fn(u64) -> u8,
    onto_column_a: impl Fn(u8) -> u64,
) -> u64 {
    let seed = edges(player, opponent, column_a, onto_column_a);
    propagate(player, full_lines(player | opponent), seed)
}

/// Returns the number of the player's stable discs, or a smaller number that is at least `wanted`; `None`
/// if there are fewer. Counting ends where that is known.
#[inline(always)]
pub(super) fn stable_count_with(
    player: u64,
    opponent: u64,
    wanted: u32,
    column_a: impl Fn(u64) -> u8,
    onto_column_a: impl Fn(u8) -> u64,
) -> Option<u32> {
    let seed = edges(player, opponent, column_a, onto_column_a);
    let candidates = player & INNER;
    if (seed | candidates).count_ones() < wanted {
        return None;
    }
    let full = full_lines(player | opponent);
    // If all were stable, these would be: one step from above.
    let most = seed | safe_beside(seed | candidates, candidates, full);
    if most.count_ones() < wanted {
        return None;
    }
    let mut stable = seed | safe_beside(0, candidates, full);
    loop {
        let count = stable.count_ones();
        if count >= wanted {
            return Some(count);
        }
        let grown = stable | safe_beside(stable, candidates, full);
        let grown = grown | safe_beside(grown, candidates, full);
        if grown == stable {
            return None;
        }
        stable = grown;
    }
}
