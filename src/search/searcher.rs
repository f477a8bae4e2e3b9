//! The searcher: what lives on from one search to the next.

use super::ending::Cache;
use super::limits::Limits;
use super::report::{Listener, Report};
use super::table::{Megabytes, Table, TableError};
use super::worker::{Shared, Worker};
use crate::board::Position;

/// What a searcher is made with.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct SearchOptions {
    /// The size of the transposition table.
    pub hash: Megabytes,
    /// Threads that search one position, at least 1.
    pub threads: usize,
}

impl Default for SearchOptions {
    fn default() -> SearchOptions {
        SearchOptions { hash: Megabytes(64), threads: 1 }
    }
}

/// Searches positions, and remembers between searches what it found.
#[derive(Debug)]
pub struct Searcher {
    options: SearchOptions,
    table: Table,
    cache: Cache,
}

impl Searcher {
    /// A searcher with an empty table.
    ///
    /// # Errors
    /// A table size out of range or beyond the machine's memory.
    pub fn new(options: SearchOptions) -> Result<Searcher, TableError> {
        Ok(Searcher { options, table: Table::new(options.hash)?, cache: Cache::new() })
    }

    /// What the searcher was made with.
    pub fn options(&self) -> SearchOptions {
        self.options
    }

    /// The size that the transposition table really takes.
    pub fn hash_size(&self) -> Megabytes {
        self.table.size()
    }

    /// Forgets every position.
    pub fn clear(&mut self) {
        self.table.clear();
        self.cache.clear();
    }

    /// Searches a position and returns the last finished iteration, which
    /// was also reported. There is always one unless the game is over.
    pub fn search(&mut self, root: Position, limits: &Limits, listener: &dyn Listener) -> Report {
        self.table.grow_older();
        let shared = Shared::new(&self.table, limits, listener);
        Worker::new(&shared, &mut self.cache).iterate(root)
    }
}
