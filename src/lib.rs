//! umigame, an Othello engine.
//!
//! A line of text becomes a request, the request acts on a
//! session, which owns the game board and hands positions to
//! the search.

pub mod arena;
pub mod board;
pub mod eval;
pub mod game;
pub mod protocol;
pub mod search;
pub mod session;
