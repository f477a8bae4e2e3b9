//! A listener for one search of several.

use std::time::Duration;

use umigame_engine::Listener;

/// Passes the question whether to go on to another listener. The clock starts at zero, and
/// reports are dropped.
pub(super) struct PartListener<'a> {
    listener: &'a dyn Listener,
    start: Duration,
}

impl<'a> PartListener<'a> {
    /// Starts a part of the work that `listener` watches.
    pub fn start(listener: &'a dyn Listener) -> PartListener<'a> {
        PartListener { listener, start: listener.elapsed() }
    }
}

impl Listener for PartListener<'_> {
    fn go_on(&self) -> bool {
        self.listener.go_on()
    }

    fn elapsed(&self) -> Duration {
        self.listener.elapsed().saturating_sub(self.start)
    }
}
