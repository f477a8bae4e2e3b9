//! The games that `games` searches, while they are being loaded and after.

use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::sync::{Arc, PoisonError, RwLock, RwLockReadGuard};

use umigame_book::{BookGame, GameArchive};

/// Games for questions about positions. Another thread may still be adding some.
#[derive(Clone, Debug, Default)]
pub struct ServedGames(Arc<Inner>);

#[derive(Debug, Default)]
struct Inner {
    archive: RwLock<GameArchive>,
    is_complete: AtomicBool,
}

impl ServedGames {
    /// Adds games.
    pub fn add(&self, games: &[BookGame]) {
        let mut archive = self.0.archive.write().unwrap_or_else(PoisonError::into_inner);
        games.iter().for_each(|game| archive.add(game));
    }

    /// Says that no more come.
    pub fn complete(&self) {
        self.0.is_complete.store(true, Relaxed);
    }

    /// Returns whether all are there.
    pub fn is_complete(&self) -> bool {
        self.0.is_complete.load(Relaxed)
    }

    pub(crate) fn archive(&self) -> RwLockReadGuard<'_, GameArchive> {
        self.0.archive.read().unwrap_or_else(PoisonError::into_inner)
    }
}
