//! Formats of games: each reads into and writes from one [`Record`](crate::Record).
//!
//! Readers take any bytes: a fault becomes an error that quotes it and names its place, nothing
//! panics, and memory is bounded: at most 1 MiB is kept of a game. Formats without passes get the forced ones
//! on reading and lose them on writing. [`Format`] names a format by its extension and
//! [`read_games`] reads any of them; nothing here opens a file.

#![deny(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing)]

pub mod drawing;
mod entry;
mod format;
pub mod ggf;
pub mod lines;
pub mod obf;
pub mod pasted;
pub mod pgn;
pub mod sgf;
#[cfg(test)]
mod tests;
pub mod transcript;
pub mod wthor;

pub use entry::GameEntry;
pub use format::{Format, ReadError, read_games};
