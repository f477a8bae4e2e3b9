//! Sequential probability ratio tests (SPRT): a match ends as soon as the evidence for one of two
//! hypotheses suffices.
//!
//! A test compares the likelihoods of the pairs under the best distribution with each mean (a
//! generalised test: a hypothesis fixes the mean only) and stops at Wald's bounds.

use serde::{Deserialize, Serialize};

use super::stats::{Moments, Pentanomial, Tally, score_of_elo};

/// Pairs before a verdict: with fewer, the variance is too uncertain.
const MIN_PAIRS: u64 = 12;
/// Lower bound of the variance of the disc difference, in squared discs: a few equal pairs prove
/// nothing.
const MIN_VARIANCE_SQUARED_DISCS: f64 = 1.0;

/// Quantity under test.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum SprtMeasure {
    /// Elo difference, from wins, draws and losses.
    Elo,
    /// Disc difference per game.
    Discs,
}

/// A sequential probability ratio test of the first engine against the second.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Sprt {
    /// Quantity of the hypotheses.
    pub measure: SprtMeasure,
    /// Difference under hypothesis 0.
    pub low: f64,
    /// Difference under hypothesis 1, above `low`.
    pub high: f64,
    /// Rate at which hypothesis 1 may be accepted when 0 is true.
    pub alpha: f64,
    /// Rate at which hypothesis 0 may be accepted when 1 is true.
    pub beta: f64,
}

/// Verdict of a test.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum SprtVerdict {
    /// The evidence does not suffice yet.
    Open,
    /// Hypothesis 0 is accepted.
    Low,
    /// Hypothesis 1 is accepted.
    High,
}

impl Sprt {
    /// Returns the log-likelihood ratios at which hypothesis 0 and hypothesis 1 are accepted.
    pub fn bounds(&self) -> (f64, f64) {
        ((self.beta / (1.0 - self.alpha)).ln(), ((1.0 - self.beta) / self.alpha).ln())
    }

    /// Returns the log-likelihood ratio of the complete pairs; positive values favour
    /// hypothesis 1.
    pub(crate) fn llr(&self, tally: &Tally) -> f64 {
        match self.measure {
            SprtMeasure::Elo => results_llr(&tally.pairs, self.low, self.high),
            SprtMeasure::Discs => discs_llr(&tally.pair_discs, self.low, self.high),
        }
    }

    /// Returns the verdict.
    pub fn verdict(&self, tally: &Tally) -> SprtVerdict {
        let (low, high) = self.bounds();
        match self.llr(tally) {
            _ if tally.pairs.pairs() < MIN_PAIRS => SprtVerdict::Open,
            llr if llr >= high => SprtVerdict::High,
            llr if llr <= low => SprtVerdict::Low,
            _ => SprtVerdict::Open,
        }
    }
}

fn results_llr(pairs: &Pentanomial, low: f64, high: f64) -> f64 {
    if pairs.pairs() == 0 {
        return 0.0;
    }
    pairs.deficit(score_of_elo(low)) - pairs.deficit(score_of_elo(high))
}

/// Uses the normal likelihood with the variance that fits each mean best.
fn discs_llr(discs: &Moments, low: f64, high: f64) -> f64 {
    let Some(mean) = discs.mean() else { return 0.0 };
    let variance = discs.variance().max(MIN_VARIANCE_SQUARED_DISCS);
    let misfit = |hypothesis: f64| (variance + (mean - hypothesis).powi(2)).ln();
    discs.count as f64 / 2.0 * (misfit(low) - misfit(high))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sprt(measure: SprtMeasure, low: f64, high: f64) -> Sprt {
        Sprt { measure, low, high, alpha: 0.05, beta: 0.05 }
    }

    #[test]
    fn the_bounds_are_those_of_wald() {
        let (low, high) = sprt(SprtMeasure::Elo, 0.0, 5.0).bounds();
        assert!((low + 2.944_439).abs() < 1e-5 && (high - 2.944_439).abs() < 1e-5);
    }

    #[test]
    fn the_ratio_agrees_with_the_normal_approximation() {
        // With many pairs and close hypotheses the ratio is
        // n (s1 - s0) (2 mean - s0 - s1) / (2 variance).
        let pairs = Pentanomial([50, 200, 440, 230, 80]);
        let mean = pairs.score().unwrap().value;
        let square = (200.0 * 0.0625 + 440.0 * 0.25 + 230.0 * 0.5625 + 80.0) / 1000.0;
        let (s0, s1) = (score_of_elo(0.0), score_of_elo(5.0));
        let expected = 1000.0 * (s1 - s0) * (2.0 * mean - s0 - s1) / (2.0 * (square - mean * mean));
        let ratio = results_llr(&pairs, 0.0, 5.0);
        assert!((ratio - expected).abs() < 0.02 * expected.abs(), "{ratio} {expected}");
    }

    #[test]
    fn the_ratio_changes_sign_from_the_opponents_view() {
        let one = results_llr(&Pentanomial([1, 4, 9, 3, 2]), -5.0, 10.0);
        let other = results_llr(&Pentanomial([2, 3, 9, 4, 1]), -10.0, 5.0);
        assert!((one + other).abs() < 1e-9);
    }

    #[test]
    fn five_pairs_decide_nothing() {
        let mut tally = Tally::default();
        for _ in 0..5 {
            tally.add_pair(64, 64);
        }
        assert_eq!(sprt(SprtMeasure::Elo, 0.0, 5.0).verdict(&tally), SprtVerdict::Open);
        assert_eq!(sprt(SprtMeasure::Discs, 0.0, 1.0).verdict(&tally), SprtVerdict::Open);
    }

    /// Returns the rate of a wrong verdict when `pair` returns the disc differences of pairs.
    fn error_rate(test: Sprt, wrong: SprtVerdict, mut pair: impl FnMut() -> (i32, i32)) -> f64 {
        let trials = 1000;
        let mut errors = 0;
        for _ in 0..trials {
            let mut tally = Tally::default();
            let verdict = loop {
                let (first, second) = pair();
                tally.add_pair(first, second);
                match test.verdict(&tally) {
                    SprtVerdict::Open => {}
                    verdict => break verdict,
                }
            };
            errors += u32::from(verdict == wrong);
        }
        f64::from(errors) / f64::from(trials)
    }

    #[test]
    fn the_test_on_elo_keeps_its_error_rates() {
        let mut random = fastrand::Rng::with_seed(3);
        let test = sprt(SprtMeasure::Elo, 0.0, 60.0);
        // The opening favours one colour, so the two games of a pair depend on each other.
        let mut play_pair = |elo: f64| {
            let score = score_of_elo(elo);
            let mut game = |score: f64| {
                let draw = 0.2;
                match random.f64() {
                    x if x < draw => 0,
                    x if x < draw + (score - draw / 2.0) => 1,
                    _ => -1,
                }
            };
            let bias = 0.15;
            (game(score + bias), game(score - bias))
        };
        let accepted_high = error_rate(test, SprtVerdict::High, || play_pair(0.0));
        let accepted_low = error_rate(test, SprtVerdict::Low, || play_pair(60.0));
        assert!(accepted_high < 0.07 && accepted_high > 0.01, "{accepted_high}");
        assert!(accepted_low < 0.07 && accepted_low > 0.01, "{accepted_low}");
    }

    #[test]
    fn the_test_on_discs_keeps_its_error_rates() {
        let mut random = fastrand::Rng::with_seed(4);
        let test = sprt(SprtMeasure::Discs, 0.0, 2.0);
        let mut play_pair = |discs: f64| {
            let mut game = || {
                let noise: f64 = (0..4).map(|_| random.f64() - 0.5).sum();
                ((discs + 12.0 * noise) / 2.0).round() as i32 * 2
            };
            (game(), game())
        };
        let accepted_high = error_rate(test, SprtVerdict::High, || play_pair(0.0));
        let accepted_low = error_rate(test, SprtVerdict::Low, || play_pair(2.0));
        assert!(accepted_high < 0.07 && accepted_high > 0.01, "{accepted_high}");
        assert!(accepted_low < 0.07 && accepted_low > 0.01, "{accepted_low}");
    }
}
