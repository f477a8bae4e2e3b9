//! One position on many threads: young brothers wait.
//!
//! Once the first move of a large node with a null window has failed to
//! decide it, the node becomes a [`SplitPoint`] and its other moves are shared
//! among the threads that have nothing to do. The thread that made the split
//! owns it: it works along, and while it waits for the last helpers it helps
//! with their splits, but only with those below its own, so that nobody
//! waits for work that does not concern him. A move that decides the node
//! cancels what the others are doing there and below.
//!
//! After: R. Feldmann, "Game tree search on massively parallel systems",
//! 1993.

mod idle;
mod split;

use std::sync::Arc;
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};

use super::endgame::EndgameState;
use super::move_picker::MovePicker;
use super::value::{BestMove, Centidiscs};
use super::window::NullWindow;
use super::worker::{Searched, Shared, Stopped, Worker};
use crate::eval::MidBoard;
use crate::threads::{self, ThreadPool};
pub(super) use idle::IdleThreads;
pub(super) use split::{SplitNode, SplitPoint, SplitQueue};
use split::{SplitState, TakenMove};

/// Runs `own` on the calling thread with the first of `states` while helpers search split points
/// with the others; threads of a batch that become idle join in. `None` without a state.
pub(super) fn run<R>(
    shared: &Shared<'_>,
    states: &mut [EndgameState],
    helpers: &ThreadPool,
    idle: Option<&IdleThreads>,
    own: impl FnOnce(&mut Worker<'_>) -> R,
) -> Option<R> {
    let (first, others) = states.split_first_mut()?;
    let search = || {
        let found = own(&mut Worker::new(shared, first));
        shared.splits.close();
        found
    };
    let serve = |state| move || Worker::new(shared, state).serve();
    Some(match idle {
        None => helpers.run(others.iter_mut().map(serve), search),
        Some(idle) => threads::scope(|scope| {
            scope.spawn(move || {
                while let Some(mut state) = idle.borrow(&shared.splits) {
                    scope.spawn(move || {
                        Worker::new(shared, &mut state).serve();
                        idle.offer([state]);
                    });
                }
            });
            let found = search();
            idle.wake();
            found
        }),
    })
}

impl Worker<'_> {
    /// Whether somebody waits for work.
    #[inline(always)]
    pub(in crate::search) fn may_split(&self) -> bool {
        self.shared.splits.idle.load(Relaxed) > 0
    }

    /// Takes part in other threads' splits until the queue is closed.
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

    /// Shares the moves that are left at a node and returns the best of all,
    /// `best` being that of the moves already searched.
    pub(in crate::search) fn split(
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
            decided: AtomicBool::new(false),
            state: Mutex::new(SplitState { moves, best, running: 0 }),
        });
        let queue = &self.shared.splits;
        queue.lock().push(Arc::clone(&split));
        queue.notify();
        self.join(&split);
        self.await_helpers(&split);
        queue.lock().retain(|other| !Arc::ptr_eq(other, &split));
        if self.is_cancelled() {
            return Err(Stopped);
        }
        Ok(split.lock().best)
    }

    /// Waits until nobody works on a split any more, or its value is
    /// decided; meanwhile helps below it.
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

    /// Searches moves of a split until none is left or it is decided.
    fn join(&mut self, split: &Arc<SplitPoint>) {
        let above = self.split.replace(Arc::clone(split));
        let settings = (self.confidence, self.probes);
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
                    split.decided.store(true, Relaxed);
                    break;
                }
            }
        }
        (self.confidence, self.probes) = settings;
        self.split = above;
        self.shared.splits.ring();
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
