//! Play below level 1, for opponents that a person can beat.
//!
//! A weak player searches a few plies like any other, and then errs as people do ([`belief`]): it
//! overlooks some of the opponent's replies, above all at the edge and late in the game; it likes moves
//! that flip many discs; and it misses some of its own moves. It plays the move that it values most, so
//! no move is random. One number, the carelessness, scales all of these errors.
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
pub use player::{WeakPlayer, WeakPlayerError};
pub use profile::Weakness;
