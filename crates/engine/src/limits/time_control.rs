//! Time controls.

use std::time::Duration;

/// What a player's clock allows at the start of a move.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum TimeControl {
    /// Time is no limit.
    #[default]
    Unlimited,
    /// A time for this move: all of it is used.
    Move(Duration),
    /// A time for the rest of the game, with an increment for each move. The engine decides how much
    /// of it this move takes, and how much more if that solves the game.
    Game {
        /// Time left; zero if the clock has run out.
        remaining: Duration,
        /// Added after each of the player's moves.
        increment: Duration,
    },
    /// A time for the next few moves, then a new period (Canadian byo-yomi).
    Period {
        /// Time left in the period.
        remaining: Duration,
        /// Moves to make in it, at least 1.
        moves: u32,
        /// Main time left besides.
        main: Duration,
    },
}

impl TimeControl {
    /// Takes time off the clock, the main time first. A time for this move stays as it is.
    ///
    /// ```
    /// use std::time::Duration;
    /// use umigame_engine::TimeControl;
    ///
    /// let [two, three] = [2, 3].map(Duration::from_secs);
    /// let clock = TimeControl::Period { remaining: three, moves: 5, main: two };
    /// let period = TimeControl::Period { remaining: two, moves: 5, main: Duration::ZERO };
    /// assert_eq!(clock.after_waiting(three), period);
    /// ```
    #[must_use]
    pub fn after_waiting(self, waited: Duration) -> TimeControl {
        match self {
            TimeControl::Unlimited | TimeControl::Move(_) => self,
            TimeControl::Game { remaining, increment } => {
                TimeControl::Game { remaining: remaining.saturating_sub(waited), increment }
            }
            TimeControl::Period { remaining, moves, main } => TimeControl::Period {
                remaining: remaining.saturating_sub(waited.saturating_sub(main)),
                moves,
                main: main.saturating_sub(waited),
            },
        }
    }
}

/// A time for this move, if there is one.
impl From<Option<Duration>> for TimeControl {
    fn from(move_time: Option<Duration>) -> TimeControl {
        move_time.map_or(TimeControl::Unlimited, TimeControl::Move)
    }
}
