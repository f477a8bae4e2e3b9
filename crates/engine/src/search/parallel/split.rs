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

/// A node whose moves are shared among threads.
pub(in crate::search) struct SplitPoint {
    /// The next split point towards the root.
    pub(super) above: Option<Arc<SplitPoint>>,
    pub(super) board: MidBoard,
    pub(super) node: SplitNode,
    pub(super) window: NullWindow<Centidiscs>,
    pub(super) confidence: Confidence,
    pub(super) probes: u32,
    /// A move was above the window: the others need no search.
    pub(super) is_decided: AtomicBool,
    pub(super) state: Mutex<SplitState>,
}

/// The moves of a split point.
pub(super) struct SplitState {
    /// Moves that no thread has taken.
    pub moves: MovePicker,
    pub best: BestMove<Centidiscs>,
    /// Moves being searched.
    pub running: u32,
}

/// A move of a split point that a thread has taken to search.
pub(super) struct TakenMove {
    pub candidate: ScoredMove,
    /// Moves of the node tried so far, this one included.
    pub tried: u32,
}

impl SplitPoint {
    /// Whether this split point or one above it is decided.
    pub fn is_cancelled(&self) -> bool {
        self.is_decided.load(Relaxed)
            || self.above.as_ref().is_some_and(|above| above.is_cancelled())
    }

    /// Whether this split point lies below another.
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

    /// Whether a move is left to take.
    pub(super) fn has_work(&self) -> bool {
        !self.is_cancelled() && self.lock().moves.len() > 0
    }

    pub(super) fn lock(&self) -> MutexGuard<'_, SplitState> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// The split points of a search, and the threads that wait for one.
#[derive(Default)]
pub(in crate::search) struct SplitQueue {
    splits: Mutex<Vec<Arc<SplitPoint>>>,
    /// Signalled when there is a split point, when a helper has finished, and at the end.
    changed: Condvar,
    pub(super) idle: AtomicUsize,
    is_closed: AtomicBool,
}

impl SplitQueue {
    pub(super) fn lock(&self) -> MutexGuard<'_, Vec<Arc<SplitPoint>>> {
        self.splits.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Waits for a change, counted as idle.
    pub(super) fn wait<'a>(
        &self,
        guard: MutexGuard<'a, Vec<Arc<SplitPoint>>>,
    ) -> MutexGuard<'a, Vec<Arc<SplitPoint>>> {
        self.idle.fetch_add(1, Relaxed);
        let guard = self.changed.wait(guard).unwrap_or_else(PoisonError::into_inner);
        self.idle.fetch_sub(1, Relaxed);
        guard
    }

    /// Adds a split point and wakes the waiting threads.
    pub(super) fn push(&self, split: Arc<SplitPoint>) {
        self.lock().push(split);
        self.changed.notify_all();
    }

    /// Wakes the waiting threads.
    pub(super) fn wake(&self) {
        // The lock orders this after a waiter's last check.
        drop(self.lock());
        self.changed.notify_all();
    }

    /// Whether the search is over.
    pub(super) fn is_closed(&self) -> bool {
        self.is_closed.load(Relaxed)
    }

    /// Ends the search for the waiting threads.
    pub(super) fn close(&self) {
        self.is_closed.store(true, Relaxed);
        self.wake();
    }
}
