//! Play below level 1, for opponents that a person can beat.
//!
//! A weak player searches a few plies like any other, and then errs as people do: it overlooks some of
//! the opponent's replies, above all at the edge and late in the game, likes moves that flip many discs,
//! and does not see every move of its own ([`belief`]). What it believes about each move decides; there
//! is no move at random. One number, the carelessness, sets how much of that it does.
//!
//! The choice depends on the position and a seed alone, whatever was searched before.

mod belief;
mod level;
mod options;
mod player;
mod profile;
#[cfg(test)]
mod tests;

pub use level::{ParseStrengthError, Strength, WeakLevel};
pub use options::{WeakOptions, WeaknessError};
pub use player::WeakPlayer;
pub use profile::Weakness;
