//! The clock of one player, as NBoard and GTP clients describe it.

use std::time::Duration;

use umigame_engine::TimeControl;

/// A player's clock: how it was set, and how much of it is used.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Clock {
    /// No limit.
    #[default]
    Unlimited,
    /// Time for every move.
    Move(Duration),
    /// Time for the game, with an increment after each own move.
    Game {
        /// Time at the start of the game plus the increments so far.
        granted: Duration,
        /// Time used so far; may exceed `granted`.
        used: Duration,
        /// Time added after each own move.
        increment: Duration,
    },
    /// Main time, then periods with a number of moves each.
    Canadian {
        /// Main time left.
        main: Duration,
        /// Length of a period.
        period: Duration,
        /// Moves of a period, at least 1.
        moves: u32,
        /// Time left in the current period, which runs once the main time is used up.
        period_left: Duration,
        /// Moves left in the current period, at least 1.
        moves_left: u32,
    },
}

impl Clock {
    /// Creates a clock for the whole game.
    pub fn game(time: Duration, increment: Duration) -> Clock {
        Clock::Game { granted: time, used: Duration::ZERO, increment }
    }

    /// Creates a clock for the whole game without an increment.
    pub fn sudden_death(time: Duration) -> Clock {
        Clock::game(time, Duration::ZERO)
    }

    /// Creates a clock of main time and periods of `moves` moves; 0 counts as 1.
    pub fn canadian(main: Duration, period: Duration, moves: u32) -> Clock {
        let moves = moves.max(1);
        Clock::Canadian { main, period, moves, period_left: period, moves_left: moves }
    }

    /// Returns what the clock allows for the next move.
    pub fn time_control(self) -> TimeControl {
        match self {
            Clock::Unlimited => TimeControl::Unlimited,
            Clock::Move(time) => TimeControl::Move(time),
            Clock::Game { granted, used, increment } => {
                TimeControl::Game { remaining: granted.saturating_sub(used), increment }
            }
            Clock::Canadian { main, period_left, moves_left, .. } => {
                TimeControl::Period { remaining: period_left, moves: moves_left.max(1), main }
            }
        }
    }

    /// Takes the time of an own move off the clock.
    pub fn spend(&mut self, time: Duration) {
        match self {
            Clock::Unlimited | Clock::Move(_) => {}
            Clock::Game { granted, used, increment } => {
                *used = used.saturating_add(time);
                *granted = granted.saturating_add(*increment);
            }
            Clock::Canadian { main, period, moves, period_left, moves_left } => {
                let over = time.saturating_sub(*main);
                *main = main.saturating_sub(time);
                if !main.is_zero() {
                    return;
                }
                *period_left = period_left.saturating_sub(over);
                *moves_left = moves_left.saturating_sub(1);
                if *moves_left == 0 {
                    *moves_left = *moves;
                    *period_left = *period;
                }
            }
        }
    }

    /// Sets the clock to the client's reading: `time` for the next `moves` moves, or for the rest
    /// of the game if `moves` is 0.
    pub fn show(&mut self, time: Duration, moves: u32) {
        match (&mut *self, moves) {
            (Clock::Move(limit), _) => *limit = time,
            (Clock::Game { granted, used, .. }, 0) => {
                *granted = time;
                *used = Duration::ZERO;
            }
            (Clock::Canadian { main, .. }, 0) => *main = time,
            (Clock::Canadian { main, period_left, moves_left, .. }, _) => {
                *main = Duration::ZERO;
                *period_left = time;
                *moves_left = moves;
            }
            (Clock::Unlimited, 0) => *self = Clock::game(time, Duration::ZERO),
            (Clock::Unlimited | Clock::Game { .. }, _) => {
                *self = Clock::canadian(Duration::ZERO, time, moves);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const fn s(seconds: u64) -> Duration {
        Duration::from_secs(seconds)
    }

    #[test]
    fn time_used_beyond_a_game_clock_is_made_up_by_increments_first() {
        let mut clock = Clock::game(s(10), s(2));
        clock.spend(s(15));
        assert_eq!(
            clock.time_control(),
            TimeControl::Game { remaining: s(0), increment: s(2) },
            "10 + 2 - 15 is negative"
        );
        clock.spend(s(0));
        clock.spend(s(0));
        assert_eq!(
            clock.time_control(),
            TimeControl::Game { remaining: s(1), increment: s(2) },
            "10 + 3 * 2 - 15"
        );
    }

    #[test]
    fn a_canadian_clock_runs_from_main_time_through_its_periods() {
        let mut clock = Clock::canadian(s(20), s(10), 2);
        clock.spend(s(15));
        let period = |main, remaining, moves| TimeControl::Period { remaining, moves, main };
        assert_eq!(clock.time_control(), period(s(5), s(10), 2));
        clock.spend(s(8));
        assert_eq!(clock.time_control(), period(s(0), s(7), 1));
        clock.spend(s(4));
        assert_eq!(clock.time_control(), period(s(0), s(10), 2), "a new period begins");
    }

    #[test]
    fn the_time_that_a_client_shows_replaces_the_counted_time() {
        let mut clock = Clock::game(s(60), s(1));
        clock.spend(s(50));
        clock.show(s(30), 0);
        assert_eq!(clock.time_control(), TimeControl::Game { remaining: s(30), increment: s(1) });
        let mut clock = Clock::Unlimited;
        clock.show(s(15), 1);
        let one_move = TimeControl::Period { remaining: s(15), moves: 1, main: s(0) };
        assert_eq!(clock.time_control(), one_move);
    }
}
