//! The weights as evaluation looks them up.

use super::layout::{COUNTED, FEATURES, RAW, counted, raw_features};
use super::midboard::{Lanes, MidBoard};

/// How many stages the game is divided into, two plies each.
pub const STAGES: usize = 30;

/// A stored weight's parts of a disc.
pub const PARTS: i32 = 128;

/// The stage of a position with so many empties, the first 0.
#[inline(always)]
pub const fn stage_of(empties: u32) -> usize {
    let ply = 60u32.saturating_sub(empties) as usize / 2;
    if ply < STAGES { ply } else { STAGES - 1 }
}

/// Any index of 16 bits lies in the table of any lane, so that no bound
/// need be checked.
pub(super) const PADDED: usize = RAW + (1 << 16);

/// The raw weights of one stage.
pub(super) type Stage = Box<[i16; PADDED]>;

/// The weights of all stages, unpacked.
#[derive(Clone, PartialEq, Eq)]
pub struct Tables {
    pub(super) stages: Vec<Stage>,
}

impl std::fmt::Debug for Tables {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "Tables({} stages of {RAW} weights)", self.stages.len())
    }
}

impl Tables {
    /// The sum of the weights of a position of a stage with these indices and
    /// these raw places of what is counted, in hundredths of a disc for the
    /// side to move.
    #[inline(always)]
    pub fn sum(&self, stage: usize, lanes: &Lanes, counted: &[usize; COUNTED]) -> i32 {
        let stage = &self.stages[stage];
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
        let stage = &self.stages[stage_of(board.position().empties())];
        raw_features(board.position(), board.indices()).map(|at| stage[at])
    }
}

/// The sum of the weights of all placements.
#[inline(always)]
fn pattern_sum(stage: &[i16; PADDED], lanes: &Lanes) -> i32 {
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
