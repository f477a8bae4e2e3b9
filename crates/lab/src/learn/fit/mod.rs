//! From labelled positions to weights.
//!
//! Coarse to fine: each third of the game is fitted as a whole, then each
//! stage to its own positions and those of the stages beside it, so that
//! configurations that a stage has hardly seen keep what the third says of
//! them. A stage begins where the one before it ended. A fit can also begin
//! with the weights of an earlier one: then each stage keeps what those say
//! where the data say little.
//!
//! What a search said of a position is far less noisy than how its games
//! ended, and too small: so most of a target is the search's value, and what
//! comes out is stretched until it agrees with the results, which are right
//! on the average ([`super::calibrate`]).

pub mod least_squares;

use std::ops::ControlFlow;

use rayon::prelude::*;

use super::calibrate::{self, Pair};
use super::data::{Outcome, Sample};
use super::errors::Truth;
use least_squares::{Row, Samples, predict};
use umigame_engine::eval::file::Weights;
use umigame_engine::eval::patterns::layout::{PACKING, raw_features};
use umigame_engine::eval::patterns::{MidBoard, PARTS, STAGES, stage_of};
use umigame_othello::Position;

/// What positions ought to be worth, and how much each of them counts.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Targets {
    /// Of the target of a position with both, how much is the result of its
    /// games, 0 to 1; the rest is what its search said. Exact scores stand
    /// alone.
    pub blend: f32,
    /// So many discs from even, a position counts half as much as one that is
    /// even; infinitely many where all count alike.
    pub half: f32,
}

impl Default for Targets {
    fn default() -> Targets {
        Targets { blend: 0.3, half: f32::INFINITY }
    }
}

impl Targets {
    /// What a position's value ought to be, in discs; `None` where nothing is
    /// known.
    pub(super) fn of(&self, sample: &Sample) -> Option<f32> {
        let discs = |centidiscs: i32| centidiscs as f32 / 100.0;
        let searched = sample.searched().map(|searched| discs(searched.value.centidiscs()));
        match (sample.outcome(), searched) {
            (Outcome::Exact(score), _) => Some(score.discs() as f32),
            (Outcome::Games(score), Some(value)) => {
                Some(self.blend * discs(score.centidiscs()) + (1.0 - self.blend) * value)
            }
            (Outcome::Games(score), None) => Some(discs(score.centidiscs())),
            (Outcome::Unknown, searched) => searched,
        }
    }

    /// How much a position with this target counts: games are decided near
    /// even.
    pub(super) fn weight(&self, target: f32) -> f32 {
        1.0 / (1.0 + (target / self.half).powi(2))
    }
}

/// How weights are fitted.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct FitSettings {
    /// What the values of positions ought to be.
    pub targets: Targets,
    /// How strongly a weight is held where it started: it goes half way to
    /// what so many positions say.
    pub ridge: f32,
    /// Passes over the positions for each third and each stage.
    pub iterations: usize,
    /// How much a position of a stage beside the one at hand counts, and of
    /// a stage beside that.
    pub neighbours: [f32; 2],
}

impl Default for FitSettings {
    fn default() -> FitSettings {
        let targets = Targets::default();
        FitSettings { targets, ridge: 60.0, iterations: 30, neighbours: [0.7, 0.6] }
    }
}

impl FitSettings {
    /// How much a position counts that is so many stages away.
    fn weight(&self, distance: usize) -> f32 {
        match distance {
            0 => 1.0,
            1 => self.neighbours[0],
            _ => self.neighbours[1],
        }
    }
}

/// The errors of a stage on positions that were held out of its fit.
#[derive(Clone, Copy, Default, Debug)]
pub struct StageError {
    /// Positions fitted to.
    pub fitted: usize,
    /// Positions held out.
    pub held_out: usize,
    /// Mean absolute error in discs against the targets held out.
    pub mean_absolute: f64,
    /// Mean squared error, in squared discs.
    pub mean_squared: f64,
}

impl StageError {
    /// The errors of a stage that was fitted to so many positions, by the
    /// differences of others in discs.
    pub(super) fn of(fitted: usize, errors: &[f64]) -> StageError {
        let mean = |value: fn(&f64) -> f64| {
            errors.iter().map(value).sum::<f64>() / errors.len().max(1) as f64
        };
        StageError {
            fitted,
            held_out: errors.len(),
            mean_absolute: mean(|error| error.abs()),
            mean_squared: mean(|error| error * error),
        }
    }
}

/// The mean squared error on all positions held out.
pub(super) fn mean_squared(stages: &[StageError]) -> f64 {
    let (sum, count) = stages.iter().fold((0.0, 0.0), |(sum, count), stage| {
        let held_out = stage.held_out as f64;
        (sum + stage.mean_squared * held_out, count + held_out)
    });
    sum / count
}

/// Fitted weights.
#[derive(Clone, Debug)]
pub struct Fitted {
    /// The weights of the patterns at all stages.
    pub weights: Weights,
    /// The errors of each stage.
    pub errors: Vec<StageError>,
}

/// One position in so many is held out.
const HELD_OUT: u64 = 40;
/// Stages of a coarse fit.
const THIRD: usize = 10;

/// Whether a position is held out: by what it is, so that no fit ever sees
/// it.
pub fn is_held_out(sample: &Sample) -> bool {
    (scattered(sample.position) >> 32).is_multiple_of(HELD_OUT)
}

/// A number of a position whose high bits no pattern knows.
pub(super) fn scattered(position: Position) -> u64 {
    (position.player ^ position.opponent.rotate_left(31)).wrapping_mul(0x9E37_79B9_7F4A_7C15)
}

/// The packed places of a position's features.
fn row(position: Position) -> Row {
    raw_features(position, MidBoard::new(position).indices()).map(|raw| PACKING.packed[raw])
}

/// The samples of some stages with their features; those of a stage count
/// what `weight` says, times what their targets make of it.
fn prepare(
    samples: &[Sample],
    targets: &Targets,
    held_out: bool,
    weight: impl Fn(usize) -> f32 + Sync,
) -> Samples {
    let rows =
        samples.par_iter().filter(|sample| is_held_out(sample) == held_out).filter_map(|sample| {
            let weight = weight(stage_of(sample.position.empties()));
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

/// Those of samples sorted by ply that belong to some stages.
fn of_stages(samples: &[Sample], stages: std::ops::Range<usize>) -> &[Sample] {
    let stage = |sample: &Sample| stage_of(sample.position.empties());
    let first = samples.partition_point(|sample| stage(sample) < stages.start);
    let last = samples.partition_point(|sample| stage(sample) < stages.end);
    &samples[first..last]
}

fn error(weights: &[f32], fitted: usize, held_out: &Samples) -> StageError {
    let errors: Vec<f64> = held_out
        .rows
        .par_iter()
        .zip(&held_out.targets)
        .map(|(row, target)| f64::from(predict(weights, row) - target))
        .collect();
    StageError::of(fitted, &errors)
}

/// Fits the weights of all stages to samples in the order of [`super::data::fold`],
/// from nothing or from the packed weights of all stages in `from`.
/// `progress` is told how many of [`STEPS`] fits are done, and may break it
/// off: then there are no weights, as where `from` does not have all stages.
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
    let solve = |samples: &Samples, center: &[f32], guess: &[f32]| {
        least_squares::fit(samples, center, guess, settings.ridge, settings.iterations)
    };
    let mut fitted = Fitted { weights: Vec::new().into(), errors: Vec::new() };
    let mut pairs = Vec::new();
    let zero = vec![0.0; PACKING.len];
    let (mut third_before, mut stage_before) = (zero.clone(), None::<Vec<f32>>);
    for third in (0..STAGES).step_by(THIRD) {
        let coarse = from.is_none().then(|| {
            let of_third = of_stages(samples, third..third + THIRD);
            let prepared = prepare(of_third, &settings.targets, false, |_| 1.0);
            solve(&prepared, &zero, &third_before)
        });
        step()?;
        for stage in third..third + THIRD {
            let near = of_stages(samples, stage.saturating_sub(2)..stage + 3);
            let weight = |of: usize| settings.weight(of.abs_diff(stage));
            let prepared = prepare(near, &settings.targets, false, weight);
            let weights = match &coarse {
                Some(coarse) => solve(&prepared, coarse, stage_before.as_ref().unwrap_or(coarse)),
                None => {
                    let before = in_discs(from?, stage)?;
                    solve(&prepared, &before, &before)
                }
            };
            let own = of_stages(samples, stage..stage + 1);
            let held_out = prepare(own, &settings.targets, true, |_| 1.0);
            fitted.errors.push(error(&weights, own.len() - held_out.len(), &held_out));
            pairs.extend(results(own, stage, &weights));
            fitted.weights.patterns.extend(weights.iter().map(|&weight| rounded(weight)));
            stage_before = Some(weights);
            step()?;
        }
        third_before = coarse.unwrap_or_default();
    }
    calibrate::apply(&mut fitted.weights, &calibrate::lines(&pairs));
    Some(fitted)
}

/// What weights say of the positions held out of their stage's fit, and how
/// the games ended.
fn results<'a>(
    samples: &'a [Sample],
    stage: usize,
    weights: &'a [f32],
) -> impl Iterator<Item = Pair> + 'a {
    samples.iter().filter(|sample| is_held_out(sample)).filter_map(move |sample| {
        let value = (100.0 * predict(weights, &row(sample.position))).round() as i32;
        Some(Pair { stage, value, score: Truth::Score.of(sample)? })
    })
}

/// How often [`fit`] tells of its progress.
pub const STEPS: usize = STAGES + STAGES / THIRD;

/// The weights of a stage.
fn in_discs(weights: &[i16], stage: usize) -> Option<Vec<f32>> {
    let of_stage = weights.get(stage * PACKING.len..(stage + 1) * PACKING.len)?;
    Some(of_stage.iter().map(|&weight| f32::from(weight) / PARTS as f32).collect())
}

fn rounded(discs: f32) -> i16 {
    (discs * PARTS as f32).round() as i16
}

#[cfg(test)]
mod tests;
