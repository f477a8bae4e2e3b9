//! Zobrist keys: a random word for each disc of each colour on each square, and for each side to
//! move. The key of a position is the XOR of its words.
//!
//! After A. L. Zobrist, "A New Hashing Method with Application for Game Playing", 1970.

use crate::color::Color;
use crate::square::Square;

/// Start of the random sequence.
const SEED: u64 = 0x756D_6967_616D_6521;

/// Returns the next state of the SplitMix64 sequence and its word.
const fn split_mix(state: u64) -> (u64, u64) {
    let state = state.wrapping_add(0x9E37_79B9_7F4A_7C15);
    let mut word = state;
    word = (word ^ (word >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    word = (word ^ (word >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
    (state, word ^ (word >> 31))
}

/// Words by colour: one for each square, then one for the side to move.
static WORDS: [[u64; Square::COUNT + 1]; 2] = {
    let mut words = [[0; Square::COUNT + 1]; 2];
    let mut state = SEED;
    let mut i = 0;
    while i < words.len() * (Square::COUNT + 1) {
        let (next, word) = split_mix(state);
        state = next;
        words[i / (Square::COUNT + 1)][i % (Square::COUNT + 1)] = word;
        i += 1;
    }
    words
};

/// Returns the word of a disc.
pub(crate) fn disc(color: Color, square: Square) -> u64 {
    WORDS[color.index()][square.index()]
}

/// Returns the word of a side to move.
pub(crate) fn side(side: Color) -> u64 {
    WORDS[side.index()][Square::COUNT]
}
