//! Matches between engines that speak NBoard or GTP, with statistics.
//!
//! A [`MatchPlan`] lists engines and openings; its schedule plays every opening twice with colours
//! swapped. A [`MatchRunner`] starts each engine as a process of its own, plays several games at
//! once and hands over a [`GameLine`] per game. An engine that fails loses that game only.
//! [`Standings`] sum up the games: Elo and disc difference with 95 % intervals, and a sequential
//! test ([`Sprt`]). A [`MatchFolder`] keeps the games on disk, so that an interrupted match can be
//! resumed. An [`EnginePlayer`] is one engine that is asked for moves and hints.
//!
//! ```
//! use umigame_arena::Tally;
//!
//! // Pairs of games with colours swapped: final discs of the first engine's view.
//! let mut tally = Tally::default();
//! for (first, second) in [(12, -2), (4, 20), (-8, 6), (30, 0)] {
//!     tally.add_pair(first, second);
//! }
//! assert_eq!(tally.pairs.pairs(), 4);
//! let elo = tally.pairs.elo().expect("neither all won nor all lost");
//! assert!(elo.low < elo.value && elo.value < elo.high);
//! ```

mod client;
mod clock;
mod config;
mod config_error;
mod folder;
mod gtp;
mod launch;
mod limits;
mod lines;
mod nboard;
pub mod openings;
mod plan;
mod player;
pub mod plot;
mod process;
mod process_tree;
mod record;
mod referee;
pub mod report;
mod runner;
mod schedule;
mod sprt;
mod standings;
mod stats;
mod time_use;

pub use client::{ChosenMove, Fault, FaultKind, Hint, SearchInfo};
pub use clock::TimeLimit;
pub use config::{EngineConfig, EngineProtocol, PassStyle, distinguish_names, split_words};
pub use config_error::ConfigError;
pub use folder::{MatchFolder, ResumedMatch};
pub use launch::{LaunchError, Patience};
pub use limits::{EngineLimits, GameTime, Seconds};
pub use plan::{MatchError, MatchPlan};
pub use player::EnginePlayer;
pub use process::{EngineProcess, ProcessRegistry, ReadError, StderrLog, StderrSink, TimedLine};
pub use record::{ForfeitLine, GameLine, MoveLine};
pub use runner::MatchRunner;
pub use schedule::{PairingScheme, Schedule, ScheduledGame};
pub use sprt::{Sprt, SprtMeasure, SprtVerdict};
pub use standings::{EngineTotal, EngineUsage, SprtState, Standings};
pub use stats::{Estimate, Moments, Pentanomial, Tally, elo_of_score, score_of_elo};
pub use time_use::{PlyShare, TimeUse};
