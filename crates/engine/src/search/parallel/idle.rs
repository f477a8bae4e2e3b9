//! Threads of a batch that have no position of their own left.

use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};

use super::split::SplitQueue;
use crate::search::endgame::EndgameState;

/// Threads that have nothing of their own to do, each as the memory that it
/// brings along.
#[derive(Debug, Default)]
pub(in crate::search) struct IdleThreads {
    endgame_states: Mutex<Vec<EndgameState>>,
    /// Rung when there is somebody, and when a search is over.
    bell: Condvar,
}

impl IdleThreads {
    fn lock(&self) -> MutexGuard<'_, Vec<EndgameState>> {
        self.endgame_states.lock().unwrap_or_else(PoisonError::into_inner)
    }

    pub(in crate::search) fn offer(&self, endgame_states: impl IntoIterator<Item = EndgameState>) {
        self.lock().extend(endgame_states);
        self.bell.notify_all();
    }

    /// Waits for a free thread; `None` once the search is over.
    pub(in crate::search) fn borrow(&self, splits: &SplitQueue) -> Option<EndgameState> {
        let mut endgame_states = self.lock();
        loop {
            if splits.is_closed() {
                return None;
            }
            if let Some(state) = endgame_states.pop() {
                return Some(state);
            }
            endgame_states = self.bell.wait(endgame_states).unwrap_or_else(PoisonError::into_inner);
        }
    }

    /// Wakes those who wait.
    pub(in crate::search) fn wake(&self) {
        // The lock orders this after a waiter's last look.
        drop(self.lock());
        self.bell.notify_all();
    }
}
