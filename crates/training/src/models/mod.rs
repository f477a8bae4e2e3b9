//! Models of given weights, fitted to searches with them.

pub mod calibrate;
pub mod noise;
pub mod probcut;
pub mod scores;
