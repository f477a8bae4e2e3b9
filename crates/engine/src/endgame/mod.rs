//! Endgame search: to the end of the game, in discs.
//!
//! | empties | module | moves ordered by | memory |
//! |---|---|---|---|
//! | any, open window | `pv` | as `hash_search` | transposition table |
//! | 13 and more (12 if selective) | `hash_search` | evaluation | transposition table |
//! | 7 to 12 | `mobility_search` | mobility | private cache |
//! | 5 and 6 | `parity_search` | parity, corners first; by mobility where six are expected to cut | private cache |
//! | 4 | `last_four` | parity | private cache |
//! | 1 to 3 | `last_four` | parity | none |
//!
//! `empties`, Turtle's EBOARD, is the list that the tests of the last squares go by.

pub(crate) mod stability;

mod cache;
#[cfg(test)]
mod empties;
pub(crate) mod hash_search;
mod last_four;
mod mobility_search;
pub(crate) mod move_list;
mod parity_search;
#[cfg(feature = "profile")]
pub(crate) mod profile;
#[cfg(not(feature = "profile"))]
#[path = "no_profile.rs"]
mod profile;
mod pv;
mod state;
#[cfg(test)]
mod tests;

pub(crate) use hash_search::search_null;
pub(crate) use pv::search;
pub(crate) use state::EndgameState;
