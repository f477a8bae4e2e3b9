//! Formats of games: every format reads into and writes from one [`Record`].
//!
//! Readers take any bytes: what is wrong becomes an error that names the place and quotes it,
//! nothing panics, and memory stays in proportion to the input. Formats without passes have the
//! forced ones put in on reading and left out on writing.

#![deny(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing)]

pub mod ggf;
pub mod lines;
pub mod obf;
pub mod pgn;
pub mod sgf;
#[cfg(test)]
mod tests;
pub mod transcript;
pub mod wthor;
