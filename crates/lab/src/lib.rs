//! Learning, matches and measurements.

pub mod arena;
pub mod learn;
mod picture;
