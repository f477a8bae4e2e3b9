//! Layout of the weights of one phase.
//!
//! First come the configurations of the shapes, then the features counted over the whole board:
//! mobility, potential mobility, parity. Evaluation looks a weight up at its *raw* place.
//! Configurations that are mirror images of each other share one *packed* place, and only packed
//! weights are fitted and stored.

use std::ops::Range;

use super::midboard::Lanes;
use super::shapes::{PLACEMENT, PLACEMENTS, SHAPE, SHAPES, folds};
use crate::parity::{around, odd_quadrants};
use umigame_othello::{Bitboard, Position, Symmetry};

/// Distinct numbers of moves of a side; higher ones count as the last.
const MOVE_COUNTS: usize = 32;
/// Distinct numbers of empties next to a side's discs; higher ones count as the last.
const NEIGHBOUR_COUNTS: usize = 48;

const MOBILITY_START: usize = PATTERNS;
const OWN_POTENTIAL: usize = MOBILITY_START + MOVE_COUNTS * MOVE_COUNTS;
const OTHER_POTENTIAL: usize = OWN_POTENTIAL + NEIGHBOUR_COUNTS;
const PARITY: usize = OTHER_POTENTIAL + NEIGHBOUR_COUNTS;
/// Raw weights of a phase.
pub const RAW: usize = PARITY + 5;
/// Raw weights with padding: any 16-bit index from the beginning of any lane lies within, so no
/// bound is checked.
pub const PADDED: usize = RAW + (1 << 16);

/// First raw place of the configurations of each shape.
pub const FIRST: [usize; SHAPES] = firsts();
/// Configurations of all shapes.
pub const PATTERNS: usize = FIRST[SHAPES - 1] + SHAPE_SIZES[SHAPES - 1];

/// Blocks of weights: one for each shape and one for the counted features.
pub const BLOCKS: usize = SHAPES + 1;

/// Returns the raw places of a block, which is less than [`BLOCKS`].
pub const fn block(block: usize) -> Range<usize> {
    match block {
        SHAPES => PATTERNS..RAW,
        shape => FIRST[shape]..FIRST[shape] + SHAPE_SIZES[shape],
    }
}

/// Splits values of the raw places into those of each block.
pub fn by_block<T>(mut values: &mut [T]) -> impl Iterator<Item = &mut [T]> {
    (0..BLOCKS).map_while(move |at| values.split_off_mut(..block(at).len()))
}

const SHAPE_SIZES: [usize; SHAPES] = {
    let mut sizes = [0; SHAPES];
    let mut i = 0;
    while i < SHAPES {
        sizes[i] = SHAPE[i].configurations();
        i += 1;
    }
    sizes
};

const fn firsts() -> [usize; SHAPES] {
    let mut firsts = [0; SHAPES];
    let mut i = 1;
    while i < SHAPES {
        firsts[i] = firsts[i - 1] + SHAPE_SIZES[i - 1];
        i += 1;
    }
    firsts
}

/// First raw place of the configurations of each lane.
pub const LANE_FIRST: [usize; PLACEMENTS] = {
    let mut firsts = [0; PLACEMENTS];
    let mut lane = 0;
    while lane < PLACEMENTS {
        firsts[lane] = FIRST[PLACEMENT[lane].shape];
        lane += 1;
    }
    firsts
};

/// Features of a position that are counted over the whole board.
pub const COUNTED: usize = 4;
/// Features of a position: one for each placement, and the counted ones.
pub const FEATURES: usize = PLACEMENTS + COUNTED;

/// Returns the raw places of the features counted over the whole board: mobility, own and other
/// potential mobility, odd quadrants.
#[inline(always)]
pub fn counted(position: Position) -> [usize; COUNTED] {
    let count = |moves: Bitboard| (moves.count() as usize).min(MOVE_COUNTS - 1);
    let (own, other) = (count(position.legal_moves()), count(position.passed().legal_moves()));
    let near = |discs: Bitboard| {
        let empties = (around(discs) & position.empty()).count() as usize;
        empties.min(NEIGHBOUR_COUNTS - 1)
    };
    [
        MOBILITY_START + MOVE_COUNTS * own + other,
        OWN_POTENTIAL + near(position.opponent()),
        OTHER_POTENTIAL + near(position.player()),
        PARITY + odd_quadrants(position.empty()).count_ones() as usize,
    ]
}

/// Returns the packed places of mobility: every position has exactly one of them.
pub fn mobility_places() -> Range<usize> {
    let first = PACKING.packed[MOBILITY_START] as usize;
    first..first + MOVE_COUNTS * MOVE_COUNTS
}

/// Returns the raw places of all features of a position.
pub fn raw_features(position: Position, lanes: &Lanes) -> [usize; FEATURES] {
    let counted = counted(position);
    std::array::from_fn(|i| match LANE_FIRST.get(i) {
        Some(first) => first + usize::from(lanes.0[i]),
        None => counted[i - PLACEMENTS],
    })
}

/// Mapping from raw to packed places.
#[derive(Debug)]
pub struct Packing {
    /// Packed place of each raw one.
    pub packed: Vec<u32>,
    /// For each raw place, the symmetry that takes the configuration of its packed place to its
    /// own.
    pub symmetries: Vec<Symmetry>,
    /// Number of packed places.
    pub len: usize,
}

impl Packing {
    /// Returns the packed places of a block, which is less than [`BLOCKS`].
    pub fn block(&self, at: usize) -> Range<usize> {
        let first = |raw: usize| self.packed.get(raw).map_or(self.len, |&place| place as usize);
        let Range { start, end } = block(at);
        first(start)..first(end)
    }
}

/// The packing, computed once.
pub static PACKING: std::sync::LazyLock<Packing> = std::sync::LazyLock::new(|| {
    let (mut packed, mut symmetries) = (Vec::with_capacity(RAW), Vec::with_capacity(RAW));
    let mut len = 0;
    let mut add_place = |packed: &mut Vec<u32>| {
        packed.push(len);
        len += 1;
    };
    for (shape, first) in SHAPE.iter().zip(FIRST) {
        for (index, (least, symmetry)) in folds(shape).into_iter().enumerate() {
            symmetries.push(symmetry.inverse());
            match least as usize {
                least if least < index => packed.push(packed[first + least]),
                _ => add_place(&mut packed),
            }
        }
    }
    while packed.len() < RAW {
        add_place(&mut packed);
    }
    symmetries.resize(RAW, Symmetry::IDENTITY);
    Packing { packed, symmetries, len: len as usize }
});
