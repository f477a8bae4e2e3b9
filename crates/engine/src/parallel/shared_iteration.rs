//! Iterations that the threads of a search work on together.

use std::sync::atomic::{
    AtomicBool, AtomicU64,
    Ordering::{Acquire, Relaxed, Release},
};
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};

use super::processor::Processor;

/// An iteration as each thread begins it.
#[derive(Clone, Debug)]
pub(crate) struct HelperTask<T> {
    /// The number of the iteration among those searched together, from 1.
    number: u64,
    pub work: T,
}

struct State<T, R, I> {
    task: Option<HelperTask<T>>,
    /// The result of the thread that finished the task first.
    result: Option<R>,
    /// The best that a thread has found before the end.
    improved: Option<I>,
}

impl<T, R, I> Default for State<T, R, I> {
    fn default() -> State<T, R, I> {
        State { task: None, result: None, improved: None }
    }
}

impl<T, R, I> State<T, R, I> {
    /// The task, if its number is above `last`.
    fn task_after(&self, last: u64) -> Option<&HelperTask<T>> {
        self.task.as_ref().filter(|task| task.number > last)
    }
}

/// The iteration in progress: `T` is the work, `R` its result, `I` an improvement before that. The first thread to finish it finishes
/// it for all.
pub(crate) struct SharedIteration<T, R, I> {
    state: Mutex<State<T, R, I>>,
    /// Signalled when an iteration begins, and at the end.
    changed: Condvar,
    begun: AtomicU64,
    finished: AtomicU64,
    is_closed: AtomicBool,
}

impl<T, R, I> Default for SharedIteration<T, R, I> {
    fn default() -> SharedIteration<T, R, I> {
        SharedIteration {
            state: Mutex::default(),
            changed: Condvar::new(),
            begun: AtomicU64::new(0),
            finished: AtomicU64::new(0),
            is_closed: AtomicBool::new(false),
        }
    }
}

/// The part of a thread in an iteration.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Membership<'a> {
    number: u64,
    finished: &'a AtomicU64,
}

impl Membership<'_> {
    /// Whether the iteration needs no more work.
    #[inline(always)]
    pub fn is_finished(self) -> bool {
        self.finished.load(Relaxed) >= self.number
    }
}

impl<T: Clone, R, I> SharedIteration<T, R, I> {
    fn lock(&self) -> MutexGuard<'_, State<T, R, I>> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Begins the next iteration and returns it.
    pub fn begin(&self, work: T) -> HelperTask<T> {
        let mut state = self.lock();
        let number = self.begun.load(Relaxed) + 1;
        let task = HelperTask { number, work };
        *state = State { task: Some(task.clone()), ..State::default() };
        self.begun.store(number, Release);
        drop(state);
        self.changed.notify_all();
        task
    }

    /// Returns the part of a thread in an iteration.
    pub fn join(&self, task: &HelperTask<T>) -> Membership<'_> {
        Membership { number: task.number, finished: &self.finished }
    }

    /// Hands in the result of a finished iteration; only the first is kept.
    pub fn finish(&self, membership: Membership<'_>, result: R) {
        let mut state = self.lock();
        if state.task.take_if(|task| task.number == membership.number).is_some() {
            state.result = Some(result);
            self.finished.store(membership.number, Release);
        }
    }

    /// Hands in a thread's improvement within an unfinished iteration, which is kept if it `is_better` than the
    /// one before.
    pub fn improve(
        &self,
        membership: Membership<'_>,
        found: I,
        is_better: impl FnOnce(&I, &I) -> bool,
    ) {
        let mut state = self.lock();
        let is_current = state.task.as_ref().is_some_and(|task| task.number == membership.number);
        if is_current && state.improved.as_ref().is_none_or(|known| is_better(&found, known)) {
            state.improved = Some(found);
        }
    }

    /// Ends the iteration. Returns the result of the thread that finished it.
    ///
    /// # Errors
    /// It was stopped: the best that was handed in until then.
    pub fn end(&self) -> Result<R, Option<I>> {
        let mut state = self.lock();
        self.finished.fetch_max(self.begun.load(Relaxed), Release);
        let State { result, improved, .. } = std::mem::take(&mut *state);
        result.ok_or(improved)
    }

    /// Waits for an iteration after `last`, if there was one; `None` once the search is over.
    pub fn next(
        &self,
        last: Option<&HelperTask<T>>,
        processor: Processor<'_>,
    ) -> Option<HelperTask<T>> {
        let mut last = last.map_or(0, |task| task.number);
        loop {
            processor.spin_until(|| self.begun.load(Acquire) > last || self.is_closed());
            let mut state = self.lock();
            if processor.may_sleep() {
                let nothing_new = |state: &mut State<T, R, I>| {
                    !self.is_closed() && state.task_after(last).is_none()
                };
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
    fn is_closed(&self) -> bool {
        self.is_closed.load(Relaxed)
    }

    /// Ends the search for the waiting threads.
    pub fn close(&self) {
        let state = self.lock();
        self.is_closed.store(true, Relaxed);
        self.finished.store(u64::MAX, Release);
        drop(state);
        self.changed.notify_all();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_stopped_iteration_ends_with_the_best_that_any_thread_has_found() {
        let shared = SharedIteration::<&str, i32, i32>::default();
        let better = |found: &i32, known: &i32| found > known;
        let first = shared.begin("first");
        let member = shared.join(&first);
        for found in [2, 5, 3] {
            shared.improve(member, found, better);
        }
        assert_eq!(shared.end(), Err(Some(5)));
        shared.improve(member, 9, better);
        let second = shared.begin("second");
        shared.improve(member, 9, better);
        assert_eq!(shared.end(), Err(None), "what comes late is of no iteration");
        let third = shared.begin("third");
        shared.improve(shared.join(&third), 1, better);
        shared.finish(shared.join(&third), 7);
        assert_eq!(shared.end(), Ok(7));
        assert_eq!(second.work, "second");
    }
}
