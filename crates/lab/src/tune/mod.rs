//! Tuning of the constants of the search by simultaneous perturbation (SPSA).
//!
//! | module | |
//! |---|---|
//! | [`spsa`] | the method: parameters, trials, steps |
//! | [`log`] | the log on disk, from which interrupted work is taken up |
//! | [`work`] | trials of an [`Objective`] until a bound, then a check on fresh positions |
//! | [`summary`] | the log as text |
//! | `constants` | constants of the engine as parameters |
//! | `nodes` | the objective of fewer nodes, or less time, on given positions |
//! | `accuracy` | the objective of truer values at equal nodes, on positions with known scores |
//! | `games` | the objective of more points in games at equal nodes or time |
//!
//! The last four need the feature `tune`, which makes the engine's constants variables.

#[cfg(feature = "tune")]
mod accuracy;
#[cfg(feature = "tune")]
mod constants;
mod error;
#[cfg(feature = "tune")]
mod games;
pub mod log;
#[cfg(feature = "tune")]
mod nodes;
#[cfg(feature = "tune")]
mod parallel;
#[cfg(feature = "tune")]
mod positions;
#[cfg(feature = "tune")]
mod scored;
#[cfg(feature = "tune")]
mod searches;
#[cfg(feature = "tune")]
mod settings;
pub mod spsa;
pub mod summary;
#[cfg(test)]
mod tests;
pub mod work;

#[cfg(feature = "tune")]
pub use accuracy::{
    AccuracyDifference, AccuracyObjective, AccuracyRow, AccuracySettings, measure_accuracy,
};
#[cfg(feature = "tune")]
pub use constants::{ConstantError, TunedConstants, constant_table};
pub use error::TuneError;
#[cfg(feature = "tune")]
pub use games::{GamesObjective, GamesSettings, MoveBudget};
#[cfg(feature = "tune")]
pub use nodes::{NodesObjective, NodesSettings};
#[cfg(feature = "tune")]
pub use positions::TuningPositions;
#[cfg(feature = "tune")]
pub use scored::{ScoredPosition, read_scored};
#[cfg(feature = "tune")]
pub use searches::SearchSettings;
pub use work::{Objective, WorkBounds, tune};
