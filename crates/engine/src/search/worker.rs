//! One thread of a search: its own state, and the polling of limits.

use std::sync::Arc;

use super::confidence::Confidence;
use super::endgame::EndgameState;
use super::parallel::shared::Shared;
use super::parallel::split::SplitPoint;

/// The search was told to stop, or has reached its limits, or its result is no longer needed.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Stopped;

/// The value of a node, unless the search was stopped in it.
pub(super) type Searched<V> = Result<V, Stopped>;

/// Nodes from one poll of the limits to the next: about a tenth of a millisecond.
const POLL_NODES: u64 = 4096;

/// A thread of a search.
pub(super) struct Worker<'a> {
    pub shared: &'a Shared<'a>,
    pub endgame: &'a mut EndgameState,
    /// The innermost split point that this thread works below.
    pub split: Option<Arc<SplitPoint>>,
    /// Confidence of the current iteration.
    pub confidence: Confidence,
    /// Nesting of ProbCut's probes around the current node.
    pub probes: u32,
    /// Nodes not yet added to the shared count.
    pub nodes: u64,
    next_poll: u64,
}

impl<'a> Worker<'a> {
    /// Makes a thread's state at the start of a search.
    pub fn new(shared: &'a Shared<'a>, endgame: &'a mut EndgameState) -> Worker<'a> {
        Worker {
            shared,
            endgame,
            split: None,
            confidence: Confidence::FULL,
            probes: 0,
            nodes: 0,
            next_poll: POLL_NODES,
        }
    }

    /// Counts a node. Checks the limits every [`POLL_NODES`] nodes.
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

    /// Whether the result of this thread's work is no longer needed.
    pub fn is_cancelled(&self) -> bool {
        self.shared.is_stopped() || self.split.as_ref().is_some_and(|split| split.is_cancelled())
    }

    /// Adds this thread's nodes to the shared count and returns the total.
    pub fn flush_nodes(&mut self) -> u64 {
        let total = self.shared.add_nodes(self.nodes);
        self.nodes = 0;
        self.next_poll = POLL_NODES;
        total
    }
}
