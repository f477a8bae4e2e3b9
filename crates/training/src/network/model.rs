//! Model of the network in floating point, with its gradients.
//!
//! It computes the same function as [`umigame_eval::network`] in integers.

use super::input::{Gradient, Gradients, Input, PARTS, Wide, part_len};
use super::patterns::LearntPatterns;
use umigame_eval::network::embedding::{BLOCK_IMAGES, permuted};
use umigame_eval::network::layer::{
    ACTIVATION_LIMIT, BIAS, CONSTANT, FILTER, FILTER_BIAS, LEAK_DIVISOR, LayerParameters, OUTPUT,
    PARAMETERS, SATURATION, SKIP, max_parameter,
};
use umigame_eval::network::{
    CHANNELS, EMBEDDING_SCALE, Embedding, HIDDEN, LAYER_SCALE, Parameters, SYMMETRIES, WIDTH,
    channel_of, is_embedded, place,
};
use umigame_eval::patterns::PHASES;
use umigame_eval::patterns::layout::PACKING;
use umigame_eval::patterns::shapes::PLACEMENTS;
use umigame_othello::Symmetry;

/// Place of the scale of the pattern sum in a learnt layer, after the layer's parameters.
pub(crate) const PATTERN_SCALE: usize = PARAMETERS;
/// Learnt parameters of a layer.
pub(crate) const LEARNT: usize = PARAMETERS + 1;

/// An embedding and the sums of its squared gradients.
#[derive(Clone, Copy)]
#[repr(align(64))]
pub struct LearntEmbedding {
    pub values: Wide,
    squares: Wide,
}

/// All learnt parameters.
pub struct Model {
    /// Embeddings: packed place `i` is number `i / PARTS` of part `i % PARTS`.
    pub embeddings: Vec<Vec<LearntEmbedding>>,
    /// Layer of every phase.
    pub layers: Vec<[f32; LEARNT]>,
    /// Weights of the pattern sum that the network corrects.
    pub patterns: LearntPatterns,
}

/// Share of the error of the whole value, beside that of the pattern sum alone, by which pattern
/// weights change: the sum alone orders moves and bounds values, so it must be good on its own.
const PATTERN_SHARE: f32 = 0.5;

impl Model {
    /// Returns a model of packed pattern weights whose correction is near 0, with random layers.
    /// `squares` is the initial sum of squared gradients of embeddings and weights.
    pub fn new(random: &mut fastrand::Rng, patterns: &[i16], squares: f32) -> Model {
        let embedding = LearntEmbedding { values: [0.0; WIDTH], squares: [squares; WIDTH] };
        let mut layer = [0.0; LEARNT];
        let mut uniform = |max: f32| (2.0 * random.f32() - 1.0) * max;
        layer[BIAS..FILTER].fill(0.5);
        layer[FILTER..FILTER_BIAS].fill_with(|| uniform(1.5 / (WIDTH as f32).sqrt()));
        for (filter, output) in layer[OUTPUT..SKIP].iter_mut().enumerate() {
            *output = if filter % 2 == 0 { 1.0 } else { -1.0 };
        }
        layer[SKIP..CONSTANT].fill_with(|| uniform(1.0));
        layer[PATTERN_SCALE] = 1.0;
        let embeddings = vec![vec![embedding; part_len()]; PARTS];
        let patterns = LearntPatterns::new(patterns, squares);
        Model { embeddings, layers: vec![layer; PHASES], patterns }
    }

    fn embedding(&self, place: u32) -> &Wide {
        &self.embeddings[place as usize % PARTS][place as usize / PARTS].values
    }

    /// Returns the sum of the embeddings of an input, without biases.
    pub fn sum(&self, input: &Input) -> Wide {
        let mut sum = [0.0; WIDTH];
        for (feature, (&at, &symmetry)) in input.places.iter().zip(&input.symmetries).enumerate() {
            if !is_embedded(feature) {
                continue;
            }
            let embedding = self.embedding(at);
            for (block, &to) in BLOCK_IMAGES[symmetry as usize].iter().enumerate() {
                for channel in 0..CHANNELS {
                    sum[place(to, channel)] += embedding[place(block, channel)];
                }
            }
        }
        sum
    }

    /// Differentiates the loss of a position, `weight * (value - target)^2 / 2` in discs. Adds the
    /// gradient by the layer to `by_layer` and returns the others.
    pub(crate) fn differentiate(
        &self,
        input: Input,
        target: f32,
        weight: f32,
        by_layer: &mut [f32; LEARNT],
    ) -> Gradient {
        let layer = &self.layers[input.phase];
        let patterns = self.patterns.sum(&input);
        let pass = Pass::new(layer, self.sum(&input), patterns);
        let error = weight * (pass.value - target);
        let by_sum = pass.backward(layer, patterns, error, by_layer);
        let alone = weight * (patterns - target);
        let by_patterns = PATTERN_SHARE * error + (1.0 - PATTERN_SHARE) * alone;
        Gradient { input, by_sum, by_patterns }
    }

    /// Averages every embedding that must be its own image under a symmetry with that image.
    pub(crate) fn symmetrise(&mut self, self_images: &[(u32, Symmetry)]) {
        for &(place, symmetry) in self_images {
            let learnt = &mut self.embeddings[place as usize % PARTS][place as usize / PARTS];
            for values in [&mut learnt.values, &mut learnt.squares] {
                let image = permuted(values, symmetry);
                values.iter_mut().zip(image).for_each(|(one, two)| *one = (*one + two) / 2.0);
            }
        }
    }

    /// Takes over the parameters of a network, except layers of zeros: phases without correction.
    pub fn set(&mut self, network: &Parameters) {
        for (place, embedding) in network.embeddings.iter().enumerate() {
            let learnt = &mut self.embeddings[place % PARTS][place / PARTS];
            learnt.values = embedding.map(|value| f32::from(value) / EMBEDDING_SCALE as f32);
        }
        for (learnt, LayerParameters(stored)) in self.layers.iter_mut().zip(&network.layers) {
            if stored.iter().all(|&parameter| parameter == 0) {
                continue;
            }
            for (at, (learnt, &parameter)) in learnt.iter_mut().zip(stored).enumerate() {
                *learnt = f32::from(parameter) / layer_scale(at) as f32;
            }
        }
    }

    /// Returns the parameters as evaluation takes them, and the scale of the pattern sum at each
    /// phase. A phase that is not `known` has no correction.
    pub(crate) fn quantise(&self, known: &[bool; PHASES]) -> (Parameters, [f64; PHASES]) {
        let quantised = |value: f32, scale: i32, max: i32| {
            (value * scale as f32).round().clamp(-max as f32, max as f32)
        };
        let embedding = |place: u32| -> Embedding {
            self.embedding(place).map(|it| quantised(it, EMBEDDING_SCALE, i8::MAX.into()) as i8)
        };
        let layer = |(learnt, known): (&[f32; LEARNT], &bool)| {
            LayerParameters(std::array::from_fn(|at| match at {
                _ if !known => 0,
                _ => quantised(learnt[at], layer_scale(at), max_parameter(at)) as i16,
            }))
        };
        let scale = |phase: usize| {
            if known[phase] { self.layers[phase][PATTERN_SCALE].into() } else { 1.0 }
        };
        let parameters = Parameters {
            embeddings: (0..PACKING.len as u32).map(embedding).collect(),
            layers: self.layers.iter().zip(known).map(layer).collect(),
        };
        (parameters, std::array::from_fn(scale))
    }
}

/// Returns the quantisation scale of a layer's parameter.
pub(super) fn layer_scale(at: usize) -> i32 {
    if (BIAS..FILTER).contains(&at) { EMBEDDING_SCALE } else { LAYER_SCALE }
}

/// Forward pass of one position through a layer.
pub(super) struct Pass {
    /// Sum of embeddings with biases.
    sum: Wide,
    activations: Wide,
    hidden: [f32; HIDDEN],
    pub value: f32,
}

impl Pass {
    pub(super) fn new(layer: &[f32; LEARNT], mut sum: Wide, patterns: f32) -> Pass {
        let mut activations = [0.0; WIDTH];
        let mut value = layer[PATTERN_SCALE] * patterns + layer[CONSTANT];
        for (i, (sum, activated)) in sum.iter_mut().zip(&mut activations).enumerate() {
            *sum += layer[BIAS + channel_of(i)];
            *activated = activation(*sum);
            value += layer[SKIP + channel_of(i)] * *activated;
        }
        let mut hidden = [0.0; HIDDEN];
        for (i, hidden) in hidden.iter_mut().enumerate() {
            let (filter, symmetry) = (i / SYMMETRIES, i % SYMMETRIES);
            let weights = &layer[FILTER + filter * WIDTH..][..WIDTH];
            let mut sum = layer[FILTER_BIAS + filter];
            for (block, &to) in BLOCK_IMAGES[symmetry].iter().enumerate() {
                for channel in 0..CHANNELS {
                    sum += weights[place(block, channel)] * activations[place(to, channel)];
                }
            }
            *hidden = sum.max(0.0);
            value += layer[OUTPUT + filter] * *hidden;
        }
        Pass { sum, activations, hidden, value }
    }

    /// Returns the gradient by the sum of embeddings, given the one by the value, and adds the one
    /// by the layer to `by_layer`.
    fn backward(
        &self,
        layer: &[f32; LEARNT],
        patterns: f32,
        by_value: f32,
        by_layer: &mut [f32; LEARNT],
    ) -> Wide {
        by_layer[PATTERN_SCALE] += by_value * patterns;
        by_layer[CONSTANT] += by_value;
        let mut by_activation: Wide =
            std::array::from_fn(|i| by_value * layer[SKIP + channel_of(i)]);
        for (i, activated) in self.activations.iter().enumerate() {
            by_layer[SKIP + channel_of(i)] += by_value * activated;
        }
        for (i, &hidden) in self.hidden.iter().enumerate().filter(|(_, hidden)| **hidden > 0.0) {
            let (filter, symmetry) = (i / SYMMETRIES, i % SYMMETRIES);
            by_layer[OUTPUT + filter] += by_value * hidden;
            let by_hidden = by_value * layer[OUTPUT + filter];
            by_layer[FILTER_BIAS + filter] += by_hidden;
            let first = FILTER + filter * WIDTH;
            for (block, &to) in BLOCK_IMAGES[symmetry].iter().enumerate() {
                for channel in 0..CHANNELS {
                    let (own, to) = (first + place(block, channel), place(to, channel));
                    by_layer[own] += by_hidden * self.activations[to];
                    by_activation[to] += by_hidden * layer[own];
                }
            }
        }
        let mut by_sum = by_activation;
        for (i, (by_sum, &sum)) in by_sum.iter_mut().zip(&self.sum).enumerate() {
            if sum != sum.clamp(0.0, SATURATED) {
                *by_sum /= LEAK_DIVISOR as f32;
            }
            by_layer[BIAS + channel_of(i)] += *by_sum;
        }
        by_sum
    }
}

/// Largest magnitude of an embedding's value.
const MAX_VALUE: f32 = i8::MAX as f32 / EMBEDDING_SCALE as f32;
/// Magnitude beyond which the activation is constant; its gradient stays that of the leak, so that
/// sums can return.
pub const LIMIT: f32 = (ACTIVATION_LIMIT / EMBEDDING_SCALE) as f32;
/// Sum above which the activation has the slope of the leak.
const SATURATED: f32 = (SATURATION / EMBEDDING_SCALE) as f32;

fn activation(sum: f32) -> f32 {
    let within = sum.clamp(0.0, SATURATED);
    within + (sum.clamp(-LIMIT, LIMIT) - within) / LEAK_DIVISOR as f32
}

/// Updates one part of the embeddings by the gradients of some positions, with AdaGrad.
pub(crate) fn update_embeddings(
    part: usize,
    embeddings: &mut [LearntEmbedding],
    gradients: &Gradients,
    rate: f32,
) {
    for &(position, feature) in &gradients.parts[part] {
        let Gradient { input, by_sum, .. } = &gradients.of_positions[usize::from(position)];
        let feature = usize::from(feature);
        if !is_embedded(feature) {
            continue;
        }
        let gradient = by_embedding(input, feature, by_sum);
        let at = input.places[feature] as usize / PARTS;
        let LearntEmbedding { values, squares } = &mut embeddings[at];
        for ((value, squares), by) in values.iter_mut().zip(squares).zip(gradient) {
            *squares += by * by;
            *value = (*value - rate * by / squares.sqrt()).clamp(-MAX_VALUE, MAX_VALUE);
        }
    }
}

/// Returns the gradient by the embedding of a feature, given the one by the sum of embeddings.
fn by_embedding(input: &Input, feature: usize, by_sum: &Wide) -> Wide {
    let mut gradient = [0.0; WIDTH];
    if feature < PLACEMENTS {
        let symmetry = usize::from(input.symmetries[feature]);
        for (block, &to) in BLOCK_IMAGES[symmetry].iter().enumerate() {
            for channel in 0..CHANNELS {
                gradient[place(block, channel)] = by_sum[place(to, channel)];
            }
        }
    } else {
        // Embeddings of counted features stay the same under all symmetries.
        for (at, by_sum) in by_sum.iter().enumerate() {
            for block in 0..SYMMETRIES {
                gradient[place(block, channel_of(at))] += by_sum;
            }
        }
    }
    gradient
}
