//! The limits of a search as JSON, in the words that pages, programs and the npm package share.

use std::time::Duration;

use serde::Deserialize;
use umigame_engine::{Confidence, Goal, Level, LimitError, LimitOptions, TimeControl};

/// Limits of a search; each may be left out. `crates/web/umigame/index.d.ts` says what they mean.
#[derive(Deserialize, Clone, Debug, Default)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct SearchLimits {
    /// 1 to 30.
    pub level: Option<u32>,
    /// 1 to 60 plies.
    pub depth: Option<u32>,
    /// Percent.
    pub confidence: Option<u32>,
    /// 0 to 60 empties.
    pub exact_from: Option<u32>,
    /// Score by default.
    pub goal: Option<GoalName>,
    /// At least 1.
    pub lines: Option<usize>,
    /// Good moves are searched deeper than bad ones on the way; false by default.
    pub focus: Option<bool>,
    /// At least 1.
    pub nodes: Option<u64>,
    /// Milliseconds for this search.
    pub time_ms: Option<f64>,
    /// The clock of the side to move.
    pub clock: Option<ClockTimes>,
}

/// The question that a search to the end of the game answers.
#[derive(Deserialize, Debug, Clone, Copy)]
#[serde(rename_all = "camelCase")]
pub enum GoalName {
    /// The score.
    Score,
    /// Its sign.
    WinLossDraw,
}

impl From<GoalName> for Goal {
    fn from(name: GoalName) -> Goal {
        match name {
            GoalName::Score => Goal::Score,
            GoalName::WinLossDraw => Goal::WinLossDraw,
        }
    }
}

/// A clock, in milliseconds.
#[derive(Deserialize, Debug, Clone, Copy)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct ClockTimes {
    /// Left for the rest of the game.
    pub remaining_ms: f64,
    /// Added after each move.
    #[serde(default)]
    pub increment_ms: f64,
}

/// Longer times count as this one, in milliseconds: it outlasts every search.
const MAX_MS: f64 = 1e15;

fn duration(ms: f64, name: &str) -> Result<Duration, String> {
    let duration = Duration::try_from_secs_f64(ms.min(MAX_MS) / 1000.0);
    duration.map_err(|_| format!("{name} of {ms}: expected milliseconds, at least 0"))
}

impl SearchLimits {
    /// Returns the limits, in range.
    ///
    /// # Errors
    /// A sentence about a number out of range.
    pub fn options(&self) -> Result<LimitOptions, String> {
        let clock = match self.clock {
            Some(ClockTimes { remaining_ms, increment_ms }) => TimeControl::Game {
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
                goal: self.goal.map(Goal::from).unwrap_or_default(),
                lines: self.lines,
                focus: self.focus.unwrap_or_default(),
                nodes: self.nodes,
                move_time,
                clock,
            };
            options.checked()
        };
        options().map_err(|error: LimitError| error.to_string())
    }
}
