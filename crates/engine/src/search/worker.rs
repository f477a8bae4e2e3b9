//! One thread of a search: its own state, and the polling of limits.

use super::confidence::Confidence;
use super::endgame::EndgameState;
use super::parallel::path::Path;
use super::parallel::shared::Shared;
use super::parallel::turns::Sharing;

/// The search was told to stop, or has reached its limits, or its result is no longer needed.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Stopped;

/// The value of a node, unless the search was stopped in it.
pub(super) type Searched<V> = Result<V, Stopped>;

/// Nodes from one poll of the limits to the next: about a tenth of a millisecond.
const POLL_NODES: u64 = 4096;

/// The same with several threads, one of which may have done another's work.
const SHARED_POLL_NODES: u64 = 512;

/// A thread of a search.
pub(super) struct Worker<'a> {
    pub shared: &'a Shared<'a>,
    pub endgame: &'a mut EndgameState,
    /// The number of the thread in the search; 0 is the one that called it.
    pub index: usize,
    /// The number of the iteration, if other threads may join it.
    pub joint: Option<u64>,
    /// The nodes around the current one that it shares with other threads.
    pub path: Path,
    /// Confidence of the current iteration.
    pub confidence: Confidence,
    /// Nesting of ProbCut's probes around the current node.
    pub probes: u32,
    /// Nodes not yet added to the shared count.
    pub nodes: u64,
    next_poll: u64,
}

impl<'a> Worker<'a> {
    /// Makes the state of thread `index` at the start of a search.
    pub fn new(shared: &'a Shared<'a>, endgame: &'a mut EndgameState, index: usize) -> Worker<'a> {
        Worker {
            shared,
            endgame,
            index,
            joint: None,
            path: Path::default(),
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
        let stops = self.shared.must_stop()
            || self.joint.is_some_and(|number| self.shared.joint.is_finished(number))
            || self.path.find_decided(self.shared.table);
        if stops { Err(Stopped) } else { Ok(()) }
    }

    /// How the moves of a node of this `depth` are shared out; `None` where each thread searches for
    /// itself. Nodes are shared from depth `min_depth`.
    #[inline(always)]
    pub fn sharing(&self, depth: u32, min_depth: u32) -> Option<Sharing<'a>> {
        if depth < min_depth || self.joint.is_none() || self.probes > 0 {
            return None;
        }
        self.shared.sharing(depth, depth == min_depth)
    }

    /// Adds this thread's nodes to the shared count and returns the total.
    pub fn flush_nodes(&mut self) -> u64 {
        let total = self.shared.add_nodes(self.nodes);
        self.nodes = 0;
        self.next_poll = if self.shared.has_helpers() { SHARED_POLL_NODES } else { POLL_NODES };
        total
    }
}
