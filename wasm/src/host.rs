//! The host as the listener of a search: its clock, its wish to stop, its ear for reports.

use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::time::Duration;

use umigame_engine::{Listener, Report};

use crate::{abi, replies};

/// A listener for a search that begins now.
#[derive(Debug)]
pub struct Host {
    begun: f64,
    stopped: AtomicBool,
    reports: bool,
}

impl Host {
    /// Starts the clock. Reports of iterations are passed on if `reports`.
    pub fn new(reports: bool) -> Host {
        Host { begun: abi::now(), stopped: AtomicBool::new(false), reports }
    }

    /// Whether the host has stopped the search.
    pub fn is_stopped(&self) -> bool {
        self.stopped.load(Relaxed)
    }
}

impl Listener for Host {
    fn go_on(&self) -> bool {
        let goes_on = !self.is_stopped() && abi::go_on();
        self.stopped.store(!goes_on, Relaxed);
        goes_on
    }

    fn elapsed(&self) -> Duration {
        Duration::try_from_secs_f64((abi::now() - self.begun) / 1000.0).unwrap_or_default()
    }

    fn report(&self, report: &Report) {
        if self.reports {
            abi::report(&replies::report(report));
        }
    }
}
