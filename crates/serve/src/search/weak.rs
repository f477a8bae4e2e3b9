//! The player that errs. It has an engine of its own, so that it waits for no search of others.

use std::sync::Arc;
use std::time::Duration;

use tokio::sync::{Mutex, Semaphore};
use umigame_engine::{LimitOptions, Report, SharedEvaluation, StopHandle, WeakPlayer, Weakness};
use umigame_othello::Position;

use crate::error::ApiError;

/// Moves that may wait; further ones are refused.
const MAX_WAITING: usize = 256;
/// Longest search of a move: the others wait for it.
const MAX_TIME: Duration = Duration::from_secs(5);

/// A move to choose.
#[derive(Clone, Debug)]
pub(crate) struct WeakMove {
    pub position: Position,
    pub limits: LimitOptions,
    pub weakness: Weakness,
    pub seed: u64,
    pub stop: StopHandle,
}

/// The way to the player; moves take turns.
#[derive(Clone, Debug)]
pub(crate) struct WeakSearcher {
    player: Arc<Mutex<WeakPlayer>>,
    waiting: Arc<Semaphore>,
}

impl WeakSearcher {
    pub fn new(evaluation: SharedEvaluation) -> WeakSearcher {
        let player = Arc::new(Mutex::new(WeakPlayer::new(evaluation)));
        WeakSearcher { player, waiting: Arc::new(Semaphore::new(MAX_WAITING)) }
    }

    /// Chooses a move, once it is its turn.
    ///
    /// # Errors
    /// Too many wait, or the machine lacks the memory, or the search failed.
    pub async fn choose(&self, chosen: WeakMove) -> Result<Report, ApiError> {
        let _waits = self.waiting.try_acquire().map_err(|_| ApiError::busy())?;
        let mut player = Arc::clone(&self.player).lock_owned().await;
        let search = move || {
            let WeakMove { position, limits, weakness, seed, stop } = chosen;
            let limits = weakness.limits(&limits);
            let time = limits.move_time().map_or(MAX_TIME, |time| time.min(MAX_TIME));
            let limits = limits.with_max_time(time);
            player.choose(position, &limits, &weakness, seed, &stop.listener())
        };
        let found = tokio::task::spawn_blocking(search).await;
        let found = found.map_err(|fault| ApiError::failed(fault.to_string()))?;
        found.map_err(|fault| ApiError::failed(fault.to_string()))
    }
}
