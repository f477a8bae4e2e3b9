//! umigame, an Othello engine.
//!
//! A line of text becomes a request ([`protocol`]); the request acts on a
//! [`session`], which owns the game board, its history and the clocks; the
//! session hands the position to the search with limits and a listener and
//! gets a report back.

mod cli;
mod protocol;
mod session;

pub use cli::main;

/// The examples of the README run as tests.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
