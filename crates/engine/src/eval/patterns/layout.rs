//! Where each weight lies: the tables of one stage, one after the other.
//!
//! First the configurations of the shapes, then what is counted over the
//! whole board: mobility, potential mobility, parity. A weight's *raw* place
//! is the one that evaluation looks up; configurations that are mirror
//! images of each other have one *packed* place between them, and only packed
//! weights are fitted and stored.

use std::ops::Range;

use super::midboard::Lanes;
use super::shapes::{PLACEMENT, PLACEMENTS, SHAPE, SHAPES, folds};
use crate::eval::parity::{around, odd_quadrants};
use umigame_othello::{Position, Symmetry};

/// Numbers of moves that mobility tells apart.
const MOVES: usize = 32;
/// Numbers of empty neighbours that potential mobility tells apart.
const NEIGHBOURS: usize = 48;

const MOBILITY: usize = PATTERNS;
const OWN_POTENTIAL: usize = MOBILITY + MOVES * MOVES;
const OTHER_POTENTIAL: usize = OWN_POTENTIAL + NEIGHBOURS;
const PARITY: usize = OTHER_POTENTIAL + NEIGHBOURS;
/// Raw weights of a stage.
pub const RAW: usize = PARITY + 5;
/// So many that any index of 16 bits lies behind the beginning of any lane, and
/// no bound need be checked.
pub const PADDED: usize = RAW + (1 << 16);

/// Where the configurations of each shape begin.
pub const FIRST: [usize; SHAPES] = firsts();
/// Configurations of all shapes.
pub const PATTERNS: usize = FIRST[SHAPES - 1] + SHAPE_SIZES[SHAPES - 1];

/// Blocks of weights that do not mix: one for each shape, and one for what is
/// counted.
pub const BLOCKS: usize = SHAPES + 1;

/// The raw places of a block, less than [`BLOCKS`].
pub const fn block(block: usize) -> Range<usize> {
    match block {
        SHAPES => PATTERNS..RAW,
        shape => FIRST[shape]..FIRST[shape] + SHAPE_SIZES[shape],
    }
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

/// Where the configurations of each lane begin.
pub const LANE_FIRST: [usize; PLACEMENTS] = {
    let mut firsts = [0; PLACEMENTS];
    let mut lane = 0;
    while lane < PLACEMENTS {
        firsts[lane] = FIRST[PLACEMENT[lane].shape];
        lane += 1;
    }
    firsts
};

/// How many features a position has outside the patterns.
pub const COUNTED: usize = 4;
/// How many features a position has.
pub const FEATURES: usize = PLACEMENTS + COUNTED;

/// The raw places of what is counted over the whole board.
#[inline(always)]
pub fn counted(position: Position) -> [usize; COUNTED] {
    let count = |moves: u64| (moves.count_ones() as usize).min(MOVES - 1);
    let (own, other) = (count(position.moves()), count(position.passed().moves()));
    let near = |discs: u64| {
        (around(discs) & position.empty()).count_ones().min(NEIGHBOURS as u32 - 1) as usize
    };
    [
        MOBILITY + MOVES * own + other,
        OWN_POTENTIAL + near(position.opponent),
        OTHER_POTENTIAL + near(position.player),
        PARITY + odd_quadrants(position.empty()).count_ones() as usize,
    ]
}

/// The packed places of mobility: every position has one of them.
pub fn moves_places() -> Range<usize> {
    let first = PACKING.packed[MOBILITY] as usize;
    first..first + MOVES * MOVES
}

/// The raw places of all features of a position.
pub fn raw_features(position: Position, lanes: &Lanes) -> [usize; FEATURES] {
    let counted = counted(position);
    std::array::from_fn(|i| match LANE_FIRST.get(i) {
        Some(first) => first + usize::from(lanes.0[i]),
        None => counted[i - PLACEMENTS],
    })
}

/// Which packed weight each raw one is.
#[derive(Debug)]
pub struct Packing {
    /// For each raw place, the packed one.
    pub packed: Vec<u32>,
    /// For each raw place, the symmetry that takes the configuration that
    /// stands for it to its own.
    pub turns: Vec<Symmetry>,
    /// How many packed weights there are.
    pub len: usize,
}

impl Packing {
    /// The packed places of a block, less than [`BLOCKS`].
    pub fn block(&self, at: usize) -> Range<usize> {
        let first = |raw: usize| self.packed.get(raw).map_or(self.len, |&place| place as usize);
        let Range { start, end } = block(at);
        first(start)..first(end)
    }
}

/// The packing, computed once.
pub static PACKING: std::sync::LazyLock<Packing> = std::sync::LazyLock::new(|| {
    let (mut packed, mut turns) = (Vec::with_capacity(RAW), Vec::with_capacity(RAW));
    let mut len = 0;
    let mut give = |packed: &mut Vec<u32>| {
        packed.push(len);
        len += 1;
    };
    for (shape, first) in SHAPE.iter().zip(FIRST) {
        for (index, (same, symmetry)) in folds(shape).into_iter().enumerate() {
            turns.push(symmetry.inverse());
            match same as usize {
                same if same < index => packed.push(packed[first + same]),
                _ => give(&mut packed),
            }
        }
    }
    while packed.len() < RAW {
        give(&mut packed);
    }
    turns.resize(RAW, Symmetry::IDENTITY);
    Packing { packed, turns, len: len as usize }
});
