//! Learning: training data, and weights made from it.
//!
//! ```
//! use umigame_othello::{Position, Score};
//! use umigame_training::data::{Block, Generator, Label, Recipe, Record, Writer, load};
//!
//! let path = std::env::temp_dir().join(format!("umigame-{}.umi", std::process::id()));
//! let record = Record::new(Position::START, Label::Exact(Score::new(0).expect("a score")), None);
//! let recipe = Recipe {
//!     generator: Generator::Label,
//!     depth: 0,
//!     exact: 60,
//!     confidence: 100,
//!     weights: 0,
//!     settings: 0,
//!     seed: 1,
//! };
//! let block = Block { recipe, first: 0, games: 1, records: vec![record] };
//! Writer::append(&path)?.write(&block)?;
//! assert_eq!(load(&[&path])?.len(), 1);
//! # std::fs::remove_file(path).unwrap();
//! # Ok::<(), umigame_training::data::DataError>(())
//! ```
//!
//! | module | |
//! |---|---|
//! | [`data`] | file of labelled positions, read and written by everything here |
//! | [`play`] | self-play from many [`starts`] |
//! | [`label`] | labels for positions of other [`sources`] |
//! | [`fit`] | pattern weights by least squares |
//! | [`network`] | network that corrects their sum, by gradient descent |
//! | [`average`] | mean of the weights of several stages |
//! | [`small`] | small weights from full ones |
//! | [`models`] | what is fitted to searches with given weights |
//! | [`errors`] | errors of the static evaluation or of estimates, by ply |
//! | [`reliability`] | slope, sigma and probabilities of estimates against known scores |
//! | [`all`] | all of it from nothing, round by round |

pub mod all;
pub mod average;
pub mod data;
mod error;
pub mod errors;
pub mod fit;
pub mod label;
pub mod linear;
pub mod models;
pub mod network;
pub mod play;
pub mod reliability;
mod searches;
pub mod small;
pub mod sources;
pub mod starts;
#[cfg(test)]
mod testing;
#[cfg(test)]
mod tests;
pub mod wthor;

pub use error::LearnError;
pub use searches::Searches;
