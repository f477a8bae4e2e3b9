//! A small network over the same patterns: what no sum of them can say.
//!
//! Every configuration of a pattern has a row of [`WIDTH`] small whole
//! numbers, the same at all stages of the game. The rows of a position's
//! patterns are added up, squeezed, mixed by the head of its stage into
//! [`HIDDEN`] numbers, squeezed again and added up: a correction in parts of a
//! disc to what the weights of the patterns say.
//!
//! The sum has [`CHANNELS`] numbers for each of the eight symmetries. A
//! pattern that lies as a symmetry takes it adds its row with the blocks
//! changed round by that symmetry, and the heads treat all blocks alike. So a
//! row can say something of one side of a corner that meets what the pattern
//! on that side says, and yet the eight images of a position have one value.
//! Everything is whole numbers: the order of a sum does not matter, and every
//! processor comes to the same value.
//!
//! After: small networks over pattern rows in place of weights, as in the
//! newest Othello programs; E. Nasu, "Efficiently updatable neural-network
//! based evaluation functions for computer shogi", 2018 (whole numbers,
//! squeezed sums); T. Cohen and M. Welling, "Group equivariant convolutional
//! networks", 2016 (blocks for symmetries).

pub mod embedding;
pub mod layer;
pub mod parameters;
#[cfg(test)]
mod tests;

use super::patterns::layout::{COUNTED, LANE_FIRST, PACKING, PADDED, RAW};
use super::patterns::shapes::PLACEMENT;
use super::patterns::{Lanes, STAGES};
use crate::memory::Memory;
use embedding::{FROM, turned};
use layer::{Head, Mixer};
use umigame_othello::Symmetry;
use umigame_othello::kernels::RowSum;

/// Numbers of a row for each symmetry.
pub const CHANNELS: usize = 4;
/// Symmetries of the board.
pub const TURNS: usize = Symmetry::ALL.len();
/// Numbers of a row: the channels of each symmetry in the order of
/// [`Symmetry::ALL`].
pub const WIDTH: usize = CHANNELS * TURNS;
/// Kinds of mixed numbers; each has one for every symmetry.
pub const KINDS: usize = 2;
/// Numbers that a head mixes.
pub const HIDDEN: usize = KINDS * TURNS;

/// A row, in parts of which [`ROW_PARTS`] are one.
pub type Row = [i8; WIDTH];
/// The sum of rows.
pub type Sum = [i16; WIDTH];

/// A stored row's parts of a whole.
pub const ROW_PARTS: i32 = 128;

/// Every raw row, and what follows them.
type Rows = [Row; PADDED];

/// The numbers of a network as they are fitted and stored.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Numbers {
    /// The row of every packed place, [`PACKING`]'s.
    pub rows: Vec<Row>,
    /// The head of every stage.
    pub heads: Vec<Head>,
}

/// A network as evaluation uses it.
pub struct Network {
    /// The raw rows, a [`Rows`].
    rows: Memory,
    mixers: Vec<Mixer>,
}

impl std::fmt::Debug for Network {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "Network({RAW} rows of {WIDTH}, {} heads)", self.mixers.len())
    }
}

impl Network {
    /// The network of its numbers; `None` where there are more or fewer rows
    /// or heads than places and stages.
    pub fn new(numbers: &Numbers) -> Option<Network> {
        if numbers.rows.len() != PACKING.len || numbers.heads.len() != STAGES {
            return None;
        }
        let mut rows = Memory::new(size_of::<Rows>()).expect("11 MB of memory");
        let places = PACKING.packed.iter().zip(&PACKING.turns);
        for (row, (&packed, &turn)) in rows.values::<Row>().iter_mut().zip(places) {
            *row = turned(&numbers.rows[packed as usize], turn);
        }
        Some(Network { rows, mixers: numbers.heads.iter().map(Mixer::new).collect() })
    }

    /// The correction for the side to move, in hundredths of a disc, of a
    /// position of a stage with these indices, and these raw places of what
    /// is counted.
    #[inline(never)]
    pub fn value(&self, stage: usize, lanes: &Lanes, counted: &[usize; COUNTED]) -> i32 {
        self.mixers[stage].value(&self.sum(lanes, counted))
    }

    /// The sum of the rows of a position.
    #[inline(always)]
    pub fn sum(&self, lanes: &Lanes, counted: &[usize; COUNTED]) -> Sum {
        let rows: &Rows = self.rows.value(0).expect("there is room for all");
        let mut parts = [RowSum::zero(); TURNS];
        macro_rules! add {
            ($($lane:literal)*) => {
                $({
                    let row = &rows[LANE_FIRST[$lane] + usize::from(lanes.0[$lane])];
                    let part = &mut parts[PLACEMENT[$lane].symmetry.index()];
                    *part = part.with(row);
                })*
            };
        }
        add!(0 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20 21 22 23 24 25 26 27 28 29 30
            31 32 33 34 35 36 37 38 39 40 41 42 43 44 45 46 47 48 49 50 51 52 53 54 55 56 57 58
            59 60 61);
        // What is counted over the whole board is the same for all symmetries.
        let mut sum = counted.iter().fold(parts[0], |sum, &place| sum.with(&rows[place]));
        for (part, from) in parts.iter().zip(&FROM).skip(1) {
            sum = sum.plus(part.ordered(from));
        }
        sum.numbers()
    }
}
