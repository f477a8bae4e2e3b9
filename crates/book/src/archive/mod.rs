//! Games in memory, found by a position that they met, by player, year and event.
//!
//! There is no index: at most 60 bytes of moves a game are read for a question. The set of squares
//! that a game occupied after as many moves as the position has tells nearly all other games apart;
//! the rest are replayed.

mod games;
mod interner;
mod lookup;

pub use games::GameArchive;
pub use lookup::{FoundGame, FoundGames, GameFilter};
