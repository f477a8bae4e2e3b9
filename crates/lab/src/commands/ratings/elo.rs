//! Ratings of players from the games of pairs of them.

use umigame_arena::Pentanomial;

/// Games of two players, by their places.
#[derive(Clone, Debug)]
pub(super) struct Pairing {
    pub stronger: usize,
    pub weaker: usize,
    /// From the stronger one's view.
    pub pairs: Pentanomial,
}

impl Pairing {
    fn games(&self) -> f64 {
        2.0 * self.pairs.pairs() as f64
    }

    /// Half points of each outcome of a pair of games are its place.
    fn points(&self) -> f64 {
        self.pairs.0.iter().enumerate().map(|(half, &count)| half as f64 / 2.0 * count as f64).sum()
    }
}

/// A rating in Elo with half of its 95 % interval.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Rating {
    pub elo: f64,
    pub error: f64,
}

/// Samples from which errors are computed.
const SAMPLES: u64 = 200;
const ITERATIONS: usize = 3000;
/// A drawn game that each pairing is credited with: a match won to nothing does not settle a distance.
const PRIOR_GAMES: f64 = 1.0;

/// Fits the ratings of `count` players, the first at 0, after Bradley and Terry; errors by resampling
/// the pairs of games.
pub(super) fn ratings(count: usize, pairings: &[Pairing], seed: u64) -> Vec<Rating> {
    let fitted = fit(count, pairings);
    let mut squares = vec![0.0; count];
    for sample in 0..SAMPLES {
        let mut random = umigame_support::random::numbered(seed, sample);
        let resampled: Vec<Pairing> =
            pairings.iter().map(|pairing| resample(pairing, &mut random)).collect();
        for ((sum, elo), center) in squares.iter_mut().zip(fit(count, &resampled)).zip(&fitted) {
            *sum += (elo - center).powi(2);
        }
    }
    let error = |sum: f64| 1.96 * (sum / SAMPLES as f64).sqrt();
    fitted.iter().zip(squares).map(|(&elo, sum)| Rating { elo, error: error(sum) }).collect()
}

fn resample(pairing: &Pairing, random: &mut fastrand::Rng) -> Pairing {
    let mut pairs = Pentanomial::default();
    for _ in 0..pairing.pairs.pairs() {
        let mut nth = random.u64(..pairing.pairs.pairs());
        let drawn = pairing.pairs.0.iter().position(|&count| {
            let is_here = nth < count;
            nth = nth.saturating_sub(count);
            is_here
        });
        pairs.add(drawn.unwrap_or_default());
    }
    Pairing { pairs, ..*pairing }
}

/// The most likely ratings, by the method of Zermelo.
fn fit(count: usize, pairings: &[Pairing]) -> Vec<f64> {
    let mut strengths = vec![1.0_f64; count];
    for _ in 0..ITERATIONS {
        let (mut points, mut shares) = (vec![0.0; count], vec![0.0; count]);
        for pairing in pairings {
            let Pairing { stronger, weaker, .. } = *pairing;
            let (games, won) =
                (pairing.games() + PRIOR_GAMES, pairing.points() + PRIOR_GAMES / 2.0);
            points[stronger] += won;
            points[weaker] += games - won;
            let share = games / (strengths[stronger] + strengths[weaker]);
            shares[stronger] += share;
            shares[weaker] += share;
        }
        for ((strength, points), share) in strengths.iter_mut().zip(points).zip(shares) {
            if share > 0.0 {
                *strength = points / share;
            }
        }
    }
    let first = strengths.first().copied().unwrap_or(1.0);
    strengths.iter().map(|strength| 400.0 * (strength / first).log10()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ratings_add_up_along_a_chain() {
        // 75 % is 191 Elo.
        let won = Pentanomial([500, 1000, 3500, 3000, 4000]);
        let pairing = |stronger, weaker| Pairing { stronger, weaker, pairs: won };
        let expected = won.elo().expect("pairs").value;
        let found = ratings(3, &[pairing(1, 0), pairing(2, 1)], 1);
        assert!(found[0].elo.abs() < 1e-9);
        for (place, rating) in found.iter().enumerate() {
            assert!((rating.elo - place as f64 * expected).abs() < 1.0, "{found:?}");
        }
        assert!(found[1].error > 0.0 && found[1].error < found[2].error);
    }
}
