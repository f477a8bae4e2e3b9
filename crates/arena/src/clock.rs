//! The clock of one side, kept by the referee.
//!
//! Time runs from the moment the request is written to the moment the last byte of the answer is
//! read. A margin is tolerated: it stands for the cost of pipes and scheduling and is stated in
//! every summary. Time used beyond a game clock stays charged to it.

use std::time::Duration;

use super::config::EngineConfig;
use super::limits::GameTime;

/// Time limit of a side.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TimeLimit {
    /// No clock.
    None,
    /// Time per move.
    Move(Duration),
    /// Time per game, with an increment per move.
    Game(GameTime),
}

impl TimeLimit {
    /// Returns the limit of an engine for a game in which it makes `moves` moves. With `bank`, a
    /// time per move becomes a clock for the game.
    pub fn of(engine: &EngineConfig, bank: bool, moves: u32) -> TimeLimit {
        match (engine.limits.game_time, engine.limits.move_time) {
            (Some(game), _) => TimeLimit::Game(game),
            (None, Some(time)) if bank => {
                TimeLimit::Game(GameTime { main: time.0 * moves.max(1), increment: Duration::ZERO })
            }
            (None, Some(time)) => TimeLimit::Move(time.0),
            (None, None) => TimeLimit::None,
        }
    }
}

/// The clock of a side during a game.
#[derive(Clone, Copy, Debug)]
pub(super) struct SideClock {
    limit: TimeLimit,
    margin: Duration,
    /// Main time and increments so far.
    granted: Duration,
    spent: Duration,
    moves: u32,
}

impl SideClock {
    /// Returns the clock at the start of a game.
    pub(super) fn new(limit: TimeLimit, margin: Duration) -> SideClock {
        let granted = match limit {
            TimeLimit::Game(game) => game.main,
            _ => Duration::ZERO,
        };
        SideClock { limit, margin, granted, spent: Duration::ZERO, moves: 0 }
    }

    /// Returns the limit.
    pub(super) fn limit(&self) -> TimeLimit {
        self.limit
    }

    /// Returns the time that the next move may take; `None` without a clock.
    pub(super) fn left(&self) -> Option<Duration> {
        match self.limit {
            TimeLimit::None => None,
            TimeLimit::Move(time) => Some(time),
            TimeLimit::Game(_) => Some(self.granted.saturating_sub(self.spent)),
        }
    }

    /// Returns the time after which the next move loses, margin included; `None` without a clock.
    pub(super) fn deadline(&self) -> Option<Duration> {
        match self.limit {
            TimeLimit::None => None,
            TimeLimit::Move(time) => Some(time + self.margin),
            TimeLimit::Game(_) => Some((self.granted + self.margin).saturating_sub(self.spent)),
        }
    }

    /// Charges the time of a move and returns whether it was within the deadline.
    pub(super) fn charge(&mut self, time: Duration) -> bool {
        let in_time = self.deadline().is_none_or(|deadline| time <= deadline);
        self.spent += time;
        self.moves += 1;
        if let TimeLimit::Game(game) = self.limit {
            self.granted += game.increment;
        }
        in_time
    }

    /// Returns the time of all moves.
    pub(super) fn spent(&self) -> Duration {
        self.spent
    }

    /// Returns the number of moves charged.
    pub(super) fn moves(&self) -> u32 {
        self.moves
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const fn millis(n: u64) -> Duration {
        Duration::from_millis(n)
    }

    #[test]
    fn a_time_per_move_starts_anew_with_each_move() {
        let mut clock = SideClock::new(TimeLimit::Move(millis(100)), millis(20));
        for (time, in_time) in [(90, true), (120, true), (121, false), (5, true)] {
            assert_eq!(clock.charge(millis(time)), in_time, "{time}");
        }
        assert_eq!((clock.left(), clock.moves()), (Some(millis(100)), 4));
    }

    #[test]
    fn the_margin_of_a_game_clock_is_tolerated_once() {
        let game = GameTime { main: millis(100), increment: millis(10) };
        let mut clock = SideClock::new(TimeLimit::Game(game), millis(20));
        assert!(clock.charge(millis(115)));
        // 115 of 110 ms are spent: nothing is left, and 15 of the 20 ms margin.
        assert_eq!((clock.left(), clock.deadline()), (Some(millis(0)), Some(millis(15))));
        assert!(clock.charge(millis(15)));
        assert!(!clock.charge(millis(21)));
        assert_eq!(clock.spent(), millis(151));
    }

    #[test]
    fn a_bank_is_the_time_per_move_times_the_moves() {
        let engine = EngineConfig::parse("[move_time=0.1] x").unwrap();
        let game = GameTime { main: millis(3000), increment: millis(0) };
        assert_eq!(TimeLimit::of(&engine, true, 30), TimeLimit::Game(game));
        assert_eq!(TimeLimit::of(&engine, false, 30), TimeLimit::Move(millis(100)));
    }
}
