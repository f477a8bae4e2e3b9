//! Split points, and the queue in which idle threads find them.

use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering::Relaxed};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};

use crate::eval::MidBoard;
use crate::search::confidence::Confidence;
use crate::search::move_picker::{MovePicker, ScoredMove};
use crate::search::value::{BestMove, Centidiscs};
use crate::search::window::NullWindow;

/// The search that a split point belongs to.
#[derive(Clone, Copy, Debug)]
pub(in crate::search) enum SplitNode {
    /// A midgame node.
    Midgame {
        /// Its depth in plies.
        depth: u32,
    },
    /// An endgame node; its window and values are whole discs.
    Endgame,
}

/// An inner node whose moves are shared among threads.
pub(in crate::search) struct SplitPoint {
    pub(super) above: Option<Arc<SplitPoint>>,
    pub(super) board: MidBoard,
    pub(super) node: SplitNode,
    pub(super) window: NullWindow<Centidiscs>,
    pub(super) confidence: Confidence,
    pub(super) probes: u32,
    /// A move was good enough: nobody needs to go on here.
    pub(super) decided: AtomicBool,
    pub(super) state: Mutex<SplitState>,
}

pub(super) struct SplitState {
    pub moves: MovePicker,
    pub best: BestMove<Centidiscs>,
    /// Moves that some thread is searching.
    pub running: u32,
}

/// A move of a split point that a thread has taken to search.
pub(super) struct TakenMove {
    pub candidate: ScoredMove,
    /// Moves of the node tried so far, this one included.
    pub tried: u32,
}

impl SplitPoint {
    /// Whether what is done here or in any split above is no longer needed.
    pub fn is_cancelled(&self) -> bool {
        self.decided.load(Relaxed) || self.above.as_ref().is_some_and(|above| above.is_cancelled())
    }

    pub(super) fn is_below(&self, other: &Arc<SplitPoint>) -> bool {
        let mut above = self.above.as_ref();
        while let Some(split) = above {
            if Arc::ptr_eq(split, other) {
                return true;
            }
            above = split.above.as_ref();
        }
        false
    }

    /// Takes the next move and counts it as running.
    pub(super) fn take(&self) -> Option<TakenMove> {
        if self.is_cancelled() {
            return None;
        }
        let mut state = self.lock();
        let candidate = state.moves.take()?;
        state.running += 1;
        Some(TakenMove { candidate, tried: state.moves.taken() })
    }

    pub(super) fn has_work(&self) -> bool {
        !self.is_cancelled() && self.lock().moves.len() > 0
    }

    pub(super) fn lock(&self) -> MutexGuard<'_, SplitState> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// The splits that offer work, and the threads that wait for it.
#[derive(Default)]
pub(in crate::search) struct SplitQueue {
    splits: Mutex<Vec<Arc<SplitPoint>>>,
    /// Rung when there is work, when a helper has finished, and at the end.
    bell: Condvar,
    pub(super) idle: AtomicUsize,
    closed: AtomicBool,
}

impl SplitQueue {
    pub(super) fn lock(&self) -> MutexGuard<'_, Vec<Arc<SplitPoint>>> {
        self.splits.lock().unwrap_or_else(PoisonError::into_inner)
    }

    pub(super) fn wait<'a>(
        &self,
        guard: MutexGuard<'a, Vec<Arc<SplitPoint>>>,
    ) -> MutexGuard<'a, Vec<Arc<SplitPoint>>> {
        self.idle.fetch_add(1, Relaxed);
        let guard = self.bell.wait(guard).unwrap_or_else(PoisonError::into_inner);
        self.idle.fetch_sub(1, Relaxed);
        guard
    }

    /// Tells the waiting threads that there is work.
    pub(super) fn notify(&self) {
        self.bell.notify_all();
    }

    /// Wakes every waiting thread.
    pub fn ring(&self) {
        // The lock orders this after a waiter's last look.
        drop(self.lock());
        self.bell.notify_all();
    }

    /// Whether the search is over.
    pub fn is_closed(&self) -> bool {
        self.closed.load(Relaxed)
    }

    /// Sends the waiting threads home.
    pub(super) fn close(&self) {
        self.closed.store(true, Relaxed);
        self.ring();
    }
}
