//! What one thread of a search owns, and what all of them share.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering::Relaxed};

use super::confidence::Confidence;
use super::endgame::EndgameState;
use super::limits::Limits;
use super::parallel::{SplitPoint, SplitQueue};
use super::report::Listener;
use super::table::TableRef;
use super::time::TimeBudget;
use crate::eval::Evaluation;

/// The search was told to stop, or has used up its limits.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Stopped;

/// The value of a node, unless the search was stopped in it.
pub(super) type Searched<V> = Result<V, Stopped>;

/// Nodes from one look at the limits to the next: about a tenth of a
/// millisecond.
const POLL: u64 = 4096;

/// What the threads of one search have in common.
pub(super) struct Shared<'a> {
    pub table: TableRef<'a>,
    pub evaluation: &'a Evaluation,
    pub limits: &'a Limits,
    /// The time that the limits leave for this search.
    pub time: Option<TimeBudget>,
    pub listener: &'a dyn Listener,
    pub splits: SplitQueue,
    stopped: AtomicBool,
    /// Nodes that the threads have handed in.
    nodes: AtomicU64,
    /// Set once the first iteration is done: only then can the search stop,
    /// so that there is always an answer.
    has_answer: AtomicBool,
    /// The time to solve the game counts, not that for a move.
    solving: AtomicBool,
}

impl<'a> Shared<'a> {
    pub fn new(
        table: TableRef<'a>,
        evaluation: &'a Evaluation,
        limits: &'a Limits,
        time: Option<TimeBudget>,
        listener: &'a dyn Listener,
    ) -> Shared<'a> {
        Shared {
            table,
            evaluation,
            limits,
            time,
            listener,
            splits: SplitQueue::default(),
            stopped: AtomicBool::new(false),
            nodes: AtomicU64::new(0),
            has_answer: AtomicBool::new(false),
            solving: AtomicBool::new(false),
        }
    }

    /// Nodes that the threads have handed in so far.
    pub fn nodes(&self) -> u64 {
        self.nodes.load(Relaxed)
    }

    /// Whether the search has been told to stop.
    pub fn is_stopped(&self) -> bool {
        self.stopped.load(Relaxed)
    }

    /// The first iteration is done: from now on the search may stop.
    pub fn set_answered(&self) {
        self.has_answer.store(true, Relaxed);
    }

    /// Whether the search may use the time to solve the game.
    pub fn set_solving(&self, solving: bool) {
        self.solving.store(solving, Relaxed);
    }

    pub fn must_stop(&self) -> bool {
        if self.stopped.load(Relaxed) {
            return true;
        }
        let nodes_used = self.limits.nodes.is_some_and(|most| self.nodes.load(Relaxed) >= most);
        let time_used = || {
            self.time.is_some_and(|time| {
                let most = if self.solving.load(Relaxed) { time.solve } else { time.hard };
                self.listener.elapsed() >= most
            })
        };
        let stop =
            self.has_answer.load(Relaxed) && (nodes_used || !self.listener.go_on() || time_used());
        if stop {
            self.stopped.store(true, Relaxed);
            self.splits.ring();
        }
        stop
    }
}

/// One thread of a search.
pub(super) struct Worker<'a> {
    pub shared: &'a Shared<'a>,
    pub endgame: &'a mut EndgameState,
    /// The innermost shared node that this thread works below.
    pub split: Option<Arc<SplitPoint>>,
    /// How sure the search at hand is to be.
    pub confidence: Confidence,
    /// Nesting of ProbCut's probes around the current node.
    pub probes: u32,
    /// Nodes not yet handed in.
    pub nodes: u64,
    next_poll: u64,
}

impl<'a> Worker<'a> {
    pub fn new(shared: &'a Shared<'a>, endgame: &'a mut EndgameState) -> Worker<'a> {
        Worker {
            shared,
            endgame,
            split: None,
            confidence: Confidence::FULL,
            probes: 0,
            nodes: 0,
            next_poll: POLL,
        }
    }

    /// Counts a node, and looks at the limits every few thousand.
    #[inline(always)]
    pub fn poll(&mut self) -> Result<(), Stopped> {
        self.nodes += 1;
        if self.nodes >= self.next_poll { self.check_limits() } else { Ok(()) }
    }

    #[cold]
    fn check_limits(&mut self) -> Result<(), Stopped> {
        self.flush_nodes();
        if self.shared.must_stop() || self.is_cancelled() { Err(Stopped) } else { Ok(()) }
    }

    /// Whether what this thread is doing is no longer needed.
    pub fn is_cancelled(&self) -> bool {
        self.shared.is_stopped() || self.split.as_ref().is_some_and(|split| split.is_cancelled())
    }

    /// Adds this thread's nodes to the common count, and returns that.
    pub fn flush_nodes(&mut self) -> u64 {
        let total = self.shared.nodes.fetch_add(self.nodes, Relaxed) + self.nodes;
        self.nodes = 0;
        self.next_poll = POLL;
        total
    }
}
