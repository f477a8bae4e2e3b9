//! Requests as JSON, and the limits in them.

use std::time::Duration;

use serde::Deserialize;
use umigame_engine::{Allowance, Confidence, Goal, Level, Limits, MAX_DEPTH};

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
    solve_from: Option<u32>,
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
    /// Without a level or a depth, time, clock or nodes alone bound the search; without any of them
    /// the default level does. A depth is searched as the first level of that depth would be.
    ///
    /// # Errors
    /// A sentence about a number out of range.
    pub fn limits(&self) -> Result<Limits, String> {
        let mut limits = self.base()?;
        if let Some(percent) = self.confidence {
            limits.confidence = Confidence::from_percent(percent).ok_or_else(|| {
                format!("confidence of {percent}: expected 73, 87, 95, 98, 99 or 100")
            })?;
        }
        if let Some(empties) = self.solve_from {
            limits.solve_from = in_range(empties, 0, "solveFrom")?;
        }
        if self.lines == Some(0) {
            return Err("lines of 0: expected at least 1".to_owned());
        }
        let goal = match self.goal {
            Some(GoalName::WinLossDraw) => Goal::WinLossDraw,
            Some(GoalName::Score) | None => Goal::Score,
        };
        let clock = match self.clock {
            Some(Clock { remaining_ms, increment_ms }) => Some(Allowance::Game {
                remaining: duration(remaining_ms, "remainingMs")?,
                increment: duration(increment_ms, "incrementMs")?,
            }),
            None => None,
        };
        let move_time = self.time_ms.map(|ms| duration(ms, "timeMs")).transpose()?;
        let limits = Limits { goal, nodes: self.nodes, move_time, clock, ..limits };
        Ok(limits.with_lines(self.lines.unwrap_or(1)))
    }

    /// Returns the limits of the level or the depth.
    fn base(&self) -> Result<Limits, String> {
        let bounded = self.time_ms.is_some() || self.clock.is_some() || self.nodes.is_some();
        match (self.depth, self.level) {
            (Some(_), Some(_)) => Err("both depth and level: expected one of them".to_owned()),
            (Some(depth), None) => Ok(Level::limits_to_depth(in_range(depth, 1, "depth")?)),
            (None, Some(number)) => {
                let level = Level::new(number);
                let level = level.ok_or_else(|| format!("level of {number}: expected 1 to 30"))?;
                Ok(level.limits())
            }
            (None, None) if bounded => Ok(Level::limits_to_depth(MAX_DEPTH)),
            (None, None) => Ok(Level::DEFAULT.limits()),
        }
    }
}

fn in_range(number: u32, min: u32, name: &str) -> Result<u32, String> {
    if (min..=MAX_DEPTH).contains(&number) {
        return Ok(number);
    }
    Err(format!("{name} of {number}: expected {min} to {MAX_DEPTH}"))
}
