//! What one thread of a search owns, and what all of them share.

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering::Relaxed};

use super::ending::Cache;
use super::limits::Limits;
use super::report::Listener;
use super::table::Table;

/// The search was told to stop, or has used up its limits.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Stopped;

/// The outcome of a node: its value, unless the search was stopped in it.
pub(super) type Outcome = Result<i32, Stopped>;

/// Nodes from one look at the limits to the next: about a tenth of a
/// millisecond.
const POLL: u64 = 4096;

/// What the threads of one search have in common.
pub(super) struct Shared<'a> {
    pub table: &'a Table,
    pub limits: &'a Limits,
    pub listener: &'a dyn Listener,
    stopped: AtomicBool,
    /// Nodes that the threads have handed in.
    nodes: AtomicU64,
    /// Set once the first iteration is done: only then can the search stop,
    /// so that there is always an answer.
    has_answer: AtomicBool,
}

impl<'a> Shared<'a> {
    pub fn new(table: &'a Table, limits: &'a Limits, listener: &'a dyn Listener) -> Shared<'a> {
        Shared {
            table,
            limits,
            listener,
            stopped: AtomicBool::new(false),
            nodes: AtomicU64::new(0),
            has_answer: AtomicBool::new(false),
        }
    }

    /// The first iteration is done: from now on the search may stop.
    pub fn answered(&self) {
        self.has_answer.store(true, Relaxed);
    }

    pub fn must_stop(&self) -> bool {
        if self.stopped.load(Relaxed) {
            return true;
        }
        let nodes_used = self.limits.nodes.is_some_and(|most| self.nodes.load(Relaxed) >= most);
        let time_used =
            || self.limits.time.is_some_and(|time| self.listener.elapsed() >= time.hard);
        let stop =
            self.has_answer.load(Relaxed) && (nodes_used || !self.listener.go_on() || time_used());
        if stop {
            self.stopped.store(true, Relaxed);
        }
        stop
    }
}

/// One thread of a search.
pub(super) struct Worker<'a> {
    pub shared: &'a Shared<'a>,
    pub cache: &'a mut Cache,
    /// Nodes not yet handed in.
    pub nodes: u64,
    next_poll: u64,
}

impl<'a> Worker<'a> {
    pub fn new(shared: &'a Shared<'a>, cache: &'a mut Cache) -> Worker<'a> {
        Worker { shared, cache, nodes: 0, next_poll: POLL }
    }

    /// Counts a node, and looks at the limits every few thousand.
    #[inline(always)]
    pub fn tick(&mut self) -> Result<(), Stopped> {
        self.nodes += 1;
        if self.nodes >= self.next_poll { self.poll() } else { Ok(()) }
    }

    #[cold]
    fn poll(&mut self) -> Result<(), Stopped> {
        self.hand_in();
        if self.shared.must_stop() { Err(Stopped) } else { Ok(()) }
    }

    /// Adds this thread's nodes to the common count, and returns that.
    pub fn hand_in(&mut self) -> u64 {
        let total = self.shared.nodes.fetch_add(self.nodes, Relaxed) + self.nodes;
        self.nodes = 0;
        self.next_poll = POLL;
        total
    }
}
