//! The weights as evaluation looks them up.

use super::layout::{COUNTED, FEATURES, PADDED, RAW, counted, raw_features};
use super::midboard::{Lanes, MidBoard};
use crate::memory::Memory;

/// How many stages the game is divided into, two plies each.
pub const STAGES: usize = 30;

/// A stored weight's parts of a disc. Finer ones make a larger file; these round
/// a sum by 0.07 discs (standard deviation).
pub const PARTS: i32 = 32;

/// Weights of one configuration at all stages.
pub type ConfigurationWeights = [i16; STAGES];

/// The stage of a position with so many empties, the first 0.
#[inline(always)]
pub const fn stage_of(empties: u32) -> usize {
    let ply = 60u32.saturating_sub(empties) as usize / 2;
    if ply < STAGES { ply } else { STAGES - 1 }
}

/// The raw weights of one stage, and what follows them.
type Stage = [i16; PADDED];

/// The weights of all stages, unpacked: [`RAW`] for each, and behind the last
/// what a stage is padded with.
pub struct Tables(Memory);

impl std::fmt::Debug for Tables {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "Tables({STAGES} stages of {RAW} weights)")
    }
}

impl Tables {
    /// Weights that are all 0.
    pub(super) fn zeroes() -> Tables {
        let weights = (STAGES - 1) * RAW + PADDED;
        Tables(Memory::new(size_of::<i16>() * weights).expect("12 MB of memory"))
    }

    /// The raw weights, stage after stage.
    pub(super) fn weights(&mut self) -> &mut [i16] {
        &mut self.0.values()[..STAGES * RAW]
    }

    /// The raw weights of a stage.
    #[inline(always)]
    fn stage(&self, stage: usize) -> &Stage {
        self.0.value(size_of::<i16>() * RAW * stage).expect("there is room for every stage")
    }

    /// The sum of the weights of a position of a stage with these indices and
    /// these raw places of what is counted, in hundredths of a disc for the
    /// side to move.
    #[inline(always)]
    pub fn sum(&self, stage: usize, lanes: &Lanes, counted: &[usize; COUNTED]) -> i32 {
        let stage = self.stage(stage);
        let counts: i32 = counted.iter().map(|&at| i32::from(stage[at])).sum();
        100 * (pattern_sum(stage, lanes) + counts) / PARTS
    }

    /// The same of a board.
    pub fn sum_of(&self, board: &MidBoard) -> i32 {
        let position = board.position();
        self.sum(stage_of(position.empties()), board.indices(), &counted(position))
    }

    /// What each feature of a board adds to its value for the side to move, in
    /// [`PARTS`] of a disc: the placements by their lane, then what is
    /// counted.
    pub fn parts(&self, board: &MidBoard) -> [i16; FEATURES] {
        let stage = self.stage(stage_of(board.position().empties()));
        raw_features(board.position(), board.indices()).map(|at| stage[at])
    }
}

impl PartialEq for Tables {
    fn eq(&self, other: &Tables) -> bool {
        (0..STAGES).all(|stage| self.stage(stage)[..RAW] == other.stage(stage)[..RAW])
    }
}

/// The sum of the weights of all placements.
#[inline(always)]
fn pattern_sum(stage: &Stage, lanes: &Lanes) -> i32 {
    use super::layout::LANE_FIRST;
    macro_rules! sum {
        ($($lane:literal)*) => {
            0 $(+ i32::from(stage[LANE_FIRST[$lane] + usize::from(lanes.0[$lane])]))*
        };
    }
    sum!(0 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20 21 22 23 24 25 26 27 28 29 30
        31 32 33 34 35 36 37 38 39 40 41 42 43 44 45 46 47 48 49 50 51 52 53 54 55 56 57 58 59
        60 61)
}
