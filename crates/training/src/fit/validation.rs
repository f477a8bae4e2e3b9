//! Validation set: positions that no fit sees, and errors on them.

use super::super::data::Sample;
use umigame_othello::Position;

/// One position in this many is held out.
const HELD_OUT_INTERVAL: u64 = 40;

/// Returns whether a position belongs to the validation set. It depends on the position alone, so
/// no fit ever sees it.
pub fn is_held_out(sample: &Sample) -> bool {
    (position_hash(sample.position) >> 32).is_multiple_of(HELD_OUT_INTERVAL)
}

/// Returns a hash whose high bits no pattern sees.
pub(in super::super) fn position_hash(position: Position) -> u64 {
    (position.player().bits() ^ position.opponent().bits().rotate_left(31))
        .wrapping_mul(0x9E37_79B9_7F4A_7C15)
}

/// Validation errors of a phase.
#[derive(Clone, Copy, Default, Debug)]
pub struct PhaseError {
    /// Positions fitted to.
    pub fitted: usize,
    /// Positions held out.
    pub held_out: usize,
    /// Mean absolute error in discs.
    pub mean_absolute: f64,
    /// Mean squared error in square discs.
    pub mean_squared: f64,
}

impl PhaseError {
    /// Returns the errors of a phase that was fitted to `fitted` positions, from the differences
    /// of held-out ones in discs.
    pub(in super::super) fn of(fitted: usize, errors: &[f64]) -> PhaseError {
        let mean = |value: fn(&f64) -> f64| {
            errors.iter().map(value).sum::<f64>() / errors.len().max(1) as f64
        };
        PhaseError {
            fitted,
            held_out: errors.len(),
            mean_absolute: mean(|error| error.abs()),
            mean_squared: mean(|error| error * error),
        }
    }
}

/// Returns the mean squared error over the whole validation set.
pub(in super::super) fn mean_squared(phases: &[PhaseError]) -> f64 {
    let (sum, count) = phases.iter().fold((0.0, 0.0), |(sum, count), phase| {
        let held_out = phase.held_out as f64;
        (sum + phase.mean_squared * held_out, count + held_out)
    });
    sum / count
}
