//! A search on a thread of its own: reports come out, a stop goes in.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::sync::{Arc, OnceLock};
use std::time::Duration;

use crate::error::EngineError;
use crate::report::{Listener, Report};
use crate::threads::{self, Background};
#[cfg(feature = "system")]
use crate::time::stopwatch::Stoppable;

/// Stops a search from any thread. Clones stop the same search.
#[derive(Clone, Debug, Default)]
pub struct StopHandle(Arc<AtomicBool>);

impl StopHandle {
    /// Stops the search, which ends within milliseconds. A stop lasts.
    pub fn stop(&self) {
        self.0.store(true, Relaxed);
    }

    /// Returns whether the search was stopped.
    pub fn is_stopped(&self) -> bool {
        self.0.load(Relaxed)
    }

    /// Returns a listener that ends a search when this stops.
    #[cfg(feature = "system")]
    pub fn listener(&self) -> Stoppable<'_> {
        Stoppable::new(&self.0)
    }
}

/// A panic that ended a search: a fault in the engine or in a listener.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("the search failed: {message}")]
pub struct SearchFault {
    /// The message of the panic.
    pub message: String,
}

impl SearchFault {
    /// Runs a search, and turns a panic into an error.
    pub(super) fn catch<T>(search: impl FnOnce() -> T) -> Result<T, SearchFault> {
        catch_unwind(AssertUnwindSafe(search)).map_err(|panic| {
            let text = panic.downcast_ref::<&str>().copied();
            let text = text.or_else(|| panic.downcast_ref::<String>().map(String::as_str));
            SearchFault { message: text.unwrap_or("a panic without a message").to_owned() }
        })
    }
}

/// The outcome of a search; `None` while it runs.
type Outcome = OnceLock<Result<Report, SearchFault>>;

/// What is known of a [`RunningSearch`] after a wait.
#[derive(Clone, PartialEq, Debug)]
pub enum Progress {
    /// The next report.
    Report(Report),
    /// The search goes on; no report came in time.
    Running,
    /// The search has ended, and every report was received.
    Ended,
}

/// What searches, which a running search holds until it ends.
#[derive(Debug)]
pub(super) struct Lent<S> {
    /// `None` while a search holds it.
    here: Option<S>,
    holder: Option<Holder<S>>,
}

#[derive(Debug)]
struct Holder<S> {
    thread: Background<S>,
    stop: StopHandle,
    outcome: Arc<Outcome>,
}

impl<S: Send + 'static> Lent<S> {
    pub fn new(searcher: S) -> Lent<S> {
        Lent { here: Some(searcher), holder: None }
    }

    /// Whether a search that was not stopped holds it.
    pub fn is_lent(&self) -> bool {
        self.holder
            .as_ref()
            .is_some_and(|holder| !holder.stop.is_stopped() && holder.outcome.get().is_none())
    }

    /// Returns it, after stopping the search that holds it.
    pub fn get(&mut self) -> &mut S {
        if let Some(Holder { mut thread, stop, outcome }) = self.holder.take() {
            // A search that has finished was not stopped.
            if outcome.get().is_none() {
                stop.stop();
            }
            self.here = Some(thread.join());
        }
        self.here.as_mut().expect("it is here or lent")
    }

    /// Lends it to a search on a thread of its own.
    ///
    /// # Errors
    /// The system starts no thread.
    pub fn start(
        &mut self,
        search: impl FnOnce(&mut S, SearchThread) + Send + 'static,
    ) -> Result<RunningSearch, EngineError> {
        self.get();
        let (stop, outcome) = (StopHandle::default(), Arc::<Outcome>::default());
        let (sender, reports) = channel();
        let own = SearchThread { stop: stop.clone(), outcome: Arc::clone(&outcome), sender };
        let lent = self.here.take().expect("it was taken back");
        let started = threads::in_background(lent, move |mut lent| {
            search(&mut lent, own);
            lent
        });
        match started {
            Ok(thread) => {
                let running =
                    RunningSearch { stop: stop.clone(), outcome: Arc::clone(&outcome), reports };
                self.holder = Some(Holder { thread, stop, outcome });
                Ok(running)
            }
            Err(lent) => {
                self.here = Some(lent);
                Err(EngineError::Threads("the system starts none".to_owned()))
            }
        }
    }
}

impl<S> Drop for Lent<S> {
    fn drop(&mut self) {
        if let Some(Holder { mut thread, stop, .. }) = self.holder.take() {
            stop.stop();
            drop(thread.join());
        }
    }
}

/// A search that runs on a thread of its own, begun by [`Engine::start`](crate::Engine::start).
///
/// It is an iterator of reports, which waits for each and ends with the search. Dropping it stops
/// the search and waits for its end, some milliseconds; so does any use of its engine.
#[derive(Debug)]
pub struct RunningSearch {
    stop: StopHandle,
    outcome: Arc<Outcome>,
    /// Disconnected at the end of the search.
    reports: Receiver<Report>,
}

impl RunningSearch {
    /// Returns a handle that stops this search from any thread.
    pub fn stop_handle(&self) -> StopHandle {
        self.stop.clone()
    }

    /// Stops the search, without waiting for its end.
    pub fn stop(&self) {
        self.stop.stop();
    }

    /// Returns whether the search has ended; reports may still wait to be received.
    pub fn has_ended(&self) -> bool {
        self.outcome.get().is_some()
    }

    /// Returns whether the search has ended by itself, not by a stop or a fault.
    pub fn has_finished(&self) -> bool {
        matches!(self.outcome.get(), Some(Ok(_))) && !self.stop.is_stopped()
    }

    /// Waits for the next report, at most this long.
    pub fn next_within(&mut self, timeout: Duration) -> Progress {
        match self.reports.recv_timeout(timeout) {
            Ok(report) => Progress::Report(report),
            Err(RecvTimeoutError::Timeout) => Progress::Running,
            Err(RecvTimeoutError::Disconnected) => Progress::Ended,
        }
    }

    /// Waits for the end of the search and returns its last report, as
    /// [`Engine::search`](crate::Engine::search) does. Reports not received yet are dropped.
    ///
    /// # Errors
    /// A fault ended the search. The engine serves on.
    pub fn wait(&mut self) -> Result<Report, SearchFault> {
        while self.next().is_some() {}
        let lost = || Err(SearchFault { message: "its thread has ended".to_owned() });
        self.outcome.get().cloned().unwrap_or_else(lost)
    }
}

impl Iterator for RunningSearch {
    type Item = Report;

    fn next(&mut self) -> Option<Report> {
        self.reports.recv().ok()
    }
}

impl Drop for RunningSearch {
    fn drop(&mut self) {
        self.stop();
        while self.next().is_some() {}
    }
}

/// The searching thread's end of a [`RunningSearch`].
pub(super) struct SearchThread {
    stop: StopHandle,
    outcome: Arc<Outcome>,
    sender: Sender<Report>,
}

impl SearchThread {
    /// Whether the search was stopped.
    pub fn is_stopped(&self) -> bool {
        self.stop.is_stopped()
    }

    /// Returns a listener that passes reports on, and hears the stop besides `listener`.
    pub fn listener<L: Listener>(&self, listener: L) -> impl Listener {
        ThreadListener { listener, stop: &self.stop, reports: &self.sender }
    }

    /// Runs the search, and keeps its outcome for whoever waits for it.
    pub fn run(self, search: impl FnOnce(&SearchThread) -> Report) {
        let _ = self.outcome.set(SearchFault::catch(|| search(&self)));
        // Only now do the reports end.
        drop(self);
    }
}

struct ThreadListener<'a, L> {
    listener: L,
    stop: &'a StopHandle,
    reports: &'a Sender<Report>,
}

impl<L: Listener> Listener for ThreadListener<'_, L> {
    fn go_on(&self) -> bool {
        !self.stop.is_stopped() && self.listener.go_on()
    }

    fn elapsed(&self) -> Duration {
        self.listener.elapsed()
    }

    fn report(&self, report: &Report) {
        self.listener.report(report);
        // The receiver lives until the end of the search.
        let _ = self.reports.send(report.clone());
    }
}
