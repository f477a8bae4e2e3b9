//! Limits in, reports out: iterative-deepening search of a position.
//!
//! The search prints nothing, reads no clock but the one its [`Listener`]
//! hands it, and knows no protocol.

mod aspiration;
pub mod batch;
mod confidence;
mod endgame;
mod engine;
mod error;
mod hash;
mod iteration;
mod leaf;
mod level;
mod limits;
mod midgame;
mod move_picker;
mod ordering;
mod parallel;
mod plan;
mod probcut;
mod report;
mod root;
mod solve_cost;
mod stability;
mod table;
mod time;
mod value;
mod variation;
mod window;
mod worker;

pub use confidence::Confidence;
pub use engine::{Engine, EngineOptions};
pub use error::{EngineError, Megabytes};
pub use level::{LEVELS, Level};
pub use limits::{Goal, Limits};
pub use report::{Bound, Listener, Report, ReportLine, ScoreKind, Silent, Stoppable};
pub use time::Allowance;

#[cfg(test)]
mod tests;
