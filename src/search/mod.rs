//! Limits in, reports out: iterative-deepening search of a position.
//!
//! The search prints nothing, reads no clock but the one its [`Listener`]
//! hands it, and knows no protocol.

mod clock;
mod level;
mod limits;
mod report;
mod searcher;

pub use clock::{Allowance, Budget, budget};
pub use level::{LEVELS, Level};
pub use limits::{Goal, Limits};
pub use report::{Bound, Kind, Line, Listener, Report, Silent};
pub use searcher::{Megabytes, SearchOptions, Searcher, TableError};
