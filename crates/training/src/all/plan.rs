//! Plan of learning from nothing: everything that decides on the weights, so not the number of
//! threads.

use super::super::play::PlaySettings;
use super::super::starts::Starts;
use serde::{Deserialize, Serialize};
use umigame_engine::SharedEvaluation;

/// Positions of a game from a random start, on average.
const GAME_POSITIONS: u64 = 34;
/// Share of random moves, in units of 1 / 10,000.
const EXPLORE: u32 = 200;
/// Time to fit one position, in microseconds of one core.
const FIT_MICROSECONDS: f64 = 50.0;
/// Cores assumed by [`Plan::positions_in`].
const CORES: f64 = 2.0;

/// Plan of all rounds.
#[derive(Clone, Debug)]
pub struct Plan {
    /// Approximate number of positions of all rounds.
    pub positions: u64,
    /// Plies of the searches of the last round, at least 1.
    pub depth: u8,
    /// Empties from which the games of the last round are solved, at least 1.
    pub exact: u8,
    /// Seed of all random numbers.
    pub seed: u64,
    /// Passes over the positions in every fit.
    pub iterations: usize,
    /// Positions where games begin.
    pub starts: Starts,
}

/// A round of games.
#[derive(Clone, Copy, PartialEq, Eq, Serialize, Deserialize, Debug)]
pub struct Round {
    /// Plies of the searches.
    pub depth: u8,
    /// Empties from which games are solved.
    pub exact: u8,
    /// Number of games, at least 1.
    pub games: u64,
}

impl Round {
    /// Returns the time to play the games, in microseconds of one core.
    pub(crate) fn play_cost(&self) -> f64 {
        (self.games * GAME_POSITIONS) as f64 * play_microseconds(self.depth, self.exact)
    }

    /// Returns the time of the whole round, in microseconds of one core.
    pub fn cost(&self) -> f64 {
        self.play_cost() + (self.games * GAME_POSITIONS) as f64 * FIT_MICROSECONDS
    }
}

/// Returns the time to play one position, in microseconds of one core.
///
/// Fitted to `umigame-lab learn play --games 96 --threads 1` with depth and exact 1 and 10, 2 and 12,
/// 4 and 14, 6 and 14, 6 and 16, 8 and 16 (22 to 1,720 on an AMD EPYC with AVX-512).
fn play_microseconds(depth: u8, exact: u8) -> f64 {
    12.6 * 1.8f64.powi(depth.into()) + 49.0 * 2.6f64.powi(i32::from(exact) - 14)
}

impl Plan {
    /// Returns the approximate number of positions that two cores finish in a number of hours.
    pub fn positions_in(hours: f64, depth: u8, exact: u8) -> u64 {
        let (depths, shares) = (depths(depth), shares(depth));
        let costs = depths
            .iter()
            .map(|&it| FIT_MICROSECONDS + play_microseconds(it, exact_at(it, depth, exact)));
        let mean: f64 = costs.zip(shares).map(|(cost, share)| cost * share).sum();
        (hours * CORES * 3600e6 / mean) as u64
    }

    /// Returns the rounds: each has more games and deeper searches than the one before.
    pub fn rounds(&self) -> Vec<Round> {
        let round = |(depth, share): (u8, f64)| {
            let positions = (self.positions as f64 * share) as u64;
            Round {
                depth,
                exact: exact_at(depth, self.depth, self.exact),
                games: positions.div_ceil(GAME_POSITIONS).max(1),
            }
        };
        depths(self.depth).into_iter().zip(shares(self.depth)).map(round).collect()
    }

    /// Returns how the games of a round are played.
    pub(super) fn play_settings(
        &self,
        at: usize,
        round: Round,
        evaluation: SharedEvaluation,
    ) -> PlaySettings {
        PlaySettings {
            depth: round.depth,
            exact: round.exact,
            end_from: 0,
            lambda: 0,
            explore: EXPLORE,
            evaluation,
            // Other games than in the rounds before.
            seed: self.seed ^ (at as u64) << 56,
            starts: self.starts.clone(),
        }
    }
}

/// Returns the depths of all rounds: 1, 2, 4, 6 and so on up to the last.
fn depths(last: u8) -> Vec<u8> {
    let before = [1, 2].into_iter().chain((4..=u8::MAX).step_by(2)).take_while(|&it| it < last);
    before.chain([last]).collect()
}

/// Returns the share of each round in all positions, in proportion 1 : 2 : 3 and so on.
fn shares(last: u8) -> impl Iterator<Item = f64> {
    let count = depths(last).len();
    let all = (count * (count + 1) / 2) as f64;
    (1..=count).map(move |at| at as f64 / all)
}

/// Returns the empties from which a round is solved: at `depth + 8`, solving takes about as long as
/// the searches before it.
fn exact_at(depth: u8, last: u8, exact: u8) -> u8 {
    if depth == last { exact } else { exact.min(depth + 8) }
}
