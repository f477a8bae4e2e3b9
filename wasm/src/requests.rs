//! Requests as JSON, and the limits in them.

use std::time::Duration;

use serde::Deserialize;
use umigame_engine::{Confidence, Goal, Level, LimitError, LimitOptions, Limits, TimeControl};

/// A request of the host.
#[derive(Deserialize, Debug)]
#[serde(rename_all = "camelCase", rename_all_fields = "camelCase", deny_unknown_fields)]
pub enum Request {
    /// Searches a position: 64 squares and the side to move.
    Search { position: String, limits: SearchLimits },
    /// Judges a game, a transcript, move by move.
    Analyze { game: String, limits: SearchLimits },
    /// Values a position without a search.
    Evaluate { position: String },
    /// Counts the sequences of moves of a length.
    Perft { position: String, depth: u32 },
    /// Empties the table.
    Clear {},
    /// Compares the kernels with the portable ones.
    CheckKernels { rounds: u32, seed: u64 },
}

/// The limits of a search, as `index.d.ts` has them.
#[derive(Deserialize, Debug, Default)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct SearchLimits {
    level: Option<u32>,
    depth: Option<u32>,
    confidence: Option<u32>,
    exact_from: Option<u32>,
    goal: Option<GoalName>,
    lines: Option<usize>,
    nodes: Option<u64>,
    time_ms: Option<f64>,
    clock: Option<Clock>,
}

#[derive(Deserialize, Debug, Clone, Copy)]
#[serde(rename_all = "camelCase")]
enum GoalName {
    Score,
    WinLossDraw,
}

#[derive(Deserialize, Debug, Clone, Copy)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
struct Clock {
    remaining_ms: f64,
    #[serde(default)]
    increment_ms: f64,
}

fn duration(ms: f64, name: &str) -> Result<Duration, String> {
    let duration = Duration::try_from_secs_f64(ms / 1000.0);
    duration.map_err(|_| format!("{name} of {ms}: expected milliseconds, at least 0"))
}

impl SearchLimits {
    /// Returns the limits of the engine.
    ///
    /// # Errors
    /// A sentence about a number out of range.
    pub fn limits(&self) -> Result<Limits, String> {
        let clock = match self.clock {
            Some(Clock { remaining_ms, increment_ms }) => TimeControl::Game {
                remaining: duration(remaining_ms, "remainingMs")?,
                increment: duration(increment_ms, "incrementMs")?,
            },
            None => TimeControl::Unlimited,
        };
        let move_time = self.time_ms.map(|ms| duration(ms, "timeMs")).transpose()?;
        let options = || {
            let options = LimitOptions {
                level: self.level.map(Level::checked).transpose()?,
                depth: self.depth,
                confidence: self.confidence.map(Confidence::checked).transpose()?,
                exact_from: self.exact_from,
                goal: match self.goal {
                    Some(GoalName::WinLossDraw) => Goal::WinLossDraw,
                    Some(GoalName::Score) | None => Goal::Score,
                },
                lines: self.lines,
                nodes: self.nodes,
                move_time,
                clock,
            };
            options.checked()
        };
        options().map(|options| options.limits()).map_err(|error: LimitError| error.to_string())
    }
}
