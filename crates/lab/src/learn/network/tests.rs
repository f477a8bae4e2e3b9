//! The model against the network that it becomes, its derivatives against
//! differences, and what it learns.

use super::*;
use crate::learn::fit::{FitSettings, fit};
use crate::learn::testing::{mean_value, one_or_thirty, samples};
use model::END;
use umigame_engine::eval::network::layer::{BIAS, Head, NUMBERS};
use umigame_engine::eval::network::{CHANNELS, Network, Numbers};
use umigame_engine::eval::parity::odd_quadrants;
use umigame_engine::eval::patterns::layout::{PACKING, counted};
use umigame_othello::Position;
use umigame_othello::testing::random_positions;

fn go_on(_: f64) -> ControlFlow<()> {
    ControlFlow::Continue(())
}

fn nothing() -> Weights {
    vec![0; STAGES * PACKING.len].into()
}

/// What no sum over patterns and counts can say: a product of two signs.
fn product(position: Position) -> i32 {
    let moves = |position: Position| position.moves().count_ones() as i32;
    let odd = odd_quadrants(position.empty()).count_ones() % 2 == 1;
    400 * (moves(position) - moves(position.passed())).signum() * if odd { 1 } else { -1 }
}

/// A model that has learnt a little, so that nothing in it is zero.
fn some_model(tables: &Tables, samples: &[Sample]) -> Model {
    let mut model = Model::new(&mut fastrand::Rng::with_seed(4), CAUTION);
    let zero = Moments { mean: [0.0; LEARNT], square: [0.0; LEARNT], steps: 0 };
    let (mut moments, settings) = (vec![zero; STAGES], NetworkSettings::default());
    for batch in samples.chunks(BATCH).cycle().take(100) {
        learn(&mut model, &mut moments, batch, tables, (&settings, 0.3));
    }
    model.make_symmetric(&symmetric());
    model
}

#[test]
fn the_network_computes_what_the_model_does() {
    let tables = Tables::new(&nothing().patterns).expect("zeroes");
    let samples = samples(61, 40_000, product);
    let mut model = some_model(&tables, &samples);
    model.round();
    let (numbers, _) = model.numbers(&[true; STAGES]);
    let network = Network::new(&numbers).expect("rows and heads");
    let (mut differences, mut values, mut count) = (0.0, 0.0, 0.0);
    for sample in samples.iter().step_by(20) {
        let seen = Seen::new(sample.position, &tables);
        let (board, stage) = (MidBoard::new(sample.position), seen.stage);
        let found = network.value(stage, board.indices(), &counted(sample.position));
        let expected = 100.0 * model.value(&seen);
        differences += (found as f32 - expected).abs();
        values += expected.abs();
        count += 1.0;
    }
    let (difference, value) = (differences / count, values / count);
    assert!(difference < 3.0 && value > 60.0, "{difference} of {value} centidiscs");
    let (silent, scales) = model.numbers(&[false; STAGES]);
    assert!(silent.heads.iter().all(|head| head.0.iter().all(|&number| number == 0)));
    assert!(scales.iter().all(|&scale| scale == 1.0));
}

#[test]
fn derivatives_are_what_differences_say() {
    let tables = Tables::new(&nothing().patterns).expect("zeroes");
    let samples = samples(62, 40_000, product);
    let mut model = some_model(&tables, &samples[..5 * BATCH]);
    let mut checked = 0;
    for sample in samples.iter().step_by(997) {
        let see = || Seen::new(sample.position, &tables);
        let stage = see().stage;
        let bias = |i: usize| model.heads[stage][BIAS + i % CHANNELS];
        // Beyond the end a number counts for nothing, and yet learns how to come back.
        if model.sum(&see()).iter().enumerate().any(|(i, sum)| (sum + bias(i)).abs() > END) {
            continue;
        }
        let mut by_head = [0.0; LEARNT];
        model.learn(see(), (3.0, 1.0), &mut by_head);
        for (at, &by) in by_head.iter().enumerate() {
            let mut loss = |change: f32| {
                model.heads[stage][at] += change;
                let error = f64::from(model.value(&see())) - 3.0;
                model.heads[stage][at] -= change;
                error * error / 2.0
            };
            const STEP: f32 = 1e-3;
            let [below, here, above] = [-STEP, 0.0, STEP].map(&mut loss);
            let [left, right] = [here - below, above - here].map(|by| by / f64::from(STEP));
            // A step may go over one of the corners of the squeezing.
            if (left - right).abs() > 0.1 + 0.02 * left.abs() {
                continue;
            }
            let slope = (left + right) / 2.0;
            let close = (slope - f64::from(by)).abs() < 0.1 + 0.05 * slope.abs();
            assert!(close, "{at}: {by}, differences {slope}");
            checked += 1;
        }
    }
    assert!(checked > 500, "{checked}");
}

#[test]
fn what_no_sum_of_patterns_can_say_is_learnt() {
    let samples = samples(63, 40_000, product);
    let settings = FitSettings { iterations: 10, ridge: 20.0, ..FitSettings::default() };
    let patterns = fit(&samples, &settings, None, |_| ControlFlow::Continue(())).expect("weights");
    let settings = NetworkSettings { passes: 30, rate: 0.1, ..NetworkSettings::default() };
    let network = train(&samples, &nothing(), &settings, go_on).expect("a network");
    let (sum, learnt) = (mean_squared(&patterns.errors), mean_squared(&network.errors[1]));
    assert!(network.is_better() && learnt < 0.85 * sum, "{learnt}, a sum of patterns {sum}");
}

#[test]
fn a_network_goes_on_from_where_it_was() {
    let tables = Tables::new(&nothing().patterns).expect("zeroes");
    let samples = samples(67, 40_000, product);
    let (numbers, _) = some_model(&tables, &samples).numbers(&[true; STAGES]);
    let mut model = Model::new(&mut fastrand::Rng::with_seed(5), CAUTION);
    model.set(&numbers);
    assert!(model.numbers(&[true; STAGES]).0 == numbers, "numbers have changed");
    let heads = model.heads.clone();
    let silent = vec![Head([0; NUMBERS]); STAGES];
    model.set(&Numbers { heads: silent, ..numbers });
    assert!(model.heads == heads, "heads that say nothing were taken");
    let settings = NetworkSettings { passes: 1, rate: 0.1, ..NetworkSettings::default() };
    let first = train(&samples, &nothing(), &settings, go_on).expect("a network");
    let from = Weights { network: first.weights.network.clone(), ..nothing() };
    let on = NetworkSettings { go_on: true, ..settings };
    let second = train(&samples, &from, &on, go_on).expect("a network");
    let [before, after] = [first, second].map(|trained| mean_squared(&trained.errors[1]));
    assert!(after < 0.95 * before, "squared errors {before} -> {after}");
}

#[test]
fn the_number_of_threads_does_not_matter() {
    let samples = samples(64, 40_000, product);
    let with_threads = |threads| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().expect("threads");
        let settings = NetworkSettings { passes: 1, ..NetworkSettings::default() };
        pool.install(|| train(&samples, &nothing(), &settings, go_on).expect("a network").weights)
    };
    assert!(with_threads(1) == with_threads(3), "weights differ");
}

#[test]
fn training_can_be_broken_off_and_no_data_do_no_harm() {
    let settings = NetworkSettings { passes: 20, ..NetworkSettings::default() };
    let stop = |_: f64| ControlFlow::Break(());
    assert!(train(&samples(65, 40_000, product), &nothing(), &settings, stop).is_none());
    let trained = train(&[], &nothing(), &settings, go_on).expect("a network");
    let evaluation = Evaluation::from_weights(&trained.weights).expect("weights");
    random_positions(66, 200, |position| {
        assert_eq!(evaluation.evaluate(&MidBoard::new(position)), 0);
    });
}

#[test]
fn what_is_near_even_counts_more_where_that_is_asked_for() {
    let samples = samples(68, 40_000, one_or_thirty);
    let trained = |targets| {
        let settings = NetworkSettings { passes: 2, rate: 0.1, targets, ..Default::default() };
        let trained = train(&samples, &nothing(), &settings, go_on).expect("a network");
        mean_value(&trained.weights, &samples)
    };
    let alike = trained(Targets::default());
    let near = trained(Targets { half: 3.0, ..Targets::default() });
    assert!(near < alike / 2.0, "{alike} discs, with what is near even {near}");
}
