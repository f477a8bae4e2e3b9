//! umigame, an Othello engine.
//!
//! A line of text becomes a request ([`protocol`]); the request acts on a
//! [`session`], which owns the game board, its history and the clocks; the
//! session hands the position to the [`search`] with limits and a listener,
//! and the search asks the evaluation ([`eval`]) what its leaves are worth
//! and answers with a report. Below them lie the two boards that check each
//! other ([`board`]) and the files that games come in ([`game`]). [`analysis`]
//! judges whole games. Beside the session, [`learn`] makes the data that an
//! evaluation is trained on, and the [`store`] keeps positions, games and values
//! in a book.
//!
//! Nothing here looks up: a board knows no search, a search no protocol.

pub mod analysis;
pub mod arena;
pub mod board;
pub mod eval;
pub mod files;
pub mod game;
pub mod learn;
pub mod convert;
mod memory;
mod picture;
pub mod protocol;
pub mod search;
pub mod session;
pub mod store;

/// The examples of the README run as tests.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
