//! The positions of an objective: those to tune on and those of the check.

use crate::tune::error::TuneError;
use umigame_othello::Position;
use umigame_support::random;
use umigame_training::starts::hash_positions;

/// Every how many of the given positions one is held out for the check.
const HELD_OUT_EVERY: usize = 5;
/// Minimum positions of a check: an interval takes two.
const MIN_CHECKED: usize = 2;

/// The positions to tune on, and others for the check.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct TuningPositions {
    pub(super) tuned: Vec<Position>,
    pub(super) checked: Vec<Position>,
    /// Where those of the check come from.
    origin: String,
}

impl TuningPositions {
    /// Holds every fifth position out for the check.
    ///
    /// # Errors
    /// There are fewer than two.
    pub fn new(positions: Vec<Position>) -> Result<TuningPositions, TuneError> {
        let is_held_out = |at: usize| at % HELD_OUT_EVERY == HELD_OUT_EVERY - 1;
        if positions.len() < 2 {
            return Err(TuneError::TooFew(positions.len()));
        }
        let (mut tuned, mut checked) = (Vec::new(), Vec::new());
        for (at, position) in positions.into_iter().enumerate() {
            if is_held_out(at) { &mut checked } else { &mut tuned }.push(position);
        }
        Ok(TuningPositions { tuned, checked, origin: "held out".to_owned() })
    }

    /// These positions with others for the check, `origin` by name.
    #[must_use]
    pub fn with_check(self, origin: String, checked: Vec<Position>) -> TuningPositions {
        TuningPositions { checked, origin, ..self }
    }

    /// These positions with at most `count` for the check.
    #[must_use]
    pub fn with_check_of(mut self, count: usize) -> TuningPositions {
        self.checked.truncate(count);
        self
    }

    /// Chooses `count` different positions to tune on, or all if there are fewer, and returns their
    /// places.
    pub(super) fn batch(&self, count: usize, seed: u64, iteration: u64) -> Vec<usize> {
        // Not the random numbers that perturb the parameters.
        random::numbered(!seed, iteration).choose_multiple(0..self.tuned.len(), count)
    }

    /// Describes the positions to tune on, for the header of the log.
    pub(super) fn tuned_set(&self) -> String {
        fingerprint(&self.tuned)
    }

    /// Describes the positions of the check; `None` if there are too few.
    pub(super) fn check_set(&self) -> Option<String> {
        let is_enough = self.checked.len() >= MIN_CHECKED;
        is_enough.then(|| format!("{}, {}", self.origin, fingerprint(&self.checked)))
    }
}

/// Returns the number of positions with their checksum.
fn fingerprint(positions: &[Position]) -> String {
    let mut hasher = crc32fast::Hasher::new();
    hash_positions(&mut hasher, positions);
    format!("{} positions, checksum {:08x}", positions.len(), hasher.finalize())
}
