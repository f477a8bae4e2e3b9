//! Evaluation and search for Othello.
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
//! println!("{} {}", best.first(), best.eval);
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
//! Weights may also be handed in as bytes:
//!
//! ```
//! use umigame_engine::{Engine, EngineOptions, Evaluation};
//!
//! let weights = std::fs::read("weights/umigame.weights")?;
//! let engine = Engine::new(Evaluation::from_bytes(&weights)?, EngineOptions::default())?;
//! assert_ne!(engine.evaluation().checksum(), 0);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! | module | |
//! |---|---|
//! | [`eval`] | pattern weights, the network that corrects their sum, and the file that holds both |
//! | `search` | iterations, midgame, endgame, selectivity, transposition table, threads, time |
//! | [`batch`] | many positions at once |
//!
//! The feature `system`, on by default, has listeners with the operating system's clock and asks it
//! for the free memory; without it the engine reads no clock and no file.
//!
//! The feature `tune` makes constants of the search variables that can be listed and set.

pub mod eval;
mod memory;
mod search;
mod threads;

pub use eval::{Certainty, Odds, Sigma};
pub use eval::{Evaluation, SharedEvaluation, WeightsError};
pub use search::DEFAULT_MOVE_OVERHEAD;
pub use search::ValueHistory;
pub use search::batch;
pub use search::{Allowance, Confidence, Goal, LEVELS, Level, Limits, MAX_DEPTH};
pub use search::{Bound, Listener, Report, ReportLine, ScoreKind};
#[cfg(feature = "tune")]
pub use search::{Constant, Effect, constants};
pub use search::{Engine, EngineError, EngineOptions, Megabytes};
pub use search::{Progress, RunningSearch, SearchFault, StopHandle};
#[cfg(feature = "system")]
pub use search::{Silent, Stoppable};
pub use threads::processors;
