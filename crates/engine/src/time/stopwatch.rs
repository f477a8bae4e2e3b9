//! Listeners with the operating system's clock.

use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::time::{Duration, Instant};

use crate::report::Listener;

/// A listener that keeps time and discards reports.
#[derive(Clone, Copy, Debug)]
pub struct Silent(Instant);

/// Starts the clock.
impl Default for Silent {
    fn default() -> Silent {
        Silent(Instant::now())
    }
}

impl Listener for Silent {
    fn elapsed(&self) -> Duration {
        self.0.elapsed()
    }
}

/// A listener that keeps time, discards reports, and stops the search once a flag is set.
#[derive(Clone, Copy, Debug)]
pub struct Stoppable<'a> {
    start: Instant,
    stop: &'a AtomicBool,
}

impl<'a> Stoppable<'a> {
    /// Makes a listener for a search that begins now.
    pub fn new(stop: &'a AtomicBool) -> Stoppable<'a> {
        Stoppable { start: Instant::now(), stop }
    }
}

impl Listener for Stoppable<'_> {
    fn go_on(&self) -> bool {
        !self.stop.load(Relaxed)
    }

    fn elapsed(&self) -> Duration {
        self.start.elapsed()
    }
}
