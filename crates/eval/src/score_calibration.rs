//! Score model: from the value of a search to an estimate of the final score under perfect play,
//! and how sure it is.
//!
//! A search compares moves on its own scale: leaves are fitted for play, and their values are too
//! small where one side leads. People are shown the converted value. It is monotone in the value, so
//! it never changes which move is best. The coefficients are fitted by `umigame-lab learn scores` to
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
    /// Mean distance of the value from those of the two iterations before, in discs, of a search to
    /// the end from that of the last; `None` for a first iteration.
    pub instability: Option<f64>,
    /// Margin over the second move, in discs; `None` where only one was valued.
    pub margin: Option<f64>,
    /// How far searches move the value of the position.
    pub noise: PositionNoise,
}

/// Number of terms of the offset that are smooth in empties and depth: the first of the estimate.
const SMOOTH_OFFSETS: usize = 11;
/// Places of the terms of the estimate that belong to a phase of the leaves.
pub const PHASE_OFFSETS: std::ops::Range<usize> = SMOOTH_OFFSETS..OFFSET_TERMS;
/// Number of terms of the offset, of the slope and of the curvature of estimates.
const OFFSET_TERMS: usize = SMOOTH_OFFSETS + PHASES;
const SLOPE_TERMS: usize = 10;
const CURVE_TERMS: usize = 4;
/// Number of terms of the quadratic: the part by which a large lead and a large deficit are off in the same
/// direction.
const QUADRATIC_TERMS: usize = 3;
/// Number of terms of the slope near 0: which side a small lead belongs to is partly luck.
const NEAR_TERMS: usize = 2;
/// Parts of an estimate: offset, slope, curvature, quadratic and slope near 0.
const LOCATION_PARTS: usize = 5;
/// Number of coefficients of the estimate.
pub const LOCATION_TERMS: usize =
    OFFSET_TERMS + SLOPE_TERMS + CURVE_TERMS + QUADRATIC_TERMS + NEAR_TERMS;
/// Number of coefficients of the standard deviation of a search to a depth.
pub const STD_DEV_TERMS: usize = 14;
/// Number of coefficients of the standard deviation of a selective search to the end of the game.
pub const END_STD_DEV_TERMS: usize = 7;
/// Number of coefficients of a [`ScoreCalibration`].
pub const COEFFICIENTS: usize = LOCATION_TERMS + STD_DEV_TERMS + END_STD_DEV_TERMS;

/// Discs of a wipe-out.
const WIPE_OUT: f64 = 64.0;
/// Lead that is small, in wipe-outs: 6 discs.
const SMALL_LEAD: f64 = 6.0 / WIPE_OUT;
/// Minimum slope of the estimate at the points where it is looked at; between them it is at least 0.1.
const MIN_SLOPE: f64 = 0.12;
/// Number of those points, from -1 to 1.
const SLOPE_POINTS: usize = 129;
/// Bounds of a standard deviation, in discs.
const MIN_STD_DEV: f64 = 0.2;
const MAX_STD_DEV: f64 = 20.0;
/// Bounds of the logarithm of a standard deviation, before those.
const MAX_LOG: f64 = 4.0;
/// Instability and margin of a search that has none, as most searches have it.
const USUAL_INSTABILITY: f64 = 1.5;
const USUAL_MARGIN: f64 = 2.0;
/// Bound of instability and margin: beyond, more says nothing more.
const MAX_DISTANCE: f64 = 16.0;

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

/// Returns a distance in discs on a scale where the small ones count.
fn square_root(discs: f64) -> f64 {
    discs.clamp(0.0, MAX_DISTANCE).sqrt()
}

/// Returns e to the power of `x`, within 1 % for the logarithm of a standard deviation.
fn exp(x: f64) -> f64 {
    (0..10).fold(1.0 + x / 1024.0, |power, _| power * power)
}

/// Returns terms followed by one for each phase: `value` for `phase`, 0 for the others.
fn with_phase<const N: usize>(terms: &[f64], phase: usize, value: f64) -> [f64; N] {
    let of_phase = |other: usize| if other == phase { value } else { 0.0 };
    std::array::from_fn(|at| terms.get(at).copied().unwrap_or_else(|| of_phase(at - terms.len())))
}

fn dot(coefficients: &[f64], terms: &[f64]) -> f64 {
    coefficients.iter().zip(terms).map(|(coefficient, term)| coefficient * term).sum()
}

/// The terms of an estimate, without the value.
struct LocationParts {
    offset: [f64; OFFSET_TERMS],
    slope: [f64; SLOPE_TERMS],
    curve: [f64; CURVE_TERMS],
    quadratic: [f64; QUADRATIC_TERMS],
    near: [f64; NEAR_TERMS],
}

impl LocationParts {
    /// Returns the terms of each part, in the order of the coefficients.
    fn parts(&self) -> [&[f64]; LOCATION_PARTS] {
        [&self.offset, &self.slope, &self.curve, &self.quadratic, &self.near]
    }
}

/// Returns `x` near 0, and less and less of it beyond [`SMALL_LEAD`].
const fn near_zero(x: f64) -> f64 {
    let ratio = x / SMALL_LEAD;
    x / (1.0 + ratio * ratio)
}

/// Returns what a term of each part adds to a value of `x` wipe-outs, before it is tapered towards the
/// wipe-outs.
fn shapes(x: f64) -> [f64; LOCATION_PARTS] {
    [1.0, x, x * x.abs(), x * x, near_zero(x)]
}

/// The slopes of the tapered shapes at each of the points.
static SHAPE_SLOPES: [[f64; LOCATION_PARTS]; SLOPE_POINTS] = {
    let mut slopes = [[0.0; LOCATION_PARTS]; SLOPE_POINTS];
    let mut point = 0;
    while point < SLOPE_POINTS {
        let x = 2.0 * point as f64 / (SLOPE_POINTS - 1) as f64 - 1.0;
        let taper = 1.0 - x * x;
        let ratio = (x / SMALL_LEAD) * (x / SMALL_LEAD);
        let near_slope = (1.0 - ratio) / ((1.0 + ratio) * (1.0 + ratio));
        slopes[point] = [
            -2.0 * x,
            1.0 - 3.0 * x * x,
            2.0 * x.abs() * (1.0 - 2.0 * x * x),
            2.0 * x * (1.0 - 2.0 * x * x),
            taper * near_slope - 2.0 * x * near_zero(x),
        ];
        point += 1;
    }
    slopes
};

/// Returns the largest share, up to 1, of the parts' sums that leaves the estimate rising everywhere.
fn rising_share(sums: &[f64; LOCATION_PARTS]) -> f64 {
    let least = SHAPE_SLOPES.iter().map(|slopes| dot(sums, slopes)).fold(0.0, f64::min);
    if least < MIN_SLOPE - 1.0 { (MIN_SLOPE - 1.0) / least } else { 1.0 }
}

impl ScoreFeatures {
    /// Returns the plies searched, all to the end of the game.
    fn depth(&self) -> u32 {
        self.plies.unwrap_or(self.empties)
    }

    /// Returns the terms of the estimate, without the value.
    fn terms(&self) -> LocationParts {
        let (s, h) = (earliness(self.empties), shallowness(self.depth()));
        let (k, u) = (selectivity(self.cut_sigmas), self.noise.log());
        let sign = |count: u32| if count.is_multiple_of(2) { 1.0 } else { -1.0 };
        // The side that has just moved is overrated.
        let parity = sign(self.depth());
        let swing = parity * h;
        // The side that will make the last move is underrated.
        let last = sign(self.empties);
        let offset: [f64; SMOOTH_OFFSETS] =
            [1.0, s, h, s * h, swing, swing * s, swing * h, parity, last, last * s, last * h];
        // Weights are fitted for each phase, so the values of its leaves have an error of their own.
        let leaf = phase_of(self.empties.saturating_sub(self.depth()));
        let share = opening_share(self.empties);
        LocationParts {
            offset: with_phase(&offset, leaf, parity).map(|term| share * term),
            slope: [1.0, s, h, s * h, s * s, k, h * h, s * s * h, u, u * h],
            curve: [1.0, s, h, s * h],
            quadratic: [1.0, s, h],
            near: [1.0, s],
        }
    }

    /// Returns the terms of the estimate of `value`, in discs: it is the value plus their sum, each
    /// times its coefficient, as long as that rises.
    pub fn location_terms(&self, value: f64) -> [f64; LOCATION_TERMS] {
        let x = value / WIPE_OUT;
        let taper = WIPE_OUT * (1.0 - x * x);
        let terms = self.terms();
        let parts = terms.parts().into_iter().zip(shapes(x));
        let mut all = parts.flat_map(|(part, shape)| part.iter().map(move |term| shape * term));
        std::array::from_fn(|_| taper * all.next().unwrap_or_default())
    }

    /// Returns the terms of the logarithm of the standard deviation, for an estimate in discs.
    pub fn std_dev_terms(&self, estimate: f64) -> [f64; STD_DEV_TERMS] {
        let (s, h) = (earliness(self.empties), shallowness(self.depth()));
        let x = estimate.abs() / WIPE_OUT;
        let instability = square_root(self.instability.unwrap_or(USUAL_INSTABILITY));
        let margin = 1.0 / (1.0 + self.margin.unwrap_or(USUAL_MARGIN).clamp(0.0, MAX_DISTANCE));
        // Empties at the leaves: none of them is far from the end in a deep search of an ending.
        let leaf = 1.0 / (1.0 + 0.25 * f64::from(self.empties.saturating_sub(self.depth())));
        let (k, u) = (selectivity(self.cut_sigmas), self.noise.log());
        [1.0, s, s * s, h, h * h, s * h, leaf, x, x * x, instability, margin, k, u, u * h]
    }

    /// Returns the terms of the logarithm of the standard deviation of a search to the end of the
    /// game, for its score in discs.
    pub fn end_std_dev_terms(&self, score: f64) -> [f64; END_STD_DEV_TERMS] {
        let (s, k) = (earliness(self.empties), selectivity(self.cut_sigmas));
        let (instability, u) =
            (square_root(self.instability.unwrap_or(USUAL_INSTABILITY)), self.noise.log());
        [1.0, s, k, s * k, instability, score.abs() / WIPE_OUT, u]
    }
}

impl ScoreCalibration {
    /// Model for weights without a fit of their own: values stay what they are, with plain standard deviations.
    pub const DEFAULT: ScoreCalibration = ScoreCalibration {
        location: [0.0; LOCATION_TERMS],
        std_dev: [0.7, 0.6, 0.0, 1.0, 0.0, 0.0, -1.0, 0.0, 0.0, 0.1, 0.0, 0.0, 0.0, 0.0],
        end_std_dev: [-1.5, 0.0, 1.0, 0.0, 0.1, 0.0, 0.0],
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
        let mut rest = &self.location[..];
        let sums = features.terms().parts().map(|part| {
            let (own, others) = rest.split_at(part.len());
            rest = others;
            dot(own, part)
        });
        let x = value / WIPE_OUT;
        let bend = (1.0 - x * x) * dot(&sums, &shapes(x));
        WIPE_OUT * (x + rising_share(&sums) * bend)
    }

    /// Returns the distribution of the final score for a search whose value is `value` discs.
    pub fn distribution(&self, features: &ScoreFeatures, value: f64) -> ScoreDistribution {
        let (center, log) = if features.plies.is_some() {
            let center = self.center(features, value);
            (center, dot(&self.std_dev, &features.std_dev_terms(center)))
        } else {
            (value, dot(&self.end_std_dev, &features.end_std_dev_terms(value)))
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

    /// FittedModels of random coefficients, most of them wilder than any fit.
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
            instability: random.bool().then(|| 100.0 * random.f64()),
            margin: random.bool().then(|| 100.0 * random.f64()),
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
