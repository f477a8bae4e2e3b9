//! What the threads of one search share, and when they stop.

use std::sync::atomic::{AtomicBool, AtomicU64, AtomicUsize, Ordering::Relaxed};
use std::time::Duration;

use crossbeam_utils::CachePadded;

use super::currently_searching::CurrentlySearching;
use super::deferred_moves::Deferral;
use super::lockstep::Lockstep;
use super::processor::Processor;
use super::shared_iteration::SharedIteration;
use crate::limits::Limits;
use crate::report::Listener;
use crate::table::TableRef;
use crate::time::budget::TimeBudget;
use umigame_eval::Evaluation;

/// One search, seen by all of its threads.
pub(crate) struct Shared<'a> {
    pub table: TableRef<'a>,
    pub evaluation: &'a Evaluation,
    pub limits: &'a Limits,
    /// Time for this search; `None` if time is no limit.
    pub time: Option<TimeBudget>,
    pub listener: &'a dyn Listener,
    /// Other threads may join.
    pub may_have_helpers: bool,
    pub joint: SharedIteration,
    /// The simulated processors of the threads, if they do not run on those of the machine.
    pub lockstep: Option<&'a Lockstep>,
    pub(super) currently_searching: &'a CurrentlySearching,
    /// Threads that have joined.
    helpers: CachePadded<AtomicUsize>,
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

impl<'a> Shared<'a> {
    /// Begins a search.
    pub fn new(
        table: TableRef<'a>,
        evaluation: &'a Evaluation,
        limits: &'a Limits,
        time: Option<TimeBudget>,
        listener: &'a dyn Listener,
        currently_searching: &'a CurrentlySearching,
        may_have_helpers: bool,
    ) -> Shared<'a> {
        Shared {
            table,
            evaluation,
            limits,
            time,
            listener,
            may_have_helpers,
            joint: SharedIteration::default(),
            lockstep: None,
            currently_searching,
            helpers: CachePadded::default(),
            stopped: AtomicBool::new(false),
            nodes: CachePadded::default(),
            has_answer: AtomicBool::new(false),
            is_solving: AtomicBool::new(false),
        }
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

    /// Whether the search has been stopped.
    pub fn is_stopped(&self) -> bool {
        self.stopped.load(Relaxed)
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
        if self.is_stopped() {
            return true;
        }
        let nodes_used = self.limits.nodes.is_some_and(|limit| self.nodes() >= limit);
        let time_used = || self.stop_delay().is_some();
        let stop =
            self.has_answer.load(Relaxed) && (nodes_used || !self.listener.go_on() || time_used());
        if stop {
            self.stopped.store(true, Relaxed);
        }
        stop
    }

    /// How the moves of a node are shared out; `None` with one thread.
    #[inline(always)]
    pub fn deferral(
        &self,
        processor: Processor<'a>,
        depth: u32,
        waits: bool,
    ) -> Option<Deferral<'a>> {
        self.has_helpers().then_some(Deferral {
            currently_searching: self.currently_searching,
            processor,
            depth,
            waits,
        })
    }

    /// Whether several threads search.
    #[inline(always)]
    pub fn has_helpers(&self) -> bool {
        self.helpers.load(Relaxed) > 0
    }

    pub(super) fn add_helper(&self) {
        self.helpers.fetch_add(1, Relaxed);
    }

    pub(super) fn remove_helper(&self) {
        self.helpers.fetch_sub(1, Relaxed);
    }

    /// Whether the search is over for all threads.
    pub(super) fn is_closed(&self) -> bool {
        self.joint.is_closed()
    }

    /// Ends the search: every thread returns within a few thousand nodes, and waits for no further
    /// work.
    pub(super) fn close(&self) {
        self.stopped.store(true, Relaxed);
        self.joint.close();
    }
}
