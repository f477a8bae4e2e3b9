//! Options of a session and the search limits that follow from them.

use std::time::Duration;

use umigame_engine::{LimitOptions, Limits, TimeControl, Weakness};

/// Choices of the user or the client; they hold for every game of a session.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Options {
    /// Limits of every search.
    pub limits: LimitOptions,
    /// Time that a move leaves unused, of its own time and of the clock, for what the clock sees and
    /// the search does not.
    pub move_overhead: Duration,
    /// Clock of each player at the start of a game, until the client sets another.
    pub game_time: Option<Duration>,
    /// Whether to search while the opponent thinks.
    pub ponder: bool,
    /// How the engine errs where it plays; hints and analyses never do.
    pub weakness: Option<Weakness>,
    /// Seed of the first game's errors; each game after it has the next number. `None` for a random one.
    pub seed: Option<u64>,
}

impl Options {
    /// Returns the limits of a search for `lines` moves on `clock`.
    pub fn limits(&self, lines: usize, clock: TimeControl) -> Limits {
        LimitOptions { lines: Some(lines), clock, ..self.limits.clone() }.limits()
    }
}
