//! One thread of a search: its own state, and the polling of limits.

use std::sync::Arc;
use std::time::Duration;

use super::confidence::Confidence;
use super::endgame::EndgameState;
use super::parallel::shared::Shared;
use super::parallel::split::SplitPoint;

/// The search was told to stop, or has reached its limits, or its result is no longer needed.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Stopped;

/// The value of a node, unless the search was stopped in it.
pub(super) type Searched<V> = Result<V, Stopped>;

/// Maximum nodes from one poll of the limits to the next, and their number if time is no limit: then
/// a search visits the same nodes on every machine.
const MAX_POLL_NODES: u64 = 4096;
/// Nodes to the first poll of a search on a clock, and minimum nodes from one poll to the next. A
/// node may take 30 microseconds where memory is slow at its first touch.
const MIN_POLL_NODES: u64 = 16;
/// Time from one poll of a search on a clock to the next. A poll takes 0.1 microseconds.
const POLL_TIME: Duration = Duration::from_micros(100);

/// Returns the nodes to the next poll of a search on a clock, after `nodes` that took `time`.
fn poll_interval(nodes: u64, time: Duration) -> u64 {
    let next = if time < POLL_TIME { nodes * 2 } else { nodes / 2 };
    next.clamp(MIN_POLL_NODES, MAX_POLL_NODES)
}

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
    /// Nodes to visit before the next poll.
    poll_nodes: u64,
    /// Time of the last poll of a search on a clock.
    last_poll: Duration,
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
            poll_nodes: if shared.time.is_some() { MIN_POLL_NODES } else { MAX_POLL_NODES },
            last_poll: Duration::ZERO,
        }
    }

    /// Counts a node. Checks the limits now and then.
    #[inline(always)]
    pub fn poll(&mut self) -> Result<(), Stopped> {
        self.nodes += 1;
        if self.nodes >= self.poll_nodes { self.check_limits() } else { Ok(()) }
    }

    #[cold]
    fn check_limits(&mut self) -> Result<(), Stopped> {
        if self.shared.time.is_some() {
            let now = self.shared.listener.elapsed();
            let since = now.saturating_sub(self.last_poll);
            (self.poll_nodes, self.last_poll) = (poll_interval(self.poll_nodes, since), now);
        }
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
        total
    }
}
