//! Learning, matches and measurements.

pub mod arena;
pub mod files;
pub mod learn;
pub mod measure;
mod picture;
pub mod time;
