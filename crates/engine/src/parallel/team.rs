//! The threads of one search, as the nodes that they share know them.

use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering::Relaxed};

use crossbeam_utils::CachePadded;

use super::currently_searching::CurrentlySearching;
use super::deferred_moves::Deferral;
use super::lockstep::Lockstep;
use super::processor::Processor;
use super::pv_nodes::PvNodes;

/// The threads of one search.
pub(crate) struct Team<'a> {
    currently_searching: &'a CurrentlySearching,
    /// The simulated processors of the threads, if they do not run on those of the machine.
    lockstep: Option<&'a Lockstep>,
    may_have_helpers: bool,
    /// Helpers at work.
    helpers: CachePadded<AtomicUsize>,
    is_closed: AtomicBool,
    /// Results at nodes of the principal variation.
    pub pv_nodes: PvNodes,
}

impl<'a> Team<'a> {
    /// Makes a team of one thread, which helpers may join later or not.
    pub fn new(
        currently_searching: &'a CurrentlySearching,
        may_have_helpers: bool,
        lockstep: Option<&'a Lockstep>,
    ) -> Team<'a> {
        Team {
            currently_searching,
            lockstep,
            may_have_helpers,
            helpers: CachePadded::default(),
            is_closed: AtomicBool::new(false),
            pv_nodes: PvNodes::default(),
        }
    }

    /// Whether other threads may help.
    pub fn may_have_helpers(&self) -> bool {
        self.may_have_helpers
    }

    /// Whether several threads search.
    #[inline(always)]
    pub fn has_helpers(&self) -> bool {
        self.helpers.load(Relaxed) > 0
    }

    /// Defers moves at a node of some depth; `None` with one thread.
    #[inline(always)]
    pub fn deferral(&self, depth: u32) -> Option<Deferral<'a>> {
        let currently_searching = self.currently_searching;
        self.has_helpers().then_some(Deferral { currently_searching, depth })
    }

    /// The processor of thread `index`.
    pub(super) fn processor(&self, index: usize) -> Processor<'a> {
        Processor::new(self.lockstep, index)
    }

    pub(super) fn add_helper(&self) {
        self.helpers.fetch_add(1, Relaxed);
    }

    pub(super) fn remove_helper(&self) {
        self.helpers.fetch_sub(1, Relaxed);
    }

    /// Whether the search is over.
    pub(super) fn is_closed(&self) -> bool {
        self.is_closed.load(Relaxed)
    }

    /// Ends the search.
    pub(super) fn close(&self) {
        self.is_closed.store(true, Relaxed);
    }
}
