//! Play that errs: levels with a name, and errors in discs.

use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::sync::mpsc::Sender;

use pyo3::prelude::*;
use umigame_analysis::levels::LevelRecord;
use umigame_engine::{self as engine, Stoppable, Strength, WeakOptions, WeakPlayerError, Weakness};
use umigame_othello::Position;

use crate::errors::{self, wrong};
use crate::interrupt;
use crate::limits::Limit;
use crate::report::value;
use crate::shared::{Shared, hold, stopped};

/// Reads how a move errs; `None` if it does not.
///
/// # Errors
/// A name of no level, or numbers that contradict it.
pub(crate) fn weakness(
    level: Option<&str>,
    error: Option<f64>,
    max_error: Option<f64>,
) -> PyResult<Option<Weakness>> {
    let strength: Option<Strength> = level
        .map(|name| name.parse().map_err(|why: engine::ParseStrengthError| wrong(why.to_string())))
        .transpose()?;
    if let Some(Strength::Level(level)) = strength {
        let number = level.number();
        return Err(wrong(format!(
            "level=\"{number}\": expected a name, or Limit(level={number})"
        )));
    }
    let options = WeakOptions { level: strength.and_then(Strength::weak), error, max_error };
    options.weakness().map_err(|why| wrong(why.to_string()))
}

/// Searches a position and errs.
pub(crate) fn err(
    py: Python<'_>,
    shared: &Shared,
    position: Position,
    limit: &Limit,
    weakness: &Weakness,
    seed: u64,
) -> PyResult<engine::Report> {
    let call = shared.call()?;
    let limits = weakness.limits(&limit.stated());
    let work = |stop: &AtomicBool, _: &Sender<()>| {
        // A closed engine plays no more.
        shared.lock(stop)?.engine()?;
        let listener = Stoppable::new(stop);
        let found = hold(&shared.weak).choose(position, &limits, weakness, seed, &listener);
        if stop.load(Relaxed) {
            return Err(stopped());
        }
        found.map_err(|why| match why {
            WeakPlayerError::Engine(error) => errors::engine(error),
            WeakPlayerError::Search(fault) => errors::fault(fault),
        })
    };
    interrupt::run_until(py, &call.stop, work, |_, ()| Ok(()))?
}

/// Returns the levels, the weakest first.
///
/// >>> [level.level for level in umigame.levels()][-1]
/// '30'
#[pyfunction]
pub(crate) fn levels(py: Python<'_>) -> PyResult<Vec<Bound<'_, PyAny>>> {
    let of = |LevelRecord { level, text, depth, exact_from, rating }| {
        value(py, "LevelInfo", (level, text, depth, exact_from, rating))
    };
    LevelRecord::all().into_iter().map(of).collect()
}
