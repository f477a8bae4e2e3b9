//! The model against the network made from it, its gradients against differences, and training.

use super::*;
use crate::fit::{FitSettings, fit};
use crate::testing::{mean_value, one_or_thirty, samples};
use model::{LIMIT, Pass, layer_scale};
use umigame_eval::network::layer::{BIAS, LayerParameters, PARAMETERS};
use umigame_eval::network::{EMBEDDING_SCALE, Network, Parameters, channel_of};
use umigame_eval::parity::odd_quadrants;
use umigame_eval::patterns::layout::{PACKING, counted};
use umigame_othello::{Position, testing::random_positions};

impl Model {
    /// Returns the value of a position in discs.
    fn value(&self, input: &Input) -> f32 {
        Pass::new(&self.layers[input.phase], self.sum(input), self.patterns.sum(input)).value
    }

    /// Rounds every parameter as [`Model::quantise`] does.
    fn round(&mut self) {
        let round = |value: &mut f32, scale: i32| {
            *value = (*value * scale as f32).round() / scale as f32;
        };
        for learnt in self.embeddings.iter_mut().flatten() {
            learnt.values.iter_mut().for_each(|value| round(value, EMBEDDING_SCALE));
        }
        for layer in &mut self.layers {
            for (at, parameter) in layer.iter_mut().enumerate() {
                round(parameter, layer_scale(at));
            }
        }
    }
}

fn go_on(_: f64) -> ControlFlow<()> {
    ControlFlow::Continue(())
}

fn zeros() -> Weights {
    vec![0; PHASES * PACKING.len].into()
}

/// Returns a product of two signs, which no sum over patterns and counts can express.
fn product(position: Position) -> i32 {
    let moves = |position: Position| position.legal_moves().count() as i32;
    let odd = odd_quadrants(position.empty()).count_ones() % 2 == 1;
    400 * (moves(position) - moves(position.passed())).signum() * if odd { 1 } else { -1 }
}

/// Returns a model after a little training, so that no parameter is zero.
fn trained_model(samples: &[Sample]) -> Model {
    let mut model =
        Model::new(&mut fastrand::Rng::with_seed(4), &zeros().patterns, INITIAL_SQUARES);
    let (mut moments, settings) = (vec![Moments::ZERO; PHASES], NetworkSettings::default());
    for batch in samples.chunks(BATCH).cycle().take(100) {
        learn_batch(&mut model, &mut moments, batch, &settings, 0.3);
    }
    model.symmetrise(&self_images());
    model
}

#[test]
fn the_quantised_network_agrees_with_the_model() {
    let samples = samples(61, 40_000, product);
    let mut model = trained_model(&samples);
    model.round();
    let (parameters, _) = model.quantise(&[true; PHASES]);
    let network = Network::new(&parameters).expect("complete parameters");
    let (mut differences, mut values, mut count) = (0.0, 0.0, 0.0);
    for sample in samples.iter().step_by(20) {
        let input = Input::new(sample.position);
        let board = MidBoard::new(sample.position);
        let found = network.value(input.phase, board.indices(), &counted(sample.position));
        let expected = 100.0 * model.value(&input);
        differences += (found as f32 - expected).abs();
        values += expected.abs();
        count += 1.0;
    }
    let (difference, value) = (differences / count, values / count);
    assert!(difference < 3.0 && value > 60.0, "{difference} of {value} centidiscs");
    let (unknown, scales) = model.quantise(&[false; PHASES]);
    let is_zero = |layer: &LayerParameters| layer.0.iter().all(|&parameter| parameter == 0);
    assert!(unknown.layers.iter().all(is_zero));
    assert!(scales.iter().all(|&scale| scale == 1.0));
}

#[test]
fn gradients_agree_with_differences() {
    let samples = samples(62, 40_000, product);
    let mut model = trained_model(&samples[..5 * BATCH]);
    let mut checked = 0;
    for sample in samples.iter().step_by(997) {
        let input = || Input::new(sample.position);
        let phase = input().phase;
        let bias = |i: usize| model.layers[phase][BIAS + channel_of(i)];
        // Beyond the limit the gradient is that of the leak, on purpose.
        if model.sum(&input()).iter().enumerate().any(|(i, sum)| (sum + bias(i)).abs() > LIMIT) {
            continue;
        }
        let mut by_layer = [0.0; LEARNT];
        model.differentiate(input(), 3.0, 1.0, &mut by_layer);
        for (at, &by) in by_layer.iter().enumerate() {
            let mut loss = |change: f32| {
                model.layers[phase][at] += change;
                let error = f64::from(model.value(&input())) - 3.0;
                model.layers[phase][at] -= change;
                error * error / 2.0
            };
            const STEP: f32 = 1e-3;
            let [below, here, above] = [-STEP, 0.0, STEP].map(&mut loss);
            let [left, right] = [here - below, above - here].map(|by| by / f64::from(STEP));
            // The step may cross a corner of the activation.
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
fn a_function_that_no_pattern_sum_can_express_is_learnt() {
    let samples = samples(63, 20_000, product);
    let settings = FitSettings { iterations: 10, ridge: 20.0, ..FitSettings::default() };
    let patterns = fit(&samples, &settings, None, |_| ControlFlow::Continue(())).expect("weights");
    let settings = NetworkSettings { passes: 8, rate: 0.3, ..NetworkSettings::default() };
    let network = train(&samples, &zeros(), &settings, go_on).expect("a network");
    let (sum, learnt) = (mean_squared(&patterns.errors), mean_squared(&network.errors_after));
    assert!(network.is_better() && learnt < 0.85 * sum, "{learnt}, a sum of patterns {sum}");
}

/// Returns the lead in mobility, which a sum of weights can express.
fn lead(position: Position) -> i32 {
    let moves = |position: Position| position.legal_moves().count() as i32;
    100 * (moves(position) - moves(position.passed()))
}

#[test]
fn pattern_weights_learn_beside_the_network_only_if_asked() {
    let samples = samples(69, 40_000, lead);
    let trained = |patterns| {
        // A sum that stays as it is needs no training.
        let passes = if patterns { 6 } else { 1 };
        let settings = NetworkSettings { passes, rate: 0.5, patterns, ..Default::default() };
        train(&samples, &zeros(), &settings, go_on).expect("a network")
    };
    let [kept, learnt] = [false, true].map(trained);
    let [before, after] = [&kept, &learnt].map(|trained| mean_squared(&trained.errors_before));
    assert!(after < 0.3 * before, "squared errors of the sum alone {before} -> {after}");
    assert!(mean_squared(&learnt.errors_after) < 1.05 * after);
}

#[test]
fn training_continues_from_a_network() {
    let samples = samples(67, 40_000, product);
    let (parameters, _) = trained_model(&samples).quantise(&[true; PHASES]);
    let mut model =
        Model::new(&mut fastrand::Rng::with_seed(5), &zeros().patterns, INITIAL_SQUARES);
    model.set(&parameters);
    assert!(model.quantise(&[true; PHASES]).0 == parameters, "parameters have changed");
    let layers = model.layers.clone();
    let zero_layers = vec![LayerParameters([0; PARAMETERS]); PHASES];
    model.set(&Parameters { layers: zero_layers, ..parameters });
    assert!(model.layers == layers, "layers of zeros were taken over");
    let settings = NetworkSettings { passes: 1, rate: 0.1, ..NetworkSettings::default() };
    let first = train(&samples, &zeros(), &settings, go_on).expect("a network");
    let from = Weights { network: first.weights.network.clone(), ..zeros() };
    let settings = NetworkSettings { go_on: true, ..settings };
    let second = train(&samples, &from, &settings, go_on).expect("a network");
    let [before, after] = [first, second].map(|trained| mean_squared(&trained.errors_after));
    assert!(after < 0.95 * before, "squared errors {before} -> {after}");
}

#[test]
fn training_does_not_depend_on_the_number_of_threads() {
    let samples = samples(64, 20_000, product);
    let with_threads = |threads| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().expect("threads");
        let settings = NetworkSettings { passes: 1, ..NetworkSettings::default() };
        pool.install(|| train(&samples, &zeros(), &settings, go_on).expect("a network").weights)
    };
    assert!(with_threads(1) == with_threads(3), "weights differ");
}

#[test]
fn training_can_be_stopped_and_without_data_gives_no_correction() {
    let settings = NetworkSettings { passes: 20, ..NetworkSettings::default() };
    let stop = |_: f64| ControlFlow::Break(());
    assert!(train(&samples(65, 40_000, product), &zeros(), &settings, stop).is_none());
    let trained = train(&[], &zeros(), &settings, go_on).expect("a network");
    let evaluation = Evaluation::from_weights(&trained.weights).expect("weights");
    random_positions(66, 200, |position| {
        assert_eq!(evaluation.evaluate_position(position), 0);
    });
}

#[test]
fn half_gives_even_positions_more_weight() {
    let samples = samples(68, 20_000, one_or_thirty);
    let trained = |targets| {
        let settings = NetworkSettings { passes: 2, rate: 0.1, targets, ..Default::default() };
        let trained = train(&samples, &zeros(), &settings, go_on).expect("a network");
        mean_value(&trained.weights, &samples)
    };
    let alike = trained(Targets::default());
    let near = trained(Targets { half: 3.0, ..Targets::default() });
    assert!(near < alike / 2.0, "{alike} discs, {near} with more weight on even positions");
}
