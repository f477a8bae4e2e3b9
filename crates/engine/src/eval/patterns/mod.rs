//! The trained evaluation: a weight for every configuration of every
//! pattern, by stage of the game.

pub mod layout;
mod load;
mod midboard;
pub mod shapes;
mod tables;
#[cfg(test)]
mod tests;

pub use midboard::{Lanes, MidBoard};
pub use tables::{ConfigurationWeights, PARTS, STAGES, Tables, stage_of};
