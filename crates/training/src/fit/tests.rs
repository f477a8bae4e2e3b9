//! Fits to targets that features can and cannot express.

use super::*;
use crate::data::{Label, Record, Searched};
use crate::testing::{mean_value, one_or_thirty, samples};
use umigame_eval::patterns::Tables;
use umigame_othello::{Eval, Position, Score, testing::random_positions};

fn mobility(position: Position) -> i32 {
    let count = |position: Position| position.legal_moves().count() as i32;
    100 * (count(position) - count(position.passed()))
}

/// Returns the differences between sums of weights and mobility, in centidiscs.
fn differences(weights: &[i16], samples: &[Sample]) -> Vec<f64> {
    let tables = Tables::new(weights).expect("weights of every phase");
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
fn a_fit_can_be_stopped() {
    let settings = FitSettings { iterations: 1, ..FitSettings::default() };
    let mut told = 0;
    let fitted = fit(&[], &settings, None, |done| {
        told = done;
        if done < 3 { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
    });
    assert!(fitted.is_none() && told == 3);
}

#[test]
fn a_sum_of_features_is_learnt() {
    let settings = FitSettings { ridge: 0.5, ..FitSettings::default() };
    let samples = samples(77, 30_000, mobility);
    let mut told = 0;
    let mut tell = |done| {
        told = done;
        ControlFlow::Continue(())
    };
    let fitted = fit(&samples, &settings, None, &mut tell).expect("it is not stopped");
    assert_eq!(told, STEPS);
    let held_out: f64 = fitted.errors.iter().map(|error| error.held_out as f64).sum();
    let sum = |error: &PhaseError| error.mean_absolute * error.held_out as f64;
    let missed = fitted.errors.iter().map(sum).sum::<f64>() / held_out;
    let size = |sample: &Sample| f64::from(mobility(sample.position).abs()) / 100.0;
    let spread = samples.iter().map(size).sum::<f64>() / samples.len() as f64;
    assert!(missed < spread / 3.0, "{missed} of {spread} discs");
    let errors = differences(&fitted.weights.patterns, &samples);
    let mean = errors.iter().map(|error| error.abs()).sum::<f64>() / errors.len() as f64;
    assert!(mean < 50.0, "{mean} centidiscs");
}

#[test]
fn a_fit_does_not_depend_on_the_number_of_threads() {
    let samples = samples(77, 30_000, mobility);
    let with_threads = |threads| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().expect("threads");
        let settings = FitSettings { iterations: 3, ..FitSettings::default() };
        pool.install(|| fit(&samples, &settings, None, go_on).expect("weights").weights)
    };
    assert!(with_threads(1) == with_threads(3), "weights differ");
}

#[test]
fn a_fit_to_no_data_gives_zeros() {
    let fitted = fit(&[], &FitSettings::default(), None, go_on).expect("weights");
    assert!(fitted.weights.patterns.iter().all(|&weight| weight == 0));
}

#[test]
fn a_fit_from_weights_keeps_them_without_data_and_improves_them_with_data() {
    let samples = samples(78, 30_000, mobility);
    let settings = FitSettings { iterations: 3, ..FitSettings::default() };
    let first = fit(&samples, &settings, None, go_on).expect("weights").weights.patterns;
    let unchanged = fit(&[], &settings, Some(&first), go_on).expect("weights").weights;
    assert!(unchanged.patterns == first, "weights changed without data");
    let missed = |weights: &[i16]| {
        differences(weights, &samples).iter().map(|error| error * error).sum::<f64>()
    };
    let again = fit(&samples, &settings, Some(&first), go_on).expect("weights").weights;
    let (before, after) = (missed(&first), missed(&again.patterns));
    assert!(after < 0.9 * before, "squared errors {before} -> {after}");
}

#[test]
fn half_gives_even_positions_more_weight() {
    let samples = samples(79, 30_000, one_or_thirty);
    let fitted = |targets| {
        let settings = FitSettings { iterations: 5, ridge: 1.0, targets };
        mean_value(&fit(&samples, &settings, None, go_on).expect("weights").weights, &samples)
    };
    let alike = fitted(Targets::default());
    let near = fitted(Targets { half: 3.0, ..Targets::default() });
    assert!(near < alike / 2.0, "{alike} discs, {near} with more weight on even positions");
}

#[test]
fn search_values_that_are_too_small_become_true_scores() {
    let mut random = fastrand::Rng::with_seed(80);
    let mut samples: Vec<Sample> = Vec::new();
    random_positions(80, 40_000, |position| {
        if !position.legal_moves().is_empty() {
            let value = Eval::from_centidiscs(random.i32(-2000..2000));
            // The score of a game is 1.25 times the value, less half a disc, with noise.
            let score = (5 * value.centidiscs() / 4 - 50 + random.i32(-900..900)) / 100;
            let score = Score::new(score).expect("a score of at most 35 discs");
            let searched = Some(Searched { value, depth: 4 });
            samples.push(Record::new(position, Label::Game(score), searched).into());
        }
    });
    let targets = Targets { blend: 0.0, ..Targets::default() }.with_lines_of(&samples);
    let of_phase = |phase: usize| -> Vec<&Sample> {
        samples.iter().filter(|it| phase_of(it.position.empties()) == phase).collect()
    };
    let mut checked = 0;
    for of_phase in (0..PHASES).map(of_phase).filter(|of_phase| of_phase.len() > 500) {
        for sample in of_phase.into_iter().step_by(20) {
            let value = sample.searched().expect("a value").value.centidiscs();
            let target = f64::from(targets.of(sample).expect("a target"));
            let expected = f64::from(5 * value / 4 - 50) / 100.0;
            assert!((target - expected).abs() < 1.2, "{target} discs for {expected}");
            checked += 1;
        }
    }
    assert!(checked > 500, "{checked} positions");
}
