//! What a thread reads endings with.

use super::cache::Cache;
use super::parity_search::Empties;
use umigame_othello::Position;

/// Small tables and the list of empties, private to a thread.
#[derive(Debug)]
pub(in crate::search) struct EndgameState {
    /// For seven empties and more: 256 kB. Twice of each would spare two nodes
    /// in a hundred, and yet take longer: a second-level cache is a megabyte,
    /// and often shared.
    pub(super) mobility_cache: Cache<14>,
    /// For five and six: 128 kB.
    pub(super) parity_cache: Cache<13>,
    /// For four_cache: 64 kB.
    pub(super) four_cache: Cache<12>,
    /// The empty squares of the position being read.
    pub(super) empties: Empties,
}

impl EndgameState {
    /// Nothing known yet.
    pub fn new() -> EndgameState {
        EndgameState {
            mobility_cache: Cache::new(),
            parity_cache: Cache::new(),
            four_cache: Cache::new(),
            empties: Empties::new(0),
        }
    }

    /// Forgets everything.
    pub fn clear(&mut self) {
        self.mobility_cache.clear();
        self.parity_cache.clear();
        self.four_cache.clear();
    }

    /// The list is that of this position from now on.
    pub(super) fn begin(&mut self, position: Position) {
        self.empties = Empties::new(position.empty());
    }
}
