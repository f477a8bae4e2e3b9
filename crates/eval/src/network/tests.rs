//! Properties of the network.

use std::collections::HashSet;

use super::embedding::{permuted, self_images};
use super::layer::{
    self, BIAS, CONSTANT, FILTER, Layer, LayerParameters, PARAMETERS, max_parameter,
};
use super::*;
use crate::patterns::layout::{FIRST, PACKING, PATTERNS, counted, raw_features};
use crate::patterns::shapes::{PLACEMENT, SHAPE};
use crate::patterns::{MidBoard, PHASES, phase_of};
use crate::position_noise::{NUMBERS, max_number};
use umigame_othello::testing::random_positions;
use umigame_othello::{Bitboard, Position, Symmetry};

/// Returns random parameters with embedding values up to `max` in magnitude.
fn random_parameters(seed: u64, max: i8) -> Parameters {
    let mut random = fastrand::Rng::with_seed(seed);
    let mut embeddings: Vec<Embedding> =
        (0..PACKING.len).map(|_| std::array::from_fn(|_| random.i8(-max..=max))).collect();
    for (packed, symmetry) in self_images() {
        let embedding = &mut embeddings[packed as usize];
        let image = permuted(embedding, symmetry);
        embedding.iter_mut().zip(image).for_each(|(one, two)| *one = (*one).max(two));
    }
    // Counted features are the same under all symmetries.
    for embedding in &mut embeddings[PACKING.packed[PATTERNS] as usize..] {
        *embedding = std::array::from_fn(|i| embedding[place(0, channel_of(i))]);
    }
    let mut parameter = |at| {
        let max = if at == CONSTANT { 3 * LAYER_SCALE } else { max_parameter(at) } as i16;
        random.i16(-max..=max)
    };
    let mut layer = |_| LayerParameters(std::array::from_fn(&mut parameter));
    Parameters { embeddings, layers: (0..PHASES).map(&mut layer).collect() }
}

fn sum_of(network: &Network, position: Position) -> EmbeddingSum {
    network.sum(MidBoard::new(position).indices(), &counted(position))
}

fn value_of(network: &Network, position: Position) -> i32 {
    let (phase, board) = (phase_of(position.empties()), MidBoard::new(position));
    network.value(phase, board.indices(), &counted(position))
}

#[test]
fn a_sum_adds_the_embeddings_of_all_features_permuted_to_their_placement() {
    let parameters = random_parameters(1, 30);
    let network = Network::new(&parameters).expect("complete parameters");
    random_positions(91, 2_000, |position| {
        let mut expected = [0; WIDTH];
        let raw = raw_features(position, MidBoard::new(position).indices());
        for (feature, raw) in raw.into_iter().enumerate() {
            if !is_embedded(feature) {
                continue;
            }
            let packed = &parameters.embeddings[PACKING.packed[raw] as usize];
            let own = permuted(packed, PACKING.symmetries[raw]);
            let placed = match PLACEMENT.get(feature) {
                Some(placement) => permuted(&own, placement.symmetry),
                None => own,
            };
            expected.iter_mut().zip(placed).for_each(|(sum, value)| *sum += i16::from(value));
        }
        assert_eq!(sum_of(&network, position), expected, "{position:?}");
    });
}

#[test]
fn an_image_of_a_position_has_the_permuted_sum_and_the_same_value() {
    let network = Network::new(&random_parameters(2, i8::MAX)).expect("complete parameters");
    let mut values = HashSet::new();
    random_positions(92, 2_000, |position| {
        let (sum, value) = (sum_of(&network, position), value_of(&network, position));
        values.insert(value);
        for symmetry in Symmetry::ALL {
            let image = symmetry.of_position(position);
            assert_eq!(sum_of(&network, image), permuted(&sum, symmetry), "{position:?}");
            assert_eq!(value_of(&network, image), value, "{position:?}");
        }
    });
    assert!(values.len() > 1000, "{} values", values.len());
}

/// Compares a layer with its definition in floating point.
#[test]
fn a_layer_agrees_with_its_definition() {
    let mut random = fastrand::Rng::with_seed(3);
    let max = 3 * LAYER_SCALE as i16 / 4;
    for _ in 0..2_000 {
        let stored: [i16; PARAMETERS] = std::array::from_fn(|_| random.i16(-max..=max));
        let sum: EmbeddingSum = std::array::from_fn(|_| random.i16(-800..1800));
        let parameter = |at: usize| f64::from(stored[at]) / f64::from(LAYER_SCALE);
        let activations: Vec<f64> = (0..WIDTH)
            .map(|i| f64::from(sum[i] + stored[BIAS + channel_of(i)]) / f64::from(EMBEDDING_SCALE))
            .map(|x| x.clamp(0.0, 4.0) + (x.clamp(-16.0, 16.0) - x.clamp(0.0, 4.0)) / 32.0)
            .collect();
        let mut value = parameter(layer::CONSTANT);
        let skip = |i: usize| parameter(layer::SKIP + channel_of(i)) * activations[i];
        value += (0..WIDTH).map(skip).sum::<f64>();
        for (filter, symmetry) in (0..HIDDEN).map(|i| (i / SYMMETRIES, i % SYMMETRIES)) {
            let mut hidden = parameter(layer::FILTER_BIAS + filter);
            for (block, channel) in (0..WIDTH).map(|i| (block_of(i), channel_of(i))) {
                let image = Symmetry::ALL[symmetry].after(Symmetry::ALL[block]).index();
                let weight = parameter(FILTER + filter * WIDTH + place(block, channel));
                hidden += weight * activations[place(image, channel)];
            }
            value += parameter(layer::OUTPUT + filter) * hidden.clamp(0.0, 32.0);
        }
        let numbers: [i16; NUMBERS] = std::array::from_fn(|_| random.i16(-200..200));
        let layer = Layer::new(&LayerParameters(stored), &numbers);
        let (found, noise) = layer.value_and_noise(&sum);
        assert_eq!(found, layer.value(&sum));
        let terms = layer.noise_terms(&sum);
        let log = terms.into_iter().zip(&numbers[1..]).map(|(term, &it)| term * f64::from(it));
        let log = (f64::from(numbers[0]) + log.sum::<f64>()) / 4.0;
        assert!((f64::from(noise.0) - log).abs() < 2.0, "{noise:?} for {log:.2}");
        // Each of the hidden values is rounded down by up to 1/256.
        assert!((f64::from(found) - 100.0 * value).abs() < 12.0, "{found} for {value:.2} discs");
    }
}

#[test]
fn extreme_parameters_do_not_overflow() {
    // Overflow panics in tests.
    for [embedding, layer] in [[1, 1], [1, -1], [-1, 1], [-1, -1]] {
        let embeddings = vec![[i8::MAX * embedding; WIDTH]; PACKING.len];
        let most = |at| (max_parameter(at) * i32::from(layer)) as i16;
        let layers = vec![LayerParameters(std::array::from_fn(most)); PHASES];
        let network = Network::new(&Parameters { embeddings, layers }).expect("complete");
        random_positions(93, 100, |position| {
            value_of(&network, position);
        });
        let numbers = std::array::from_fn(|at| (max_number(at) * i32::from(layer)) as i16);
        let layer = Layer::new(&LayerParameters(std::array::from_fn(most)), &numbers);
        for sum in [i16::MIN / 2, 0, i16::MAX / 2] {
            layer.value_and_noise(&[sum; WIDTH]);
        }
    }
    let empty = Parameters { embeddings: Vec::new(), layers: Vec::new() };
    assert!(Network::new(&empty).is_none());
}

/// Compares squares: those of a raw place are those of its packed place under its symmetry.
#[test]
fn a_raw_place_is_the_configuration_of_its_packed_place_under_its_symmetry() {
    let content = |shape: usize, index: usize| {
        let squares = (0..SHAPE[shape].len()).map(|i| SHAPE[shape].square(i));
        squares.enumerate().fold([Bitboard::EMPTY; 2], |[own, other], (i, square)| {
            match index / 3usize.pow(i as u32) % 3 {
                1 => [own.with(square), other],
                2 => [own, other.with(square)],
                _ => [own, other],
            }
        })
    };
    for (shape, first) in FIRST.into_iter().enumerate() {
        for index in (0..SHAPE[shape].configurations()).step_by(41) {
            let raw = first + index;
            let (packed, symmetry) = (PACKING.packed[raw], PACKING.symmetries[raw]);
            let same = |&other: &usize| PACKING.packed[first + other] == packed;
            let least = (0..=index).find(same).expect("at least itself");
            assert_eq!(PACKING.symmetries[first + least], Symmetry::IDENTITY);
            let image = content(shape, least).map(|squares| symmetry.of_set(squares));
            assert_eq!(image, content(shape, index), "{} {index}", SHAPE[shape].name);
        }
    }
}

#[test]
fn self_images_are_found() {
    let found = self_images();
    for &(packed, symmetry) in &found {
        assert!((packed as usize) < PACKING.len && symmetry != Symmetry::IDENTITY);
    }
    // An empty edge is its own mirror image, a single disc in one corner is not.
    let is_found = |raw: usize| found.iter().any(|&(packed, _)| packed == PACKING.packed[raw]);
    assert!(is_found(FIRST[0]) && !is_found(FIRST[0] + 3));
}
