//! Learning: training data, and weights made from it.
//!
//! | module | |
//! |---|---|
//! | [`data`] | file of labelled positions, read and written by everything here |
//! | [`play`] | self-play from many [`starts`] |
//! | [`label`] | labels for positions of other [`sources`] |
//! | [`fit`] | pattern weights by least squares |
//! | [`network`] | network that corrects their sum, by gradient descent |
//! | [`average`] | mean of the weights of several stages |
//! | [`calibrate`] | scale and offset of the values at each phase |
//! | [`probcut`] | error model of shallow searches |
//! | [`uncertainty`] | how uncertain the value of a position is |
//! | [`scores`] | score model: estimates of final scores, and how sure they are |
//! | [`errors`] | errors of the static evaluation or of estimates, by ply |
//! | [`reliability`] | slope, sigma and odds of estimates against known scores |
//! | [`all`] | all of it from nothing, round by round |

pub mod all;
pub mod average;
pub mod calibrate;
pub mod data;
mod error;
pub mod errors;
pub mod fit;
pub mod label;
pub mod linear;
pub mod network;
pub mod play;
pub mod plot;
pub mod probcut;
pub mod reliability;
pub mod scores;
pub mod sources;
pub mod starts;
#[cfg(test)]
mod testing;
#[cfg(test)]
mod tests;
pub mod uncertainty;
pub mod wthor;

pub use error::LearnError;
