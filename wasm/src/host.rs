//! The host of the module, and a search's listener to it.

use std::time::Duration;

use umigame_engine::{Listener, Report, StopHandle};

use crate::replies;

/// What the host does for the module: it keeps time, says when to stop, and hears results.
pub trait Host: Sync {
    /// The time in milliseconds, from any fixed moment.
    fn now(&self) -> f64;

    /// Whether the search may go on. Lets the host do other work when it asks for that.
    fn go_on(&self) -> bool;

    /// Passes on an interim result.
    fn report(&self, json: &str);
}

/// The host as the listener of a search that begins now. There are no threads to run a search
/// beside the host, so the search itself asks the host whether it was stopped.
pub struct HostListener<'a> {
    host: &'a dyn Host,
    begun: f64,
    stop: StopHandle,
    reports: bool,
}

impl<'a> HostListener<'a> {
    /// Starts the clock. Reports of iterations are passed on if `reports`.
    pub fn new(host: &'a dyn Host, reports: bool) -> HostListener<'a> {
        HostListener { host, begun: host.now(), stop: StopHandle::default(), reports }
    }

    /// Whether the host has stopped the search.
    pub fn is_stopped(&self) -> bool {
        self.stop.is_stopped()
    }
}

impl Listener for HostListener<'_> {
    fn go_on(&self) -> bool {
        if !self.is_stopped() && !self.host.go_on() {
            self.stop.stop();
        }
        !self.is_stopped()
    }

    fn elapsed(&self) -> Duration {
        let ms = self.host.now() - self.begun;
        Duration::try_from_secs_f64(ms / 1000.0).unwrap_or_default()
    }

    fn report(&self, report: &Report) {
        if self.reports {
            self.host.report(&replies::report(report));
        }
    }
}
