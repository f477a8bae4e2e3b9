//! How much of what is played in which round: everything but the number of
//! threads that decides on the weights.

use super::super::play::PlaySettings;
use super::super::starts::Starts;
use umigame_engine::eval::SharedEvaluation;

/// Positions of a game, on the average of random starts.
const POSITIONS_OF_GAME: u64 = 34;
/// Moves in 10,000 that are random.
const EXPLORE: u32 = 200;
/// What a position takes to be fitted to, in microseconds of one core.
const FIT_COST: f64 = 50.0;
/// Cores that [`Plan::positions_in`] counts on.
const CORES: f64 = 2.0;

/// A plan of the whole road.
#[derive(Clone, Debug)]
pub struct Plan {
    /// About how many positions are played, over all rounds.
    pub positions: u64,
    /// Plies of the searches of the last round, at least 1.
    pub depth: u8,
    /// Empties from which the games of the last round are solved, at least 1.
    pub exact: u8,
    /// Where random numbers come from.
    pub seed: u64,
    /// Passes over the positions of every fit.
    pub iterations: usize,
    /// Where games begin.
    pub starts: Starts,
}

/// A round of games.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Round {
    /// Plies of the searches.
    pub depth: u8,
    /// Empties from which games are solved.
    pub exact: u8,
    /// How many games, at least 1.
    pub games: u64,
}

impl Round {
    /// What its games take, in microseconds of one core.
    pub fn play_cost(&self) -> f64 {
        (self.games * POSITIONS_OF_GAME) as f64 * position_cost(self.depth, self.exact)
    }

    /// What all of it takes.
    pub fn cost(&self) -> f64 {
        self.play_cost() + (self.games * POSITIONS_OF_GAME) as f64 * FIT_COST
    }
}

/// What a position of a game takes, in microseconds of one core: fitted to
/// `umigame learn play --games 96 --threads 1` with depth and exact 1 and 10,
/// 2 and 12, 4 and 14, 6 and 14, 6 and 16, 8 and 16 (22 to 1,720 on an AMD
/// EPYC with AVX-512).
fn position_cost(depth: u8, exact: u8) -> f64 {
    12.6 * 1.8f64.powi(depth.into()) + 49.0 * 2.6f64.powi(i32::from(exact) - 14)
}

impl Plan {
    /// About how many positions two cores make in so many hours.
    pub fn positions_in(hours: f64, depth: u8, exact: u8) -> u64 {
        let (depths, shares) = (depths(depth), shares(depth));
        let costs =
            depths.iter().map(|&it| FIT_COST + position_cost(it, exact_at(it, depth, exact)));
        let mean: f64 = costs.zip(shares).map(|(cost, share)| cost * share).sum();
        (hours * CORES * 3600e6 / mean) as u64
    }

    /// The rounds: each has more games than the one before, and searches
    /// deeper.
    pub fn rounds(&self) -> Vec<Round> {
        let round = |(depth, share): (u8, f64)| {
            let positions = (self.positions as f64 * share) as u64;
            Round {
                depth,
                exact: exact_at(depth, self.depth, self.exact),
                games: positions.div_ceil(POSITIONS_OF_GAME).max(1),
            }
        };
        depths(self.depth).into_iter().zip(shares(self.depth)).map(round).collect()
    }

    /// How the games of a round are played.
    pub(super) fn play_settings(
        &self,
        at: usize,
        round: Round,
        evaluation: SharedEvaluation,
    ) -> PlaySettings {
        PlaySettings {
            depth: round.depth,
            exact: round.exact,
            explore: EXPLORE,
            evaluation,
            // Other games than those of the rounds before.
            seed: self.seed ^ (at as u64) << 56,
            starts: self.starts.clone(),
        }
    }
}

/// The depths of all rounds: 1, 2, 4, 6 and so on up to the last.
fn depths(last: u8) -> Vec<u8> {
    let before = [1, 2].into_iter().chain((4..=u8::MAX).step_by(2)).take_while(|&it| it < last);
    before.chain([last]).collect()
}

/// The rounds' shares of all positions: 1 to 2 to 3 and so on.
fn shares(last: u8) -> impl Iterator<Item = f64> {
    let count = depths(last).len();
    let all = (count * (count + 1) / 2) as f64;
    (1..=count).map(move |at| at as f64 / all)
}

/// Endings that are solved take about as long as the searches before them.
fn exact_at(depth: u8, last: u8, exact: u8) -> u8 {
    if depth == last { exact } else { exact.min(depth + 8) }
}
