//! Which game is which: engines, opening and colours of every game number.
//!
//! Game numbers begin at 0. All pairings play an opening before the next one
//! begins, and the two games of an opening follow each other, so that a match
//! that stops early has whole pairs, and every beginning of a schedule is the
//! beginning of a longer one.

use serde::{Deserialize, Serialize};

/// Who plays whom.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Shape {
    /// The first engine against each of the others; with two engines, a pair.
    #[default]
    Gauntlet,
    /// Everybody against everybody.
    RoundRobin,
}

/// One game of a schedule.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Fixture {
    /// Its number, from 0.
    pub game: usize,
    /// The pairing, an index into [`Schedule::pairings`].
    pub pairing: usize,
    /// Which of the pairing's pairs of games it belongs to, from 0; the same
    /// number has the same opening in every pairing.
    pub pair: usize,
    /// The engine that plays Black.
    pub black: usize,
    /// The engine that plays White.
    pub white: usize,
}

/// All games of a match.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Schedule {
    /// The pairs of engines, by index, the first one's view first.
    pub pairings: Vec<(usize, usize)>,
    /// Pairs of games in each pairing.
    pub pairs: usize,
}

impl Schedule {
    /// A schedule for so many engines.
    pub fn new(shape: Shape, engines: usize, pairs: usize) -> Schedule {
        let pairings = match shape {
            Shape::Gauntlet => (1..engines).map(|other| (0, other)).collect(),
            Shape::RoundRobin => {
                (0..engines).flat_map(|a| (a + 1..engines).map(move |b| (a, b))).collect()
            }
        };
        Schedule { pairings, pairs }
    }

    /// How many games there are.
    pub fn games(&self) -> usize {
        self.pairings.len() * self.pairs * 2
    }

    /// The game with this number, if there is one.
    pub fn fixture(&self, game: usize) -> Option<Fixture> {
        if game >= self.games() {
            return None;
        }
        let pairing = game / 2 % self.pairings.len();
        let pair = game / 2 / self.pairings.len();
        let &(first, second) = self.pairings.get(pairing)?;
        let (black, white) = if game.is_multiple_of(2) { (first, second) } else { (second, first) };
        Some(Fixture { game, pairing, pair, black, white })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::HashMap;

    #[test]
    fn everyone_plays_each_opening_with_both_colours() {
        for (shape, engines, pairings) in
            [(Shape::Gauntlet, 2, 1), (Shape::Gauntlet, 4, 3), (Shape::RoundRobin, 4, 6)]
        {
            let schedule = Schedule::new(shape, engines, 3);
            assert_eq!(schedule.games(), pairings * 6);
            let mut colours = HashMap::new();
            for game in 0..schedule.games() {
                let fixture = schedule.fixture(game).unwrap();
                assert_ne!(fixture.black, fixture.white);
                *colours.entry((fixture.pair, fixture.black, fixture.white)).or_insert(0) += 1;
            }
            assert_eq!(colours.len(), schedule.games());
            assert!(colours.values().all(|&games| games == 1));
            assert!(colours.keys().all(|&(pair, a, b)| colours.contains_key(&(pair, b, a))));
            assert_eq!(schedule.fixture(schedule.games()), None);
        }
    }

    #[test]
    fn a_longer_schedule_begins_like_a_shorter_one() {
        let (short, long) =
            (Schedule::new(Shape::RoundRobin, 3, 2), Schedule::new(Shape::RoundRobin, 3, 5));
        for game in 0..short.games() {
            assert_eq!(short.fixture(game), long.fixture(game));
        }
    }
}
