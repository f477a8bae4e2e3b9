//! Score model: from the value of a search to an estimate of the final score under perfect play,
//! and how sure it is.
//!
//! A search compares moves on its own scale: leaves are fitted for play, and their values are too
//! small where one side leads. People are shown the converted value. It is monotone in the value, so
//! it never changes which move is best. The coefficients are fitted by `umigame-lab learn fit-models` to
//! positions with known scores and stored in the weights file.
//!
//! Only operations that every processor rounds alike are used: estimates are the same everywhere.

use crate::estimate::{Estimate, ScoreDistribution};
use crate::patterns::{PHASES, phase_of};
use crate::position_noise::PositionNoise;
use umigame_othello::Eval;

/// Features of a search from which its value is calibrated, besides the value.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct ScoreFeatures {
    /// Empties of the position.
    pub empties: u32,
    /// Plies searched; `None` for a selective search to the end of the game, whose value is a score.
    pub plies: Option<u32>,
    /// Standard deviations at which branches were cut; infinite where none was.
    pub cut_sigmas: f64,
    /// How far searches move the value of the position.
    pub noise: PositionNoise,
}

/// Number of terms of the offset that are smooth in empties and depth: the first of the estimate.
const SMOOTH_OFFSETS: usize = 11;
/// Places of the terms of the estimate that belong to a phase of the leaves.
pub const PHASE_OFFSETS: std::ops::Range<usize> = SMOOTH_OFFSETS..OFFSET_TERMS;
/// Number of terms of the offset and of the slope of estimates.
const OFFSET_TERMS: usize = SMOOTH_OFFSETS + PHASES;
const SLOPE_TERMS: usize = 10;
/// Number of coefficients of the estimate: offset, then slope.
pub const LOCATION_TERMS: usize = OFFSET_TERMS + SLOPE_TERMS;
/// Number of coefficients of the standard deviation of a search to a depth.
pub const STD_DEV_TERMS: usize = 8;
/// Number of coefficients of the standard deviation of a selective search to the end of the game.
pub const END_STD_DEV_TERMS: usize = 5;
/// Number of coefficients of a [`ScoreCalibration`].
pub const COEFFICIENTS: usize = LOCATION_TERMS + STD_DEV_TERMS + END_STD_DEV_TERMS;

/// Discs of a wipe-out.
const WIPE_OUT: f64 = 64.0;
/// Minimum slope of the estimate.
const MIN_SLOPE: f64 = 0.1;
/// Bounds of a standard deviation, in discs.
const MIN_STD_DEV: f64 = 0.2;
const MAX_STD_DEV: f64 = 20.0;
/// Bounds of the logarithm of a standard deviation, before those.
const MAX_LOG: f64 = 4.0;

/// Coefficients of estimates and standard deviations, see the functions `location_terms`, `std_dev_terms` and
/// `end_std_dev_terms` for what each belongs to.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct ScoreCalibration {
    /// Change of the value.
    pub location: [f64; LOCATION_TERMS],
    /// Logarithm of the standard deviation of a search to a depth.
    pub std_dev: [f64; STD_DEV_TERMS],
    /// Logarithm of the standard deviation of a selective search to the end of the game.
    pub end_std_dev: [f64; END_STD_DEV_TERMS],
}

/// Returns how early the position is: 1 at 54 empties, 0 at 24, negative after that.
fn earliness(empties: u32) -> f64 {
    (f64::from(empties.clamp(6, 54)) - 24.0) / 30.0
}

/// Returns the share of offsets in the opening, where fits say little: 1 at 40 empties or fewer, 0 at
/// the start, which is even.
fn opening_share(empties: u32) -> f64 {
    (f64::from(60u32.saturating_sub(empties)) / 20.0).min(1.0)
}

/// Returns how shallow the search is: 1 at depth 0, 1/2 at 6, towards 0.
fn shallowness(plies: u32) -> f64 {
    6.0 / (6.0 + f64::from(plies))
}

/// Returns the share of selectivity: 1 at 73 %, 0 where nothing is cut.
fn selectivity(cut_sigmas: f64) -> f64 {
    (1.1 / cut_sigmas).clamp(0.0, 1.0)
}

/// Returns e to the power of `x`, within 1 % for the logarithm of a standard deviation.
fn exp(x: f64) -> f64 {
    (0..10).fold(1.0 + x / 1024.0, |power, _| power * power)
}

fn dot(coefficients: &[f64], terms: &[f64]) -> f64 {
    coefficients.iter().zip(terms).map(|(coefficient, term)| coefficient * term).sum()
}

/// Returns the largest share, up to 1, of offset and slope that leaves the estimate rising everywhere.
///
/// What they add to a value of `x` wipe-outs is `(1 - x^2) (offset + slope x)`; this looks for the least
/// slope of that from -1 to 1.
fn rising_share(offset: f64, slope: f64) -> f64 {
    let at_wipe_outs = -2.0 * (slope + offset.abs());
    let turn = -offset / (3.0 * slope);
    let least = if slope < 0.0 && turn.abs() < 1.0 {
        at_wipe_outs.min(slope + offset * offset / (3.0 * slope))
    } else {
        at_wipe_outs
    };
    if least < MIN_SLOPE - 1.0 { (MIN_SLOPE - 1.0) / least } else { 1.0 }
}

impl ScoreFeatures {
    /// Returns the plies searched, all to the end of the game.
    fn depth(&self) -> u32 {
        self.plies.unwrap_or(self.empties)
    }

    /// Returns the terms of the offset.
    fn offset_terms(&self) -> [f64; OFFSET_TERMS] {
        let (s, h) = (earliness(self.empties), shallowness(self.depth()));
        let sign = |count: u32| if count.is_multiple_of(2) { 1.0 } else { -1.0 };
        // The side that has just moved is overrated.
        let parity = sign(self.depth());
        let swing = parity * h;
        // The side that will make the last move is underrated.
        let last = sign(self.empties);
        let smooth: [f64; SMOOTH_OFFSETS] =
            [1.0, s, h, s * h, swing, swing * s, swing * h, parity, last, last * s, last * h];
        // Weights are fitted for each phase, so the values of its leaves have an error of their own.
        let leaf = SMOOTH_OFFSETS + phase_of(self.empties.saturating_sub(self.depth()));
        let of_phase = |at| if at == leaf { parity } else { 0.0 };
        let share = opening_share(self.empties);
        std::array::from_fn(|at| share * smooth.get(at).copied().unwrap_or_else(|| of_phase(at)))
    }

    /// Returns the terms of the slope.
    fn slope_terms(&self) -> [f64; SLOPE_TERMS] {
        let (s, h) = (earliness(self.empties), shallowness(self.depth()));
        let (k, u) = (selectivity(self.cut_sigmas), self.noise.log());
        [1.0, s, h, s * h, s * s, k, h * h, s * s * h, u, u * h]
    }

    /// Returns the terms of the estimate of `value`, in discs: it is the value plus their sum, each
    /// times its coefficient, as long as that rises.
    pub fn location_terms(&self, value: f64) -> [f64; LOCATION_TERMS] {
        let x = value / WIPE_OUT;
        let taper = WIPE_OUT * (1.0 - x * x);
        let slopes = self.slope_terms().map(|term| x * term);
        let mut all = self.offset_terms().into_iter().chain(slopes);
        std::array::from_fn(|_| taper * all.next().unwrap_or_default())
    }

    /// Returns the terms of the logarithm of the standard deviation of a search to a depth.
    pub fn std_dev_terms(&self) -> [f64; STD_DEV_TERMS] {
        let (s, h) = (earliness(self.empties), shallowness(self.depth()));
        let u = self.noise.log();
        [1.0, s, s * s, h, h * h, s * h, u, u * h]
    }

    /// Returns the terms of the logarithm of the standard deviation of a search to the end of the game.
    pub fn end_std_dev_terms(&self) -> [f64; END_STD_DEV_TERMS] {
        let (s, k) = (earliness(self.empties), selectivity(self.cut_sigmas));
        [1.0, s, k, s * k, self.noise.log()]
    }
}

impl ScoreCalibration {
    /// Model for weights without a fit of their own: values stay what they are, with plain standard deviations.
    pub const DEFAULT: ScoreCalibration = ScoreCalibration {
        location: [0.0; LOCATION_TERMS],
        std_dev: [0.6, 0.6, 0.0, 1.0, 0.0, 0.0, 0.0, 0.0],
        end_std_dev: [-1.4, 0.0, 1.0, 0.0, 0.0],
    };

    /// Returns the coefficients in the order of the weights file.
    pub fn coefficients(&self) -> [f64; COEFFICIENTS] {
        let mut all = self.location.into_iter().chain(self.std_dev).chain(self.end_std_dev);
        std::array::from_fn(|_| all.next().unwrap_or_default())
    }

    /// Returns the model of coefficients in the order of the weights file.
    pub fn of_coefficients(coefficients: &[f64; COEFFICIENTS]) -> ScoreCalibration {
        let (location, rest) = coefficients.split_at(LOCATION_TERMS);
        let (std_dev, end_std_dev) = rest.split_at(STD_DEV_TERMS);
        ScoreCalibration {
            location: std::array::from_fn(|at| location[at]),
            std_dev: std::array::from_fn(|at| std_dev[at]),
            end_std_dev: std::array::from_fn(|at| end_std_dev[at]),
        }
    }

    /// Returns whether all coefficients are finite.
    pub fn is_finite(&self) -> bool {
        self.coefficients().iter().all(|coefficient| coefficient.is_finite())
    }

    /// Returns the estimate of the final score for a search to a depth, in discs from -64 to 64.
    ///
    /// It rises with `value`, by at least a tenth of it for any finite coefficients, from -64 at -64
    /// to 64 at 64.
    pub fn center(&self, features: &ScoreFeatures, value: f64) -> f64 {
        let (offsets, slopes) = self.location.split_at(OFFSET_TERMS);
        let offset = dot(offsets, &features.offset_terms());
        let slope = dot(slopes, &features.slope_terms());
        let x = value / WIPE_OUT;
        let change = (1.0 - x * x) * (offset + slope * x);
        WIPE_OUT * (x + rising_share(offset, slope) * change)
    }

    /// Returns the distribution of the final score for a search whose value is `value` discs.
    pub fn distribution(&self, features: &ScoreFeatures, value: f64) -> ScoreDistribution {
        let (center, log) = if features.plies.is_some() {
            (self.center(features, value), dot(&self.std_dev, &features.std_dev_terms()))
        } else {
            (value, dot(&self.end_std_dev, &features.end_std_dev_terms()))
        };
        ScoreDistribution { center, std_dev: std_dev(log) }
    }

    /// Returns the estimate of the final score for a search whose value is `value`.
    pub fn estimate(&self, features: &ScoreFeatures, value: Eval) -> Estimate {
        self.distribution(features, value.discs()).estimate()
    }
}

/// Returns the standard deviation of a logarithm, within bounds.
pub fn std_dev(log: f64) -> f64 {
    exp(log.clamp(-MAX_LOG, MAX_LOG)).clamp(MIN_STD_DEV, MAX_STD_DEV)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Models of random coefficients, most of them wilder than any fit.
    fn random_models() -> impl Iterator<Item = ScoreCalibration> {
        let mut random = fastrand::Rng::with_seed(11);
        (0..300).map(move |_| {
            let scale = [0.02, 0.2, 5.0, 1e9][random.usize(..4)];
            ScoreCalibration::of_coefficients(&std::array::from_fn(|_| {
                scale * (random.f64() - 0.5)
            }))
        })
    }

    fn random_features(random: &mut fastrand::Rng) -> ScoreFeatures {
        ScoreFeatures {
            empties: random.u32(1..=60),
            plies: Some(random.u32(0..=60)),
            cut_sigmas: [1.1, 2.0, 3.3, f64::INFINITY][random.usize(..4)],
            noise: PositionNoise(random.i32(-500..=500)),
        }
    }

    #[test]
    fn estimates_rise_with_the_value_for_any_coefficients() {
        let mut random = fastrand::Rng::with_seed(12);
        for model in random_models().chain([ScoreCalibration::DEFAULT]) {
            let features = random_features(&mut random);
            let of = |centidiscs: i32| model.center(&features, f64::from(centidiscs) / 100.0);
            let mut before = of(-6400);
            assert_eq!(before, -64.0, "{model:?}");
            for centidiscs in -6399..=6400 {
                let now = of(centidiscs);
                assert!(now >= before + 0.0009, "{centidiscs} {features:?} {model:?}");
                before = now;
            }
            assert_eq!(before, 64.0, "{model:?}");
        }
    }

    #[test]
    fn deviations_stay_within_bounds_for_any_coefficients() {
        let mut random = fastrand::Rng::with_seed(13);
        for model in random_models() {
            let features = random_features(&mut random);
            let value = 128.0 * random.f64() - 64.0;
            for features in [features, ScoreFeatures { plies: None, ..features }] {
                let std_dev = model.distribution(&features, value).std_dev;
                let bounds = MIN_STD_DEV..=MAX_STD_DEV;
                assert!(bounds.contains(&std_dev), "{features:?} {model:?}");
            }
        }
    }

    #[test]
    fn the_default_changes_no_value() {
        let mut random = fastrand::Rng::with_seed(14);
        for _ in 0..1000 {
            let value = f64::from(random.i32(-6400..=6400)) / 100.0;
            assert_eq!(
                ScoreCalibration::DEFAULT.center(&random_features(&mut random), value),
                value
            );
        }
    }

    #[test]
    fn the_terms_of_the_fit_give_the_estimate() {
        let mut random = fastrand::Rng::with_seed(15);
        for _ in 0..1000 {
            let coefficients = std::array::from_fn(|_| 0.06 * (random.f64() - 0.5));
            let model = ScoreCalibration::of_coefficients(&coefficients);
            let features = random_features(&mut random);
            let value = 128.0 * random.f64() - 64.0;
            let sum = value + dot(&model.location, &features.location_terms(value));
            assert!((sum - model.center(&features, value)).abs() < 1e-9);
        }
    }

    #[test]
    #[cfg(feature = "embedded")]
    fn the_embedded_estimates_are_as_fitted() {
        let evaluation = crate::Evaluation::embedded();
        let model = evaluation.score_calibration();
        let mut random = fastrand::Rng::with_seed(16);
        for _ in 0..10_000 {
            let (empties, plies) = (random.u32(12..=50), Some(random.u32(1..=20)));
            let features = ScoreFeatures { empties, plies, ..random_features(&mut random) };
            let value = 128.0 * random.f64() - 64.0;
            let fitted = value + dot(&model.location, &features.location_terms(value));
            let estimate = model.center(&features, value);
            assert!((fitted - estimate).abs() < 1e-9, "{features:?}: {value} {fitted} {estimate}");
        }
    }
}
