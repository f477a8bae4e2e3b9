//! Decides when the threads of a search stop.

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering::Relaxed};
use std::time::Duration;

use crossbeam_utils::CachePadded;

use crate::limits::Limits;
use crate::report::Listener;
use crate::time::budget::TimeBudget;

/// The limits of a search, what it has used of them, and whether it was stopped.
pub(crate) struct StopControl<'a> {
    limits: &'a Limits,
    /// Time for this search; `None` if time is no limit.
    time: Option<TimeBudget>,
    listener: &'a dyn Listener,
    /// Every thread returns within a few thousand nodes.
    stopped: AtomicBool,
    /// Nodes that the threads have flushed.
    nodes: CachePadded<AtomicU64>,
    /// The first iteration is finished: before that a search does not stop, so that there is always
    /// an answer.
    has_answer: AtomicBool,
    /// The time budget for solving applies, not that for a move.
    is_solving: AtomicBool,
}

impl<'a> StopControl<'a> {
    /// Begins a search.
    pub fn new(
        limits: &'a Limits,
        time: Option<TimeBudget>,
        listener: &'a dyn Listener,
    ) -> StopControl<'a> {
        StopControl {
            limits,
            time,
            listener,
            stopped: AtomicBool::new(false),
            nodes: CachePadded::default(),
            has_answer: AtomicBool::new(false),
            is_solving: AtomicBool::new(false),
        }
    }

    /// The limits.
    pub fn limits(&self) -> &'a Limits {
        self.limits
    }

    /// Time for this search; `None` if time is no limit.
    pub fn time(&self) -> Option<TimeBudget> {
        self.time
    }

    /// The clock, and where reports go.
    pub fn listener(&self) -> &'a dyn Listener {
        self.listener
    }

    /// Nodes that the threads have flushed so far.
    pub fn nodes(&self) -> u64 {
        self.nodes.load(Relaxed)
    }

    /// Adds nodes and returns the total.
    pub fn add_nodes(&self, nodes: u64) -> u64 {
        self.nodes.fetch_add(nodes, Relaxed) + nodes
    }

    /// Records that the first iteration is finished: from now on the search may stop.
    pub fn set_answered(&self) {
        self.has_answer.store(true, Relaxed);
    }

    /// Chooses the time budget for solving the game or that for a move.
    pub fn set_solving(&self, is_solving: bool) {
        self.is_solving.store(is_solving, Relaxed);
    }

    /// Stops the search: every thread returns within a few thousand nodes.
    pub fn stop(&self) {
        self.stopped.store(true, Relaxed);
    }

    /// Time since the time of the search was used up; `None` before that, or if time is no limit.
    pub fn stop_delay(&self) -> Option<Duration> {
        let time = self.time?;
        let limit = if self.is_solving.load(Relaxed) { time.solve } else { time.hard };
        self.listener.elapsed().checked_sub(limit)
    }

    /// Stops the search if its limits are reached or the listener says so; returns whether it is
    /// stopped.
    pub fn must_stop(&self) -> bool {
        if self.stopped.load(Relaxed) {
            return true;
        }
        let nodes_used = self.limits.nodes.is_some_and(|limit| self.nodes() >= limit);
        let time_used = || self.stop_delay().is_some();
        let stop =
            self.has_answer.load(Relaxed) && (nodes_used || !self.listener.go_on() || time_used());
        if stop {
            self.stop();
        }
        stop
    }
}
