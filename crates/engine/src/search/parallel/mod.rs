//! Parallel search: young brothers wait.
//!
//! Once the first move of a large null-window node has not decided it, the node becomes a
//! [`SplitPoint`] and its other moves are shared among the idle threads. The thread that made the
//! split point owns it: it searches moves too, and while it waits for the last helpers it helps
//! below its own split point, and nowhere else, so that no thread waits for unrelated work. A move
//! above the window cancels the searches at the split point and below.
//!
//! Nodes with an open window and the root are not split. `threads` starts and joins the threads;
//! nothing else of the search knows of them.
//!
//! After: R. Feldmann, "Game tree search on massively parallel systems", 1993.

mod idle;
pub(super) mod shared;
pub(super) mod split;

use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::sync::{Arc, Mutex};

use super::endgame::EndgameState;
use super::move_picker::MovePicker;
use super::value::{BestMove, Centidiscs};
use super::window::NullWindow;
use super::worker::{Searched, Stopped, Worker};
use crate::eval::MidBoard;
use crate::threads::{self, ThreadPool};
pub(super) use idle::IdleThreads;
use shared::Shared;
use split::{SplitNode, SplitPoint, SplitState, TakenMove};

/// Ends a search for its helpers when the owner is done, by a panic too.
struct CloseOnDrop<'a> {
    shared: &'a Shared<'a>,
    idle: Option<&'a IdleThreads>,
}

impl Drop for CloseOnDrop<'_> {
    fn drop(&mut self) {
        self.shared.close();
        if let Some(idle) = self.idle {
            idle.wake();
        }
    }
}

/// Runs `search` on the calling thread with the first of `states` while helpers search split points
/// with the others; idle threads of a batch join in. Returns `None` without a state.
pub(super) fn run<R>(
    shared: &Shared<'_>,
    states: &mut [EndgameState],
    helpers: &ThreadPool,
    idle: Option<&IdleThreads>,
    search: impl FnOnce(&mut Worker<'_>) -> R,
) -> Option<R> {
    let (first, others) = states.split_first_mut()?;
    let own = || {
        let _close = CloseOnDrop { shared, idle };
        search(&mut Worker::new(shared, first))
    };
    let serve = |state| move || Worker::new(shared, state).serve();
    Some(match idle {
        None => helpers.run(others.iter_mut().map(serve), own),
        Some(idle) => threads::scope(|scope| {
            scope.spawn(move || {
                while let Some(mut state) = idle.borrow(&shared.splits) {
                    scope.spawn(move || {
                        Worker::new(shared, &mut state).serve();
                        idle.offer([state]);
                    });
                }
            });
            own()
        }),
    })
}

impl Worker<'_> {
    /// Whether a thread waits for work.
    #[inline(always)]
    pub(super) fn may_split(&self) -> bool {
        self.shared.splits.idle.load(Relaxed) > 0
    }

    /// Searches moves of other threads' split points until the search is over.
    fn serve(&mut self) {
        let queue = &self.shared.splits;
        loop {
            let mut splits = queue.lock();
            let split = loop {
                if queue.is_closed() {
                    return;
                }
                if let Some(split) = splits.iter().find(|split| split.has_work()) {
                    break Arc::clone(split);
                }
                splits = queue.wait(splits);
            };
            drop(splits);
            self.join(&split);
            self.flush_nodes();
        }
    }

    /// Shares the remaining `moves` of a node among threads and returns the best of all, `best` being
    /// that of the moves searched before.
    pub(super) fn split(
        &mut self,
        board: &MidBoard,
        node: SplitNode,
        window: NullWindow<Centidiscs>,
        best: BestMove<Centidiscs>,
        moves: MovePicker,
    ) -> Result<BestMove<Centidiscs>, Stopped> {
        let split = Arc::new(SplitPoint {
            above: self.split.clone(),
            board: *board,
            node,
            window,
            confidence: self.confidence,
            probes: self.probes,
            is_decided: AtomicBool::new(false),
            state: Mutex::new(SplitState { moves, best, running: 0 }),
        });
        let queue = &self.shared.splits;
        queue.push(Arc::clone(&split));
        self.join(&split);
        self.await_helpers(&split);
        queue.lock().retain(|other| !Arc::ptr_eq(other, &split));
        if self.is_cancelled() {
            return Err(Stopped);
        }
        Ok(split.lock().best)
    }

    /// Waits until no thread works on a split point or it is decided; meanwhile helps below it.
    fn await_helpers(&mut self, split: &Arc<SplitPoint>) {
        let queue = &self.shared.splits;
        let mut splits = queue.lock();
        while !split.is_cancelled() && !self.shared.is_stopped() && split.lock().running > 0 {
            let below = splits.iter().find(|other| other.is_below(split) && other.has_work());
            match below.map(Arc::clone) {
                Some(other) => {
                    drop(splits);
                    self.join(&other);
                    splits = queue.lock();
                }
                None => splits = queue.wait(splits),
            }
        }
    }

    /// Searches moves of a split point until none is left or it is decided.
    fn join(&mut self, split: &Arc<SplitPoint>) {
        let above = self.split.replace(Arc::clone(split));
        let (confidence, probes) = (self.confidence, self.probes);
        (self.confidence, self.probes) = (split.confidence, split.probes);
        while let Some(TakenMove { candidate, tried }) = split.take() {
            let next = split.board.after(candidate.square, candidate.flips);
            let value = self.search_below(split, &next, tried);
            let mut state = split.lock();
            state.running -= 1;
            let Ok(value) = value else { break };
            if value > state.best.value {
                state.best = BestMove::new(value, candidate.square);
                if value > split.window.alpha {
                    split.is_decided.store(true, Relaxed);
                    break;
                }
            }
        }
        (self.confidence, self.probes) = (confidence, probes);
        self.split = above;
        self.shared.splits.wake();
    }

    fn search_below(
        &mut self,
        split: &SplitPoint,
        next: &MidBoard,
        tried: u32,
    ) -> Searched<Centidiscs> {
        match split.node {
            SplitNode::Midgame { depth } => self.midgame_child(next, depth, split.window, tried),
            SplitNode::Endgame => {
                let window = NullWindow::above(split.window.alpha.floor());
                Ok(-self.endgame_null(next, -window)?.to_centidiscs())
            }
        }
    }
}
