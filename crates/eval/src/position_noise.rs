//! Noise of a position: how much more, or less, a search changes the value of a position than those of others
//! with as many empties.
//!
//! It is a second output of the network's layers, fitted by `umigame-lab learn fit-models` and stored in
//! the weights file. ProbCut multiplies its sigmas by it, and estimates depend on it.

use crate::network::{CHANNELS, FILTERS, LAYER_SCALE, MAX_PARAMETER, MAX_WEIGHT};
use crate::patterns::PHASES;

/// Terms of the logarithm: the activations of each channel and the hidden values of each filter, added
/// up over the symmetries.
pub const TERMS: usize = CHANNELS + FILTERS;
/// Numbers of a phase: a constant and a weight for each term.
pub const NUMBERS: usize = 1 + TERMS;
/// Bytes of the model in the weights file.
pub const BYTES: usize = 2 * NUMBERS * PHASES;

/// Largest magnitude of a logarithm, in 256ths: factors from 0.55 to 1.82.
const MAX_LOG: i32 = 154;
/// Powers of e, in 256ths, by the logarithm plus [`MAX_LOG`].
static FACTORS: [i32; FACTOR_COUNT] = {
    let mut factors = [0; FACTOR_COUNT];
    let mut at = 0;
    while at < factors.len() {
        // (1 + x / 1024)^1024: every processor rounds products alike.
        let mut factor = 1.0 + (at as f64 - MAX_LOG as f64) / (256.0 * 1024.0);
        let mut squared = 0;
        while squared < 10 {
            factor *= factor;
            squared += 1;
        }
        factors[at] = (256.0 * factor) as i32;
        at += 1;
    }
    factors
};
const FACTOR_COUNT: usize = 2 * MAX_LOG as usize + 1;

/// The noise of a position: the natural logarithm of the factor of sigmas, in 256ths.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct PositionNoise(pub i32);

impl PositionNoise {
    /// Average noise, a factor of 1.
    pub const AVERAGE: PositionNoise = PositionNoise(0);
    /// Greatest noise that makes a difference.
    pub const MAX: PositionNoise = PositionNoise(MAX_LOG);

    /// Returns the natural logarithm of the factor.
    pub fn log(self) -> f64 {
        f64::from(self.0.clamp(-MAX_LOG, MAX_LOG)) / 256.0
    }

    /// Returns `centidiscs` times the factor; more than eight million are cut off.
    #[inline(always)]
    pub fn times(self, centidiscs: i32) -> i32 {
        let factor = FACTORS[(self.0.clamp(-MAX_LOG, MAX_LOG) + MAX_LOG) as usize];
        centidiscs.saturating_mul(factor) >> 8
    }
}

/// Numbers of every phase in units of 1 / [`LAYER_SCALE`]: the constant, then the weights of
/// the terms.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct PositionNoiseModel(pub [[i16; NUMBERS]; PHASES]);

impl PositionNoiseModel {
    /// All positions are alike.
    pub const AVERAGE: PositionNoiseModel = PositionNoiseModel([[0; NUMBERS]; PHASES]);

    /// Returns whether all numbers are within the bounds of a layer's.
    pub fn is_sound(&self) -> bool {
        let mut numbers = self.0.iter().flat_map(|phase| phase.iter().enumerate());
        numbers.all(|(at, &number)| i32::from(number).abs() <= max_number(at))
    }

    /// Returns the bytes in the weights file.
    pub fn to_bytes(&self) -> Vec<u8> {
        self.0.as_flattened().iter().flat_map(|number| number.to_le_bytes()).collect()
    }

    /// Reads the bytes of a weights file.
    pub fn from_bytes(bytes: &[u8; BYTES]) -> PositionNoiseModel {
        let (numbers, _) = bytes.as_chunks::<2>();
        let number = |at: usize| i16::from_le_bytes(numbers[at]);
        let phase = |phase| std::array::from_fn(|at| number(phase * NUMBERS + at));
        PositionNoiseModel(std::array::from_fn(phase))
    }
}

/// Returns the largest magnitude of a number of a phase.
pub const fn max_number(at: usize) -> i32 {
    match at {
        0 => 4 * LAYER_SCALE,
        1..=CHANNELS => MAX_WEIGHT,
        _ => MAX_PARAMETER,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn factors_are_powers_of_e_within_bounds() {
        for log in -400..=400 {
            let expected = (f64::from(log) / 256.0).clamp(-0.6016, 0.6016).exp() * 1000.0;
            let found = f64::from(PositionNoise(log).times(1000));
            assert!((found - expected).abs() < 6.0, "{log}: {found} {expected}");
            let factor = 1000.0 * PositionNoise(log).log().exp();
            assert!((factor - expected).abs() < 1.0, "{log}: {factor} {expected}");
        }
        assert_eq!(PositionNoise::AVERAGE.times(12_345), 12_345);
        assert_eq!(PositionNoise::MAX.times(100), PositionNoise(i32::MAX - 999).times(100));
        assert!(PositionNoise::MAX.times(i32::MAX) > 8_000_000);
    }

    #[test]
    fn bytes_give_back_the_model() {
        let mut random = fastrand::Rng::with_seed(4);
        let number = |at: usize, random: &mut fastrand::Rng| {
            let max = max_number(at) as i16;
            random.i16(-max..=max)
        };
        let mut model = PositionNoiseModel::AVERAGE;
        for phase in &mut model.0 {
            phase.iter_mut().enumerate().for_each(|(at, it)| *it = number(at, &mut random));
        }
        assert!(model.is_sound());
        let bytes = model.to_bytes().try_into().expect("all numbers");
        assert_eq!(PositionNoiseModel::from_bytes(&bytes), model);
        model.0[7][3] = i16::MIN;
        assert!(!model.is_sound());
    }
}
