//! Threads of a batch that have no position of their own left.

use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};

use super::shared::Shared;
use crate::endgame::EndgameState;

/// The idle threads of a batch, each as the endgame memory that it brings along.
#[derive(Debug, Default)]
pub(crate) struct IdleThreads {
    endgame_states: Mutex<Vec<EndgameState>>,
    /// Signalled when a thread becomes idle, and when a search is over.
    changed: Condvar,
}

impl IdleThreads {
    fn lock(&self) -> MutexGuard<'_, Vec<EndgameState>> {
        self.endgame_states.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Adds idle threads.
    pub(crate) fn offer(&self, endgame_states: impl IntoIterator<Item = EndgameState>) {
        self.lock().extend(endgame_states);
        self.changed.notify_all();
    }

    /// Waits for an idle thread; `None` once the search is over.
    pub(super) fn borrow(&self, shared: &Shared<'_>) -> Option<EndgameState> {
        let mut endgame_states = self.lock();
        loop {
            if shared.is_closed() {
                return None;
            }
            if let Some(state) = endgame_states.pop() {
                return Some(state);
            }
            endgame_states =
                self.changed.wait(endgame_states).unwrap_or_else(PoisonError::into_inner);
        }
    }

    /// Wakes the waiting searches.
    pub(super) fn wake(&self) {
        // The lock orders this after a waiter's last check.
        drop(self.lock());
        self.changed.notify_all();
    }
}
