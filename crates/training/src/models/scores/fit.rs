//! The fit of a score calibration to observations.
//!
//! Estimates by least squares, weighted by the sigmas; sigmas by maximum likelihood, by Newton's
//! method, given the estimates; in turns until both agree.

use super::observe::Observation;
use crate::linear::{Equation, least_squares};
use umigame_eval::estimate::ScoreDistribution;
use umigame_eval::score_calibration::{self, LOCATION_TERMS, PHASE_OFFSETS, ScoreCalibration};

/// Turns of estimates and sigmas.
const TURNS: usize = 4;
/// Newton steps for the sigmas in a turn.
const STEPS: usize = 12;
/// Weight of the prior that a coefficient is 0, in observations.
const PRIOR: f64 = 3.0;
/// Observations that a fit takes at least.
const MIN_OBSERVATIONS: usize = 500;
/// The same of selective endings.
const MIN_ENDINGS: usize = 100;
/// Usual size of the offset of a phase, as a share of a wipe-out: half a disc.
const USUAL_PHASE_OFFSET: f64 = 0.5 / 64.0;
/// Step of numerical derivatives of the likelihood by the logarithm of sigma.
const LOG_STEP: f64 = 0.05;
/// Smallest curvature of a likelihood that Newton's method trusts. A bound on the steps of single
/// observations would not do: their sum may then lead down.
const MIN_CURVATURE: f64 = 0.5;

/// Fits a score calibration; `None` if there are fewer than 500 observations of searches to a depth.
///
/// Without observations of selective endings, their part stays that of `before`.
pub fn fit(observations: &[Observation], before: &ScoreCalibration) -> Option<ScoreCalibration> {
    let (depth, to_end): (Vec<_>, Vec<_>) =
        observations.iter().copied().partition(|one| one.features.plies.is_some());
    if depth.len() < MIN_OBSERVATIONS {
        return None;
    }
    let mut model =
        ScoreCalibration { end_std_dev: before.end_std_dev, ..ScoreCalibration::DEFAULT };
    for _ in 0..TURNS {
        model.location = fit_location(&depth, &model)?;
        let errors = depth.iter().map(|one| {
            let center = model.center(&one.features, one.value);
            SigmaObservation { terms: one.features.std_dev_terms(), center, of: *one }
        });
        model.std_dev = fit_sigma(model.std_dev, &errors.collect::<Vec<_>>())?;
    }
    let endings = to_end.iter().map(|one| SigmaObservation {
        terms: one.features.end_std_dev_terms(),
        center: one.value,
        of: *one,
    });
    let endings: Vec<_> = endings.collect();
    if endings.len() >= MIN_ENDINGS {
        model.end_std_dev = fit_sigma(ScoreCalibration::DEFAULT.end_std_dev, &endings)?;
    }
    Some(model)
}

/// Returns coefficients of the terms that predict a known score less the value.
fn fit_location(depth: &[Observation], model: &ScoreCalibration) -> Option<[f64; LOCATION_TERMS]> {
    let equations = depth.iter().map(|one| {
        let std_dev = model.distribution(&one.features, one.value).std_dev;
        Equation {
            terms: one.features.location_terms(one.value),
            target: one.truth - one.value,
            weight: 1.0 / (std_dev * std_dev + one.noise),
        }
    });
    let of_phases = USUAL_PHASE_OFFSET.powi(-2);
    let weight = |place| if PHASE_OFFSETS.contains(&place) { of_phases } else { 1.0 };
    least_squares(equations.chain(prior(weight)))
}

/// Returns the equations that draw coefficients towards 0.
fn prior<const N: usize>(weight: impl Fn(usize) -> f64) -> impl Iterator<Item = Equation<N>> {
    (0..N).map(move |place| {
        let mut terms = [0.0; N];
        terms[place] = 1.0;
        Equation { terms, target: 0.0, weight: weight(place) }
    })
}

/// An observation with the terms of the logarithm of its sigma.
struct SigmaObservation<const N: usize> {
    terms: [f64; N],
    center: f64,
    of: Observation,
}

impl<const N: usize> SigmaObservation<N> {
    fn log_sigma(&self, coefficients: &[f64; N]) -> f64 {
        self.terms.iter().zip(coefficients).map(|(term, coefficient)| term * coefficient).sum()
    }

    /// Returns the logarithm of the probability of the known score, rounded to even scores.
    fn log_likelihood(&self, log_sigma: f64) -> f64 {
        let std_dev = score_calibration::std_dev(log_sigma);
        let std_dev = (std_dev * std_dev + self.of.noise).sqrt();
        let distribution = ScoreDistribution { center: self.center, std_dev };
        distribution.probability(self.of.truth).max(1e-12).ln()
    }
}

/// Returns the logarithm of the probability of all known scores and of the coefficients.
fn total_likelihood<const N: usize>(
    observations: &[SigmaObservation<N>],
    coefficients: &[f64; N],
) -> f64 {
    let likelihoods =
        observations.iter().map(|one| one.log_likelihood(one.log_sigma(coefficients)));
    let prior: f64 = coefficients.iter().map(|one| 0.5 * PRIOR * one * one).sum();
    likelihoods.sum::<f64>() - prior
}

/// Returns the coefficients that make the known scores most likely.
fn fit_sigma<const N: usize>(
    begin: [f64; N],
    observations: &[SigmaObservation<N>],
) -> Option<[f64; N]> {
    let total = |coefficients: &[f64; N]| total_likelihood(observations, coefficients);
    let mut coefficients = begin;
    let mut best = total(&coefficients);
    for _ in 0..STEPS {
        let newton = observations.iter().map(|one| {
            let at = one.log_sigma(&coefficients);
            let [low, here, high] =
                [-LOG_STEP, 0.0, LOG_STEP].map(|step| one.log_likelihood(at + step));
            let slope = (high - low) / (2.0 * LOG_STEP);
            let curvature = -(high + low - 2.0 * here) / (LOG_STEP * LOG_STEP);
            let weight = curvature.max(MIN_CURVATURE);
            Equation { terms: one.terms, target: slope / weight, weight }
        });
        let towards_0 = prior::<N>(|_| PRIOR)
            .zip(coefficients)
            .map(|(equation, coefficient)| Equation { target: -coefficient, ..equation });
        let step = least_squares(newton.chain(towards_0))?;
        let better = [1.0, 0.5, 0.25, 0.1, 0.03, 0.01].into_iter().find_map(|part| {
            let next = std::array::from_fn(|place| coefficients[place] + part * step[place]);
            let found = total(&next);
            (found > best).then_some((next, found))
        });
        let Some((next, found)) = better else { break };
        let gain = found - best;
        (coefficients, best) = (next, found);
        if gain < 0.01 {
            break;
        }
    }
    Some(coefficients)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::drawn_score;
    use umigame_eval::PositionNoise;
    use umigame_eval::score_calibration::ScoreFeatures;

    /// Returns observations that agree with a model, scores rounded to even numbers.
    fn observations_of(model: &ScoreCalibration, count: usize) -> Vec<Observation> {
        let mut random = fastrand::Rng::with_seed(21);
        let mut draw = |features: ScoreFeatures, value: f64| {
            let distribution = model.distribution(&features, value);
            let truth = drawn_score(&distribution, random.f64());
            Observation { features, value, truth, noise: 0.0 }
        };
        let mut random = fastrand::Rng::with_seed(22);
        let mut all = Vec::new();
        for _ in 0..count {
            let (empties, value) = (random.u32(14..40), 80.0 * (random.f64() - 0.5));
            let cut_sigmas = 1.1;
            let plies = Some(random.u32(1..13));
            let noise = PositionNoise(random.i32(-80..80));
            let features = ScoreFeatures { empties, plies, cut_sigmas, noise };
            all.push(draw(features, value));
            let ending = ScoreFeatures { empties: empties.min(26), plies: None, ..features };
            all.push(draw(ending, 2.0 * (value / 2.0).round()));
        }
        all
    }

    #[test]
    fn a_fit_recovers_estimates_and_sigmas() {
        let mut truth = ScoreCalibration::DEFAULT;
        truth.location[0] = 0.01;
        let slopes = PHASE_OFFSETS.end;
        truth.location[PHASE_OFFSETS.start + 17] = 0.02;
        truth.location[slopes] = 0.12;
        truth.location[slopes + 1] = -0.05;
        truth.std_dev[6] = 0.8;
        truth.end_std_dev = [-0.2, 0.5, 0.3, 0.0, 0.6];
        let found =
            fit(&observations_of(&truth, 60_000), &ScoreCalibration::DEFAULT).expect("a fit");
        let mut random = fastrand::Rng::with_seed(23);
        for _ in 0..200 {
            let (empties, value) = (random.u32(16..38), 60.0 * (random.f64() - 0.5));
            let noise = PositionNoise(random.i32(-70..70));
            let plies = Some(random.u32(2..12));
            let features = ScoreFeatures { empties, plies, cut_sigmas: 1.1, noise };
            let ending = ScoreFeatures { empties: empties.min(26), plies: None, ..features };
            for features in [features, ending] {
                let [was, is] = [&truth, &found].map(|model| model.distribution(&features, value));
                assert!((was.center - is.center).abs() < 0.5, "{features:?} {was:?} {is:?}");
                assert!(
                    (was.std_dev / is.std_dev - 1.0).abs() < 0.15,
                    "{features:?} {was:?} {is:?}"
                );
            }
        }
    }

    #[test]
    fn too_few_observations_give_no_fit() {
        assert_eq!(
            fit(&observations_of(&ScoreCalibration::DEFAULT, 200), &ScoreCalibration::DEFAULT),
            None
        );
    }

    #[test]
    fn no_change_of_a_fitted_coefficient_makes_the_scores_likelier() {
        // Every tenth score is far off, as where a search has overlooked something.
        let mut endings = Vec::new();
        for (number, mut one) in
            observations_of(&ScoreCalibration::DEFAULT, 2000).into_iter().enumerate()
        {
            if one.features.plies.is_some() {
                continue;
            }
            if number % 20 == 1 {
                one.truth = (one.truth + 10.0).min(64.0);
            }
            let terms = one.features.end_std_dev_terms();
            endings.push(SigmaObservation { terms, center: one.value, of: one });
        }
        let fitted = fit_sigma(ScoreCalibration::DEFAULT.end_std_dev, &endings).expect("a fit");
        let best = total_likelihood(&endings, &fitted);
        for place in 0..fitted.len() {
            for change in [-0.05, 0.05] {
                let mut other = fitted;
                other[place] += change;
                let found = total_likelihood(&endings, &other);
                assert!(found < best, "{place} {change}: {found} {best} {fitted:?}");
            }
        }
    }
}
