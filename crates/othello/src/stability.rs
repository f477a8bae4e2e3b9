//! Stable discs: those that no legal continuation can flip.
//!
//! Three counts of rising strength, each a subset of the next and none ever
//! too large: [`edge_runs`] looks at edges only, [`spread`] works outward
//! from the corners along four axes, and [`stable`] adds what can be known
//! of an edge before its corners are taken. All return the discs of the
//! player; swap the arguments for the opponent's. None claims to find every
//! stable disc.
//!
//! After the evaluation texts of 2001 to 2016 (`edge_runs`, `spread`); the
//! edge table is the usual one of Othello programs, computed here.

use super::kernels::portable::onto_column_a;
use super::kernels::{self, column_a};
use super::position::Position;
use super::square::{COLUMN_A, CORNERS};

/// The squares that are on no edge.
const INNER: u64 = 0x007E_7E7E_7E7E_7E00;
const ROW_1: u64 = 0xFF;

/// How many ways eight squares of a line can be empty or hold a disc.
pub const LINES: usize = 6561;

/// For eight bits of one side, its part of a line's index: bit `k` counts
/// three to the power of `k`.
const TERNARY: [u16; 256] = {
    let mut table = [0; 256];
    let mut bits = 0;
    while bits < 256 {
        let (mut k, mut power) = (0, 1);
        while k < 8 {
            table[bits] += power * ((bits >> k) & 1) as u16;
            power *= 3;
            k += 1;
        }
        bits += 1;
    }
    table
};

/// The number, below [`LINES`], of a line of eight squares.
#[inline(always)]
pub const fn line_index(player: u8, opponent: u8) -> usize {
    TERNARY[player as usize] as usize + 2 * TERNARY[opponent as usize] as usize
}

/// The two sides of the line with this number; the inverse of
/// [`line_index`].
pub const fn line_of_index(index: usize) -> (u8, u8) {
    let (mut player, mut opponent, mut rest, mut k) = (0, 0, index, 0);
    while k < 8 {
        match rest % 3 {
            1 => player |= 1 << k,
            2 => opponent |= 1 << k,
            _ => {}
        }
        rest /= 3;
        k += 1;
    }
    (player, opponent)
}

/// What a disc of `player` on square `k` of a line flips along the line.
pub const fn line_flips(player: u8, opponent: u8, k: u32) -> u8 {
    let mut flipped = 0;
    let (mut run, mut at) = (0u8, k + 1);
    while at < 8 && opponent & (1 << at) != 0 {
        run |= 1 << at;
        at += 1;
    }
    if at < 8 && player & (1 << at) != 0 {
        flipped |= run;
    }
    (run, at) = (0, k);
    while at > 0 && opponent & (1 << (at - 1)) != 0 {
        at -= 1;
        run |= 1 << at;
    }
    if at > 0 && player & (1 << (at - 1)) != 0 {
        flipped |= run;
    }
    flipped
}

/// The player's discs that stay the player's when the empty squares of a
/// line are filled in any order by either side. A disc may come to an edge
/// square by what it flips inward, so every empty square is open to both.
const fn line_stable(player: u8, opponent: u8, table: &[u8; LINES]) -> u8 {
    let mut stable = player;
    let mut k = 0;
    while k < 8 {
        if (player | opponent) & (1 << k) == 0 {
            let flips = line_flips(player, opponent, k);
            stable &= table[line_index(player | flips | 1 << k, opponent & !flips)];
            let flips = line_flips(opponent, player, k);
            stable &= table[line_index(player & !flips, opponent | flips | 1 << k)];
        }
        k += 1;
    }
    stable
}

/// For every line, the player's discs on it that no play on it can flip.
// The loop is bounded by the number of lines; it needs a few million steps.
#[allow(long_running_const_eval)]
static LINE_STABLE: [u8; LINES] = {
    let mut table = [0; LINES];
    let mut empties = 0;
    while empties <= 8 {
        let mut index = 0;
        while index < LINES {
            let (player, opponent) = line_of_index(index);
            if (player | opponent).count_zeros() == empties {
                table[index] = line_stable(player, opponent, &table);
            }
            index += 1;
        }
        empties += 1;
    }
    table
};

/// The player's discs of an edge that no play on it can flip, for an edge
/// given by [`line_index`].
#[inline(always)]
pub fn edge_stable(index: usize) -> u8 {
    LINE_STABLE[index]
}

/// For each axis, the squares whose whole line is full: along the row, the
/// column, and the two diagonals, those that rise to the right last.
#[inline(always)]
const fn full_lines(occupied: u64) -> [u64; 4] {
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

    // An empty square spoils its diagonal both ways, one, two, four steps.
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

/// Adds to the stable discs those inner discs of the player that each axis
/// keeps: its line is full, or a stable disc of the player is next on it.
#[inline(always)]
const fn propagate(player: u64, full: [u64; 4], seed: u64) -> u64 {
    let candidates = player & INNER;
    let [row, column, falling, rising] = full;
    let mut stable = seed | (candidates & row & column & falling & rising);
    // Inner squares have eight neighbours, so no shift wraps onto one.
    while stable != 0 {
        let grown = stable
            | (candidates
                & (row | (stable << 1) | (stable >> 1))
                & (column | (stable << 8) | (stable >> 8))
                & (falling | (stable << 9) | (stable >> 9))
                & (rising | (stable << 7) | (stable >> 7)));
        if grown == stable {
            break;
        }
        stable = grown;
    }
    stable
}

/// The stable discs of the player, the strongest of the three counts: on
/// the edges by a table of everything that can happen on an edge, inside by
/// full lines and contact.
///
/// ```
/// use umigame::board::stability::stable;
/// // The corner a1 and b1 beside it; the disc on c1 has nothing to hold to.
/// assert_eq!(stable(0b0111, 0), 0b0111);
/// assert_eq!(stable(0b0110, 0), 0);
/// ```
#[inline]
pub fn stable(player: u64, opponent: u64) -> u64 {
    kernels::stable(player, opponent)
}

/// [`stable`], with the ways of a kernel to take column a out of the board
/// and to lay it down again, the lowest bit on row 1.
#[inline(always)]
pub(super) fn stable_with(
    player: u64,
    opponent: u64,
    column_a: impl Fn(u64) -> u8,
    onto_column_a: impl Fn(u8) -> u64,
) -> u64 {
    let edge = |player, opponent| LINE_STABLE[line_index(player, opponent)];
    let north = edge(player as u8, opponent as u8);
    let south = edge((player >> 56) as u8, (opponent >> 56) as u8);
    let west = edge(column_a(player), column_a(opponent));
    let east = edge(column_a(player >> 7), column_a(opponent >> 7));
    let seed =
        u64::from(north) | u64::from(south) << 56 | onto_column_a(west) | onto_column_a(east) << 7;
    propagate(player, full_lines(player | opponent), seed)
}

/// The stable discs of the player by the classic rule: from the corners
/// outward, a disc is stable if each of its four axes is safe, which it is
/// at the rim, next to a stable disc of the player, or in a full line.
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

/// The stable discs of the player by edges alone: runs of one colour from a
/// corner, and every disc of an edge that is full between two corners.
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
    /// The stable discs of the side to move, by [`stable`].
    pub fn stable(self) -> u64 {
        stable(self.player, self.opponent)
    }
}

#[cfg(test)]
mod tests;
