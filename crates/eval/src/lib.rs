//! Evaluation: the value of a position without search.
//!
//! An [`Evaluation`] adds up one weight for the configuration of each pattern ([`patterns`]) and
//! the correction of a small network over the same patterns ([`network`]). It depends on the
//! position alone, and the eight images of a position have one value.
//!
//! Weights files are read and written by [`mod@file`]. With the feature `embedded`, the trained weights
//! are in the binary; `weights/README.md` records how they were made. [`explain()`] takes a value
//! apart. [`score_model`] turns the value of a search into an estimate of the final score;
//! [`error_model`] and [`uncertainty`] say how far searches move a value.

mod breakdown;
pub mod error_model;
pub mod estimate;
mod evaluation;
mod explain;
pub mod file;
pub mod network;
pub mod parity;
pub mod patterns;
pub mod score_model;
mod shared;
#[cfg(all(test, feature = "embedded"))]
mod tests;
pub mod uncertainty;

pub use breakdown::{Breakdown, Group, GroupValue, PatternValue};
pub use error_model::ErrorModel;
pub use estimate::{Certainty, Odds, Sigma};
pub use evaluation::Evaluation;
pub use explain::{Explanation, Feature, FeatureCount, explain};
pub use file::WeightsError;
pub use patterns::{MidBoard, Tables};
pub use score_model::ScoreModel;
pub use shared::SharedEvaluation;
pub use uncertainty::{Uncertainty, UncertaintyModel};
