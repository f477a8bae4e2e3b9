//! The umigame binary, an Othello engine.
//!
//! `cli` has a file for each command. `protocol` turns lines of NBoard and GTP into requests and
//! replies. `session` is a game in progress: a board with its history, clocks, an engine and maybe
//! a book.

pub mod bench;
mod cli;
mod protocol;
mod session;

pub use cli::{evaluation, main, run};

/// Runs the examples of the README as tests.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;

/// Runs the examples of docs/library.md as tests.
#[cfg(doctest)]
#[doc = include_str!("../docs/library.md")]
struct Library;
