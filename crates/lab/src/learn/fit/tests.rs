//! Fits of targets whose weights are known.

use super::*;
use crate::learn::testing::{mean_value, one_or_thirty, samples};
use umigame_engine::eval::patterns::Tables;
use umigame_othello::Position;

fn mobility(position: Position) -> i32 {
    let count = |position: Position| position.moves().count_ones() as i32;
    100 * (count(position) - count(position.passed()))
}

/// How far the sums of weights are from the mobility, in centidiscs.
fn differences(weights: &[i16], samples: &[Sample]) -> Vec<f64> {
    let tables = Tables::new(weights).expect("weights of every stage");
    let difference = |sample: &Sample| {
        let board = MidBoard::new(sample.position);
        f64::from(tables.sum_of(&board) - mobility(sample.position))
    };
    samples.iter().map(difference).collect()
}

fn go_on(_: usize) -> ControlFlow<()> {
    ControlFlow::Continue(())
}

#[test]
fn a_fit_can_be_broken_off() {
    let settings = FitSettings { iterations: 1, ..FitSettings::default() };
    let mut told = 0;
    let fitted = fit(&[], &settings, None, |done| {
        told = done;
        if done < 3 { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
    });
    assert!(fitted.is_none() && told == 3);
}

#[test]
fn what_the_features_can_say_is_learnt() {
    let settings = FitSettings { ridge: 0.5, ..FitSettings::default() };
    let samples = samples(77, 30_000, mobility);
    let mut told = 0;
    let mut tell = |done| {
        told = done;
        ControlFlow::Continue(())
    };
    let fitted = fit(&samples, &settings, None, &mut tell).expect("nobody breaks it off");
    assert_eq!(told, STEPS);
    let held_out: f64 = fitted.errors.iter().map(|error| error.held_out as f64).sum();
    let sum = |error: &StageError| error.mean_absolute * error.held_out as f64;
    let missed = fitted.errors.iter().map(sum).sum::<f64>() / held_out;
    let size = |sample: &Sample| f64::from(mobility(sample.position).abs()) / 100.0;
    let spread = samples.iter().map(size).sum::<f64>() / samples.len() as f64;
    assert!(missed < spread / 3.0, "{missed} of {spread} discs");
    let errors = differences(&fitted.weights.patterns, &samples);
    let mean = errors.iter().map(|error| error.abs()).sum::<f64>() / errors.len() as f64;
    assert!(mean < 50.0, "{mean} centidiscs");
}

#[test]
fn the_number_of_threads_does_not_matter() {
    let samples = samples(77, 30_000, mobility);
    let with_threads = |threads| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().expect("threads");
        let settings = FitSettings { iterations: 3, ..FitSettings::default() };
        pool.install(|| fit(&samples, &settings, None, go_on).expect("weights").weights)
    };
    assert!(with_threads(1) == with_threads(3), "weights differ");
}

#[test]
fn no_data_gives_no_weights_and_no_harm() {
    let fitted = fit(&[], &FitSettings::default(), None, go_on).expect("weights");
    assert!(fitted.weights.patterns.iter().all(|&weight| weight == 0));
}

#[test]
fn a_fit_from_weights_keeps_them_where_the_data_say_nothing_and_goes_on_where_they_do() {
    let samples = samples(78, 30_000, mobility);
    let settings = FitSettings { iterations: 3, ..FitSettings::default() };
    let first = fit(&samples, &settings, None, go_on).expect("weights").weights.patterns;
    let silent = fit(&[], &settings, Some(&first), go_on).expect("weights").weights;
    assert!(silent.patterns == first, "weights that nothing speaks against have changed");
    let missed = |weights: &[i16]| {
        differences(weights, &samples).iter().map(|error| error * error).sum::<f64>()
    };
    let again = fit(&samples, &settings, Some(&first), go_on).expect("weights").weights;
    let (before, after) = (missed(&first), missed(&again.patterns));
    assert!(after < 0.9 * before, "squared errors {before} -> {after}");
}

#[test]
fn what_is_near_even_counts_more_where_that_is_asked_for() {
    let samples = samples(79, 30_000, one_or_thirty);
    let fitted = |targets| {
        let settings = FitSettings { iterations: 5, ridge: 1.0, targets, ..FitSettings::default() };
        mean_value(&fit(&samples, &settings, None, go_on).expect("weights").weights, &samples)
    };
    let alike = fitted(Targets::default());
    let near = fitted(Targets { half: 3.0, ..Targets::default() });
    assert!(near < alike / 2.0, "{alike} discs, with what is near even {near}");
}
