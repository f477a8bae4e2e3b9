//! `Analysis`: a search in the background, read report by report.

use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;

use pyo3::prelude::*;
use pyo3::types::PyTuple;
use umigame_engine::{self as engine, Limits};
use umigame_othello::Position;

use crate::engine::{Shared, Unavailable, Watch};
use crate::errors;
use crate::interrupt::CHECK_INTERVAL;
use crate::report::Report;

/// The outcome of the search, set by its thread.
#[derive(Default)]
struct Outcome {
    /// The result; `None` while the search goes on, or if the engine was not to be had.
    report: Option<engine::Report>,
    /// The message of a panic.
    fault: Option<PyErr>,
}

/// Holds the engine for an analysis until dropped.
struct Held {
    shared: Arc<Shared>,
    stop: Arc<AtomicBool>,
}

impl Drop for Held {
    fn drop(&mut self) {
        let mut running = self.shared.analysis();
        // Another may have begun since this one was stopped.
        if running.as_ref().is_some_and(|stop| Arc::ptr_eq(stop, &self.stop)) {
            *running = None;
        }
    }
}

/// A search in the background: an iterator of reports, each deeper than the one before.
///
/// `stop` ends the search; so does leaving a `with` block, or the last reference to it.
#[pyclass(module = "umigame", frozen)]
pub(crate) struct Analysis {
    stop: Arc<AtomicBool>,
    /// Disconnected when the search has ended.
    reports: Mutex<Receiver<engine::Report>>,
    outcome: Arc<Mutex<Outcome>>,
    position: Position,
}

impl Analysis {
    /// Begins a search.
    ///
    /// # Errors
    /// Another analysis runs, or the system starts no thread.
    pub(crate) fn begin(
        shared: &Arc<Shared>,
        position: Position,
        limits: Limits,
    ) -> PyResult<Analysis> {
        let stop = Arc::new(AtomicBool::new(false));
        {
            let mut running = shared.analysis();
            if running.as_ref().is_some_and(|stop| !stop.load(Relaxed)) {
                return Err(Unavailable::Busy.into());
            }
            *running = Some(stop.clone());
        }
        let held = Held { shared: shared.clone(), stop: stop.clone() };
        let (sender, reports) = channel();
        let outcome = Arc::<Mutex<Outcome>>::default();
        let (flag, result) = (stop.clone(), Arc::clone(&outcome));
        thread::Builder::new().name("umigame analysis".to_owned()).spawn(move || {
            let search = || {
                let mut engine = held.shared.lock(&flag).ok()?;
                let watch = Watch::new(&flag, &sender, true);
                Some(engine.engine().ok()?.search(position, &limits, &watch))
            };
            let found = std::panic::catch_unwind(std::panic::AssertUnwindSafe(search));
            let mut result = result.lock().unwrap_or_else(PoisonError::into_inner);
            match found {
                Ok(report) => result.report = report,
                Err(panic) => result.fault = Some(errors::panicked(&*panic)),
            }
            drop(result);
            // The engine is free before the readers learn of the end.
            drop(held);
            drop(sender);
        })?;
        Ok(Analysis { stop, reports: Mutex::new(reports), outcome, position })
    }

    /// Waits for the next report; `None` at the end.
    fn next_report(&self, py: Python<'_>) -> PyResult<Option<engine::Report>> {
        loop {
            let next = py.detach(|| {
                let reports = self.reports.lock().unwrap_or_else(PoisonError::into_inner);
                reports.recv_timeout(CHECK_INTERVAL)
            });
            match next {
                Ok(report) => return Ok(Some(report)),
                Err(RecvTimeoutError::Timeout) => py.check_signals()?,
                Err(RecvTimeoutError::Disconnected) => {
                    let mut outcome = self.outcome.lock().unwrap_or_else(PoisonError::into_inner);
                    return outcome.fault.take().map_or(Ok(None), Err);
                }
            }
        }
    }
}

impl Drop for Analysis {
    fn drop(&mut self) {
        self.stop.store(true, Relaxed);
    }
}

#[pymethods]
impl Analysis {
    /// Ends the search and waits for its end, some milliseconds.
    fn stop(&self, py: Python<'_>) -> PyResult<()> {
        self.stop.store(true, Relaxed);
        self.wait(py).map(|_| ())
    }

    /// Waits for the end of the search and returns its result, the report of the last finished
    /// iteration.
    fn wait(&self, py: Python<'_>) -> PyResult<Option<Report>> {
        while self.next_report(py)?.is_some() {}
        let outcome = self.outcome.lock().unwrap_or_else(PoisonError::into_inner);
        let report = outcome.report.clone();
        Ok(report.map(|report| Report { report, position: self.position }))
    }

    fn __iter__(slf: PyRef<'_, Self>) -> PyRef<'_, Self> {
        slf
    }

    fn __next__(&self, py: Python<'_>) -> PyResult<Option<Report>> {
        let report = self.next_report(py)?;
        Ok(report.map(|report| Report { report, position: self.position }))
    }

    fn __enter__(slf: PyRef<'_, Self>) -> PyRef<'_, Self> {
        slf
    }

    #[pyo3(signature = (*_exception))]
    fn __exit__(&self, py: Python<'_>, _exception: &Bound<'_, PyTuple>) -> PyResult<()> {
        self.stop(py)
    }
}
