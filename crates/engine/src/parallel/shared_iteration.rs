//! Iterations that the threads of a search work on together.

use std::sync::atomic::{
    AtomicBool, AtomicU64,
    Ordering::{Acquire, Relaxed, Release},
};
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};

use super::processor::Processor;
use crate::root::root_move::RootMove;
use crate::time::iteration::Iteration;

/// Looks for the next iteration before a waiting thread sleeps: some 50 microseconds.
const MAX_LOOKS: u32 = 2_000;

/// An iteration as each thread begins it.
#[derive(Clone, Debug)]
pub(crate) struct HelperTask {
    /// The number of the iteration among those searched together, from 1.
    pub number: u64,
    pub iteration: Iteration,
    pub lines: usize,
    /// The moves of the root as the iteration before left them.
    pub moves: Vec<RootMove>,
}

#[derive(Default)]
struct State {
    task: Option<HelperTask>,
    /// The moves of the thread that finished the task first.
    result: Option<Vec<RootMove>>,
}

impl State {
    /// The task, if its number is above `last`.
    fn task_after(&self, last: u64) -> Option<&HelperTask> {
        self.task.as_ref().filter(|task| task.number > last)
    }
}

/// The iteration in progress. The first thread to finish it finishes it for all.
#[derive(Default)]
pub(crate) struct SharedIteration {
    state: Mutex<State>,
    /// Signalled when an iteration begins, and at the end.
    changed: Condvar,
    begun: AtomicU64,
    finished: AtomicU64,
    is_closed: AtomicBool,
}

impl SharedIteration {
    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Begins the next iteration and returns it.
    pub fn begin(&self, iteration: Iteration, lines: usize, moves: Vec<RootMove>) -> HelperTask {
        let mut state = self.lock();
        let number = self.begun.load(Relaxed) + 1;
        let task = HelperTask { number, iteration, lines, moves };
        *state = State { task: Some(task.clone()), result: None };
        self.begun.store(number, Release);
        drop(state);
        self.changed.notify_all();
        task
    }

    /// Hands in the moves of a finished iteration; only the first are kept.
    pub fn finish(&self, number: u64, moves: Vec<RootMove>) {
        let mut state = self.lock();
        if state.task.take_if(|task| task.number == number).is_some() {
            state.result = Some(moves);
            self.finished.store(number, Release);
        }
    }

    /// Whether iteration `number` needs no more work.
    #[inline(always)]
    pub fn is_finished(&self, number: u64) -> bool {
        self.finished.load(Relaxed) >= number
    }

    /// Ends the iteration. Returns the moves of the thread that finished it; `None` if it was
    /// stopped.
    pub fn end(&self) -> Option<Vec<RootMove>> {
        let mut state = self.lock();
        self.finished.fetch_max(self.begun.load(Relaxed), Release);
        std::mem::take(&mut *state).result
    }

    /// Waits for an iteration after number `last`; `None` once the search is over.
    pub(super) fn next(&self, mut last: u64, processor: Processor<'_>) -> Option<HelperTask> {
        loop {
            processor.wait(MAX_LOOKS, || self.begun.load(Acquire) > last || self.is_closed());
            let mut state = self.lock();
            if processor.may_sleep() {
                let nothing_new =
                    |state: &mut State| !self.is_closed() && state.task_after(last).is_none();
                let woken = self.changed.wait_while(state, nothing_new);
                state = woken.unwrap_or_else(PoisonError::into_inner);
            }
            if self.is_closed() {
                return None;
            }
            if let Some(task) = state.task_after(last) {
                return Some(task.clone());
            }
            // The latest has ended already.
            last = self.begun.load(Relaxed);
        }
    }

    /// Whether the search is over.
    pub(super) fn is_closed(&self) -> bool {
        self.is_closed.load(Relaxed)
    }

    /// Ends the search for the waiting threads.
    pub(super) fn close(&self) {
        let state = self.lock();
        self.is_closed.store(true, Relaxed);
        self.finished.store(u64::MAX, Release);
        drop(state);
        self.changed.notify_all();
    }
}
