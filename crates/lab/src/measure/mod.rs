//! Measurements of the engine: nodes, time and correctness on fixed positions.
//!
//! | | measures |
//! |---|---|
//! | [`SignatureBench`] | node total of 24 fixed searches, the checksum of the engine's behaviour |
//! | [`FFO_ENDINGS`], [`solve_ending`] | exact solving of the FFO test positions 40 to 59 |
//! | [`midgame_positions`], [`MidgameRow`] | selective searches to a fixed depth |
//! | [`selectivity_rows`] | selective searches against the full search |
//! | [`ScalingRow`] | searches with several threads against one |
//! | [`LevelRow`] | time per move of each level |
//! | [`measure_kernels`] | board kernels of this build against the portable ones |
//!
//! Every search starts with an empty transposition table.

mod ffo;
mod kernels;
mod levels;
mod midgame;
mod options;
mod scaling;
mod scaling_plot;
mod selectivity;
mod signature;
mod timing;
mod usage;

pub use ffo::{FFO_ENDINGS, FfoEnding, FfoRow, ffo_endings, solve_ending};
pub use kernels::{KernelError, KernelRow, measure_kernels};
pub use levels::LevelRow;
pub use midgame::{MidgameRow, midgame_limits, midgame_positions};
pub use options::{RepeatArgs, SearchArgs, parse_runs};
pub use scaling::{ScalingRow, ScalingWork, thread_counts};
pub use scaling_plot::{ScalingCurve, scaling_svg};
pub use selectivity::{SelectivityRow, selectivity_rows};
pub use signature::{SIGNATURE_POSITIONS, SignatureBench, SignatureSearch, signature_positions};
pub use timing::{TimedSearch, median_by, nodes_per_second, time_searches};
pub use usage::Usage;
