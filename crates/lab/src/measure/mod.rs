//! Measurements of the engine: nodes, time and correctness on fixed positions.
//!
//! | | measures |
//! |---|---|
//! | [`midgame_positions`], [`MidgameRow`] | selective searches to a fixed depth |
//! | [`selectivity_rows`] | selective searches against the full search |
//! | [`ScalingRow`] | searches with several threads against one |
//! | [`LevelRow`] | time per move of each level |
//! | [`measure_kernels`] | board kernels of this build against the portable ones |
//!
//! Every search starts with an empty transposition table.

mod kernels;
mod levels;
mod midgame;
mod scaling;
mod scaling_plot;
mod selectivity;
mod usage;

pub use kernels::{KernelError, KernelRow, measure_kernels};
pub use levels::LevelRow;
pub use midgame::{MidgameRow, midgame_limits, midgame_positions};
pub use scaling::{ScalingRow, ScalingWork, thread_counts};
pub use scaling_plot::{ScalingCurve, scaling_svg};
pub use selectivity::{SelectivityRow, selectivity_rows};
pub use usage::Usage;
