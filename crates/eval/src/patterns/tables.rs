//! Pattern weights as evaluation looks them up.

use super::layout::{COUNTED, FEATURES, LANE_FIRST, PADDED, RAW, counted, raw_features};
use super::midboard::{Lanes, MidBoard};
use crate::memory::Memory;

/// Phases of the game, two plies each; each has its own weights.
pub const PHASES: usize = 30;

/// Stored weights are in units of 1 / `WEIGHT_SCALE` of a disc. Rounding to 32nds changes a sum by
/// 0.07 discs (standard deviation); a finer scale makes a larger file.
pub const WEIGHT_SCALE: i32 = 32;

/// Weights of one configuration at all phases.
pub type ConfigurationWeights = [i16; PHASES];

/// Returns the phase of a position with `empties` empties; the first is 0.
#[inline(always)]
pub const fn phase_of(empties: u32) -> usize {
    let phase = 60u32.saturating_sub(empties) as usize / 2;
    if phase < PHASES { phase } else { PHASES - 1 }
}

/// Raw weights of one phase, padded.
type PhaseTable = [i16; PADDED];

/// Raw weights of all phases: [`RAW`] for each, and the padding after the last.
#[derive(derive_more::Debug)]
#[debug("Tables({PHASES} phases of {RAW} weights)")]
pub struct Tables(Memory);

impl Tables {
    /// Returns tables of zeros.
    pub(super) fn zeros() -> Tables {
        let weights = (PHASES - 1) * RAW + PADDED;
        Tables(Memory::new(size_of::<i16>() * weights).expect("12 MB of memory"))
    }

    /// The raw weights, phase after phase.
    pub(super) fn weights(&mut self) -> &mut [i16] {
        &mut self.0.values()[..PHASES * RAW]
    }

    #[inline(always)]
    fn phase(&self, phase: usize) -> &PhaseTable {
        self.0.value(size_of::<i16>() * RAW * phase).expect("room for every phase")
    }

    /// Returns the sum of the weights of a position, in centidiscs for the side to move.
    ///
    /// The position is given by its phase, its indices and the raw places of its counted features.
    #[inline(always)]
    pub fn sum(&self, phase: usize, lanes: &Lanes, counted: &[usize; COUNTED]) -> i32 {
        let table = self.phase(phase);
        let counts: i32 = counted.iter().map(|&at| i32::from(table[at])).sum();
        100 * (pattern_sum(table, lanes) + counts) / WEIGHT_SCALE
    }

    /// Returns the sum of the weights of `board`, in centidiscs for the side to move.
    pub fn sum_of(&self, board: &MidBoard) -> i32 {
        let position = board.position();
        self.sum(phase_of(position.empties()), board.indices(), &counted(position))
    }

    /// Returns the weight of each feature of `board`, in units of 1 / [`WEIGHT_SCALE`] of a disc:
    /// placements by lane, then counted features.
    pub fn feature_weights(&self, board: &MidBoard) -> [i16; FEATURES] {
        let table = self.phase(phase_of(board.position().empties()));
        raw_features(board.position(), board.indices()).map(|at| table[at])
    }
}

impl PartialEq for Tables {
    fn eq(&self, other: &Tables) -> bool {
        (0..PHASES).all(|phase| self.phase(phase)[..RAW] == other.phase(phase)[..RAW])
    }
}

/// Returns the sum of the weights of all placements.
#[inline(always)]
fn pattern_sum(table: &PhaseTable, lanes: &Lanes) -> i32 {
    macro_rules! sum {
        ($($lane:literal)*) => {
            0 $(+ i32::from(table[LANE_FIRST[$lane] + usize::from(lanes.0[$lane])]))*
        };
    }
    sum!(0 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20 21 22 23 24 25 26 27 28 29 30
        31 32 33 34 35 36 37 38 39 40 41 42 43 44 45 46 47 48 49 50 51 52 53 54 55 56 57 58 59
        60 61)
}
