//! Search for Othello.
//!
//! An [`Engine`] owns all that a search needs: the [`Evaluation`], the transposition table, a pool
//! of threads, and the costs of endgames learnt from earlier searches. Give it a position,
//! [`Limits`] and a [`Listener`]; it returns a [`Report`]. Engines of different evaluations live side by side
//! in one process. One engine of one thread visits the same nodes on every machine.
//!
//! ```
//! use umigame_engine::{Engine, EngineOptions, Evaluation, Limits};
//! use umigame_othello::Position;
//!
//! let mut engine = Engine::new(Evaluation::embedded(), EngineOptions::default())?;
//! let report = engine.search(Position::START, &Limits::depth(8), &());
//! let best = report.best().expect("the game is not over");
//! println!("{} {}", best.first(), best.eval());
//! # Ok::<(), umigame_engine::EngineError>(())
//! ```
//!
//! A [`RunningSearch`] goes on beside its caller: reports come out, a stop goes in from any thread.
//! It ends with its owner, and the engine serves on.
//!
#![cfg_attr(feature = "system", doc = "```")]
#![cfg_attr(not(feature = "system"), doc = "```ignore")]
//! use umigame_engine::{Engine, EngineOptions, Evaluation, Limits};
//! use umigame_othello::Position;
//!
//! let mut engine = Engine::new(Evaluation::embedded(), EngineOptions::default())?;
//! let mut running = engine.start(Position::START, &Limits::exact())?;
//! let stop = running.stop_handle();
//! for report in running.by_ref() {
//!     if report.nodes > 10_000 {
//!         stop.stop();
//!     }
//! }
//! assert!(running.wait()?.best().is_some());
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! | module | |
//! |---|---|
//! | `engine`, `running`, [`batch`] | one position at a time, on a thread of its own, many at once |
//! | `limits` | what bounds a search: goals, depths, levels, confidence |
//! | `time` | what it may spend of a clock, and the order of its iterations |
//! | `root` | iterations over the moves of the root |
//! | `midgame` | to a depth, then the evaluation; ProbCut, futility |
//! | `endgame` | to the end of the game; stability |
//! | `moves` | move ordering |
//! | `table` | the transposition table |
//! | `parallel` | one search by several threads |
//! | `report` | results, estimates of the final score |
//! | `weakness` | levels below level 1, which err as people do |
//!
//! The search prints nothing, reads no clock but its [`Listener`]'s, and knows no protocol. What a
//! position is worth without search is in `umigame_eval`; its [`Evaluation`] is exported here too.
//!
//! The feature `system`, on by default, has listeners with the operating system's clock and asks it
//! for the free memory; without it the engine reads no clock and no file.
//!
//! The feature `simulate` has engines whose threads run on simulated processors.
//!
//! The feature `profile` counts visits and cuts of the endgame search by number of empties.
//!
//! The feature `tune` makes constants of the search variables that can be listed and set.

pub mod batch;
#[cfg(feature = "tune")]
mod constants;
mod context;
mod endgame;
mod engine;
mod error;
mod limits;
mod midgame;
mod moves;
mod open_node;
mod parallel;
mod report;
mod root;
mod running;
mod table;
#[cfg(test)]
mod tests;
mod thread_state;
mod threads;
mod time;
mod tunable;
mod weakness;

#[cfg(feature = "tune")]
pub use constants::constants;
#[cfg(feature = "profile")]
pub use endgame::profile::{LevelProfile, current_empties, take_profile};
pub use engine::{Engine, EngineOptions};
pub use error::{EngineError, Megabytes};
pub use limits::MAX_DEPTH;
pub use limits::confidence::Confidence;
pub use limits::level::Level;
pub use limits::options::{LimitError, LimitOptions};
pub use limits::time_control::TimeControl;
pub use limits::{Goal, Limits};
pub use report::estimates::score_features;
pub use report::{Bound, Listener, ParseScoreKindError, Report, ReportLine, ScoreKind};
pub use running::{Progress, RunningSearch, SearchFault, StopHandle};
pub use threads::processors;
pub use time::overhead::DEFAULT_MOVE_OVERHEAD;
pub use time::solve_cost::SolveCost;
#[cfg(feature = "system")]
pub use time::stopwatch::{Silent, Stoppable};
#[cfg(feature = "tune")]
pub use tunable::{Constant, Effect};
pub use umigame_eval::layers::Layers;
pub use umigame_eval::{Estimate, Wdl};
pub use umigame_eval::{Evaluation, SharedEvaluation, WeightsError};
pub use weakness::{
    ParseStrengthError, Strength, WeakLevel, WeakOptions, WeakPlayer, WeakPlayerError, Weakness,
    WeaknessError,
};
