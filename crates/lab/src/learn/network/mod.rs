//! Training the network that corrects the weights of the patterns.
//!
//! Stochastic gradient descent over positions in random order, many at a
//! time: rows change with steps that grow smaller with all that they have
//! seen, heads after Adam. The targets are those of the fit of the patterns,
//! whose weights stay as they are, but for a scale. How the work is divided
//! does not depend on the number of threads: they come to the same numbers.
//!
//! After: D. P. Kingma and J. Ba, "Adam: a method for stochastic
//! optimization", 2015.

mod model;
#[cfg(test)]
mod tests;

use std::ops::ControlFlow;

use rayon::prelude::*;

use super::calibrate::{self, Line, Pair};
use super::data::Sample;
use super::errors::Truth;
use super::fit::{StageError, Targets, is_held_out, mean_squared};
use model::{LEARNT, Model, Passed, Seen, change_rows};
use umigame_engine::eval::file::Weights;
use umigame_engine::eval::network::embedding::symmetric;
use umigame_engine::eval::patterns::{STAGES, Tables, stage_of};
use umigame_engine::eval::{Evaluation, MidBoard};

/// How a network is trained.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct NetworkSettings {
    /// How often every position is seen.
    pub passes: usize,
    /// What the values of positions ought to be.
    pub targets: Targets,
    /// The size of the first steps of rows.
    pub rate: f32,
    /// Where random numbers come from: the order of positions, and the first
    /// heads.
    pub seed: u64,
    /// Whether the network that the weights have is trained on, in place of a
    /// new one.
    pub go_on: bool,
}

impl Default for NetworkSettings {
    fn default() -> NetworkSettings {
        NetworkSettings {
            passes: 4,
            targets: Targets::default(),
            rate: 0.05,
            seed: 1,
            go_on: false,
        }
    }
}

/// A trained network.
#[derive(Clone, Debug)]
pub struct Trained {
    /// The weights of the patterns as they were, but for a scale, with the
    /// network.
    pub weights: Weights,
    /// The errors of each stage on positions held out, of the patterns alone
    /// and with the network.
    pub errors: [Vec<StageError>; 2],
}

impl Trained {
    /// Whether the values are nearer to the targets of positions held out,
    /// in the mean of the squares, than those of the patterns alone.
    pub fn is_better(&self) -> bool {
        let [before, after] = &self.errors;
        mean_squared(after) < mean_squared(before)
    }
}

/// Positions that are learnt from at a time.
const BATCH: usize = 1024;
/// A batch is passed through in so many pieces at once.
const PIECES: usize = 8;
/// Batches between two makings of symmetric rows.
const MIRRORED: usize = 256;
/// The share of all batches over which the steps grow to their size, and how
/// many are enough.
const WARM_UP: (f32, f32) = (0.1, 400.0);
/// The last steps have so little of the size of the first.
const LAST: f32 = 0.04;
/// What rows count as having seen at first: squares of derivatives. It keeps
/// rows that few positions have where they are.
const CAUTION: f32 = 2000.0;
/// The size of the first steps of heads.
const HEAD_RATE: f32 = 0.003;
/// Fewer positions of a stage say nothing about it.
const LEAST: usize = 500;

/// The state of Adam for a head: means of derivatives and of their squares.
#[derive(Clone, Copy)]
struct Moments {
    mean: [f32; LEARNT],
    square: [f32; LEARNT],
    steps: i32,
}

impl Moments {
    fn change(&mut self, head: &mut [f32; LEARNT], by_head: &[f32; LEARNT], rate: f32) {
        const KEEP: [f32; 2] = [0.9, 0.999];
        self.steps += 1;
        let [mean_share, square_share] = KEEP.map(|keep| 1.0 - keep.powi(self.steps));
        for (i, (number, by)) in head.iter_mut().zip(by_head).enumerate() {
            let (mean, square) = (&mut self.mean[i], &mut self.square[i]);
            *mean += (1.0 - KEEP[0]) * (by - *mean);
            *square += (1.0 - KEEP[1]) * (by * by - *square);
            *number -= rate * (*mean / mean_share) / ((*square / square_share).sqrt() + 1e-8);
        }
    }
}

/// Trains a network for the weights of some patterns, a new one or on from
/// theirs. `progress` is told what share is done, and may break it off: then
/// there is none.
pub fn train(
    samples: &[Sample],
    weights: &Weights,
    settings: &NetworkSettings,
    mut progress: impl FnMut(f64) -> ControlFlow<()>,
) -> Option<Trained> {
    let tables = Tables::new(&weights.patterns)?;
    let (held_out, mut learnt): (Vec<Sample>, Vec<Sample>) = samples
        .iter()
        .filter(|it| settings.targets.of(it).is_some())
        .partition(|it| is_held_out(it));
    let mut counts = [0; STAGES];
    learnt.iter().for_each(|sample| counts[stage_of(sample.position.empties())] += 1);
    let mut random = fastrand::Rng::with_seed(settings.seed);
    let mut model = Model::new(&mut random, CAUTION);
    if let Some(network) = weights.network.as_ref().filter(|_| settings.go_on) {
        model.set(network);
    }
    let nothing = Moments { mean: [0.0; LEARNT], square: [0.0; LEARNT], steps: 0 };
    let (mut moments, symmetric) = (vec![nothing; STAGES], symmetric());
    let batches = learnt.len().div_ceil(BATCH) * settings.passes;
    let warm_up = (WARM_UP.0 * batches as f32).clamp(1.0, WARM_UP.1);
    let mut done = 0;
    for _ in 0..settings.passes {
        random.shuffle(&mut learnt);
        for batch in learnt.chunks(BATCH) {
            let share = done as f32 / batches as f32;
            let rate = (1.0 - share).max(LAST) * ((done + 1) as f32 / warm_up).min(1.0);
            learn(&mut model, &mut moments, batch, &tables, (settings, rate));
            done += 1;
            if done % MIRRORED == 0 {
                model.make_symmetric(&symmetric);
                progress(f64::from(share)).continue_value()?;
            }
        }
    }
    model.make_symmetric(&symmetric);
    let known = counts.map(|count| count >= LEAST);
    let mut weights = Weights { patterns: weights.patterns.clone(), network: None };
    let before = errors(&Evaluation::from_weights(&weights)?, &held_out, counts, &settings.targets);
    let (numbers, scales) = model.numbers(&known);
    calibrate::apply(&mut weights, &scales.map(|scale| Line { count: 0, scale, offset: 0.0 }));
    weights.network = Some(numbers);
    center(&mut weights, &held_out)?;
    let evaluation = Evaluation::from_weights(&weights)?;
    let after = errors(&evaluation, &held_out, counts, &settings.targets);
    calibrate::apply(&mut weights, &calibrate::lines(&results(&evaluation, &held_out)));
    Some(Trained { weights, errors: [before, after] })
}

/// Learns from a batch, at a share of the first rates.
fn learn(
    model: &mut Model,
    moments: &mut [Moments],
    batch: &[Sample],
    tables: &Tables,
    (settings, rate): (&NetworkSettings, f32),
) {
    let pieces: Vec<(Vec<Passed>, Vec<[f32; LEARNT]>)> = batch
        .par_chunks(BATCH / PIECES)
        .map(|piece| {
            let mut by_heads = vec![[0.0; LEARNT]; STAGES];
            let passed = piece.iter().filter_map(|sample| {
                let seen = Seen::new(sample.position, tables);
                let by_head = &mut by_heads[seen.stage];
                let target = settings.targets.of(sample)?;
                let weight = settings.targets.weight(target);
                Some(model.learn(seen, (target, weight), by_head).1)
            });
            (passed.collect(), by_heads)
        })
        .collect();
    for (stage, (head, moments)) in model.heads.iter_mut().zip(moments).enumerate() {
        let mut sum = [0.0; LEARNT];
        for (_, by_heads) in &pieces {
            let sum = sum.iter_mut().zip(by_heads[stage]);
            sum.for_each(|(sum, by)| *sum += by / batch.len() as f32);
        }
        if sum.iter().any(|&by| by != 0.0) {
            moments.change(head, &sum, HEAD_RATE * rate);
        }
    }
    model.rows.par_iter_mut().enumerate().for_each(|(at, part)| {
        for (passed, _) in &pieces {
            change_rows(at, part, passed, settings.rate * rate);
        }
    });
}

/// Gives what the network adds on the average at each stage to the patterns,
/// so that their sum alone is a fair estimate.
fn center(weights: &mut Weights, held_out: &[Sample]) -> Option<()> {
    let evaluation = Evaluation::from_weights(weights)?;
    let (mut sums, mut counts) = ([0.0; STAGES], [0.0; STAGES]);
    for sample in held_out {
        let stage = stage_of(sample.position.empties());
        sums[stage] += f64::from(evaluation.correction(&MidBoard::new(sample.position))?);
        counts[stage] += 1.0;
    }
    let mean = |stage: usize| sums[stage] / f64::max(counts[stage], 1.0);
    for (stage, head) in weights.network.iter_mut().flat_map(|it| &mut it.heads).enumerate() {
        *head = head.shifted(-mean(stage));
    }
    let line = |stage| Line { count: 0, scale: 1.0, offset: mean(stage) };
    calibrate::apply(weights, &std::array::from_fn(line));
    Some(())
}

/// The errors of an evaluation on positions held out, stage by stage.
fn errors(
    evaluation: &Evaluation,
    held_out: &[Sample],
    fitted: [usize; STAGES],
    targets: &Targets,
) -> Vec<StageError> {
    let error = |sample: &Sample| {
        let value = evaluation.evaluate(&MidBoard::new(sample.position));
        let error = f64::from(value) / 100.0 - f64::from(targets.of(sample)?);
        Some((stage_of(sample.position.empties()), error))
    };
    let mut stages = vec![Vec::new(); STAGES];
    for (stage, error) in held_out.par_iter().filter_map(error).collect::<Vec<_>>() {
        stages[stage].push(error);
    }
    stages.iter().zip(fitted).map(|(errors, fitted)| StageError::of(fitted, errors)).collect()
}

/// What an evaluation says of positions held out, and how their games ended.
fn results(evaluation: &Evaluation, held_out: &[Sample]) -> Vec<Pair> {
    let pair = |sample: &Sample| {
        let value = evaluation.evaluate(&MidBoard::new(sample.position));
        let stage = stage_of(sample.position.empties());
        Some(Pair { stage, value, score: Truth::Score.of(sample)? })
    };
    held_out.par_iter().filter_map(pair).collect()
}
