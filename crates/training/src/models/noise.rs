//! Position noise, fitted: which positions searches change more than others.
//!
//! The differences between the values of shallow and deep searches of a position, in sigmas of all
//! positions with as many empties, are normally distributed with a sigma of the position's own. Its
//! logarithm is linear in the terms of the network's layer; the numbers of each phase are those of the
//! greatest likelihood.

use std::collections::BTreeMap;

use super::probcut::{CellKey, Difference, Profile, is_probed};
use crate::linear::{Equation, least_squares};
use umigame_engine::Evaluation;
use umigame_eval::network::LAYER_SCALE;
use umigame_eval::patterns::phase_of;
use umigame_eval::position_noise::{NUMBERS, PositionNoise, PositionNoiseModel, TERMS, max_number};

/// Phases with fewer positions have no noise of their own.
pub(super) const MIN_POSITIONS: usize = 1_000;
/// Differences count as at most this many sigmas: a few outliers must not decide a fit.
const MAX_DIFFERENCE: f64 = 4.0;
/// Largest magnitude of the logarithm while it is fitted.
const MAX_LOG: f64 = 1.0;
/// Steps of a fit; the last ones change no number.
const STEPS: usize = 40;

/// The fit of a phase.
#[derive(Clone, Debug)]
pub struct PhaseFit {
    /// Phase: half of the plies.
    pub phase: usize,
    /// Number of positions.
    pub positions: usize,
    /// Factor that one position in twenty is below.
    pub low: f64,
    /// Factor that one position in twenty is above.
    pub high: f64,
    /// Logarithm of the likelihood that the factors gain, for each difference.
    pub gain: f64,
}

/// The differences between the searches of a position, and the terms that explain them.
#[derive(Clone, Debug)]
struct Evidence {
    terms: [f64; TERMS],
    /// Differences in sigmas, without sign.
    differences: Vec<f64>,
}

impl Evidence {
    fn count(&self) -> f64 {
        self.differences.len() as f64
    }

    /// Returns the mean of the squared differences.
    fn mean_square(&self) -> f64 {
        self.differences.iter().map(|it| it * it).sum::<f64>() / self.count()
    }

    /// Returns the logarithm that `numbers` give.
    fn log(&self, numbers: &[f64; NUMBERS]) -> f64 {
        numbers[0] + self.terms.iter().zip(&numbers[1..]).map(|(t, n)| t * n).sum::<f64>()
    }
}

/// Fits the noise to searched positions. `None` for weights without a network.
pub fn fit(
    profiles: &[Profile],
    evaluation: &Evaluation,
) -> Option<(PositionNoiseModel, Vec<PhaseFit>)> {
    let mut phases: BTreeMap<usize, Vec<Evidence>> = BTreeMap::new();
    for (profile, differences) in profiles.iter().zip(normalised(profiles)) {
        let terms = evaluation.noise_terms(profile.position)?;
        if !differences.is_empty() {
            let phase = phase_of(profile.position.empties());
            phases.entry(phase).or_default().push(Evidence { terms, differences });
        }
    }
    let mut model = PositionNoiseModel::AVERAGE;
    let mut fits = Vec::new();
    for (phase, evidence) in phases {
        if evidence.len() < MIN_POSITIONS {
            continue;
        }
        let Some(numbers) = fit_phase(&evidence) else { continue };
        model.0[phase] = rounded(&numbers);
        fits.push(summary(phase, &evidence, &model.0[phase]));
    }
    Some((model, fits))
}

/// Returns the differences of each profile between the depths that ProbCut uses, less their mean, in
/// sigmas of all profiles with as many empties, without sign.
fn normalised(profiles: &[Profile]) -> Vec<Vec<f64>> {
    // With the place of the profile.
    let mut cells: BTreeMap<CellKey, Vec<(usize, f64)>> = BTreeMap::new();
    for (at, profile) in profiles.iter().enumerate() {
        let empties = profile.position.empties();
        for Difference { shallow, deep, centidiscs } in profile.differences() {
            if is_probed(shallow, deep) {
                let key = CellKey { deep, shallow, empties };
                cells.entry(key).or_default().push((at, centidiscs));
            }
        }
    }
    let mut all = vec![Vec::new(); profiles.len()];
    for differences in cells.into_values() {
        let count = differences.len() as f64;
        let mean = differences.iter().map(|(_, it)| it).sum::<f64>() / count;
        let squares = differences.iter().map(|(_, it)| (it - mean).powi(2)).sum::<f64>();
        let sigma = (squares / count).sqrt();
        if sigma > 0.0 {
            for (at, difference) in differences {
                all[at].push(((difference - mean).abs() / sigma).min(MAX_DIFFERENCE));
            }
        }
    }
    all
}

/// Returns the numbers of greatest likelihood, by Fisher scoring: each step is a least-squares fit.
/// `None` if the terms do not determine them.
fn fit_phase(evidence: &[Evidence]) -> Option<[f64; NUMBERS]> {
    let mut numbers = [0.0; NUMBERS];
    for _ in 0..STEPS {
        numbers = least_squares(evidence.iter().map(|position| {
            let log = position.log(&numbers).clamp(-MAX_LOG, MAX_LOG);
            let mut terms = [1.0; NUMBERS];
            terms[1..].copy_from_slice(&position.terms);
            let step = (position.mean_square() * (-2.0 * log).exp() - 1.0) / 2.0;
            Equation { terms, target: log + step, weight: position.count() }
        }))?;
    }
    // Sigmas of the ProbCut model come from mean absolute differences: they shall stay what they are.
    let (mut before, mut after) = (0.0, 0.0);
    for position in evidence {
        let sum = position.differences.iter().sum::<f64>();
        before += sum;
        after += sum / position.log(&numbers).clamp(-MAX_LOG, MAX_LOG).exp();
    }
    numbers[0] += (after / before).ln();
    Some(numbers)
}

fn rounded(numbers: &[f64; NUMBERS]) -> [i16; NUMBERS] {
    std::array::from_fn(|at| {
        let max = f64::from(max_number(at));
        (numbers[at] * f64::from(LAYER_SCALE)).round().clamp(-max, max) as i16
    })
}

fn summary(phase: usize, evidence: &[Evidence], numbers: &[i16; NUMBERS]) -> PhaseFit {
    let numbers = numbers.map(|number| f64::from(number) / f64::from(LAYER_SCALE));
    let factor = |log: f64| f64::from(PositionNoise((256.0 * log) as i32).times(10_000)) / 1e4;
    let mut factors: Vec<f64> = evidence.iter().map(|it| factor(it.log(&numbers))).collect();
    // With sigmas that fit the squares, likelihoods differ by the mean logarithm of sigma alone.
    let (mut count, mut logs, mut one, mut own) = (0.0, 0.0, 0.0, 0.0);
    for (position, factor) in evidence.iter().zip(&factors) {
        let squares = position.count() * position.mean_square();
        count += position.count();
        logs += position.count() * factor.ln();
        one += squares;
        own += squares / factor.powi(2);
    }
    let gain = (one / own).ln() / 2.0 - logs / count;
    factors.sort_by(f64::total_cmp);
    let positions = factors.len();
    let (low, high) = (factors[positions / 20], factors[positions - 1 - positions / 20]);
    PhaseFit { phase, positions, low, high, gain }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_fit_recovers_the_numbers_behind_its_evidence() {
        let mut random = fastrand::Rng::with_seed(6);
        let mut truth = [0.0; NUMBERS];
        truth[1..5].copy_from_slice(&[0.3, -0.2, 0.1, 0.05]);
        let normal = |random: &mut fastrand::Rng| (0..12).map(|_| random.f64()).sum::<f64>() - 6.0;
        let evidence: Vec<Evidence> = (0..20_000)
            .map(|_| {
                let terms = std::array::from_fn(|_| 2.0 * random.f64() - 1.0);
                let mut evidence = Evidence { terms, differences: Vec::new() };
                let sigma = evidence.log(&truth).exp();
                evidence.differences = (0..3).map(|_| sigma * normal(&mut random).abs()).collect();
                evidence
            })
            .collect();
        let found = fit_phase(&evidence).expect("enough positions");
        for (found, truth) in found[1..].iter().zip(&truth[1..]) {
            assert!((found - truth).abs() < 0.03, "{found} {truth}");
        }
        let fit = summary(3, &evidence, &rounded(&found));
        assert!(fit.low < 0.8 && fit.high > 1.2 && fit.gain > 0.03, "{fit:?}");
    }

    #[test]
    fn evidence_without_differences_between_positions_gives_factors_near_one() {
        let mut random = fastrand::Rng::with_seed(7);
        let evidence: Vec<Evidence> = (0..5_000)
            .map(|_| Evidence {
                terms: std::array::from_fn(|_| random.f64()),
                differences: vec![2.0 * random.f64()],
            })
            .collect();
        let found = fit_phase(&evidence).expect("enough positions");
        let fit = summary(0, &evidence, &rounded(&found));
        assert!(fit.low > 0.9 && fit.high < 1.1, "{fit:?}");
    }
}
