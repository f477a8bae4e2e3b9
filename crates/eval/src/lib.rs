//! What an Othello position is worth without search.
//!
//! An [`Evaluation`] adds up one weight for the configuration of each pattern ([`patterns`]) and
//! the correction of a small network over the same patterns ([`network`]). It depends on the
//! position alone, and the eight images of a position have one value.
//!
//! ```
//! use umigame_eval::Evaluation;
//! use umigame_othello::Board;
//!
//! // Weights handed in as bytes; with the feature `embedded`, `Evaluation::embedded()` has them.
//! let evaluation = Evaluation::from_bytes(&std::fs::read("weights/umigame.weights")?)?;
//! let eval = |board: Board| evaluation.evaluate_position(board.position());
//! let value = |game: &str| game.parse().map(eval);
//! assert_eq!(value("f5d6")?, value("e6f4")?, "mirror images");
//! assert_ne!(value("f5d6")?, value("f5f4")?);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! | module | |
//! |---|---|
//! | [`value`] | discs, hundredths of a disc, windows |
//! | [`patterns`], [`network`], [`kernels`] | the sum of pattern weights and its correction |
//! | [`mod@file`] | the weights file; `weights/README.md` records how the trained weights were made |
//! | [`estimate`], [`score_calibration`] | an estimate of the final score from the value of a search |
//! | [`probcut_model`], [`position_noise`] | how far searches move a value |
//! | [`parity`], [`layers`], [`explain()`] | regions of empties; features by square; a value taken apart |
//! | [`memory`] | zeroed memory in huge pages, for weights and tables |

mod breakdown;
pub mod estimate;
mod evaluation;
mod explain;
pub mod file;
pub mod kernels;
pub mod layers;
pub mod memory;
pub mod network;
pub mod parity;
pub mod patterns;
pub mod position_noise;
pub mod probcut_model;
pub mod score_calibration;
mod shared;
#[cfg(all(test, feature = "embedded"))]
mod tests;
mod unpack;
pub mod value;

pub use breakdown::{Breakdown, Group, GroupValue, PatternValue};
pub use estimate::{Estimate, Wdl};
pub use evaluation::Evaluation;
pub use explain::{Explanation, FeatureCount, explain};
pub use file::WeightsError;
pub use patterns::{MidBoard, Tables};
pub use position_noise::{PositionNoise, PositionNoiseModel};
pub use probcut_model::ProbCutModel;
pub use score_calibration::ScoreCalibration;
pub use shared::SharedEvaluation;
