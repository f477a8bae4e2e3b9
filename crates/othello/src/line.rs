//! Lines: eight squares in a row, as two bytes, one for each side's discs.
//!
//! A line has 3^8 states; [`line_index`] numbers them. A table holds, for every state, the discs
//! that no play on the line can flip.

/// Number of states of a line: 3^8.
pub const LINES: usize = 6561;

/// For every set of discs of one side, its part of a line's index: bit `k` counts 3^k.
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

/// Returns the index of a line, below [`LINES`].
#[inline(always)]
pub const fn line_index(player: u8, opponent: u8) -> usize {
    TERNARY[player as usize] as usize + 2 * TERNARY[opponent as usize] as usize
}

/// Returns the discs (player, opponent) of the line with an index: the inverse of [`line_index`].
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

/// Returns the discs along the line that a disc of `player` on square `k` flips.
pub const fn line_flips(player: u8, opponent: u8, k: u32) -> u8 {
    let mut flips = 0;
    let (mut run, mut at) = (0u8, k + 1);
    while at < 8 && opponent & (1 << at) != 0 {
        run |= 1 << at;
        at += 1;
    }
    if at < 8 && player & (1 << at) != 0 {
        flips |= run;
    }
    (run, at) = (0, k);
    while at > 0 && opponent & (1 << (at - 1)) != 0 {
        at -= 1;
        run |= 1 << at;
    }
    if at > 0 && player & (1 << (at - 1)) != 0 {
        flips |= run;
    }
    flips
}

/// Returns the player's discs that survive every order of filling the empty squares, by either
/// side. A disc may be placed on an edge square because it flips inward, so every empty square is
/// open to both sides.
const fn stable_on_line(player: u8, opponent: u8, table: &[u8; LINES]) -> u8 {
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

/// For every line, the player's discs that no play on the line can flip. Filled from full lines
/// to empty ones.
// The loop is bounded by the number of lines; it takes a few million steps.
#[allow(long_running_const_eval)]
static EDGE_STABLE: [u8; LINES] = {
    let mut table = [0; LINES];
    let mut empties = 0;
    while empties <= 8 {
        let mut index = 0;
        while index < LINES {
            let (player, opponent) = line_of_index(index);
            if (player | opponent).count_zeros() == empties {
                table[index] = stable_on_line(player, opponent, &table);
            }
            index += 1;
        }
        empties += 1;
    }
    table
};

/// Returns the player's discs of an edge, given by [`line_index`], that no play on it can flip.
#[inline(always)]
pub fn edge_stable(index: usize) -> u8 {
    EDGE_STABLE[index]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn line_index_and_line_of_index_are_inverses() {
        for index in 0..LINES {
            let (player, opponent) = line_of_index(index);
            assert_eq!(player & opponent, 0);
            assert_eq!(line_index(player, opponent), index);
        }
    }
}
