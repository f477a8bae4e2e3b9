//! What a thread reads endings with.

use super::cache::Cache;
use super::small::Empties;
use umigame_othello::Position;

/// Small tables and the list of empties, private to a thread.
#[derive(Debug)]
pub(in crate::search) struct Reader {
    /// For seven empties and more: 256 kB. Twice of each would spare two nodes
    /// in a hundred, and yet take longer: a second-level cache is a megabyte,
    /// and often shared.
    pub(super) medium: Cache<14>,
    /// For five and six: 128 kB.
    pub(super) small: Cache<13>,
    /// For four: 64 kB.
    pub(super) four: Cache<12>,
    /// The empty squares of the position being read.
    pub(super) empties: Empties,
}

impl Reader {
    /// Nothing known yet.
    pub fn new() -> Reader {
        Reader {
            medium: Cache::new(),
            small: Cache::new(),
            four: Cache::new(),
            empties: Empties::new(0),
        }
    }

    /// Forgets everything.
    pub fn clear(&mut self) {
        self.medium.clear();
        self.small.clear();
        self.four.clear();
    }

    /// The list is that of this position from now on.
    pub(super) fn begin(&mut self, position: Position) {
        self.empties = Empties::new(position.empty());
    }
}
