//! Midgame search: principal variation search to a fixed depth, then the evaluation.
//!
//! Values are centidiscs for the side to move. Nodes of the principal variation are in `pv`, all
//! others, in null windows, in `null_window`. Depths that reach the end of the game belong to the
//! endgame search.

pub(crate) mod futility;
pub(crate) mod null_window;
pub(crate) mod probcut;
mod pv;
pub(crate) mod shallow;

pub(crate) use null_window::search_null;
pub(crate) use pv::search;
