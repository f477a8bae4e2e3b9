//! Limits in, reports out: iterative-deepening search of a position.
//!
//! The search prints nothing, reads no clock but the one its [`Listener`]
//! hands it, and knows no protocol.

pub mod batch;
mod confidence;
mod endgame;
mod engine;
mod hash;
mod level;
mod limits;
mod midgame;
mod move_picker;
mod ordering;
mod plan;
mod probcut;
mod report;
mod root;
mod solve_cost;
mod stability;
mod table;
mod threads;
mod time;
mod variation;
mod worker;

pub use confidence::Confidence;
pub use engine::{Engine, EngineOptions};
pub use level::{LEVELS, Level};
pub use limits::{Goal, Limits};
pub use report::{Bound, Kind, Line, Listener, Report, Silent, Stoppable};
pub use solve_cost::SolveCost;
pub use table::{Megabytes, TableError};
pub use time::{Allowance, TimeBudget, budget};

#[cfg(test)]
mod tests;
