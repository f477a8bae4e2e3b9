//! The searcher: what lives on from one search to the next.

use super::limits::Limits;
use super::report::{Bound, Kind, Line, Listener, Report};
use crate::board::{Eval, Move, Position, squares};

/// A size in units of 2^20 bytes.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Megabytes(pub usize);

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

/// The transposition table could not be had.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum TableError {
    /// No table is that small or that large.
    #[error("hash of {0} MB: expected 1 to 1048576 MB")]
    Size(usize),
    /// The system has not that much memory.
    #[error("hash of {0} MB: there is not enough memory")]
    Memory(usize),
}

/// Searches positions, and remembers between searches what it found.
#[derive(Debug)]
pub struct Searcher {
    options: SearchOptions,
}

impl Searcher {
    /// A searcher with an empty table.
    ///
    /// # Errors
    /// A table size out of range or beyond the machine's memory.
    pub fn new(options: SearchOptions) -> Result<Searcher, TableError> {
        Ok(Searcher { options })
    }

    /// What the searcher was made with.
    pub fn options(&self) -> SearchOptions {
        self.options
    }

    /// Forgets every position.
    pub fn clear(&mut self) {}

    /// Searches a position and returns the last finished iteration, which
    /// was also reported. There is always one unless the game is over.
    pub fn search(&mut self, root: Position, limits: &Limits, listener: &dyn Listener) -> Report {
        let mut lines: Vec<Line> = squares(root.moves())
            .filter_map(|square| {
                let next = root.place(square)?;
                let eval = Eval::from_centidiscs(-100 * next.moves().count_ones() as i32);
                Some(Line { moves: vec![Move::Place(square)], eval, bound: Bound::Exact })
            })
            .collect();
        if lines.is_empty() && !root.is_over() {
            lines.push(Line {
                moves: vec![Move::Pass],
                eval: Eval::default(),
                bound: Bound::Exact,
            });
        }
        lines.sort_by_key(|line| -line.eval.centidiscs());
        lines.truncate(limits.lines);
        let kind = Kind::Depth { plies: 1, percent: 100 };
        let report = Report { lines, kind, nodes: 1, elapsed: listener.elapsed() };
        listener.report(&report);
        report
    }
}
