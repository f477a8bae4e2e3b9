//! Learning: training data, and weights made from it.
//!
//! | module | |
//! |---|---|
//! | [`data`] | file of labelled positions, read and written by everything here |
//! | [`play`] | self-play from many [`starts`] |
//! | [`label`] | labels for positions of other [`sources`] |
//! | [`fit`] | pattern weights by least squares |
//! | [`network`] | network that corrects their sum, by gradient descent |
//! | [`calibrate`] | scale and offset of the values at each phase |
//! | [`probcut`] | error model of shallow searches |
//! | [`errors`] | errors of the static evaluation, by ply |
//! | [`all`] | all of it from nothing, round by round |

pub mod all;
pub mod calibrate;
pub mod data;
mod error;
pub mod errors;
pub mod fit;
pub mod label;
pub mod network;
pub mod play;
pub mod plot;
pub mod probcut;
pub mod sources;
pub mod starts;
#[cfg(test)]
mod testing;
#[cfg(test)]
mod tests;

pub use error::LearnError;
