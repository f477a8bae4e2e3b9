//! Layer of a phase: from the sum of embeddings to the correction.
//!
//! With `x` the sum of a position's embeddings divided by [`EMBEDDING_SCALE`], channel `c`, filter
//! `f` and symmetry `g`:
//!
//! - `y[c][g] = activation(x[c][g] + bias[c])`: slope 1 from 0 to 4, slope 1/32 outside, constant
//!   beyond -16 and 16;
//! - `z[f][g] = max(0, filter_bias[f] + sum of filter[f][c][e] * y[c][g after e])` over all
//!   channels `c` and symmetries `e`;
//! - the correction in discs is `constant`, plus the sum of `skip[c] * y[c][g]`, plus the sum of
//!   `output[f] * z[f][g]`;
//! - the logarithm of the noise is another such sum.

use super::dimensions::{
    CHANNELS, EMBEDDING_SCALE, EmbeddingSum, FILTERS, HIDDEN, LAYER_SCALE, MAX_PARAMETER,
    MAX_WEIGHT, SYMMETRIES, WIDTH, block_of, channel_of, place,
};
use super::embedding::BLOCK_IMAGES;
use crate::kernels::{self, Activation};
use crate::position_noise::{NUMBERS, PositionNoise, TERMS};

/// Parameters of a layer.
pub const PARAMETERS: usize = CONSTANT + 1;
/// Place of the biases of the channels.
pub const BIAS: usize = 0;
/// Place of the filters: each has a weight for each value of a sum.
pub const FILTER: usize = BIAS + CHANNELS;
/// Place of the biases of the filters.
pub const FILTER_BIAS: usize = FILTER + FILTERS * WIDTH;
/// Place of the output weights of the filters.
pub const OUTPUT: usize = FILTER_BIAS + FILTERS;
/// Place of the output weights of the channels.
pub const SKIP: usize = OUTPUT + FILTERS;
/// Place of the constant.
pub const CONSTANT: usize = SKIP + CHANNELS;

/// Sum from which the activation rises with slope 1 / [`LEAK_DIVISOR`]: 4.
pub const SATURATION: i32 = 4 * EMBEDDING_SCALE;
/// Divisor of the activation's slope below 0 and above [`SATURATION`].
pub const LEAK_DIVISOR: i32 = 32;
/// Magnitude beyond which the activation is constant: 16.
pub const ACTIVATION_LIMIT: i32 = 16 * EMBEDDING_SCALE;
/// Quantisation scale of activations.
const ACTIVATION_SCALE: i32 = EMBEDDING_SCALE * LEAK_DIVISOR;
/// Quantisation scale of hidden values.
const HIDDEN_SCALE: i32 = 256;
/// Shift from products of activations and filters to hidden values.
const HIDDEN_SHIFT: u32 = 14;
/// Largest hidden value: 32.
const MAX_HIDDEN: i16 = 32 * HIDDEN_SCALE as i16 - 1;
/// Shift from products with `skip` to products with `output`.
const SKIP_SHIFT: u32 = 4;
/// Fractional bits of the final sum.
const FRACTION_BITS: u32 = 18;
/// Shift from the sum of the second output to a [`PositionNoise`].
const LOG_SHIFT: u32 = FRACTION_BITS - 8;

/// Largest magnitude of an activation.
const MAX_ACTIVATION: i32 = LEAK_DIVISOR * SATURATION + ACTIVATION_LIMIT - SATURATION;
const _: () = assert!(
    WIDTH as i64 * (MAX_ACTIVATION * MAX_WEIGHT) as i64 + (MAX_PARAMETER * ACTIVATION_SCALE) as i64
        <= i32::MAX as i64
);
const _: () = assert!(ACTIVATION_SCALE * LAYER_SCALE == HIDDEN_SCALE << HIDDEN_SHIFT);
const _: () = assert!(HIDDEN_SCALE * LAYER_SCALE == 1 << FRACTION_BITS);
const _: () = assert!(ACTIVATION_SCALE * LAYER_SCALE == 1 << (FRACTION_BITS + SKIP_SHIFT));

/// Stored parameters of a layer, in units of 1 / [`LAYER_SCALE`], or 1 / [`EMBEDDING_SCALE`] for
/// the biases of the channels.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct LayerParameters(pub [i16; PARAMETERS]);

impl LayerParameters {
    /// Returns whether all parameters are within [`max_parameter`].
    pub fn is_sound(&self) -> bool {
        let within = |(at, &value): (usize, &i16)| i32::from(value).abs() <= max_parameter(at);
        self.0.iter().enumerate().all(within)
    }

    /// Adds `centidiscs` to the correction.
    #[must_use]
    pub fn shifted(mut self, centidiscs: f64) -> LayerParameters {
        let (unit, max) = (f64::from(LAYER_SCALE) / 100.0, f64::from(max_parameter(CONSTANT)));
        let constant = f64::from(self.0[CONSTANT]) + centidiscs * unit;
        self.0[CONSTANT] = constant.round().clamp(-max, max) as i16;
        self
    }

    /// Multiplies the correction by `factor`, as far as [`max_parameter`] allows.
    #[must_use]
    pub fn scaled(mut self, factor: f64) -> LayerParameters {
        for (at, value) in self.0.iter_mut().enumerate().skip(OUTPUT) {
            let max = f64::from(max_parameter(at));
            *value = (f64::from(*value) * factor).round().clamp(-max, max) as i16;
        }
        self
    }
}

/// Returns the largest magnitude of the parameter at a place.
pub const fn max_parameter(at: usize) -> i32 {
    match at {
        CONSTANT => i16::MAX as i32,
        FILTER..FILTER_BIAS | SKIP..CONSTANT => MAX_WEIGHT,
        _ => MAX_PARAMETER,
    }
}

/// Activation of a sum; its magnitude is below 18,000.
const ACTIVATION: Activation = Activation {
    slope: LEAK_DIVISOR as i16,
    saturation: SATURATION as i16,
    limit: ACTIVATION_LIMIT as i16,
};

/// A layer with its filters written out for every symmetry.
///
/// The filters come first, so that each load of their weights is from one cache line.
#[derive(Clone, Debug)]
#[repr(C, align(64))]
pub struct Layer {
    /// Weights from each activation to each hidden value, in the order of [`kernels::dense_layer`].
    filter: [[i16; 2 * HIDDEN]; WIDTH / 2],
    bias: [i16; WIDTH],
    filter_bias: [i32; HIDDEN],
    correction: Output,
    /// Of the logarithm of the noise.
    noise: Output,
}

/// The weights of an output of a layer.
#[derive(Clone, Debug)]
#[repr(C, align(64))]
struct Output {
    hidden: [i32; HIDDEN],
    skip: [i16; WIDTH],
    constant: i32,
}

impl Output {
    /// Writes out the stored weights of the filters and of the channels, and the constant.
    fn new(filters: &[i16], channels: &[i16], constant: i16) -> Output {
        Output {
            hidden: std::array::from_fn(|i| filters[i / SYMMETRIES].into()),
            skip: std::array::from_fn(|i| channels[channel_of(i)]),
            constant: i32::from(constant) * ((1 << FRACTION_BITS) / LAYER_SCALE),
        }
    }

    /// Returns the output, with [`FRACTION_BITS`].
    #[inline(always)]
    fn of(&self, values: &LayerValues) -> i32 {
        let skipped = kernels::dot(&values.activations, &self.skip) >> SKIP_SHIFT;
        let hidden = &values.hidden;
        let output = kernels::clipped_dot::<HIDDEN_SHIFT, MAX_HIDDEN>(hidden, &self.hidden);
        self.constant + skipped + output
    }
}

/// The activations and the hidden values of a position.
struct LayerValues {
    activations: [i16; WIDTH],
    hidden: [i32; HIDDEN],
}

impl Layer {
    /// Writes out the layer of stored parameters, with the noise's numbers of its phase.
    pub fn new(LayerParameters(stored): &LayerParameters, noise: &[i16; NUMBERS]) -> Layer {
        let [constant, weights @ ..] = noise;
        let (channels, filters) = weights.split_at(CHANNELS);
        let mut filter = [[0; 2 * HIDDEN]; WIDTH / 2];
        for (hidden, symmetry) in (0..HIDDEN).map(|hidden| (hidden, hidden % SYMMETRIES)) {
            for at in 0..WIDTH {
                let to = place(BLOCK_IMAGES[symmetry][block_of(at)], channel_of(at));
                let weight = stored[FILTER + hidden / SYMMETRIES * WIDTH + at];
                filter[to / 2][2 * hidden + to % 2] = weight;
            }
        }
        let filter_bias =
            |i: usize| i32::from(stored[FILTER_BIAS + i / SYMMETRIES]) * ACTIVATION_SCALE;
        Layer {
            bias: std::array::from_fn(|i| stored[BIAS + channel_of(i)]),
            filter,
            filter_bias: std::array::from_fn(filter_bias),
            correction: Output::new(&stored[OUTPUT..], &stored[SKIP..], stored[CONSTANT]),
            noise: Output::new(filters, channels, *constant),
        }
    }

    /// Returns the correction in centidiscs.
    #[inline(always)]
    pub fn value(&self, sum: &EmbeddingSum) -> i32 {
        self.centidiscs(&self.values(sum))
    }

    /// Returns the correction in centidiscs and the noise.
    #[inline(always)]
    pub fn value_and_noise(&self, sum: &EmbeddingSum) -> (i32, PositionNoise) {
        let values = self.values(sum);
        let log = self.noise.of(&values) >> LOG_SHIFT;
        (self.centidiscs(&values), PositionNoise(log))
    }

    /// Returns the terms of the noise's logarithm, of which an activation and a hidden value of
    /// 1 add 1.
    pub fn noise_terms(&self, sum: &EmbeddingSum) -> [f64; TERMS] {
        let LayerValues { activations, hidden } = self.values(sum);
        let mut terms = [0.0; TERMS];
        for (at, activation) in activations.into_iter().enumerate() {
            terms[channel_of(at)] += f64::from(activation) / f64::from(ACTIVATION_SCALE);
        }
        for (at, hidden) in hidden.into_iter().enumerate() {
            let hidden = (hidden >> HIDDEN_SHIFT).clamp(0, MAX_HIDDEN.into());
            terms[CHANNELS + at / SYMMETRIES] += f64::from(hidden) / f64::from(HIDDEN_SCALE);
        }
        terms
    }

    #[inline(always)]
    fn values(&self, sum: &EmbeddingSum) -> LayerValues {
        let activations = kernels::activated(sum, &self.bias, &ACTIVATION);
        let hidden = kernels::dense_layer(&activations, &self.filter, &self.filter_bias);
        LayerValues { activations, hidden }
    }

    #[inline(always)]
    fn centidiscs(&self, values: &LayerValues) -> i32 {
        ((i64::from(self.correction.of(values)) * 100) >> FRACTION_BITS) as i32
    }
}
