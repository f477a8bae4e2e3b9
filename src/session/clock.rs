//! The clock of one player, as any client describes it.

use std::time::Duration;

use umigame_engine::search::Allowance;

/// What a player's clock was set to, and what has been used of it.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Clock {
    /// Nobody counts.
    #[default]
    Unlimited,
    /// So long for every move.
    Move(Duration),
    /// So long for the game, with an increment after each of one's moves.
    Game {
        /// On the clock at the start, increments added.
        granted: Duration,
        /// Used so far; may exceed what was granted.
        used: Duration,
        /// Added after each of one's own moves.
        increment: Duration,
    },
    /// Main time, then periods with a number of moves in each.
    Canadian {
        /// Left of the main time.
        main: Duration,
        /// The length of a period.
        period: Duration,
        /// Moves to make in a period, at least 1.
        moves: u32,
        /// Left in the period that runs once the main time is used up.
        period_left: Duration,
        /// Moves left to make in it, at least 1.
        moves_left: u32,
    },
}

impl Clock {
    /// A clock for the whole game.
    pub fn game(time: Duration, increment: Duration) -> Clock {
        Clock::Game { granted: time, used: Duration::ZERO, increment }
    }

    /// A clock for the whole game without an increment.
    pub fn sudden_death(time: Duration) -> Clock {
        Clock::game(time, Duration::ZERO)
    }

    /// Main time, then periods of so many moves; no moves count as one.
    pub fn canadian(main: Duration, period: Duration, moves: u32) -> Clock {
        let moves = moves.max(1);
        Clock::Canadian { main, period, moves, period_left: period, moves_left: moves }
    }

    /// What may be used for the next move, or `None` for as long as it takes.
    pub fn allowance(self) -> Option<Allowance> {
        match self {
            Clock::Unlimited => None,
            Clock::Move(time) => Some(Allowance::Move(time)),
            Clock::Game { granted, used, increment } => {
                Some(Allowance::Game { remaining: granted.saturating_sub(used), increment })
            }
            Clock::Canadian { main, period_left, moves_left, .. } => {
                Some(Allowance::Period { remaining: period_left, moves: moves_left.max(1), main })
            }
        }
    }

    /// A move was made that took so long.
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

    /// The client says what the clock shows: so long for so many moves, or
    /// for the rest of the game where `moves` is 0.
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
    fn a_game_clock_that_was_overdrawn_stays_overdrawn() {
        let mut clock = Clock::game(s(10), s(2));
        clock.spend(s(15));
        assert_eq!(
            clock.allowance(),
            Some(Allowance::Game { remaining: s(0), increment: s(2) }),
            "10 + 2 - 15 is less than nothing"
        );
        clock.spend(s(0));
        clock.spend(s(0));
        assert_eq!(
            clock.allowance(),
            Some(Allowance::Game { remaining: s(1), increment: s(2) }),
            "10 + 3 * 2 - 15"
        );
    }

    #[test]
    fn a_canadian_clock_runs_from_main_time_through_its_periods() {
        let mut clock = Clock::canadian(s(20), s(10), 2);
        clock.spend(s(15));
        let allowance = |main, remaining, moves| Some(Allowance::Period { remaining, moves, main });
        assert_eq!(clock.allowance(), allowance(s(5), s(10), 2));
        clock.spend(s(8));
        assert_eq!(clock.allowance(), allowance(s(0), s(7), 1));
        clock.spend(s(4));
        assert_eq!(clock.allowance(), allowance(s(0), s(10), 2), "a new period begins");
    }

    #[test]
    fn what_the_client_shows_replaces_what_was_counted() {
        let mut clock = Clock::game(s(60), s(1));
        clock.spend(s(50));
        clock.show(s(30), 0);
        assert_eq!(clock.allowance(), Some(Allowance::Game { remaining: s(30), increment: s(1) }));
        let mut clock = Clock::Unlimited;
        clock.show(s(15), 1);
        let one_move = Allowance::Period { remaining: s(15), moves: 1, main: s(0) };
        assert_eq!(clock.allowance(), Some(one_move));
    }
}
