//! What BMI2 is for: gathering the bits of a line into a byte. A table knows
//! what the last disc flips on each of the four lines through a square, and
//! another which discs of an edge are stable.
//!
//! What follows from the edges for the inner discs is the portable code: four
//! axes in a register of AVX2 took as long.
#![allow(unsafe_code)]

use std::arch::x86_64::{_pdep_u64, _pext_u64};

use crate::{COLUMN_A, Square, stability};

/// The bits of column a, row 1 lowest.
#[inline(always)]
pub fn column_a(bits: u64) -> u8 {
    // SAFETY: the module is compiled only where BMI2 is enabled.
    unsafe { _pext_u64(bits, COLUMN_A) as u8 }
}

/// Eight bits laid down column a, the lowest on row 1.
#[inline(always)]
pub fn onto_column_a(line: u8) -> u64 {
    // SAFETY: the module is compiled only where BMI2 is enabled.
    unsafe { _pdep_u64(u64::from(line), COLUMN_A) }
}

/// The stable discs of the player, as [`stability::stable`] has them.
#[inline(always)]
pub fn stable(player: u64, opponent: u64) -> u64 {
    stability::stable_with(player, opponent, column_a, onto_column_a)
}

/// Discs flipped on a line of eight by a disc at a place on it, for every
/// set of own discs, all other squares of the line being the opponent's. A
/// shorter line leaves the high bits empty, which closes no run.
static FLIPPED: [[u8; 256]; 8] = {
    let mut table = [[0; 256]; 8];
    let mut place = 0;
    while place < 8 {
        let mut own = 0;
        while own < 256 {
            table[place][own] = flipped(place as i32, own);
            own += 1;
        }
        place += 1;
    }
    table
};

const fn flipped(place: i32, own: usize) -> u8 {
    let mut count = 0;
    let mut sense = -1;
    while sense <= 1 {
        let mut at = place + sense;
        let mut run = 0;
        while at >= 0 && at < 8 && own >> at & 1 == 0 {
            run += 1;
            at += sense;
        }
        if at >= 0 && at < 8 {
            count += run;
        }
        sense += 2;
    }
    count
}

/// The column and the two diagonals of a square, and the square's place on
/// each diagonal.
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
            let on = [c == column, c - r == column - row, c + r == column + row];
            let mut line = 0;
            while line < 3 {
                if on[line] {
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

/// How many discs `player` flips with the last disc, on `square`, all other
/// squares being the opponent's.
#[inline(always)]
pub fn last_flips(player: u64, square: Square) -> u32 {
    let lines = &LINES[square.index()];
    let row = (player >> (square.index() & 56)) as usize & 255;
    let mut count = u32::from(FLIPPED[square.index() & 7][row]);
    for line in 0..3 {
        // SAFETY: the module is compiled only where BMI2 is enabled.
        let own = unsafe { _pext_u64(player, lines.masks[line]) } as usize & 255;
        count += u32::from(FLIPPED[lines.places[line] as usize & 7][own]);
    }
    count
}
