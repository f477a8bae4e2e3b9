//! `Limit`: the bounds of a search.

use std::time::Duration;

use pyo3::prelude::*;
use pyo3::types::PyDict;
use umigame_arena::{EngineLimits, GameTime, Seconds};
use umigame_engine::{Confidence, Level, LimitError, LimitOptions, Limits, MAX_DEPTH, TimeControl};

use crate::errors::wrong;
use crate::numbers::{Float, Int, within};
use crate::report::{Pickled, attributes};

/// The arguments that make a limit.
const FIELDS: [&str; 8] =
    ["depth", "time", "nodes", "level", "confidence", "exact_from", "clock", "increment"];
/// Longest time of a search, in seconds: about three years.
const MAX_SECONDS: f64 = 1e8;

/// The bounds of a search; the first one reached ends it.
///
/// `depth` in plies, 1 to 60, searches every move unless `confidence` is below 100. `level`, 1 to
/// 30, is a depth at 73 % confidence with an exact ending, as on the command line. `time` in
/// seconds and `nodes` bound any search; alone, they let it go as deep as it gets. `clock` and
/// `increment`, in seconds, are a clock for the rest of the game, of which the engine decides how
/// much to spend. `confidence`, one of 73, 87, 95, 98, 99 and 100 percent, is that of cuts that
/// would very probably not have mattered. Positions of at most `exact_from` empties are solved;
/// with a depth, that is the depth unless given.
///
/// Without any bound it is level 16.
///
/// >>> umigame.Limit(depth=12, nodes=1_000_000)
/// Limit(depth=12, nodes=1000000)
#[pyclass(module = "umigame", frozen, eq, get_all, from_py_object)]
#[derive(Clone, PartialEq, Default)]
pub(crate) struct Limit {
    /// Plies, or None.
    depth: Option<u32>,
    /// Seconds, or None.
    time: Option<f64>,
    /// Positions to visit, or None.
    nodes: Option<u64>,
    /// Level of strength, or None.
    level: Option<u32>,
    /// Percent, or None for the default.
    confidence: Option<u32>,
    /// Empties from which positions are solved, or None for the default.
    exact_from: Option<u32>,
    /// Seconds left for the rest of the game, or None.
    clock: Option<f64>,
    /// Seconds added after each move.
    increment: f64,
}

/// Reads seconds.
pub(crate) fn seconds(name: &str, seconds: f64) -> PyResult<Duration> {
    if (0.0..=MAX_SECONDS).contains(&seconds) {
        Ok(Duration::from_secs_f64(seconds))
    } else {
        Err(wrong(format!("{name}={seconds}: expected seconds, 0 to {MAX_SECONDS:e}")))
    }
}

/// Reads a tolerance in discs.
pub(crate) fn tolerance(discs: Float) -> PyResult<f64> {
    if (0.0..=128.0).contains(&discs.0) {
        Ok(discs.0)
    } else {
        Err(wrong(format!("tolerance={}: expected 0 to 128 discs", discs.0)))
    }
}

#[pymethods]
impl Limit {
    #[new]
    #[pyo3(signature = (*, depth=None, time=None, nodes=None, level=None, confidence=None,
        exact_from=None, clock=None, increment=Float(0.0)), text_signature = "(*, depth=None, \
        time=None, nodes=None, level=None, confidence=None, exact_from=None, clock=None, \
        increment=0.0)")]
    fn new(
        depth: Option<Int>,
        time: Option<Float>,
        nodes: Option<Int>,
        level: Option<Int>,
        confidence: Option<Int>,
        exact_from: Option<Int>,
        clock: Option<Float>,
        increment: Float,
    ) -> PyResult<Limit> {
        let depth = within(depth, "depth", 1..=MAX_DEPTH)?;
        let level = within(level, "level", 1..=Level::MAX.number())?;
        let exact_from = within(exact_from, "exact_from", 0..=MAX_DEPTH)?;
        let nodes = within(nodes, "nodes", 1..=u64::MAX)?;
        // Which percentages there are, the engine says, too.
        let percent = |asked: Int| {
            let no = |_| wrong(format!("confidence={asked}: expected 73, 87, 95, 98, 99 or 100"));
            asked.within("confidence", 1..=100).map_err(no)
        };
        let confidence = confidence.map(percent).transpose()?;
        for (name, value) in [("time", time), ("clock", clock), ("increment", Some(increment))] {
            value.map(|value| seconds(name, value.0)).transpose()?;
        }
        let (time, clock, increment) =
            (time.map(|time| time.0), clock.map(|clock| clock.0), increment.0);
        let limit = Limit { depth, time, nodes, level, confidence, exact_from, clock, increment };
        limit.options().map_err(|why| wrong(why.to_string()))?;
        Ok(limit)
    }

    pub(crate) fn __repr__(slf: &Bound<'_, Limit>) -> PyResult<String> {
        let mut shown = Vec::new();
        for (name, value) in Limit::to_dict(slf)? {
            if !value.is_none() && (!name.eq("increment")? || value.is_truthy()?) {
                shown.push(format!("{name}={value}"));
            }
        }
        Ok(format!("Limit({})", shown.join(", ")))
    }

    fn __hash__(slf: &Bound<'_, Limit>) -> PyResult<isize> {
        Limit::to_dict(slf)?.values().to_tuple().hash()
    }

    /// Returns the arguments that make the limit as a dict.
    pub(crate) fn to_dict<'py>(slf: &Bound<'py, Limit>) -> PyResult<Bound<'py, PyDict>> {
        attributes(slf, &FIELDS)
    }

    fn __reduce__<'py>(slf: &Bound<'py, Limit>) -> Pickled<'py, ()> {
        let partial = slf.py().import("functools")?.getattr("partial")?;
        Ok((partial.call((slf.get_type(),), Some(&Limit::to_dict(slf)?))?, ()))
    }
}

impl Limit {
    /// The limits as they are stated; with a depth, nothing is cut and as many empties are solved
    /// unless stated otherwise.
    ///
    /// # Errors
    /// A number out of its range.
    fn options(&self) -> Result<LimitOptions, LimitError> {
        let confidence = self.confidence.map(Confidence::checked).transpose()?;
        let options = LimitOptions {
            level: self.level.map(Level::checked).transpose()?,
            depth: self.depth,
            confidence: confidence.or(self.depth.map(|_| Confidence::FULL)),
            exact_from: self.exact_from.or(self.depth),
            nodes: self.nodes,
            move_time: self.time.map(Duration::from_secs_f64),
            clock: self.clock.map_or(TimeControl::Unlimited, |remaining| TimeControl::Game {
                remaining: Duration::from_secs_f64(remaining),
                increment: Duration::from_secs_f64(self.increment),
            }),
            ..LimitOptions::default()
        };
        options.checked()
    }

    /// The limits for an engine in a process of its own.
    ///
    /// # Errors
    /// One that no protocol can pass on.
    pub(crate) fn for_process(&self) -> PyResult<EngineLimits> {
        if self.confidence.is_some() || self.exact_from.is_some() {
            return Err(wrong("confidence and exact_from cannot be passed on to another program"));
        }
        let duration = Duration::from_secs_f64;
        Ok(EngineLimits {
            move_time: self.time.map(|time| Seconds(duration(time))),
            game_time: self
                .clock
                .map(|main| GameTime { main: duration(main), increment: duration(self.increment) }),
            depth: self.depth,
            level: self.level,
            nodes: self.nodes,
        })
    }

    /// The limits as they are stated, once more.
    pub(crate) fn stated(&self) -> LimitOptions {
        // They were checked when they were stated.
        self.options().unwrap_or_default()
    }

    /// The limits for the engine, with a number of lines.
    pub(crate) fn limits(&self, lines: usize) -> Limits {
        self.stated().limits().with_lines(lines)
    }
}

/// Reads the number of lines.
///
/// # Errors
/// None, or more than there are squares.
pub(crate) fn lines(multipv: &Int) -> PyResult<usize> {
    multipv.within("multipv", 1..=64)
}
