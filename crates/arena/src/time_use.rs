//! The share of its time that an engine used, over all games and by ply.
//!
//! Of a time for each move, the share is the time used over the time allowed. Of a clock for the
//! game, it is the part of the time granted so far, increments included, that was used after a move.
//! Once an engine has solved the game it needs no time, so two figures are given: the share without
//! the endings, and with them.

use std::collections::BTreeMap;
use std::time::Duration;

use serde::Serialize;

use super::clock::TimeLimit;
use super::limits::GameTime;
use super::stats::Moments;

/// Empties from which a move with a time of its own counts as one before the ending.
const MIDGAME_MIN_EMPTIES: u32 = 30;

/// A move with its time.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(super) struct TimedMove {
    /// Number of the ply in the game, from 1; the opening and passes count.
    pub(super) ply: usize,
    /// Empties before the move.
    pub(super) empties: u32,
    /// Seconds used.
    pub(super) time: f64,
}

/// The use of time at one ply.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
struct PlyUse {
    seconds: f64,
    share: Moments,
}

/// The use of time at one ply, for the summary.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct PlyShare {
    /// Number of the ply in the game, from 1; the opening and passes count.
    pub ply: usize,
    /// Moves that the engine made at this ply.
    pub moves: u64,
    /// Mean time of such a move, in seconds.
    pub seconds: f64,
    /// Mean share: of the move's time, or of the clock so far.
    pub share: f64,
}

/// The share of its time that an engine used.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct TimeUse {
    before_endings: Moments,
    with_endings: Moments,
    by_ply: BTreeMap<usize, PlyUse>,
}

impl TimeUse {
    /// Adds the moves of an engine in one game, in order.
    pub(super) fn add_game(&mut self, limit: TimeLimit, moves: &[TimedMove]) {
        match limit {
            TimeLimit::None => {}
            TimeLimit::Move(time) => self.add_move_times(time, moves),
            TimeLimit::Game(game) => self.add_game_clock(game, moves),
        }
    }

    fn add_move_times(&mut self, limit: Duration, moves: &[TimedMove]) {
        for played in moves {
            let share = played.time / limit.as_secs_f64();
            self.with_endings.add(share);
            if played.empties >= MIDGAME_MIN_EMPTIES {
                self.before_endings.add(share);
            }
            self.add_ply(*played, share);
        }
    }

    fn add_game_clock(&mut self, limit: GameTime, moves: &[TimedMove]) {
        let (mut granted, mut used) = (limit.main.as_secs_f64(), 0.0);
        let (mut share, mut greatest) = (0.0, 0.0f64);
        for played in moves {
            used += played.time;
            share = used / granted;
            greatest = greatest.max(share);
            granted += limit.increment.as_secs_f64();
            self.add_ply(*played, share);
        }
        if !moves.is_empty() {
            self.before_endings.add(greatest);
            self.with_endings.add(share);
        }
    }

    fn add_ply(&mut self, played: TimedMove, share: f64) {
        let at = self.by_ply.entry(played.ply).or_default();
        at.seconds += played.time;
        at.share.add(share);
    }

    /// Returns the share of the time used before the endings: of the moves from 30 empties, or of a
    /// game's clock after the move at which that was greatest. `None` without a clock.
    pub fn share(&self) -> Option<f64> {
        self.before_endings.mean()
    }

    /// Returns the share of all of the time; `None` without a clock.
    pub(crate) fn share_with_endings(&self) -> Option<f64> {
        self.with_endings.mean()
    }

    /// Returns the use of time at each ply, in order.
    pub fn by_ply(&self) -> Vec<PlyShare> {
        let row = |(&ply, at): (&usize, &PlyUse)| {
            let (moves, share) = (at.share.count, at.share.mean()?);
            Some(PlyShare { ply, moves, seconds: at.seconds / moves as f64, share })
        };
        self.by_ply.iter().filter_map(row).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn moves(times: &[f64]) -> Vec<TimedMove> {
        let timed = |(index, &time): (usize, &f64)| TimedMove {
            ply: 25 + 2 * index,
            empties: 36 - 2 * index as u32,
            time,
        };
        times.iter().enumerate().map(timed).collect()
    }

    fn close(found: Option<f64>, expected: f64) -> bool {
        found.is_some_and(|found| (found - expected).abs() < 1e-9)
    }

    #[test]
    fn of_a_time_for_each_move_the_endings_count_apart() {
        let mut time_use = TimeUse::default();
        let limit = TimeLimit::Move(Duration::from_millis(100));
        time_use.add_game(limit, &moves(&[0.09, 0.1, 0.09, 0.08, 0.0, 0.0]));
        assert!(close(time_use.share(), 0.9), "from 30 empties");
        assert!(close(time_use.share_with_endings(), 0.6));
    }

    #[test]
    fn of_a_game_the_share_is_that_of_the_time_granted_so_far() {
        let mut time_use = TimeUse::default();
        let second = Duration::from_secs(1);
        let limit = TimeLimit::Game(GameTime { main: second * 5, increment: second });
        // After the third move 6.3 of 7 seconds are used, after the last 6.3 of 8.
        time_use.add_game(limit, &moves(&[1.0, 2.0, 3.3, 0.0]));
        assert!(close(time_use.share(), 0.9));
        assert!(close(time_use.share_with_endings(), 6.3 / 8.0));
        let third = time_use.by_ply()[2];
        assert_eq!((third.ply, third.moves, third.seconds), (29, 1, 3.3));
        assert!(close(Some(third.share), 0.9));
    }

    #[test]
    fn shares_are_means_over_games_and_absent_without_a_clock() {
        let mut time_use = TimeUse::default();
        time_use.add_game(TimeLimit::None, &moves(&[1.0]));
        assert_eq!((time_use.share(), time_use.share_with_endings()), (None, None));
        let limit = TimeLimit::Move(Duration::from_secs(1));
        time_use.add_game(limit, &moves(&[0.5, 0.5]));
        time_use.add_game(limit, &moves(&[1.0]));
        assert!(close(time_use.share(), 2.0 / 3.0));
        let plies: Vec<(usize, u64, f64)> =
            time_use.by_ply().iter().map(|at| (at.ply, at.moves, at.share)).collect();
        assert_eq!(plies, [(25, 2, 0.75), (27, 1, 0.5)]);
    }
}
