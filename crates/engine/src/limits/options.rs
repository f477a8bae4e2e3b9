//! Limits as people and programs state them.

use std::time::Duration;

use crate::limits::MAX_DEPTH;
use crate::limits::confidence::Confidence;
use crate::limits::level::Level;
use crate::limits::time_control::TimeControl;
use crate::limits::{Goal, Limits};

/// The parts of [`Limits`] that a command line, a client or a caller states. Each may be left out.
///
/// Without a level or a depth, a time or a number of nodes alone bounds the search; without any of
/// them it is that of the default level.
///
/// ```
/// use umigame_engine::{LimitOptions, Limits};
///
/// let options = LimitOptions { depth: Some(12), nodes: Some(1_000_000), ..LimitOptions::default() };
/// let limits = options.checked()?.limits();
/// assert_eq!((limits.max_depth(), limits.exact_from()), (12, 18));
/// # Ok::<(), umigame_engine::LimitError>(())
/// ```
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct LimitOptions {
    /// Strength.
    pub level: Option<Level>,
    /// Depth in plies instead of the level's, 1 to 60. The rest is that of the first level of the
    /// depth.
    pub depth: Option<u32>,
    /// Confidence of the cuts of a search to a depth, instead of 73 %.
    pub confidence: Option<Confidence>,
    /// Empties from which positions are solved exactly, 0 to 60, instead of the level's.
    pub exact_from: Option<u32>,
    /// The question that a search to the end of the game answers.
    pub goal: Goal,
    /// The number of best moves that get a line, at least 1; `None` for one.
    pub lines: Option<usize>,
    /// Good moves are searched deeper than bad ones on the way.
    pub focus: bool,
    /// Maximum positions to visit, at least 1.
    pub nodes: Option<u64>,
    /// Maximum time of the search, whatever the clock shows.
    pub move_time: Option<Duration>,
    /// The player's clock.
    pub clock: TimeControl,
}

/// A number that is no limit. Displays as `depth=61: expected 1 to 60`.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("{name}={value}: expected {expected}")]
pub struct LimitError {
    /// The name of the limit.
    pub name: &'static str,
    /// The number.
    pub value: u64,
    /// The numbers that are one.
    pub expected: String,
}

impl LimitError {
    fn new(name: &'static str, value: impl Into<u64>, expected: impl Into<String>) -> LimitError {
        LimitError { name, value: value.into(), expected: expected.into() }
    }
}

impl Level {
    /// Makes a level.
    ///
    /// # Errors
    /// A number that is none.
    pub fn checked(number: u32) -> Result<Level, LimitError> {
        let expected = || LimitError::new("level", number, format!("1 to {}", Level::MAX.number()));
        Level::new(number).ok_or_else(expected)
    }
}

impl Confidence {
    /// Returns the level of a percentage.
    ///
    /// # Errors
    /// A percentage without a level.
    pub fn checked(percent: u32) -> Result<Confidence, LimitError> {
        let expected = "73, 87, 95, 98, 99 or 100";
        let error = || LimitError::new("confidence", percent, expected);
        Confidence::from_percent(percent).ok_or_else(error)
    }
}

impl LimitOptions {
    /// Checks the ranges that the types do not.
    ///
    /// # Errors
    /// A number out of its range, or a depth beside a level.
    pub fn checked(self) -> Result<LimitOptions, LimitError> {
        let range = |name, value: Option<u32>, least| match value {
            Some(value) if !(least..=MAX_DEPTH).contains(&value) => {
                Err(LimitError::new(name, value, format!("{least} to {MAX_DEPTH}")))
            }
            _ => Ok(()),
        };
        range("depth", self.depth, 1)?;
        range("exact_from", self.exact_from, 0)?;
        if self.nodes == Some(0) {
            return Err(LimitError::new("nodes", 0_u64, "at least 1"));
        }
        if self.lines == Some(0) {
            return Err(LimitError::new("lines", 0_u64, "at least 1"));
        }
        if let (Some(level), Some(_)) = (self.level, self.depth) {
            let expected = "no depth beside it: one of them";
            return Err(LimitError::new("level", level.number(), expected));
        }
        Ok(self)
    }

    /// Whether something besides the depth bounds the search.
    pub fn is_bounded(&self) -> bool {
        self.nodes.is_some() || self.move_time.is_some() || self.clock != TimeControl::Unlimited
    }

    /// Returns the limits; a number out of its range counts as the nearest in it.
    pub fn limits(&self) -> Limits {
        let base = match (self.depth, self.level) {
            (Some(depth), _) => Level::limits_to_depth(depth),
            (None, Some(level)) => level.limits(),
            (None, None) if self.is_bounded() => Level::limits_to_depth(MAX_DEPTH),
            (None, None) => Level::DEFAULT.limits(),
        };
        let (confidence, exact_from) = (base.confidence, base.exact_from);
        base.with_confidence(self.confidence.unwrap_or(confidence))
            .with_exact_from(self.exact_from.unwrap_or(exact_from))
            .with_goal(self.goal)
            .with_lines(self.lines.unwrap_or(1))
            .with_focus(self.focus)
            .with_nodes(self.nodes)
            .with_time(self.clock)
            .with_max_time(self.move_time)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn options() -> LimitOptions {
        LimitOptions::default()
    }

    #[test]
    fn a_depth_solves_endings_like_the_level_of_that_depth() {
        for level in Level::all().map(Level::limits) {
            let limits = LimitOptions { depth: Some(level.depth), ..options() }.limits();
            assert_eq!(limits.depth, level.depth);
            assert_eq!(limits.confidence, Level::DEFAULT.limits().confidence);
            assert!(limits.exact_from <= level.exact_from, "depth {}", level.depth);
        }
        let deepest = LimitOptions { depth: Some(60), ..options() }.limits();
        assert_eq!(deepest.depth, 60);
        assert_eq!(deepest.exact_from, Level::MAX.limits().exact_from);
    }

    #[test]
    fn what_is_stated_overrides_the_level() {
        let stated = LimitOptions {
            level: Level::new(3),
            exact_from: Some(16),
            confidence: Some(Confidence::P95),
            nodes: Some(1000),
            lines: Some(4),
            ..options()
        };
        let limits = stated.checked().expect("in range").limits();
        assert_eq!(limits.depth, 3);
        assert_eq!((limits.exact_from, limits.nodes, limits.lines), (16, Some(1000), 4));
        assert_eq!(limits.confidence, Confidence::P95);
    }

    #[test]
    fn without_a_level_whatever_is_stated_alone_bounds_the_search() {
        let second = Duration::from_secs(1);
        let clock = TimeControl::Game { remaining: second, increment: second };
        for bounded in [
            LimitOptions { clock, ..options() },
            LimitOptions { move_time: Some(second), ..options() },
            LimitOptions { nodes: Some(1), ..options() },
        ] {
            assert_eq!(bounded.limits().depth, 60);
            let with_level = LimitOptions { level: Level::new(3), ..bounded };
            assert_eq!(with_level.limits().depth, 3);
        }
        assert_eq!(options().limits(), Level::DEFAULT.limits());
    }

    #[test]
    fn an_error_names_the_limit_and_what_was_expected() {
        for (wrong, text) in [
            (LimitOptions { depth: Some(0), ..options() }, "depth=0: expected 1 to 60"),
            (LimitOptions { exact_from: Some(61), ..options() }, "exact_from=61: expected 0 to 60"),
            (LimitOptions { nodes: Some(0), ..options() }, "nodes=0: expected at least 1"),
            (LimitOptions { lines: Some(0), ..options() }, "lines=0: expected at least 1"),
            (
                LimitOptions { depth: Some(3), level: Level::new(3), ..options() },
                "level=3: expected no depth beside it: one of them",
            ),
        ] {
            assert_eq!(wrong.checked().expect_err(text).to_string(), text);
        }
        let error = Level::checked(31).expect_err("30 levels");
        assert_eq!(error.to_string(), "level=31: expected 1 to 30");
        let error = Confidence::checked(50).expect_err("no such level");
        assert_eq!(error.to_string(), "confidence=50: expected 73, 87, 95, 98, 99 or 100");
    }
}
