//! Threads of a batch that have no position of their own left.

use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};

use super::team::Team;

/// The idle threads of a batch, each as the memory `S` that it brings along.
#[derive(Debug)]
pub(crate) struct IdleThreads<S> {
    memories: Mutex<Vec<S>>,
    /// Signalled when a thread becomes idle, and when a search is over.
    changed: Condvar,
}

impl<S> Default for IdleThreads<S> {
    fn default() -> IdleThreads<S> {
        IdleThreads { memories: Mutex::default(), changed: Condvar::new() }
    }
}

impl<S> IdleThreads<S> {
    fn lock(&self) -> MutexGuard<'_, Vec<S>> {
        self.memories.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Adds idle threads.
    pub(crate) fn offer(&self, memories: impl IntoIterator<Item = S>) {
        self.lock().extend(memories);
        self.changed.notify_all();
    }

    /// Waits for an idle thread; `None` once the search is over.
    pub(super) fn borrow(&self, team: &Team<'_>) -> Option<S> {
        let mut memories = self.lock();
        loop {
            if team.is_closed() {
                return None;
            }
            if let Some(state) = memories.pop() {
                return Some(state);
            }
            memories = self.changed.wait(memories).unwrap_or_else(PoisonError::into_inner);
        }
    }

    /// Wakes the waiting searches.
    pub(super) fn wake(&self) {
        // The lock orders this after a waiter's last check.
        drop(self.lock());
        self.changed.notify_all();
    }
}
