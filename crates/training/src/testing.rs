//! Training data for tests of fits.

use super::data::{Label, Record, Sample, Searched, fold};
use super::fit::position_hash;
use umigame_engine::Evaluation;
use umigame_eval::estimate::ScoreDistribution;
use umigame_eval::file::Weights;
use umigame_othello::testing::random_positions;
use umigame_othello::{Eval, Position};

/// Returns samples of random positions with search values in centidiscs from `value`.
pub fn samples(seed: u64, count: usize, value: impl Fn(Position) -> i32) -> Vec<Sample> {
    let mut samples = Vec::new();
    random_positions(seed, count, |position| {
        if !position.legal_moves().is_empty() && position.empties() > 0 {
            let value = Eval::from_centidiscs(value(position));
            let record = Record::new(position, Label::Searched, Some(Searched { value, depth: 1 }));
            samples.push(Sample::from(record));
        }
    });
    fold(&mut samples);
    samples
}

/// Returns 1 disc for one half of all positions and 30 for the other, in centidiscs, by a hash
/// that no feature sees.
pub(crate) fn one_or_thirty(position: Position) -> i32 {
    if position_hash(position) >> 63 == 0 { 100 } else { 3000 }
}

/// Returns the mean value of positions, in discs.
pub(crate) fn mean_value(weights: &Weights, samples: &[Sample]) -> f64 {
    let evaluation = Evaluation::from_weights(weights).expect("weights");
    let value = |sample: &Sample| f64::from(evaluation.evaluate_position(sample.position));
    samples.iter().map(value).sum::<f64>() / samples.len() as f64 / 100.0
}

/// Returns the lowest even score, in discs, such that it and all lower ones have more than `share` of a
/// distribution.
pub(crate) fn drawn_score(distribution: &ScoreDistribution, share: f64) -> f64 {
    let mut sum = 0.0;
    let scores = (-32..=32).map(|half| 2.0 * f64::from(half));
    let mut reached = scores.filter(|&score| {
        sum += distribution.probability(score);
        sum > share
    });
    reached.next().unwrap_or(64.0)
}
