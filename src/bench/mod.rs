//! Searches of fixed positions: the signature of the engine, the FFO test, and how they are timed.
//!
//! Every search starts with an empty transposition table.

mod ffo;
mod options;
mod signature;
mod timing;

pub use ffo::{FFO_ENDINGS, FfoEnding, FfoRow, ffo_endings, solve_ending};
pub use options::{RepeatArgs, SearchArgs, parse_confidence, parse_runs};
pub use signature::{SIGNATURE_POSITIONS, SignatureBench, SignatureSearch, signature_positions};
pub use timing::{TimedSearch, median_by, nodes_per_second, time_searches};
