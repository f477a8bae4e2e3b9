//! Score model: from the value of a search to an estimate of the final score under perfect play,
//! and how sure it is.
//!
//! A search compares moves on its own scale: leaves are fitted for play, and their values are too
//! small where one side leads. People are shown the converted value. It is monotone in the value, so
//! it never changes which move is best. The coefficients are fitted by `umigame-lab learn scores` to
//! positions with known scores and stored in the weights file.
//!
//! Only operations that every processor rounds alike are used: estimates are the same everywhere.

use crate::estimate::Spread;
use crate::patterns::{PHASES, phase_of};
use crate::uncertainty::Uncertainty;

/// Inputs of the score model for a search to a depth, besides its value.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct DepthFacts {
    /// Empties of the position.
    pub empties: u32,
    /// Plies searched.
    pub plies: u32,
    /// Standard deviations at which ProbCut cuts branches; infinite where it does not.
    pub cut_sigmas: f64,
    /// Mean distance of the value from those of the two iterations before, in discs; `None` for a
    /// first iteration.
    pub unrest: Option<f64>,
    /// Lead over the second move, in discs; `None` where only one was valued.
    pub lead: Option<f64>,
    /// Uncertainty of the position.
    pub uncertainty: Uncertainty,
}

/// Inputs of the score model for a selective search to the end of the game, besides its score.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct EndingFacts {
    /// Empties of the position.
    pub empties: u32,
    /// Standard deviations at which branches were cut.
    pub cut_sigmas: f64,
    /// Distance of the score from the value of the iteration before, in discs; `None` for a first
    /// iteration.
    pub unrest: Option<f64>,
    /// Uncertainty of the position.
    pub uncertainty: Uncertainty,
}

/// Inputs of the score model, besides the value of the search.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum SearchFacts {
    /// It went to a depth.
    Depth(DepthFacts),
    /// It went selectively to the end of the game.
    Ending(EndingFacts),
}

/// Number of terms of the offset that are smooth in empties and depth: the first of the estimate.
const SMOOTH_OFFSETS: usize = 11;
/// Places of the terms of the estimate that belong to a phase of the leaves.
pub const PHASE_OFFSETS: std::ops::Range<usize> = SMOOTH_OFFSETS..OFFSET_TERMS;
/// Number of terms of the offset, of the slope and of the curvature of estimates.
const OFFSET_TERMS: usize = SMOOTH_OFFSETS + PHASES;
const SLOPE_TERMS: usize = 10;
const CURVE_TERMS: usize = 4;
/// Number of terms of the lean: the part by which a large lead and a large deficit are off in the same
/// direction.
const LEAN_TERMS: usize = 3;
/// Number of terms of the slope near 0: which side a small lead belongs to is partly luck.
const NEAR_TERMS: usize = 2;
/// Parts of an estimate: offset, slope, curvature, lean and slope near 0.
const LOCATION_PARTS: usize = 5;
/// Number of coefficients of the estimate.
pub const LOCATION_TERMS: usize =
    OFFSET_TERMS + SLOPE_TERMS + CURVE_TERMS + LEAN_TERMS + NEAR_TERMS;
/// Number of coefficients of the sigma of a search to a depth.
pub const SPREAD_TERMS: usize = 14;
/// Number of coefficients of the sigma of a selective search to the end of the game.
pub const ENDING_TERMS: usize = 7;
/// Number of coefficients of a [`ScoreModel`].
pub const COEFFICIENTS: usize = LOCATION_TERMS + SPREAD_TERMS + ENDING_TERMS;

/// Discs of a wipe-out.
const WIPE_OUT: f64 = 64.0;
/// Lead that is small, in wipe-outs: 6 discs.
const SMALL_LEAD: f64 = 6.0 / WIPE_OUT;
/// Minimum slope of the estimate at the points where it is looked at; between them it is at least 0.1.
const MIN_SLOPE: f64 = 0.12;
/// Number of those points, from -1 to 1.
const SLOPE_POINTS: usize = 129;
/// Bounds of a sigma, in discs.
const MIN_SIGMA: f64 = 0.2;
const MAX_SIGMA: f64 = 20.0;
/// Bounds of the logarithm of a sigma, before those.
const MAX_LOG_SIGMA: f64 = 4.0;
/// Unrest and lead of a search that has none, as most searches have it.
const USUAL_UNREST: f64 = 1.5;
const USUAL_LEAD: f64 = 2.0;
/// Bound of unrest and lead: beyond, more says nothing more.
const MAX_DISTANCE: f64 = 16.0;

/// Coefficients of estimates and sigmas, see the functions `location_terms`, `spread_terms` and
/// `ending_terms` for what each belongs to.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct ScoreModel {
    /// Change of the value.
    pub location: [f64; LOCATION_TERMS],
    /// Logarithm of the sigma of a search to a depth.
    pub spread: [f64; SPREAD_TERMS],
    /// Logarithm of the sigma of a selective search to the end of the game.
    pub ending: [f64; ENDING_TERMS],
}

/// Returns how early the position is: 1 at 54 empties, 0 at 24, negative after that.
fn stage(empties: u32) -> f64 {
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
fn damped(discs: f64) -> f64 {
    discs.clamp(0.0, MAX_DISTANCE).sqrt()
}

/// Returns e to the power of `x`, within 1 % for the logarithm of a sigma.
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
    lean: [f64; LEAN_TERMS],
    near: [f64; NEAR_TERMS],
}

impl LocationParts {
    /// Returns the terms of each part, in the order of the coefficients.
    fn parts(&self) -> [&[f64]; LOCATION_PARTS] {
        [&self.offset, &self.slope, &self.curve, &self.lean, &self.near]
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

impl DepthFacts {
    /// Returns the terms of the estimate, without the value.
    fn terms(&self) -> LocationParts {
        let (s, h) = (stage(self.empties), shallowness(self.plies));
        let (k, u) = (selectivity(self.cut_sigmas), self.uncertainty.log());
        let sign = |count: u32| if count.is_multiple_of(2) { 1.0 } else { -1.0 };
        // The side that has just moved is overrated.
        let parity = sign(self.plies);
        let swing = parity * h;
        // The side that will make the last move is underrated.
        let last = sign(self.empties);
        let offset: [f64; SMOOTH_OFFSETS] =
            [1.0, s, h, s * h, swing, swing * s, swing * h, parity, last, last * s, last * h];
        // Weights are fitted for each phase, so the values of its leaves have an error of their own.
        let leaf = phase_of(self.empties.saturating_sub(self.plies));
        let share = opening_share(self.empties);
        LocationParts {
            offset: with_phase(&offset, leaf, parity).map(|term| share * term),
            slope: [1.0, s, h, s * h, s * s, k, h * h, s * s * h, u, u * h],
            curve: [1.0, s, h, s * h],
            lean: [1.0, s, h],
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

    /// Returns the terms of the logarithm of sigma, for an estimate in discs.
    pub fn spread_terms(&self, estimate: f64) -> [f64; SPREAD_TERMS] {
        let (s, h) = (stage(self.empties), shallowness(self.plies));
        let x = estimate.abs() / WIPE_OUT;
        let unrest = damped(self.unrest.unwrap_or(USUAL_UNREST));
        let lead = 1.0 / (1.0 + self.lead.unwrap_or(USUAL_LEAD).clamp(0.0, MAX_DISTANCE));
        // Empties at the leaves: none of them is far from the end in a deep search of an ending.
        let leaf = 1.0 / (1.0 + 0.25 * f64::from(self.empties.saturating_sub(self.plies)));
        let (k, u) = (selectivity(self.cut_sigmas), self.uncertainty.log());
        [1.0, s, s * s, h, h * h, s * h, leaf, x, x * x, unrest, lead, k, u, u * h]
    }
}

impl EndingFacts {
    /// Returns the terms of the logarithm of sigma, for a score in discs.
    pub fn spread_terms(&self, score: f64) -> [f64; ENDING_TERMS] {
        let (s, k) = (stage(self.empties), selectivity(self.cut_sigmas));
        let (unrest, u) = (damped(self.unrest.unwrap_or(USUAL_UNREST)), self.uncertainty.log());
        [1.0, s, k, s * k, unrest, score.abs() / WIPE_OUT, u]
    }
}

impl ScoreModel {
    /// Model for weights without a fit of their own: values stay what they are, with plain sigmas.
    pub const DEFAULT: ScoreModel = ScoreModel {
        location: [0.0; LOCATION_TERMS],
        spread: [0.7, 0.6, 0.0, 1.0, 0.0, 0.0, -1.0, 0.0, 0.0, 0.1, 0.0, 0.0, 0.0, 0.0],
        ending: [-1.5, 0.0, 1.0, 0.0, 0.1, 0.0, 0.0],
    };

    /// Returns the coefficients in the order of the weights file.
    pub fn coefficients(&self) -> [f64; COEFFICIENTS] {
        let mut all = self.location.into_iter().chain(self.spread).chain(self.ending);
        std::array::from_fn(|_| all.next().unwrap_or_default())
    }

    /// Returns the model of coefficients in the order of the weights file.
    pub fn of_coefficients(coefficients: &[f64; COEFFICIENTS]) -> ScoreModel {
        let (location, rest) = coefficients.split_at(LOCATION_TERMS);
        let (spread, ending) = rest.split_at(SPREAD_TERMS);
        ScoreModel {
            location: std::array::from_fn(|at| location[at]),
            spread: std::array::from_fn(|at| spread[at]),
            ending: std::array::from_fn(|at| ending[at]),
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
    pub fn estimate(&self, facts: &DepthFacts, value: f64) -> f64 {
        let mut rest = &self.location[..];
        let sums = facts.terms().parts().map(|part| {
            let (own, others) = rest.split_at(part.len());
            rest = others;
            dot(own, part)
        });
        let x = value / WIPE_OUT;
        let bend = (1.0 - x * x) * dot(&sums, &shapes(x));
        WIPE_OUT * (x + rising_share(&sums) * bend)
    }

    /// Returns the distribution of the final score for a search whose value is `value` discs.
    pub fn spread(&self, facts: &SearchFacts, value: f64) -> Spread {
        match facts {
            SearchFacts::Depth(facts) => self.of_depth(facts, value),
            SearchFacts::Ending(facts) => self.of_ending(facts, value),
        }
    }

    /// Returns the distribution of the final score for a search to a depth whose value is `value`
    /// discs.
    pub fn of_depth(&self, facts: &DepthFacts, value: f64) -> Spread {
        let center = self.estimate(facts, value);
        Spread { center, sigma: sigma(dot(&self.spread, &facts.spread_terms(center))) }
    }

    /// Returns the distribution of the final score for a selective search to the end of the game
    /// whose score is `score` discs.
    pub fn of_ending(&self, facts: &EndingFacts, score: f64) -> Spread {
        Spread { center: score, sigma: sigma(dot(&self.ending, &facts.spread_terms(score))) }
    }
}

/// Returns the sigma of a logarithm, within bounds.
pub fn sigma(log: f64) -> f64 {
    exp(log.clamp(-MAX_LOG_SIGMA, MAX_LOG_SIGMA)).clamp(MIN_SIGMA, MAX_SIGMA)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Models of random coefficients, most of them wilder than any fit.
    fn random_models() -> impl Iterator<Item = ScoreModel> {
        let mut random = fastrand::Rng::with_seed(11);
        (0..300).map(move |_| {
            let scale = [0.02, 0.2, 5.0, 1e9][random.usize(..4)];
            ScoreModel::of_coefficients(&std::array::from_fn(|_| scale * (random.f64() - 0.5)))
        })
    }

    fn random_facts(random: &mut fastrand::Rng) -> DepthFacts {
        DepthFacts {
            empties: random.u32(1..=60),
            plies: random.u32(0..=60),
            cut_sigmas: [1.1, 2.0, 3.3, f64::INFINITY][random.usize(..4)],
            unrest: random.bool().then(|| 100.0 * random.f64()),
            lead: random.bool().then(|| 100.0 * random.f64()),
            uncertainty: Uncertainty(random.i32(-500..=500)),
        }
    }

    #[test]
    fn estimates_rise_with_the_value_for_any_coefficients() {
        let mut random = fastrand::Rng::with_seed(12);
        for model in random_models().chain([ScoreModel::DEFAULT]) {
            let facts = random_facts(&mut random);
            let of = |centidiscs: i32| model.estimate(&facts, f64::from(centidiscs) / 100.0);
            let mut before = of(-6400);
            assert_eq!(before, -64.0, "{model:?}");
            for centidiscs in -6399..=6400 {
                let now = of(centidiscs);
                assert!(now >= before + 0.0009, "{centidiscs} {facts:?} {model:?}");
                before = now;
            }
            assert_eq!(before, 64.0, "{model:?}");
        }
    }

    #[test]
    fn sigmas_stay_within_bounds_for_any_coefficients() {
        let mut random = fastrand::Rng::with_seed(13);
        for model in random_models() {
            let facts = random_facts(&mut random);
            let DepthFacts { empties, cut_sigmas, unrest, uncertainty, .. } = facts;
            let value = 128.0 * random.f64() - 64.0;
            let ending = EndingFacts { empties, cut_sigmas, unrest, uncertainty };
            for spread in [model.of_depth(&facts, value), model.of_ending(&ending, value)] {
                assert!((MIN_SIGMA..=MAX_SIGMA).contains(&spread.sigma), "{spread:?} {model:?}");
            }
        }
    }

    #[test]
    fn the_default_changes_no_value() {
        let mut random = fastrand::Rng::with_seed(14);
        for _ in 0..1000 {
            let value = f64::from(random.i32(-6400..=6400)) / 100.0;
            assert_eq!(ScoreModel::DEFAULT.estimate(&random_facts(&mut random), value), value);
        }
    }

    #[test]
    fn the_terms_of_the_fit_give_the_estimate() {
        let mut random = fastrand::Rng::with_seed(15);
        for _ in 0..1000 {
            let coefficients = std::array::from_fn(|_| 0.06 * (random.f64() - 0.5));
            let model = ScoreModel::of_coefficients(&coefficients);
            let facts = random_facts(&mut random);
            let value = 128.0 * random.f64() - 64.0;
            let sum = value + dot(&model.location, &facts.location_terms(value));
            assert!((sum - model.estimate(&facts, value)).abs() < 1e-9);
        }
    }

    #[test]
    #[cfg(feature = "embedded")]
    fn the_embedded_estimates_are_as_fitted() {
        let evaluation = crate::Evaluation::embedded();
        let model = evaluation.score_model();
        let mut random = fastrand::Rng::with_seed(16);
        for _ in 0..10_000 {
            let (empties, plies) = (random.u32(12..=50), random.u32(1..=20));
            let facts = DepthFacts { empties, plies, ..random_facts(&mut random) };
            let value = 128.0 * random.f64() - 64.0;
            let fitted = value + dot(&model.location, &facts.location_terms(value));
            let estimate = model.estimate(&facts, value);
            assert!((fitted - estimate).abs() < 1e-9, "{facts:?}: {value} {fitted} {estimate}");
        }
    }
}
