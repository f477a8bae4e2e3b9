//! Sequential tests: play until the evidence for one of two hypotheses is
//! enough, and no longer.
//!
//! Both tests weigh the likelihood of the pairs under the best distribution
//! with the one mean against the best with the other (a generalised test:
//! nothing but the mean is laid down), and stop at Wald's bounds.

use serde::{Deserialize, Serialize};

use super::stats::{Moments, Pentanomial, Tally, score_of_elo};

/// Pairs below which nothing is decided: the spread is not known yet.
const FEWEST_PAIRS: u64 = 12;
/// ErrorSpread of the disc difference below which it is not believed, in squared
/// discs: a few equal pairs prove nothing.
const LEAST_SPREAD: f64 = 1.0;

/// What is tested.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Measure {
    /// Wins, draws and losses; the bounds are Elo.
    Elo,
    /// The disc difference; the bounds are discs a game.
    Discs,
}

/// A sequential probability ratio test of the first engine against the
/// second.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Sprt {
    /// What the bounds are about.
    pub measure: Measure,
    /// The difference of hypothesis 0.
    pub low: f64,
    /// The difference of hypothesis 1, above `low`.
    pub high: f64,
    /// How often hypothesis 1 may be accepted where 0 is true.
    pub alpha: f64,
    /// How often hypothesis 0 may be accepted where 1 is true.
    pub beta: f64,
}

/// What a test has come to.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Verdict {
    /// Not enough evidence yet.
    Open,
    /// Hypothesis 0 is accepted.
    Low,
    /// Hypothesis 1 is accepted.
    High,
}

impl Sprt {
    /// The log-likelihood ratios at which the test ends, the one for
    /// hypothesis 0 first.
    pub fn bounds(&self) -> (f64, f64) {
        ((self.beta / (1.0 - self.alpha)).ln(), ((1.0 - self.beta) / self.alpha).ln())
    }

    /// The log-likelihood ratio of the complete pairs: above zero speaks for
    /// hypothesis 1.
    pub fn llr(&self, tally: &Tally) -> f64 {
        match self.measure {
            Measure::Elo => results_llr(&tally.pairs, self.low, self.high),
            Measure::Discs => discs_llr(&tally.pair_discs, self.low, self.high),
        }
    }

    /// Whether the test is over.
    pub fn verdict(&self, tally: &Tally) -> Verdict {
        let (low, high) = self.bounds();
        match self.llr(tally) {
            _ if tally.pairs.pairs() < FEWEST_PAIRS => Verdict::Open,
            llr if llr >= high => Verdict::High,
            llr if llr <= low => Verdict::Low,
            _ => Verdict::Open,
        }
    }
}

fn results_llr(pairs: &Pentanomial, low: f64, high: f64) -> f64 {
    if pairs.pairs() == 0 {
        return 0.0;
    }
    pairs.deficit(score_of_elo(low)) - pairs.deficit(score_of_elo(high))
}

/// The normal likelihood with the spread that fits each mean best.
fn discs_llr(discs: &Moments, low: f64, high: f64) -> f64 {
    let Some(mean) = discs.mean() else { return 0.0 };
    let spread = discs.spread().max(LEAST_SPREAD);
    let fit = |truth: f64| (spread + (mean - truth).powi(2)).ln();
    discs.count as f64 / 2.0 * (fit(low) - fit(high))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sprt(measure: Measure, low: f64, high: f64) -> Sprt {
        Sprt { measure, low, high, alpha: 0.05, beta: 0.05 }
    }

    #[test]
    fn the_bounds_are_walds() {
        let (low, high) = sprt(Measure::Elo, 0.0, 5.0).bounds();
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
    fn the_ratio_changes_sign_with_the_point_of_view() {
        let one = results_llr(&Pentanomial([1, 4, 9, 3, 2]), -5.0, 10.0);
        let other = results_llr(&Pentanomial([2, 3, 9, 4, 1]), -10.0, 5.0);
        assert!((one + other).abs() < 1e-9);
    }

    #[test]
    fn a_handful_of_pairs_decides_nothing() {
        let mut tally = Tally::default();
        for _ in 0..5 {
            tally.add_pair(64, 64);
        }
        assert_eq!(sprt(Measure::Elo, 0.0, 5.0).verdict(&tally), Verdict::Open);
        assert_eq!(sprt(Measure::Discs, 0.0, 1.0).verdict(&tally), Verdict::Open);
    }

    /// How often each verdict falls when pairs of discs come from `pair`.
    fn wrong_share(test: Sprt, wrong: Verdict, mut pair: impl FnMut() -> (i32, i32)) -> f64 {
        let trials = 1000;
        let mut fell = 0;
        for _ in 0..trials {
            let mut tally = Tally::default();
            let verdict = loop {
                let (first, second) = pair();
                tally.add_pair(first, second);
                match test.verdict(&tally) {
                    Verdict::Open => {}
                    verdict => break verdict,
                }
            };
            fell += u32::from(verdict == wrong);
        }
        f64::from(fell) / f64::from(trials)
    }

    #[test]
    fn the_test_on_results_errs_as_rarely_as_promised() {
        let mut random = fastrand::Rng::with_seed(3);
        let test = sprt(Measure::Elo, 0.0, 60.0);
        // Two games of one opening are alike: the second repeats the first
        // a third of the time, with the colours' advantage turned round.
        let mut world = |elo: f64| {
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
        let accepted = wrong_share(test, Verdict::High, || world(0.0));
        let missed = wrong_share(test, Verdict::Low, || world(60.0));
        assert!(accepted < 0.07 && accepted > 0.01, "{accepted}");
        assert!(missed < 0.07 && missed > 0.01, "{missed}");
    }

    #[test]
    fn the_test_on_discs_errs_as_rarely_as_promised() {
        let mut random = fastrand::Rng::with_seed(4);
        let test = sprt(Measure::Discs, 0.0, 2.0);
        let mut world = |discs: f64| {
            let mut game = || {
                let noise: f64 = (0..4).map(|_| random.f64() - 0.5).sum();
                ((discs + 12.0 * noise) / 2.0).round() as i32 * 2
            };
            (game(), game())
        };
        let accepted = wrong_share(test, Verdict::High, || world(0.0));
        let missed = wrong_share(test, Verdict::Low, || world(2.0));
        assert!(accepted < 0.07 && accepted > 0.01, "{accepted}");
        assert!(missed < 0.07 && missed > 0.01, "{missed}");
    }
}
