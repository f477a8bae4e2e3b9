//! The kernels that gather the bits of a line into a byte with BMI2: the flips of the last disc,
//! from a table for each of the four lines through a square, and the stable discs of edges.
//!
//! Stability of inner discs is the portable code: four axes in an AVX2 register took as long.
#![allow(unsafe_code)]

use std::arch::x86_64::{_pdep_u64, _pext_u64};

use super::rays::RAYS;
use super::stable::{stable_count_with, stable_with};
use crate::square::{COLUMN_A, Square};

/// Gathers column a into a byte, row 1 lowest.
#[inline(always)]
pub fn column_a(bits: u64) -> u8 {
    // SAFETY: the module is compiled only where BMI2 is enabled.
    unsafe { _pext_u64(bits, COLUMN_A) as u8 }
}

/// Scatters a byte onto column a, the lowest bit on row 1.
#[inline(always)]
pub fn onto_column_a(line: u8) -> u64 {
    // SAFETY: the module is compiled only where BMI2 is enabled.
    unsafe { _pdep_u64(u64::from(line), COLUMN_A) }
}

/// Returns the player's stable discs; see [`crate::stability::stable`].
#[inline(always)]
pub fn stable(player: u64, opponent: u64) -> u64 {
    stable_with(player, opponent, column_a, onto_column_a)
}

/// Returns a number of stable discs of the player that is at least `wanted`; see
/// [`crate::stability::at_least`].
#[inline(always)]
pub fn stable_count(player: u64, opponent: u64, wanted: u32) -> Option<u32> {
    stable_count_with(player, opponent, wanted, column_a, onto_column_a)
}

/// Number of discs that a disc on a square of a line flips, for every set of own discs; the
/// opponent has all other squares. A shorter line leaves the high bits empty, which closes no run.
static FLIP_COUNTS: [[u8; 256]; 8] = {
    let mut table = [[0; 256]; 8];
    let mut place = 0;
    while place < 8 {
        let mut own = 0;
        while own < 256 {
            table[place][own] = flip_count(place as i32, own);
            own += 1;
        }
        place += 1;
    }
    table
};

const fn flip_count(place: i32, own: usize) -> u8 {
    let mut count = 0;
    let mut step = -1;
    while step <= 1 {
        let mut at = place + step;
        let mut run = 0;
        while at >= 0 && at < 8 && own >> at & 1 == 0 {
            run += 1;
            at += step;
        }
        if at >= 0 && at < 8 {
            count += run;
        }
        step += 2;
    }
    count
}

/// Where a square's flips are found.
#[derive(Clone, Copy)]
struct Lines {
    column: u64,
    /// Both diagonals, without the square.
    diagonals: u64,
    /// The square's first entry in [`DIAGONAL_FLIPS`].
    first: u32,
}

const LINES: [Lines; 64] = {
    let mut table = [Lines { column: 0, diagonals: 0, first: 0 }; 64];
    let (mut square, mut first) = (0, 0);
    while square < 64 {
        let rays = &RAYS[square];
        let [_, south_west, south, south_east] = rays.rising;
        let [_, north_east, north, north_west] = rays.falling;
        let diagonals = south_west | south_east | north_east | north_west;
        table[square] = Lines { column: north | south | 1 << square, diagonals, first };
        first += 1 << diagonals.count_ones();
        square += 1;
    }
    table
};

/// [`LINES`] in memory.
static LINES_OF_SQUARES: [Lines; 64] = LINES;

/// Number of entries of [`DIAGONAL_FLIPS`].
const DIAGONAL_SETS: usize = {
    let last = LINES[63];
    last.first as usize + (1 << last.diagonals.count_ones())
};

/// Number of discs that a disc flips on its diagonals, for each square and every set of own discs
/// there, gathered; the opponent has all other squares. The sets of a square on the edge, where
/// most games end, take 128 bytes.
#[allow(long_running_const_eval)]
static DIAGONAL_FLIPS: [u8; DIAGONAL_SETS] = {
    let mut table = [0; DIAGONAL_SETS];
    let mut square = 0;
    while square < 64 {
        let (lines, rays) = (LINES[square], &RAYS[square]);
        let mut set = 0;
        while set < 1u64 << lines.diagonals.count_ones() {
            let own = scattered(set, lines.diagonals);
            let rising = run(rays.rising[1], own, false) + run(rays.rising[3], own, false);
            let falling = run(rays.falling[1], own, true) + run(rays.falling[3], own, true);
            table[lines.first as usize + set as usize] = (rising + falling) as u8;
            set += 1;
        }
        square += 1;
    }
    table
};

/// Scatters the low bits of a set onto a mask.
const fn scattered(set: u64, mut mask: u64) -> u64 {
    let (mut found, mut at) = (0, 0);
    while mask != 0 {
        if set >> at & 1 != 0 {
            found |= mask & mask.wrapping_neg();
        }
        mask &= mask - 1;
        at += 1;
    }
    found
}

/// Returns the number of squares of a ray before the first own disc; 0 without one.
const fn run(ray: u64, own: u64, is_falling: bool) -> u32 {
    let own = ray & own;
    if own == 0 {
        0
    } else if is_falling {
        (ray & !(u64::MAX >> own.leading_zeros())).count_ones()
    } else {
        (ray & ((own & own.wrapping_neg()) - 1)).count_ones()
    }
}

/// Returns the number of discs that `player` flips with the last disc of a game, on `square`: all
/// other squares are full.
#[inline(always)]
pub fn last_flips(player: u64, square: Square) -> u32 {
    let lines = &LINES_OF_SQUARES[square.index()];
    let row = (player >> (square.index() & 56)) as usize & 255;
    // SAFETY: the module is compiled only where BMI2 is enabled.
    let (column, diagonals) =
        unsafe { (_pext_u64(player, lines.column), _pext_u64(player, lines.diagonals)) };
    let row = FLIP_COUNTS[square.index() & 7][row];
    let column = FLIP_COUNTS[square.index() >> 3][column as usize & 255];
    let diagonals = DIAGONAL_FLIPS[lines.first as usize + diagonals as usize];
    u32::from(row) + u32::from(column) + u32::from(diagonals)
}
