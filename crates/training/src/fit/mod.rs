//! Fit of pattern weights to labelled positions.
//!
//! Coarse to fine: each third of the game is fitted as a whole, then each phase to its own
//! positions and those of its neighbours, so that configurations that are rare at a phase keep the
//! weights of the third. A phase begins with the weights of the one before. A fit can also begin
//! with the weights of an earlier one; then each phase keeps those where the data say little.
//!
//! The value of a search is far less noisy than the result of a game, but may be shrunk. So it is
//! first converted by the line from values to results (`Targets::with_lines_of`), and the fitted
//! weights are calibrated against the results, which are right on average ([`super::models::calibrate`]).

pub mod least_squares;
mod settings;
mod validation;

use std::ops::{ControlFlow, Range};

use rayon::prelude::*;

use super::data::Sample;
use super::models::calibrate::{self, CalibrationPair};
use least_squares::{Row, Samples, predict};
use umigame_eval::file::Weights;
use umigame_eval::patterns::layout::{PACKING, raw_features};
use umigame_eval::patterns::{MidBoard, PHASES, WEIGHT_SCALE, phase_of};
use umigame_othello::Position;

pub use settings::{FitSettings, Targets};
pub(super) use validation::mean_squared;
#[cfg(test)]
pub(super) use validation::position_hash;
pub use validation::{PhaseError, is_held_out};

/// Fitted weights.
#[derive(Clone, Debug)]
pub struct Fitted {
    /// Pattern weights of all phases.
    pub weights: Weights,
    /// Validation errors of each phase.
    pub errors: Vec<PhaseError>,
}

/// Phases of a coarse fit.
const THIRD_PHASES: usize = 10;
/// Weight of a position of the phase, of one a phase away, and of one two phases away.
const WEIGHT_AT: [f32; 3] = [1.0, 0.7, 0.6];
/// Fits of a whole run, coarse ones included: the number of calls of [`fit`]'s `progress`.
pub const STEPS: usize = PHASES + PHASES / THIRD_PHASES;

/// Fits the weights of all phases to samples in the order of [`super::data::fold`].
///
/// The fit begins with zeros, or with the packed weights of all phases in `from`. `progress` is
/// called with the number of finished fits, out of [`STEPS`]. Returns `None` if it breaks, or if
/// `from` is incomplete.
pub fn fit(
    samples: &[Sample],
    settings: &FitSettings,
    from: Option<&[i16]>,
    mut progress: impl FnMut(usize) -> ControlFlow<()>,
) -> Option<Fitted> {
    let mut done = 0;
    let mut step = || {
        done += 1;
        progress(done).continue_value()
    };
    let targets = settings.targets.with_lines_of(samples);
    let solve = |samples: &Samples, center: &[f32], guess: &[f32]| {
        least_squares::fit(samples, center, guess, settings.ridge, settings.iterations)
    };
    let mut fitted = Fitted { weights: Vec::new().into(), errors: Vec::new() };
    let mut pairs = Vec::new();
    let zero = vec![0.0; PACKING.len];
    let (mut third_before, mut phase_before) = (zero.clone(), None::<Vec<f32>>);
    for third in (0..PHASES).step_by(THIRD_PHASES) {
        let coarse = from.is_none().then(|| {
            let of_third = of_phases(samples, third..third + THIRD_PHASES);
            let prepared = prepare(of_third, &targets, false, |_| 1.0);
            solve(&prepared, &zero, &third_before)
        });
        step()?;
        for phase in third..third + THIRD_PHASES {
            let near = of_phases(samples, phase.saturating_sub(2)..phase + 3);
            let weight = |of: usize| WEIGHT_AT[of.abs_diff(phase)];
            let prepared = prepare(near, &targets, false, weight);
            let weights = match &coarse {
                Some(coarse) => solve(&prepared, coarse, phase_before.as_ref().unwrap_or(coarse)),
                None => {
                    let before = in_discs(from?, phase)?;
                    solve(&prepared, &before, &before)
                }
            };
            let own = of_phases(samples, phase..phase + 1);
            let held_out = prepare(own, &targets, true, |_| 1.0);
            fitted.errors.push(error(&weights, own.len() - held_out.len(), &held_out));
            pairs.extend(results(own, &weights));
            fitted.weights.patterns.extend(weights.iter().map(|&weight| quantised(weight)));
            phase_before = Some(weights);
            step()?;
        }
        third_before = coarse.unwrap_or_default();
    }
    calibrate::apply(&mut fitted.weights, &calibrate::lines(&pairs));
    Some(fitted)
}

/// Returns the packed places of a position's features.
pub(crate) fn row(position: Position) -> Row {
    raw_features(position, MidBoard::new(position).indices()).map(|raw| PACKING.packed[raw])
}

/// Returns the features and targets of samples: of the validation set if `held_out`, otherwise of
/// the others. A sample counts `weight(phase)` times the weight of its target.
fn prepare(
    samples: &[Sample],
    targets: &Targets,
    held_out: bool,
    weight: impl Fn(usize) -> f32 + Sync,
) -> Samples {
    let rows =
        samples.par_iter().filter(|sample| is_held_out(sample) == held_out).filter_map(|sample| {
            let weight = weight(phase_of(sample.position.empties()));
            let target = targets.of(sample)?;
            Some((row(sample.position), target, weight * targets.weight(target)))
        });
    let mut prepared = Samples::default();
    for (row, target, weight) in rows.collect::<Vec<_>>() {
        prepared.rows.push(row);
        prepared.targets.push(target);
        prepared.weights.push(weight);
    }
    prepared
}

/// Returns the samples of some phases, out of samples sorted by ply.
fn of_phases(samples: &[Sample], phases: Range<usize>) -> &[Sample] {
    let phase = |sample: &Sample| phase_of(sample.position.empties());
    let first = samples.partition_point(|sample| phase(sample) < phases.start);
    let last = samples.partition_point(|sample| phase(sample) < phases.end);
    &samples[first..last]
}

fn error(weights: &[f32], fitted: usize, held_out: &Samples) -> PhaseError {
    let errors: Vec<f64> = held_out
        .rows
        .par_iter()
        .zip(&held_out.targets)
        .map(|(row, target)| f64::from(predict(weights, row) - target))
        .collect();
    PhaseError::of(fitted, &errors)
}

/// Returns the values of the validation set of a phase with their scores.
fn results<'a>(
    samples: &'a [Sample],
    weights: &'a [f32],
) -> impl Iterator<Item = CalibrationPair> + 'a {
    samples.iter().filter(|sample| is_held_out(sample)).filter_map(move |sample| {
        let value = (100.0 * predict(weights, &row(sample.position))).round() as i32;
        CalibrationPair::of(sample, value)
    })
}

/// Returns the weights of a phase in discs.
fn in_discs(weights: &[i16], phase: usize) -> Option<Vec<f32>> {
    let of_phase = weights.get(phase * PACKING.len..(phase + 1) * PACKING.len)?;
    Some(of_phase.iter().map(|&weight| f32::from(weight) / WEIGHT_SCALE as f32).collect())
}

fn quantised(discs: f32) -> i16 {
    (discs * WEIGHT_SCALE as f32).round() as i16
}

#[cfg(test)]
mod tests;
