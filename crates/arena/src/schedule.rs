//! The schedule of a match: engines, opening and colours of every game number.
//!
//! Game numbers begin at 0. All pairings play an opening before the next one begins, and the two
//! games of an opening follow each other. So a match that stops early has whole pairs of games,
//! and a shorter schedule is the beginning of a longer one.

use serde::{Deserialize, Serialize};

/// Which engines play each other.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum PairingScheme {
    /// The first engine plays each of the others.
    #[default]
    Gauntlet,
    /// Every engine plays every other.
    RoundRobin,
}

/// A game of a schedule.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ScheduledGame {
    /// Number, from 0.
    pub game: usize,
    /// Index into [`Schedule::pairings`].
    pub pairing: usize,
    /// Number of the pair of games within the pairing, from 0. Equal numbers have the same
    /// opening in every pairing.
    pub pair: usize,
    /// Index of the engine that plays Black.
    pub black: usize,
    /// Index of the engine that plays White.
    pub white: usize,
}

/// All games of a match.
///
/// ```
/// use umigame_arena::{PairingScheme, Schedule};
///
/// let schedule = Schedule::new(PairingScheme::RoundRobin, 3, 10);
/// assert_eq!(schedule.games(), 60);
/// let (first, second) = (schedule.game(0).unwrap(), schedule.game(1).unwrap());
/// assert_eq!((first.black, first.white), (second.white, second.black));
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Schedule {
    /// Indices of the two engines of each pairing; results count from the first one's view.
    pub pairings: Vec<(usize, usize)>,
    /// Pairs of games in each pairing.
    pub pairs: usize,
}

impl Schedule {
    /// Returns the schedule for a number of engines, with `pairs` pairs of games per pairing.
    pub fn new(scheme: PairingScheme, engines: usize, pairs: usize) -> Schedule {
        let pairings = match scheme {
            PairingScheme::Gauntlet => (1..engines).map(|other| (0, other)).collect(),
            PairingScheme::RoundRobin => {
                (0..engines).flat_map(|a| (a + 1..engines).map(move |b| (a, b))).collect()
            }
        };
        Schedule { pairings, pairs }
    }

    /// Returns the number of games.
    pub fn games(&self) -> usize {
        self.pairings.len() * self.pairs * 2
    }

    /// Returns the game with a number, if there is one.
    pub fn game(&self, game: usize) -> Option<ScheduledGame> {
        if game >= self.games() {
            return None;
        }
        let pairing = game / 2 % self.pairings.len();
        let pair = game / 2 / self.pairings.len();
        let &(first, second) = self.pairings.get(pairing)?;
        let (black, white) = if game.is_multiple_of(2) { (first, second) } else { (second, first) };
        Some(ScheduledGame { game, pairing, pair, black, white })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::HashMap;

    #[test]
    fn every_pairing_plays_each_opening_with_both_colours() {
        for (scheme, engines, pairings) in [
            (PairingScheme::Gauntlet, 2, 1),
            (PairingScheme::Gauntlet, 4, 3),
            (PairingScheme::RoundRobin, 4, 6),
        ] {
            let schedule = Schedule::new(scheme, engines, 3);
            assert_eq!(schedule.games(), pairings * 6);
            let mut colours = HashMap::new();
            for number in 0..schedule.games() {
                let game = schedule.game(number).unwrap();
                assert_ne!(game.black, game.white);
                *colours.entry((game.pair, game.black, game.white)).or_insert(0) += 1;
            }
            assert_eq!(colours.len(), schedule.games());
            assert!(colours.values().all(|&games| games == 1));
            assert!(colours.keys().all(|&(pair, a, b)| colours.contains_key(&(pair, b, a))));
            assert_eq!(schedule.game(schedule.games()), None);
        }
    }

    #[test]
    fn a_shorter_schedule_is_the_beginning_of_a_longer_one() {
        let scheme = PairingScheme::RoundRobin;
        let (short, long) = (Schedule::new(scheme, 3, 2), Schedule::new(scheme, 3, 5));
        for game in 0..short.games() {
            assert_eq!(short.game(game), long.game(game));
        }
    }
}
