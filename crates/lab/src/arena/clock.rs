//! One side's clock, kept by the runner.
//!
//! Time runs from the moment the request is written to the moment the last
//! byte of the answer is read. A margin is forgiven: it stands for what pipes
//! and scheduling cost, is stated in every summary, and is no gift: what is
//! over the clock of a game is owed.

use std::time::Duration;

use super::config::{EngineConfig, GameTime};

/// What bounds the time of a side.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TimeLimit {
    /// Nothing but the patience of the runner.
    None,
    /// So much for each move.
    Move(Duration),
    /// So much for the game, and more after each move.
    Game(GameTime),
}

impl TimeLimit {
    /// The limit of an engine for a game in which it makes so many moves.
    /// `bank` adds up the time of the moves.
    pub fn of(engine: &EngineConfig, bank: bool, moves: u32) -> TimeLimit {
        match (engine.game_time, engine.move_time) {
            (Some(game), _) => TimeLimit::Game(game),
            (None, Some(time)) if bank => {
                TimeLimit::Game(GameTime { main: time.0 * moves.max(1), increment: Duration::ZERO })
            }
            (None, Some(time)) => TimeLimit::Move(time.0),
            (None, None) => TimeLimit::None,
        }
    }
}

/// A side's clock during a game.
#[derive(Clone, Copy, Debug)]
pub struct SideClock {
    limit: TimeLimit,
    margin: Duration,
    /// Allowed in all so far: the main time and the increments.
    granted: Duration,
    spent: Duration,
    longest: Duration,
    moves: u32,
}

impl SideClock {
    /// A full clock.
    pub fn new(limit: TimeLimit, margin: Duration) -> SideClock {
        let granted = match limit {
            TimeLimit::Game(game) => game.main,
            _ => Duration::ZERO,
        };
        SideClock {
            limit,
            margin,
            granted,
            spent: Duration::ZERO,
            longest: Duration::ZERO,
            moves: 0,
        }
    }

    /// What bounds it.
    pub fn limit(&self) -> TimeLimit {
        self.limit
    }

    /// What the next move may take; `None` without a clock.
    pub fn left(&self) -> Option<Duration> {
        match self.limit {
            TimeLimit::None => None,
            TimeLimit::Move(time) => Some(time),
            TimeLimit::Game(_) => Some(self.granted.saturating_sub(self.spent)),
        }
    }

    /// After how long the next move is lost; `None` without a clock.
    pub fn deadline(&self) -> Option<Duration> {
        match self.limit {
            TimeLimit::None => None,
            TimeLimit::Move(time) => Some(time + self.margin),
            TimeLimit::Game(_) => Some((self.granted + self.margin).saturating_sub(self.spent)),
        }
    }

    /// Takes the time of a move; whether it was in time.
    pub fn charge(&mut self, time: Duration) -> bool {
        let in_time = self.deadline().is_none_or(|deadline| time <= deadline);
        self.spent += time;
        self.longest = self.longest.max(time);
        self.moves += 1;
        if let TimeLimit::Game(game) = self.limit {
            self.granted += game.increment;
        }
        in_time
    }

    /// All the time used.
    pub fn spent(&self) -> Duration {
        self.spent
    }

    /// Moves charged.
    pub fn moves(&self) -> u32 {
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
    fn a_move_time_starts_afresh_with_each_move() {
        let mut clock = SideClock::new(TimeLimit::Move(millis(100)), millis(20));
        for (time, in_time) in [(90, true), (120, true), (121, false), (5, true)] {
            assert_eq!(clock.charge(millis(time)), in_time, "{time}");
        }
        assert_eq!((clock.left(), clock.moves()), (Some(millis(100)), 4));
    }

    #[test]
    fn the_margin_of_a_game_clock_is_forgiven_once() {
        let game = GameTime { main: millis(100), increment: millis(10) };
        let mut clock = SideClock::new(TimeLimit::Game(game), millis(20));
        assert!(clock.charge(millis(115)));
        // 115 of 110 spent: nothing left, and five of the margin gone.
        assert_eq!((clock.left(), clock.deadline()), (Some(millis(0)), Some(millis(15))));
        assert!(clock.charge(millis(15)));
        assert!(!clock.charge(millis(21)));
        assert_eq!(clock.spent(), millis(151));
    }

    #[test]
    fn a_bank_is_the_moves_times_their_time() {
        let engine = EngineConfig::parse("[move_time=0.1] x").unwrap();
        let game = GameTime { main: millis(3000), increment: millis(0) };
        assert_eq!(TimeLimit::of(&engine, true, 30), TimeLimit::Game(game));
        assert_eq!(TimeLimit::of(&engine, false, 30), TimeLimit::Move(millis(100)));
    }
}
