//! Learning, matches and measurements.

pub mod arena;
pub mod files;
pub mod learn;
mod picture;
