//! One position on many threads: young brothers wait.
//!
//! Once the first move of a large node with a null window has failed to
//! decide it, the node becomes a [`Split`] and its other moves are shared
//! among the threads that have nothing to do. The thread that made the split
//! owns it: it works along, and while it waits for the last helpers it helps
//! with their splits, but only with those below its own, so that nobody
//! waits for work that does not concern him. A move that decides the node
//! cancels what the others are doing there and below.
//!
//! After: R. Feldmann, "Game tree search on massively parallel systems",
//! 1993.

use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering::Relaxed};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};

use super::confidence::Confidence;
use super::move_picker::{MovePicker, ScoredMove};
use super::worker::{Searched, Stopped, Worker};
use crate::eval::MidBoard;
use umigame_othello::Square;

/// What is searched below a split.
#[derive(Clone, Copy, Debug)]
pub(super) enum SplitNode {
    /// A middle game to this depth, in centidiscs.
    Midgame(u32),
    /// An ending, in discs.
    Endgame,
}

/// An inner node whose moves are shared among threads.
pub(super) struct Split {
    above: Option<Arc<Split>>,
    board: MidBoard,
    below: SplitNode,
    /// The null window is `alpha..alpha + 1`.
    alpha: i32,
    confidence: Confidence,
    probing: u32,
    /// A move was good enough: nobody needs to go on here.
    decided: AtomicBool,
    state: Mutex<State>,
}

struct State {
    moves: MovePicker,
    best: (i32, Option<Square>),
    /// Moves that some thread is searching.
    running: u32,
}

impl Split {
    /// Whether what is done here or in any split above is no longer needed.
    pub fn is_cancelled(&self) -> bool {
        self.decided.load(Relaxed) || self.above.as_ref().is_some_and(|above| above.is_cancelled())
    }

    fn is_below(&self, other: &Arc<Split>) -> bool {
        let mut above = self.above.as_ref();
        while let Some(split) = above {
            if Arc::ptr_eq(split, other) {
                return true;
            }
            above = split.above.as_ref();
        }
        false
    }

    fn has_work(&self) -> bool {
        !self.is_cancelled() && self.lock().moves.len() > 0
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// The splits that offer work, and the threads that wait for it.
#[derive(Default)]
pub(super) struct ThreadPool {
    splits: Mutex<Vec<Arc<Split>>>,
    /// Rung when there is work, when a helper has finished, and at the end.
    bell: Condvar,
    idle: AtomicUsize,
    closed: AtomicBool,
}

impl ThreadPool {
    fn lock(&self) -> MutexGuard<'_, Vec<Arc<Split>>> {
        self.splits.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn wait<'a>(&self, guard: MutexGuard<'a, Vec<Arc<Split>>>) -> MutexGuard<'a, Vec<Arc<Split>>> {
        self.idle.fetch_add(1, Relaxed);
        let guard = self.bell.wait(guard).unwrap_or_else(PoisonError::into_inner);
        self.idle.fetch_sub(1, Relaxed);
        guard
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
    pub fn close(&self) {
        self.closed.store(true, Relaxed);
        self.ring();
    }
}

impl Worker<'_> {
    /// Whether somebody waits for work.
    #[inline(always)]
    pub fn may_split(&self) -> bool {
        self.shared.pool.idle.load(Relaxed) > 0
    }

    /// Takes part in other threads' splits until the pool is closed.
    pub fn serve(&mut self) {
        let pool = &self.shared.pool;
        loop {
            let mut splits = pool.lock();
            let split = loop {
                if pool.closed.load(Relaxed) {
                    return;
                }
                if let Some(split) = splits.iter().find(|split| split.has_work()) {
                    break Arc::clone(split);
                }
                splits = pool.wait(splits);
            };
            drop(splits);
            self.join(&split);
            self.flush_nodes();
        }
    }

    /// Shares the moves that are left at a node and returns the best of all,
    /// `best` being that of the moves already searched.
    pub fn split(
        &mut self,
        board: &MidBoard,
        below: SplitNode,
        alpha: i32,
        best: (i32, Option<Square>),
        moves: MovePicker,
    ) -> Result<(i32, Option<Square>), Stopped> {
        let split = Arc::new(Split {
            above: self.split.clone(),
            board: *board,
            below,
            alpha,
            confidence: self.confidence,
            probing: self.probing,
            decided: AtomicBool::new(false),
            state: Mutex::new(State { moves, best, running: 0 }),
        });
        let pool = &self.shared.pool;
        pool.lock().push(Arc::clone(&split));
        pool.bell.notify_all();
        self.join(&split);
        self.await_helpers(&split);
        pool.lock().retain(|other| !Arc::ptr_eq(other, &split));
        if self.is_cancelled() {
            return Err(Stopped);
        }
        Ok(split.lock().best)
    }

    /// Waits until nobody works on a split any more, or its value is
    /// decided; meanwhile helps below it.
    fn await_helpers(&mut self, split: &Arc<Split>) {
        let pool = &self.shared.pool;
        let mut splits = pool.lock();
        while !split.is_cancelled() && !self.shared.is_stopped() && split.lock().running > 0 {
            let below = splits.iter().find(|other| other.is_below(split) && other.has_work());
            match below.map(Arc::clone) {
                Some(other) => {
                    drop(splits);
                    self.join(&other);
                    splits = pool.lock();
                }
                None => splits = pool.wait(splits),
            }
        }
    }

    /// Searches moves of a split until none is left or it is decided.
    fn join(&mut self, split: &Arc<Split>) {
        let above = self.split.replace(Arc::clone(split));
        let settings = (self.confidence, self.probing);
        (self.confidence, self.probing) = (split.confidence, split.probing);
        while let Some((candidate, tried)) = take(split) {
            let next = split.board.after(candidate.square, candidate.flips);
            let value = self.search_below(split, &next, tried);
            let mut state = split.lock();
            state.running -= 1;
            let Ok(value) = value else { break };
            if value > state.best.0 {
                state.best = (value, Some(candidate.square));
                if value > split.alpha {
                    split.decided.store(true, Relaxed);
                    break;
                }
            }
        }
        (self.confidence, self.probing) = settings;
        self.split = above;
        self.shared.pool.ring();
    }

    fn search_below(&mut self, split: &Split, next: &MidBoard, tried: u32) -> Searched {
        Ok(match split.below {
            SplitNode::Endgame => -self.endgame_null(next, -split.alpha - 1)?,
            SplitNode::Midgame(depth) => self.midgame_child(next, depth, split.alpha, tried)?,
        })
    }
}

/// The next move of a split, counted as running, and how many have been
/// taken with it.
fn take(split: &Split) -> Option<(ScoredMove, u32)> {
    if split.is_cancelled() {
        return None;
    }
    let mut state = split.lock();
    let candidate = state.moves.take()?;
    state.running += 1;
    Some((candidate, state.moves.taken()))
}
