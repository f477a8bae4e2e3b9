//! Training of the network that corrects the pattern sum.
//!
//! Stochastic gradient descent over batches of positions in random order. Embeddings change with
//! AdaGrad, whose steps shrink with the gradients seen so far, layers with Adam. The targets are
//! those of the fit of the patterns. Pattern weights change with AdaGrad if asked; otherwise only
//! by a scale and an offset at each phase. The division of the work does not depend on the number of
//! threads, so any number leads to the same parameters.
//!
//! After: D. P. Kingma and J. Ba, "Adam: a method for stochastic optimization", 2015; J. Duchi, E.
//! Hazan and Y. Singer, "Adaptive subgradient methods", 2011.

mod input;
mod model;
mod patterns;
#[cfg(test)]
mod tests;

use std::ops::ControlFlow;

use rayon::prelude::*;

use super::data::Sample;
use super::fit::{PhaseError, Targets, is_held_out, mean_squared};
use super::models::calibrate::{self, CalibrationLine, CalibrationPair};
use input::{Gradients, Input};
use model::{LEARNT, Model, PATTERN_SCALE, update_embeddings};
use patterns::update_patterns;
use umigame_eval::file::Weights;
use umigame_eval::network::embedding::self_images;
use umigame_eval::patterns::{PHASES, phase_of};
use umigame_eval::{Evaluation, MidBoard};

/// How a network is trained.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct NetworkSettings {
    /// Passes over the positions.
    pub passes: usize,
    /// Targets of positions.
    pub targets: Targets,
    /// Learning rate of embeddings at the beginning.
    pub rate: f32,
    /// Seed of the order of positions and of the initial layers.
    pub seed: u64,
    /// Whether to continue with the network of the weights instead of a new one.
    pub go_on: bool,
    /// Whether to change the pattern weights too.
    pub patterns: bool,
}

impl Default for NetworkSettings {
    fn default() -> NetworkSettings {
        let targets = Targets::default();
        NetworkSettings { passes: 4, targets, rate: 0.05, seed: 1, go_on: false, patterns: false }
    }
}

/// Result of training.
#[derive(Clone, Debug)]
pub struct TrainedNetwork {
    /// Pattern weights, scaled, with the network.
    pub weights: Weights,
    /// Validation errors of each phase, by the patterns alone.
    pub errors_before: Vec<PhaseError>,
    /// Validation errors of each phase with the network.
    pub errors_after: Vec<PhaseError>,
}

impl TrainedNetwork {
    /// Returns whether the network lowers the mean squared validation error.
    pub(crate) fn is_better(&self) -> bool {
        mean_squared(&self.errors_after) < mean_squared(&self.errors_before)
    }
}

/// Positions of a batch.
const BATCH: usize = 1024;
/// Pieces of a batch that are differentiated in parallel.
const PIECES: usize = 8;
/// Batches between two symmetrisations of embeddings.
const SYMMETRISE_INTERVAL: usize = 256;
/// Batches between two reports of progress, at which training can be stopped.
const PROGRESS_INTERVAL: usize = 16;
/// Share of all batches over which the learning rate rises to its full size.
const WARM_UP_SHARE: f32 = 0.1;
/// Maximum number of those batches.
const MAX_WARM_UP_BATCHES: f32 = 400.0;
/// Learning rate at the end, relative to the beginning.
const FINAL_RATE: f32 = 0.04;
/// Initial sum of squared gradients of embeddings and pattern weights: it keeps those that few
/// positions have near their start.
const INITIAL_SQUARES: f32 = 2000.0;
/// Learning rate of layers at the beginning.
const LAYER_RATE: f32 = 0.003;
/// A phase with fewer positions gets no correction.
const MIN_PHASE_POSITIONS: usize = 500;

/// State of Adam for a layer: means of gradients and of their squares.
#[derive(Clone, Copy)]
struct Moments {
    mean: [f32; LEARNT],
    square: [f32; LEARNT],
    steps: i32,
}

impl Moments {
    const ZERO: Moments = Moments { mean: [0.0; LEARNT], square: [0.0; LEARNT], steps: 0 };

    fn update(&mut self, layer: &mut [f32; LEARNT], gradient: &[f32; LEARNT], rate: f32) {
        const DECAY: [f32; 2] = [0.9, 0.999];
        self.steps += 1;
        let [mean_share, square_share] = DECAY.map(|decay| 1.0 - decay.powi(self.steps));
        for (i, (parameter, gradient)) in layer.iter_mut().zip(gradient).enumerate() {
            let (mean, square) = (&mut self.mean[i], &mut self.square[i]);
            *mean += (1.0 - DECAY[0]) * (gradient - *mean);
            *square += (1.0 - DECAY[1]) * (gradient * gradient - *square);
            let size = (*square / square_share).sqrt() + 1e-8;
            *parameter -= rate * (*mean / mean_share) / size;
        }
    }
}

/// Trains a network for pattern weights: a new one, or on from theirs.
///
/// `progress` is called with the share of the work that is done. Returns `None` if it breaks, or
/// if the weights are incomplete.
pub fn train(
    samples: &[Sample],
    weights: &Weights,
    settings: &NetworkSettings,
    mut progress: impl FnMut(f64) -> ControlFlow<()>,
) -> Option<TrainedNetwork> {
    let targets = settings.targets.with_lines_of(samples);
    let settings = &NetworkSettings { targets, ..*settings };
    let (held_out, mut fitted): (Vec<Sample>, Vec<Sample>) = samples
        .iter()
        .filter(|it| settings.targets.of(it).is_some())
        .partition(|it| is_held_out(it));
    let mut counts = [0; PHASES];
    fitted.iter().for_each(|sample| counts[phase_of(sample.position.empties())] += 1);
    let mut random = fastrand::Rng::with_seed(settings.seed);
    let mut model = Model::new(&mut random, &weights.patterns, INITIAL_SQUARES);
    if let Some(network) = weights.network.as_ref().filter(|_| settings.go_on) {
        model.set(network);
    }
    let (mut moments, self_images) = (vec![Moments::ZERO; PHASES], self_images());
    let batches = fitted.len().div_ceil(BATCH) * settings.passes;
    let warm_up = (WARM_UP_SHARE * batches as f32).clamp(1.0, MAX_WARM_UP_BATCHES);
    let mut done = 0;
    for _ in 0..settings.passes {
        random.shuffle(&mut fitted);
        for batch in fitted.chunks(BATCH) {
            let share = done as f32 / batches as f32;
            let rate = (1.0 - share).max(FINAL_RATE) * ((done + 1) as f32 / warm_up).min(1.0);
            learn_batch(&mut model, &mut moments, batch, settings, rate);
            done += 1;
            if done % SYMMETRISE_INTERVAL == 0 {
                model.symmetrise(&self_images);
            }
            if done % PROGRESS_INTERVAL == 0 {
                progress(f64::from(share)).continue_value()?;
            }
        }
    }
    model.symmetrise(&self_images);
    let known = counts.map(|count| count >= MIN_PHASE_POSITIONS);
    let mut weights = Weights { patterns: weights.patterns.clone(), network: None };
    if settings.patterns {
        weights.patterns = model.patterns.quantise();
    }
    let patterns = Evaluation::from_weights(&weights)?;
    let errors_before = errors(&patterns, &held_out, counts, &settings.targets);
    let (parameters, scales) = model.quantise(&known);
    let line = |scale| CalibrationLine { scale, ..CalibrationLine::IDENTITY };
    calibrate::apply(&mut weights, &scales.map(line));
    weights.network = Some(parameters);
    center(&mut weights, &held_out)?;
    let evaluation = Evaluation::from_weights(&weights)?;
    let errors_after = errors(&evaluation, &held_out, counts, &settings.targets);
    calibrate::apply(&mut weights, &calibrate::lines(&results(&evaluation, &held_out)));
    Some(TrainedNetwork { weights, errors_before, errors_after })
}

/// Learns from a batch, with learning rates multiplied by `rate`.
fn learn_batch(
    model: &mut Model,
    moments: &mut [Moments],
    batch: &[Sample],
    settings: &NetworkSettings,
    rate: f32,
) {
    let pieces: Vec<(Gradients, Vec<[f32; LEARNT]>)> = batch
        .par_chunks(BATCH / PIECES)
        .map(|piece| {
            let mut by_layer = vec![[0.0; LEARNT]; PHASES];
            let gradients = piece.iter().filter_map(|sample| {
                let input = Input::new(sample.position);
                let by_layer = &mut by_layer[input.phase];
                let target = settings.targets.of(sample)?;
                let weight = settings.targets.weight(target);
                Some(model.differentiate(input, target, weight, by_layer))
            });
            (Gradients::new(gradients.collect()), by_layer)
        })
        .collect();
    for (phase, (layer, moments)) in model.layers.iter_mut().zip(moments).enumerate() {
        let mut mean = [0.0; LEARNT];
        for (_, by_layer) in &pieces {
            let mean = mean.iter_mut().zip(by_layer[phase]);
            mean.for_each(|(mean, by)| *mean += by / batch.len() as f32);
        }
        if settings.patterns {
            mean[PATTERN_SCALE] = 0.0;
        }
        if mean.iter().any(|&by| by != 0.0) {
            moments.update(layer, &mean, LAYER_RATE * rate);
        }
    }
    let rate = settings.rate * rate;
    let parts = model.embeddings.par_iter_mut().zip(&mut model.patterns.parts).enumerate();
    parts.for_each(|(part, (embeddings, patterns))| {
        for (gradients, _) in &pieces {
            update_embeddings(part, embeddings, gradients, rate);
            if settings.patterns {
                update_patterns(part, patterns, gradients, rate);
            }
        }
    });
}

/// Moves the network's mean correction at each phase to the patterns, so that their sum alone is
/// an unbiased estimate.
fn center(weights: &mut Weights, held_out: &[Sample]) -> Option<()> {
    let evaluation = Evaluation::from_weights(weights)?;
    let (mut sums, mut counts) = ([0.0; PHASES], [0.0; PHASES]);
    for sample in held_out {
        let phase = phase_of(sample.position.empties());
        sums[phase] += f64::from(evaluation.correction(&MidBoard::new(sample.position))?);
        counts[phase] += 1.0;
    }
    let mean = |phase: usize| sums[phase] / f64::max(counts[phase], 1.0);
    for (phase, layer) in weights.network.iter_mut().flat_map(|it| &mut it.layers).enumerate() {
        *layer = layer.shifted(-mean(phase));
    }
    let line = |phase| CalibrationLine { offset: mean(phase), ..CalibrationLine::IDENTITY };
    calibrate::apply(weights, &std::array::from_fn(line));
    Some(())
}

/// Returns the validation errors of an evaluation at each phase.
fn errors(
    evaluation: &Evaluation,
    held_out: &[Sample],
    fitted: [usize; PHASES],
    targets: &Targets,
) -> Vec<PhaseError> {
    let error = |sample: &Sample| {
        let value = evaluation.evaluate_position(sample.position);
        let error = f64::from(value) / 100.0 - f64::from(targets.of(sample)?);
        Some((phase_of(sample.position.empties()), error))
    };
    let mut phases = vec![Vec::new(); PHASES];
    for (phase, error) in held_out.par_iter().filter_map(error).collect::<Vec<_>>() {
        phases[phase].push(error);
    }
    phases.iter().zip(fitted).map(|(errors, fitted)| PhaseError::of(fitted, errors)).collect()
}

/// Returns the values of the validation set with its scores.
fn results(evaluation: &Evaluation, held_out: &[Sample]) -> Vec<CalibrationPair> {
    let value = |sample: &Sample| evaluation.evaluate_position(sample.position);
    let pair = |sample: &Sample| CalibrationPair::of(sample, value(sample));
    held_out.par_iter().filter_map(pair).collect()
}
