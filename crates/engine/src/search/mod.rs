//! Limits in, reports out: iterative-deepening search of a position.
//!
//! The search prints nothing, reads no clock but the one its [`Listener`]
//! hands it, and knows no protocol.

pub mod batch;
mod candidates;
mod clock;
mod confidence;
mod cost;
mod ending;
mod hash;
mod level;
mod limits;
mod midgame;
mod ordering;
mod pace;
mod parallel;
mod probcut;
mod report;
mod root;
mod searcher;
mod stability;
mod table;
mod variation;
mod worker;

pub use clock::{Allowance, Budget, budget};
pub use confidence::Confidence;
pub use cost::Cost;
pub use level::{LEVELS, Level};
pub use limits::{Goal, Limits};
pub use report::{Bound, Kind, Line, Listener, Report, Silent, Stoppable};
pub use searcher::{SearchOptions, Searcher};
pub use table::{Megabytes, TableError};

#[cfg(test)]
mod tests;
