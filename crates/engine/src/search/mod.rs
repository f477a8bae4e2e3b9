//! Iterative-deepening search of a position: limits in, reports out.
//!
//! The search prints nothing, reads no clock but its [`Listener`]'s, and knows no protocol.
//!
//! | layer | modules |
//! |---|---|
//! | the engine | `engine`, `running`, `batch`, `error` |
//! | limits and time | `limits`, `level`, `confidence`, `time`, `overhead`, `plan`, `iteration`, `solve_cost` |
//! | the search | `root`, `root_move`, `aspiration`, `midgame`, `endgame`, `probcut`, `futility`, `stability` |
//! | tools of the search | `move_picker`, `ordering`, `table`, `hash`, `variation`, `window`, `value`, `leaf`, `tunable` |
//! | threads | `worker`, `parallel` |
//! | results | `report`, `estimates`, `stopwatch` |

mod aspiration;
pub mod batch;
mod confidence;
mod endgame;
mod engine;
mod error;
mod estimates;
mod free_memory;
mod futility;
mod hash;
mod iteration;
mod leaf;
mod level;
mod limits;
mod midgame;
mod move_picker;
mod ordering;
mod overhead;
mod parallel;
mod plan;
mod probcut;
mod report;
mod root;
mod root_move;
mod running;
mod solve_cost;
mod stability;
#[cfg(feature = "system")]
mod stopwatch;
mod table;
#[cfg(test)]
mod tests;
mod time;
mod tunable;
mod value;
mod variation;
mod window;
mod worker;

pub use confidence::Confidence;
pub use engine::{Engine, EngineOptions};
pub use error::{EngineError, Megabytes};
pub use estimates::ValueHistory;
pub use level::{LEVELS, Level, MAX_DEPTH};
pub use limits::{Allowance, Goal, Limits};
pub use overhead::DEFAULT_MOVE_OVERHEAD;
pub use report::{Bound, Listener, Report, ReportLine, ScoreKind};
pub use running::{Progress, RunningSearch, SearchFault, StopHandle};
#[cfg(feature = "system")]
pub use stopwatch::{Silent, Stoppable};
#[cfg(feature = "tune")]
pub use tunable::{Constant, Effect, constants};
