//! A small set of weights for the first values of a page: few patterns, coarse phases, no network,
//! fitted to the full evaluation.
//!
//! After: G. Hinton and others, "Distilling the knowledge in a neural network", 2015.

use std::ops::{ControlFlow, Range};

use fastrand::Rng;
use rayon::prelude::*;

use umigame_eval::Evaluation;
use umigame_eval::file::Weights;
use umigame_eval::patterns::layout::{BLOCKS, PACKING, mobility_places};
use umigame_eval::patterns::{PHASES, WEIGHT_SCALE, phase_of};
use umigame_othello::{Position, Square};

use crate::fit::least_squares::{self, Samples};
use crate::fit::row;
use crate::starts::random_square;

/// Blocks with weights: edge and X squares, corner of 3 by 3, rows, diagonals, counted features.
const KEPT: [usize; 11] = [0, 2, 7, 8, 9, 10, 11, 12, 13, 14, BLOCKS - 1];
/// Phases with the same weights: 10 plies.
const PHASES_ALIKE: usize = 5;
/// Number of positions that move a weight halfway from 0 to their mean.
const RIDGE: f32 = 30.0;
const ITERATIONS: usize = 25;
/// Weights are multiples of this, in units of 1 / [`WEIGHT_SCALE`] of a disc: a quarter of a disc.
const STEP: f32 = 8.0;
/// Random moves at the beginning of a game, and the share of random ones after them.
const RANDOM_PLIES: Range<u32> = 4..36;
const RANDOM_SHARE: f32 = 0.15;

/// Fits small weights to the values of `full` in positions of `games` games, which it plays from
/// random starts with the best moves of one ply. Returns `None` if `progress`, which receives the
/// number of groups of phases that are fitted, breaks.
pub fn distil(
    full: &Evaluation,
    games: u32,
    seed: u64,
    mut progress: impl FnMut(usize) -> ControlFlow<()>,
) -> Option<Weights> {
    let positions: Vec<Position> =
        (0..games).into_par_iter().flat_map_iter(|game| played(full, seed, game)).collect();
    let mut patterns = Vec::with_capacity(PHASES * PACKING.len);
    for (done, first) in (0..PHASES).step_by(PHASES_ALIKE).enumerate() {
        progress(done).continue_value()?;
        let weights = fitted(full, &positions, first..first + PHASES_ALIKE);
        (0..PHASES_ALIKE).for_each(|_| patterns.extend_from_slice(&weights));
    }
    Some(patterns.into())
}

/// Returns positions of a game, and of moves beside it: searches see bad moves too.
fn played(full: &Evaluation, seed: u64, game: u32) -> Vec<Position> {
    let mut random = Rng::with_seed(seed << 32 | u64::from(game));
    let random_plies = random.u32(RANDOM_PLIES);
    let (mut positions, mut position) = (Vec::new(), Position::START);
    for ply in 0.. {
        if position.legal_moves().is_empty() {
            position = position.passed();
        }
        let Some(any) = random_square(position, &mut random) else { break };
        let after = |square: Square| position.after(square, position.flips(square));
        let is_random = ply < random_plies || random.f32() < RANDOM_SHARE;
        let value = |square: &Square| full.evaluate_position(after(*square));
        let best = if is_random { None } else { position.legal_moves().iter().min_by_key(value) };
        positions.extend([position, after(any)]);
        position = after(best.unwrap_or(any));
    }
    positions
}

/// Returns the packed weights of phases that are alike.
fn fitted(full: &Evaluation, positions: &[Position], phases: Range<usize>) -> Vec<i16> {
    // All blocks without weights are one feature, which every position has equally often.
    let (other, size) = (PACKING.len, PACKING.len + 1);
    let is_kept =
        |place: u32| KEPT.iter().any(|&block| PACKING.block(block).contains(&(place as usize)));
    let kept: Vec<bool> = (0..PACKING.len as u32).map(is_kept).collect();
    let sample = |position: &Position| {
        let row = row(*position).map(|at| if kept[at as usize] { at } else { other as u32 });
        (row, full.evaluate_position(*position) as f32 / 100.0)
    };
    let own =
        positions.par_iter().filter(|position| phases.contains(&phase_of(position.empties())));
    let (rows, targets): (Vec<_>, Vec<_>) = own.map(sample).unzip();
    let Some(first) = rows.first() else { return vec![0; PACKING.len] };
    let others = first.iter().filter(|&&at| at as usize == other).count() as f32;
    let weights = vec![1.0; rows.len()];
    let zeros = vec![0.0; size];
    let samples = Samples { rows, targets, weights };
    let mut discs = least_squares::fit(&samples, &zeros, &zeros, RIDGE, ITERATIONS);
    // So has its mobility: it takes the constant.
    let constant = others * discs.pop().unwrap_or_default();
    discs[mobility_places()].iter_mut().for_each(|weight| *weight += constant);
    let steps = |discs: f32| STEP * (discs * WEIGHT_SCALE as f32 / STEP).round();
    discs.into_iter().map(|weight| steps(weight) as i16).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn small_weights_value_positions_about_as_the_full_ones() {
        let full = umigame_eval::Evaluation::embedded();
        let weights = distil(&full, 400, 1, |_| ControlFlow::Continue(())).expect("it goes on");
        let small = Evaluation::from_weights(&weights).expect("weights of every phase");
        let positions = played(&full, 2, 1);
        let values = |it: &Evaluation, at: &Position| f64::from(it.evaluate_position(*at));
        let mean = |value: &dyn Fn(&Position) -> f64| {
            positions.iter().map(|at| value(at).abs()).sum::<f64>() / positions.len() as f64
        };
        let error = mean(&|at| values(&full, at) - values(&small, at));
        let size = mean(&|at| values(&full, at));
        assert!(error < 0.7 * size, "{error} of {size}");
        assert!(weights.network.is_none());
    }
}
