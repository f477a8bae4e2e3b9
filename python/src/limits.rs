//! `Limit`: the bounds of a search.

use std::time::Duration;

use pyo3::prelude::*;
use pyo3::types::{PyDict, PyTuple};
use umigame_engine::{Allowance, Confidence, LEVELS, Level, Limits, MAX_DEPTH};

use crate::errors::wrong;

/// Longest time of a search, in seconds: about three years.
const MAX_SECONDS: f64 = 1e8;

/// The bounds of a search; the first one reached ends it.
///
/// `depth` in plies, 1 to 60, searches every move unless `confidence` is below 100. `level`, 1 to
/// 30, is a depth at 73 % confidence with an exact ending, as on the command line. `time` in
/// seconds and `nodes` bound any search; alone, they let it go as deep as it gets. `clock` and
/// `increment`, in seconds, are a clock for the rest of the game, of which the engine decides how
/// much to spend. `confidence`, one of 73, 87, 95, 98, 99 and 100 percent, is that of cuts that
/// would very probably not have mattered. Positions of at most `solve_from` empties are solved;
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
    solve_from: Option<u32>,
    /// Seconds left for the rest of the game, or None.
    clock: Option<f64>,
    /// Seconds added after each move.
    increment: f64,
}

/// Reads seconds.
pub(crate) fn seconds(name: &str, seconds: f64) -> PyResult<Duration> {
    match seconds.is_finite() && (0.0..=MAX_SECONDS).contains(&seconds) {
        true => Ok(Duration::from_secs_f64(seconds)),
        false => Err(wrong(format!("{name}={seconds}: expected seconds, 0 to {MAX_SECONDS:e}"))),
    }
}

fn within(name: &str, value: Option<u32>, low: u32, high: u32) -> PyResult<()> {
    match value {
        Some(value) if !(low..=high).contains(&value) => {
            Err(wrong(format!("{name}={value}: expected {low} to {high}")))
        }
        _ => Ok(()),
    }
}

#[pymethods]
impl Limit {
    #[new]
    #[pyo3(signature = (*, depth=None, time=None, nodes=None, level=None, confidence=None,
        solve_from=None, clock=None, increment=0.0))]
    #[allow(clippy::too_many_arguments, reason = "all are keywords")]
    fn new(
        depth: Option<u32>,
        time: Option<f64>,
        nodes: Option<u64>,
        level: Option<u32>,
        confidence: Option<u32>,
        solve_from: Option<u32>,
        clock: Option<f64>,
        increment: f64,
    ) -> PyResult<Limit> {
        within("depth", depth, 1, MAX_DEPTH)?;
        within("level", level, 1, LEVELS.len() as u32)?;
        within("solve_from", solve_from, 0, MAX_DEPTH)?;
        if depth.is_some() && level.is_some() {
            return Err(wrong("depth and level: expected one of them"));
        }
        if let Some(percent) = confidence {
            Confidence::from_percent(percent).ok_or_else(|| {
                wrong(format!("confidence={percent}: expected 73, 87, 95, 98, 99 or 100"))
            })?;
        }
        if nodes == Some(0) {
            return Err(wrong("nodes=0: expected at least 1"));
        }
        for (name, value) in [("time", time), ("clock", clock), ("increment", Some(increment))] {
            value.map(|value| seconds(name, value)).transpose()?;
        }
        Ok(Limit { depth, time, nodes, level, confidence, solve_from, clock, increment })
    }

    fn __repr__(&self) -> String {
        self.shown()
    }

    fn __hash__(&self) -> u64 {
        use std::hash::{DefaultHasher, Hash, Hasher};
        let mut hasher = DefaultHasher::new();
        self.shown().hash(&mut hasher);
        hasher.finish()
    }

    fn __reduce__<'py>(slf: &Bound<'py, Limit>) -> PyResult<Bound<'py, PyTuple>> {
        let py = slf.py();
        let limit = slf.get();
        let arguments = PyDict::new(py);
        arguments.set_item("depth", limit.depth)?;
        arguments.set_item("time", limit.time)?;
        arguments.set_item("nodes", limit.nodes)?;
        arguments.set_item("level", limit.level)?;
        arguments.set_item("confidence", limit.confidence)?;
        arguments.set_item("solve_from", limit.solve_from)?;
        arguments.set_item("clock", limit.clock)?;
        arguments.set_item("increment", limit.increment)?;
        let make = py.import("functools")?.getattr("partial")?;
        let make = make.call((slf.get_type(),), Some(&arguments))?;
        (make, PyTuple::empty(py)).into_pyobject(py)
    }
}

impl Limit {
    /// The limit as Python writes it.
    pub(crate) fn shown(&self) -> String {
        let fields = self.fields().into_iter();
        let shown = fields.filter_map(|(name, value)| Some(format!("{name}={}", value?)));
        format!("Limit({})", shown.collect::<Vec<_>>().join(", "))
    }

    /// The fields as Python writes them; `None` where they have their default.
    fn fields(&self) -> [(&'static str, Option<String>); 8] {
        fn text<T: ToString>(value: Option<T>) -> Option<String> {
            value.map(|value| value.to_string())
        }
        let increment = (self.increment != 0.0).then_some(self.increment);
        [
            ("depth", text(self.depth)),
            ("time", text(self.time)),
            ("nodes", text(self.nodes)),
            ("level", text(self.level)),
            ("confidence", text(self.confidence)),
            ("solve_from", text(self.solve_from)),
            ("clock", text(self.clock)),
            ("increment", text(increment)),
        ]
    }

    /// The limits for the engine, with a number of lines.
    pub(crate) fn limits(&self, lines: usize) -> Limits {
        let duration = |seconds: Option<f64>| seconds.map(Duration::from_secs_f64);
        let bounded = self.time.is_some() || self.nodes.is_some() || self.clock.is_some();
        let mut limits = match (self.depth, self.level.and_then(Level::new)) {
            (Some(depth), _) => Limits::depth(depth),
            (None, Some(level)) => level.limits(),
            (None, None) if bounded => Level::limits_to_depth(MAX_DEPTH),
            (None, None) => Level::DEFAULT.limits(),
        };
        if let Some(confidence) = self.confidence.and_then(Confidence::from_percent) {
            limits.confidence = confidence;
        }
        if let Some(solve_from) = self.solve_from {
            limits.solve_from = solve_from;
        }
        limits.nodes = self.nodes;
        limits.move_time = duration(self.time);
        limits.clock = duration(self.clock).map(|remaining| Allowance::Game {
            remaining,
            increment: Duration::from_secs_f64(self.increment),
        });
        limits.with_lines(lines)
    }
}

/// Reads the number of lines.
///
/// # Errors
/// Zero lines.
pub(crate) fn lines(multipv: usize) -> PyResult<usize> {
    match multipv {
        0 => Err(wrong("multipv=0: expected at least 1")),
        lines => Ok(lines),
    }
}
