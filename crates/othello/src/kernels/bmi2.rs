//! The kernels that gather the bits of a line into a byte with BMI2: the flips of the last disc,
//! from a table for each of the four lines through a square, and the stable discs of edges.
//!
//! Stability of inner discs is the portable code: four axes in an AVX2 register took as long.
#![allow(unsafe_code)]

use std::arch::x86_64::{_pdep_u64, _pext_u64};

use super::stable::stable_with;
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

/// The column and the two diagonals of a square, and the square's place on each of them.
#[derive(Clone, Copy)]
struct Lines {
    masks: [u64; 3],
    places: [u8; 3],
}

static LINES: [Lines; 64] = {
    let mut table = [Lines { masks: [0; 3], places: [0; 3] }; 64];
    let mut square = 0;
    while square < 64 {
        let (column, row) = (square % 8, square / 8);
        let mut other = 0;
        while other < 64 {
            let (c, r) = (other % 8, other / 8);
            let on_line = [c == column, c - r == column - row, c + r == column + row];
            let mut line = 0;
            while line < 3 {
                if on_line[line] {
                    table[square as usize].masks[line] |= 1 << other;
                    if other < square {
                        table[square as usize].places[line] += 1;
                    }
                }
                line += 1;
            }
            other += 1;
        }
        square += 1;
    }
    table
};

/// Returns the number of discs that `player` flips with the last disc of a game, on `square`: all
/// other squares are full.
#[inline(always)]
pub fn last_flips(player: u64, square: Square) -> u32 {
    let lines = &LINES[square.index()];
    let row = (player >> (square.index() & 56)) as usize & 255;
    let mut count = u32::from(FLIP_COUNTS[square.index() & 7][row]);
    for line in 0..3 {
        // SAFETY: the module is compiled only where BMI2 is enabled.
        let own = unsafe { _pext_u64(player, lines.masks[line]) } as usize & 255;
        count += u32::from(FLIP_COUNTS[lines.places[line] as usize & 7][own]);
    }
    count
}
