//! Pattern weights: a weight for every configuration of every pattern, by phase of the game.

pub mod layout;
mod load;
mod midboard;
pub mod shapes;
mod tables;
#[cfg(test)]
mod tests;

pub use midboard::{Lanes, MidBoard};
pub use tables::{ConfigurationWeights, PHASES, Tables, WEIGHT_SCALE, phase_of};
