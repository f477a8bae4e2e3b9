//! One thread of a search: its own state, and the polling of limits.

use std::time::Duration;

use crate::context::SearchContext;
use crate::endgame::EndgameState;
use crate::limits::confidence::Confidence;
use crate::midgame::futility::FutilityMargins;
use crate::parallel::{Ancestors, Deferral, Membership, Processor, PvKey, PvNode, PvPath};
use crate::table::SearchDepth;
use umigame_eval::value::{Centidiscs, Window};

/// The search was told to stop, or has reached its limits, or its result is no longer needed.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Stopped;

/// The value of a node, unless the search was stopped in it.
pub(crate) type Searched<V> = Result<V, Stopped>;

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

/// Maximum nodes from one poll to the next with several threads: one may have done another's work.
const SHARED_POLL_NODES: u64 = 256;

/// What a thread of a search owns.
pub(crate) struct ThreadState<'a> {
    /// What it shares with the other threads.
    pub context: &'a SearchContext<'a>,
    pub endgame: &'a mut EndgameState,
    pub processor: Processor<'a>,
    /// The iteration that it searches together with other threads.
    pub membership: Option<Membership<'a>>,
    /// The nodes around the current one that it shares with other threads.
    pub ancestors: Ancestors,
    /// Those of the principal variation among them.
    pub pv_path: PvPath<'a>,
    /// Confidence of the current iteration.
    pub confidence: Confidence,
    /// Margins of futility cuts in the current iteration; `None` if nothing is cut.
    pub futility_margins: Option<FutilityMargins>,
    /// Nesting of ProbCut's probes around the current node.
    pub probes: u32,
    /// Nodes not yet added to the shared count.
    pub nodes: u64,
    /// Nodes from one check of the limits to the next.
    check_interval: u64,
    /// Nodes since the last check that are counted already, at the end of a simulated processor's turn.
    unchecked_nodes: u64,
    /// Nodes to visit before the next poll.
    poll_nodes: u64,
    /// Time of the last poll of a search on a clock.
    last_poll: Duration,
}

impl<'a> ThreadState<'a> {
    /// Makes the state of a thread at the start of a search.
    pub fn new(
        context: &'a SearchContext<'a>,
        endgame: &'a mut EndgameState,
        processor: Processor<'a>,
    ) -> ThreadState<'a> {
        let is_timed = context.control.time().is_some();
        let check_interval = if is_timed { MIN_POLL_NODES } else { MAX_POLL_NODES };
        ThreadState {
            context,
            endgame,
            processor,
            membership: None,
            ancestors: Ancestors::default(),
            pv_path: PvPath::default(),
            confidence: Confidence::FULL,
            futility_margins: None,
            probes: 0,
            nodes: 0,
            check_interval,
            unchecked_nodes: 0,
            poll_nodes: check_interval.min(processor.turn_nodes()),
            last_poll: Duration::ZERO,
        }
    }

    /// Begins an iteration, together with other threads if it is a member.
    pub fn begin_iteration(&mut self, confidence: Confidence, membership: Option<Membership<'a>>) {
        self.confidence = confidence;
        let model = self.context.evaluation.probcut_model();
        self.futility_margins = FutilityMargins::new(model, confidence);
        self.membership = membership;
        self.probes = 0;
        self.ancestors.clear();
        self.pv_path.clear();
    }

    /// Returns the depth of a search of this many plies, as the table stores it: to the end of the game,
    /// the empties.
    #[inline(always)]
    pub fn search_depth(&self, plies: u32) -> SearchDepth {
        SearchDepth { plies: plies as u8, confidence: self.confidence }
    }

    /// Counts a node. Checks the limits now and then.
    #[inline(always)]
    pub fn poll(&mut self) -> Result<(), Stopped> {
        self.nodes += 1;
        self.poll_counted()
    }

    /// Checks the limits now and then, after nodes that were counted without [`Self::poll`].
    #[inline(always)]
    pub fn poll_counted(&mut self) -> Result<(), Stopped> {
        if self.nodes >= self.poll_nodes { self.check_limits() } else { Ok(()) }
    }

    #[cold]
    fn check_limits(&mut self) -> Result<(), Stopped> {
        self.unchecked_nodes += self.nodes;
        self.flush_nodes();
        if self.unchecked_nodes < self.check_interval {
            return Ok(());
        }
        self.unchecked_nodes = 0;
        self.plan_check();
        let stops = self.context.control.must_stop()
            || self.membership.is_some_and(Membership::is_finished)
            || self.pv_path.find_news()
            || self.ancestors.find_cutoff(self.context.table);
        if stops { Err(Stopped) } else { Ok(()) }
    }

    /// Decides when to check the limits again.
    fn plan_check(&mut self) {
        let control = self.context.control;
        if control.time().is_some() {
            let now = control.listener().elapsed();
            let since = now.saturating_sub(self.last_poll);
            (self.check_interval, self.last_poll) =
                (poll_interval(self.check_interval, since), now);
        } else {
            self.check_interval = MAX_POLL_NODES;
        }
        if self.context.team.has_helpers() {
            self.check_interval = self.check_interval.min(SHARED_POLL_NODES);
        }
        self.poll_nodes = self.check_interval.min(self.processor.turn_nodes());
    }

    /// Defers moves at a node of this `depth`; `None` where each thread searches for itself. Nodes are
    /// shared from depth `min_depth`.
    #[inline(always)]
    pub fn deferral(&self, depth: u32, min_depth: u32) -> Option<Deferral<'a>> {
        if depth < min_depth || self.membership.is_none() || self.probes > 0 {
            return None;
        }
        self.context.team.deferral(depth)
    }

    /// Enters a node with an open window; `None` where each thread searches for itself.
    pub fn enter_pv(&mut self, key: PvKey, window: Window<Centidiscs>) -> Option<PvNode<'a>> {
        self.membership?;
        let team = self.context.team;
        if team.has_helpers() { self.pv_path.enter(&team.pv_nodes, key, window) } else { None }
    }

    /// Leaves a node that may have been entered.
    pub fn leave_pv(&mut self, node: Option<PvNode<'_>>) {
        node.inspect(|&node| self.pv_path.leave(node));
    }

    /// Whether the thread returned to this node, from a search that was broken off, for news.
    pub fn takes_pv_news(&mut self, node: Option<PvNode<'_>>) -> bool {
        node.is_some_and(|node| self.pv_path.takes_news(node))
    }

    /// Adds this thread's nodes to the shared count and returns the total.
    pub fn flush_nodes(&mut self) -> u64 {
        let total = self.context.control.add_nodes(self.nodes);
        self.processor.count_nodes(self.nodes);
        self.nodes = 0;
        total
    }
}
