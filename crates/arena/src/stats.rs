//! Statistics of a match: score, Elo and disc difference with 95 % intervals.
//!
//! Openings are played twice with colours swapped. The two games of an opening depend on each
//! other, so the unit of evidence is the pair of games. A pair is worth 0, 1/4, 1/2, 3/4 or 1, the
//! mean of its two games: five outcomes, hence "pentanomial".
//!
//! The interval of the mean score holds all means that the pairs do not reject, by the likelihood
//! ratio of the best distribution with that mean to the best of all (an empirical likelihood). It
//! keeps a width where the normal formula has none, as when every pair was won.
//!
//! After Owen, "Empirical Likelihood Ratio Confidence Intervals" (1988), and Van den Bergh's notes
//! on pentanomial tests for Fishtest.

use serde::{Deserialize, Serialize};

/// Score of a pair of games by its outcome.
const PAIR_SCORES: [f64; 5] = [0.0, 0.25, 0.5, 0.75, 1.0];
/// Prior weight of each outcome: a mean beyond all outcomes seen is unlikely, not impossible. The
/// value is Fishtest's.
const PRIOR_WEIGHT: f64 = 1e-3;
/// Steps of each bisection, which exhaust the precision of a double.
const BISECTIONS: usize = 60;
/// Normal quantile of a two-sided 95 % interval.
const Z_95: f64 = 1.959_963_985;

/// Returns the Elo difference that corresponds to a mean score from 0 to 1; infinite at both ends.
pub fn elo_of_score(score: f64) -> f64 {
    if score <= 0.0 {
        f64::NEG_INFINITY
    } else if score >= 1.0 {
        f64::INFINITY
    } else {
        -400.0 * (1.0 / score - 1.0).log10()
    }
}

/// Returns the mean score, 0 to 1, expected at an Elo difference.
pub fn score_of_elo(elo: f64) -> f64 {
    1.0 / (1.0 + 10f64.powf(-elo / 400.0))
}

/// Returns Student's t for a two-sided 95 % interval of the mean of `count` values, by its
/// expansion about the normal quantile.
fn student_95(count: f64) -> f64 {
    let df = count - 1.0;
    // The expansion is inaccurate at few degrees of freedom.
    for (exact, t) in [(1.0, 12.706), (2.0, 4.303), (3.0, 3.182)] {
        if df < exact + 0.5 {
            return t;
        }
    }
    let z = Z_95;
    z + (z.powi(3) + z) / (4.0 * df)
        + (5.0 * z.powi(5) + 16.0 * z.powi(3) + 3.0 * z) / (96.0 * df * df)
        + (3.0 * z.powi(7) + 19.0 * z.powi(5) + 17.0 * z.powi(3) - 15.0 * z) / (384.0 * df.powi(3))
}

/// An estimate with its 95 % interval.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Estimate {
    /// Point estimate.
    pub value: f64,
    /// Lower end of the interval.
    pub low: f64,
    /// Upper end of the interval.
    pub high: f64,
}

impl Estimate {
    fn map(self, f: impl Fn(f64) -> f64) -> Estimate {
        Estimate { value: f(self.value), low: f(self.low), high: f(self.high) }
    }
}

/// Numbers of pairs of games worth 0, 1/4, 1/2, 3/4 and 1.
///
/// ```
/// use umigame_arena::Pentanomial;
///
/// let pairs = Pentanomial([2, 10, 30, 14, 4]);
/// let elo = pairs.elo().unwrap();
/// assert!(elo.low < 0.0 && elo.value > 0.0, "60 pairs do not prove a small advantage");
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Pentanomial(pub [u64; 5]);

impl Pentanomial {
    /// Counts a pair by the half points of its two games, 0 to 4.
    pub fn add(&mut self, half_points: usize) {
        self.0[half_points.min(4)] += 1;
    }

    /// Returns the number of pairs.
    pub fn pairs(&self) -> u64 {
        self.0.iter().sum()
    }

    fn weights(&self) -> [f64; 5] {
        self.0.map(|count| count as f64 + PRIOR_WEIGHT)
    }

    /// Returns the mean score of a game, 0 to 1; `None` without pairs.
    pub fn score(&self) -> Option<Estimate> {
        let pairs = self.pairs();
        if pairs == 0 {
            return None;
        }
        let total = pairs as f64;
        let mean: f64 =
            self.0.iter().zip(PAIR_SCORES).map(|(&n, score)| n as f64 * score).sum::<f64>() / total;
        let limit = student_95(total).powi(2);
        let end = |edge: f64| {
            let (mut inside, mut outside) = (mean, edge);
            for _ in 0..BISECTIONS {
                let middle = (inside + outside) / 2.0;
                if 2.0 * self.deficit(middle) <= limit {
                    inside = middle;
                } else {
                    outside = middle;
                }
            }
            inside
        };
        Some(Estimate { value: mean, low: end(0.0), high: end(1.0) })
    }

    /// Returns the Elo difference; `None` without pairs.
    pub fn elo(&self) -> Option<Estimate> {
        self.score().map(|score| score.map(elo_of_score))
    }

    /// Returns the log-likelihood of the best of all distributions minus that of the best
    /// distribution with this mean, 0 to 1. Infinite at the ends.
    pub(super) fn deficit(&self, mean: f64) -> f64 {
        let weights = self.weights();
        if mean <= 0.0 || mean >= 1.0 {
            return f64::INFINITY;
        }
        // The best weights are n / (N (1 + x (score - mean))), with the x that gives them this
        // mean; the sum below falls as x grows.
        let tilt = |x: f64| -> f64 {
            weights
                .iter()
                .zip(PAIR_SCORES)
                .map(|(w, s)| w * (s - mean) / (1.0 + x * (s - mean)))
                .sum()
        };
        let (mut low, mut high) = (-1.0 / (1.0 - mean), 1.0 / mean);
        for _ in 0..BISECTIONS {
            let middle = (low + high) / 2.0;
            if tilt(middle) > 0.0 {
                low = middle;
            } else {
                high = middle;
            }
        }
        let x = (low + high) / 2.0;
        weights.iter().zip(PAIR_SCORES).map(|(w, s)| w * (1.0 + x * (s - mean)).ln()).sum()
    }
}

/// Count, sum and sum of squares of values.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Moments {
    /// Number of values.
    pub count: u64,
    sum: f64,
    squares: f64,
}

impl FromIterator<f64> for Moments {
    fn from_iter<I: IntoIterator<Item = f64>>(values: I) -> Moments {
        let mut moments = Moments::default();
        values.into_iter().for_each(|value| moments.add(value));
        moments
    }
}

impl Moments {
    /// Adds a value.
    pub fn add(&mut self, value: f64) {
        self.count += 1;
        self.sum += value;
        self.squares += value * value;
    }

    /// Returns the mean; `None` without values.
    pub fn mean(&self) -> Option<f64> {
        (self.count > 0).then(|| self.sum / self.count as f64)
    }

    /// Returns the variance; 0 without values.
    pub fn variance(&self) -> f64 {
        self.mean().map_or(0.0, |mean| (self.squares / self.count as f64 - mean * mean).max(0.0))
    }

    /// Returns the mean with its interval; `None` below two values.
    pub fn estimate(&self) -> Option<Estimate> {
        let (mean, count) = (self.mean()?, self.count as f64);
        if self.count < 2 {
            return None;
        }
        let error = (self.variance() / (count - 1.0)).sqrt() * student_95(count);
        Some(Estimate { value: mean, low: mean - error, high: mean + error })
    }
}

/// Results of one engine against another.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Tally {
    /// Games won.
    pub wins: u64,
    /// Games drawn.
    pub draws: u64,
    /// Games lost.
    pub losses: u64,
    /// Disc differences of the games.
    pub discs: Moments,
    /// Complete pairs of games, by outcome.
    pub pairs: Pentanomial,
    /// Mean disc differences of the complete pairs.
    pub pair_discs: Moments,
}

impl Tally {
    /// Counts a game by its disc difference, -64 to 64.
    pub fn add_game(&mut self, discs: i32) {
        match discs {
            0 => self.draws += 1,
            1.. => self.wins += 1,
            _ => self.losses += 1,
        }
        self.discs.add(f64::from(discs));
    }

    /// Counts the two games of an opening as a pair. [`Tally::add_game`] counts each of them.
    pub fn add_pair(&mut self, first: i32, second: i32) {
        let half_points = |discs: i32| (discs.signum() + 1) as usize;
        self.pairs.add(half_points(first) + half_points(second));
        self.pair_discs.add(f64::from(first + second) / 2.0);
    }

    /// Returns the number of games.
    pub fn games(&self) -> u64 {
        self.wins + self.draws + self.losses
    }

    /// Returns the points of the games: 1 for a win, 1/2 for a draw.
    pub fn points(&self) -> f64 {
        self.wins as f64 + self.draws as f64 / 2.0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    impl Estimate {
        fn contains(&self, value: f64) -> bool {
            self.low <= value && value <= self.high
        }
    }

    fn sample(random: &mut fastrand::Rng, chances: [f64; 5]) -> usize {
        let mut left = random.f64();
        chances
            .iter()
            .position(|chance| {
                left -= chance;
                left < 0.0
            })
            .unwrap_or(4)
    }

    fn mean_of(chances: [f64; 5]) -> f64 {
        chances.iter().zip(PAIR_SCORES).map(|(p, s)| p * s).sum()
    }

    #[test]
    fn the_elo_of_known_scores_is_that_of_the_tables() {
        // The usual table: 64 % is 100 Elo, 76 % is 200.
        for (score, elo) in [(0.5, 0.0), (0.64, 100.0), (0.76, 200.0), (0.75, 190.85)] {
            assert!((elo_of_score(score) - elo).abs() < 0.5, "{score}");
            assert!((elo_of_score(1.0 - score) + elo).abs() < 0.5, "{score}");
        }
        for elo in [-700.0, -35.0, 0.0, 12.5, 400.0] {
            assert!((elo_of_score(score_of_elo(elo)) - elo).abs() < 1e-6);
        }
        assert_eq!(elo_of_score(1.0), f64::INFINITY);
        assert_eq!(elo_of_score(0.0), f64::NEG_INFINITY);
    }

    #[test]
    fn students_t_is_that_of_the_tables() {
        for (df, t) in [(1.0, 12.706), (2.0, 4.303), (3.0, 3.182), (5.0, 2.571), (30.0, 2.042)] {
            assert!((student_95(df + 1.0) - t).abs() < 0.02, "{df}");
        }
    }

    #[test]
    fn many_pairs_give_the_interval_of_the_normal_formula() {
        // With 1000 pairs the two methods agree; mean and variance are computed by hand.
        let pairs = Pentanomial([50, 200, 440, 230, 80]);
        let score = pairs.score().unwrap();
        let mean = (200.0 * 0.25 + 440.0 * 0.5 + 230.0 * 0.75 + 80.0) / 1000.0;
        let square = (200.0 * 0.0625 + 440.0 * 0.25 + 230.0 * 0.5625 + 80.0) / 1000.0;
        let error = Z_95 * f64::sqrt((square - mean * mean) / 1000.0);
        assert!((score.value - mean).abs() < 1e-12);
        assert!((score.low - (mean - error)).abs() < 3e-4, "{score:?} {error}");
        assert!((score.high - (mean + error)).abs() < 3e-4, "{score:?} {error}");
    }

    #[test]
    fn the_interval_is_mirrored_from_the_opponents_view() {
        let one = Pentanomial([1, 4, 9, 3, 2]).elo().unwrap();
        let other = Pentanomial([2, 3, 9, 4, 1]).elo().unwrap();
        assert!((one.value + other.value).abs() < 1e-9);
        assert!((one.low + other.high).abs() < 1e-6);
    }

    #[test]
    fn all_pairs_won_bound_the_elo_from_below_only() {
        let elo = Pentanomial([0, 0, 0, 0, 20]).elo().unwrap();
        assert_eq!(elo.value, f64::INFINITY);
        assert!(elo.low > 200.0 && elo.low < 600.0, "{elo:?}");
        assert!(elo.high > 2000.0);
        let even = Pentanomial([0, 0, 50, 0, 0]).elo().unwrap();
        assert!(even.low < -1.0 && even.high > 1.0, "{even:?}");
        assert_eq!(Pentanomial::default().elo(), None);
    }

    #[test]
    fn the_elo_interval_covers_the_true_value_in_95_percent_of_matches() {
        let mut random = fastrand::Rng::with_seed(1);
        let distributions = [
            [0.05, 0.2, 0.45, 0.22, 0.08],
            [0.01, 0.04, 0.8, 0.1, 0.05],
            [0.0, 0.05, 0.25, 0.3, 0.4],
            [0.25, 0.0, 0.5, 0.0, 0.25],
        ];
        for chances in distributions {
            for size in [40, 300] {
                let trials = 1200;
                let true_mean = mean_of(chances);
                let covered = (0..trials)
                    .filter(|_| {
                        let mut pairs = Pentanomial::default();
                        for _ in 0..size {
                            pairs.add(sample(&mut random, chances));
                        }
                        pairs.score().unwrap().contains(true_mean)
                    })
                    .count();
                let coverage = covered as f64 / f64::from(trials);
                assert!(
                    (0.925..0.975).contains(&coverage),
                    "{coverage} with {size} pairs of {chances:?}"
                );
            }
        }
    }

    #[test]
    fn the_disc_interval_covers_the_true_value_in_95_percent_of_matches() {
        let mut random = fastrand::Rng::with_seed(2);
        for size in [10, 100] {
            let trials = 4000;
            let covered = (0..trials)
                .filter(|_| {
                    let mut moments = Moments::default();
                    for _ in 0..size {
                        // A sum of uniform variables with mean 1.5 discs.
                        let noise: f64 = (0..6).map(|_| random.f64() - 0.5).sum();
                        moments.add(1.5 + 10.0 * noise);
                    }
                    moments.estimate().unwrap().contains(1.5)
                })
                .count();
            let coverage = covered as f64 / f64::from(trials);
            assert!((0.94..0.96).contains(&coverage), "{coverage} with {size}");
        }
    }

    #[test]
    fn a_tally_sums_games_and_pairs() {
        let mut tally = Tally::default();
        for discs in [12, -2, 0, 64] {
            tally.add_game(discs);
        }
        tally.add_pair(12, -2);
        tally.add_pair(0, 64);
        assert_eq!((tally.wins, tally.draws, tally.losses), (2, 1, 1));
        assert_eq!(tally.points(), 2.5);
        assert_eq!(tally.pairs, Pentanomial([0, 0, 1, 1, 0]));
        assert_eq!(tally.discs.mean(), Some(18.5));
        assert_eq!(tally.pair_discs.mean(), Some(18.5));
    }
}
