//! `RunningSearch`: a search in the background, read report by report.

use std::sync::{Arc, Mutex};

use pyo3::prelude::*;
use pyo3::types::PyTuple;
use umigame_engine::{self as engine, Progress, StopHandle};
use umigame_othello::Position;

use crate::errors;
use crate::interrupt::CHECK_INTERVAL;
use crate::report::{Value, report};
use crate::shared::{Shared, hold};

/// Waits for the next report of a search, without the interpreter's lock; `None` at the end.
///
/// # Errors
/// That of a signal handler (`KeyboardInterrupt`).
pub(crate) fn next_report(
    py: Python<'_>,
    mut next: impl FnMut() -> Progress + Send,
) -> PyResult<Option<engine::Report>> {
    loop {
        let progress = py.detach(&mut next);
        py.check_signals()?;
        match progress {
            Progress::Report(report) => return Ok(Some(report)),
            Progress::Running => {}
            Progress::Ended => return Ok(None),
        }
    }
}

/// A search in the background: an iterator of reports, each deeper than the one before.
///
/// `stop` ends the search; so does leaving a `with` block, or the last reference to it.
#[pyclass(module = "umigame", frozen)]
pub(crate) struct RunningSearch {
    running: Mutex<engine::RunningSearch>,
    stop: StopHandle,
    position: Position,
    /// The engine lives as long as the search.
    _shared: Arc<Shared>,
}

impl RunningSearch {
    /// Wraps a search of `position` by an engine.
    pub(crate) fn new(
        running: engine::RunningSearch,
        position: Position,
        shared: Arc<Shared>,
    ) -> RunningSearch {
        let stop = running.stop_handle();
        RunningSearch { running: Mutex::new(running), stop, position, _shared: shared }
    }

    /// Waits for the next report; `None` at the end.
    fn next_report(&self, py: Python<'_>) -> PyResult<Option<engine::Report>> {
        // Locked anew each time: another thread may wait for reports, too.
        next_report(py, || hold(&self.running).next_within(CHECK_INTERVAL))
    }

    fn outcome(&self) -> PyResult<engine::Report> {
        hold(&self.running).wait().map_err(errors::fault)
    }
}

context_manager!(RunningSearch, stop);

#[pymethods]
impl RunningSearch {
    /// Ends the search and waits for its end, some milliseconds.
    fn stop(&self, py: Python<'_>) -> PyResult<()> {
        self.stop.stop();
        while self.next_report(py)?.is_some() {}
        Ok(())
    }

    /// Waits for the end of the search and returns its result: the last report, with the nodes and
    /// the time of the whole search.
    fn wait<'py>(&self, py: Python<'py>) -> Value<'py> {
        while self.next_report(py)?.is_some() {}
        report(py, &self.outcome()?, self.position)
    }

    fn __iter__(slf: PyRef<'_, Self>) -> PyRef<'_, Self> {
        slf
    }

    fn __next__<'py>(&self, py: Python<'py>) -> PyResult<Option<Bound<'py, PyAny>>> {
        match self.next_report(py)? {
            Some(found) => report(py, &found, self.position).map(Some),
            // A fault ends the search, too.
            None => self.outcome().map(|_| None),
        }
    }
}
