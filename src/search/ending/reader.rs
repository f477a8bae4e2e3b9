//! What a thread reads endings with.

use super::cache::Cache;
use super::small::Empties;
use crate::board::Position;

/// Small tables and the list of empties, private to a thread.
#[derive(Debug)]
pub(in crate::search) struct Reader {
    /// For seven empties and more: 768 kB, which leaves room in a
    /// second-level cache of a megabyte.
    pub(super) medium: Cache<15>,
    /// For five and six: 192 kB.
    pub(super) small: Cache<13>,
    /// For four: 96 kB.
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
