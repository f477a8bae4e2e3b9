//! Training data: labelled positions in a compact file that is only ever appended to.
//!
//! A file is a header and blocks; all numbers are little-endian.
//!
//! | bytes | header of the file |
//! |---|---|
//! | 8 | `UMIGDATA` |
//! | 2 | version: 1 |
//! | 2 | bytes of a record: 21 |
//! | 4 | CRC-32 of the 12 bytes above |
//!
//! | bytes | block |
//! |---|---|
//! | 4 | `BLCK` |
//! | 4 | number of records, at most 2^20 |
//! | 1 | generator: 1 self-play, 2 label |
//! | 1 | depth of the searches in plies |
//! | 1 | empties from which positions were solved exactly |
//! | 1 | confidence of the searches in percent |
//! | 4 | checksum of the weights; 0 for the handmade evaluation of version 0.1 |
//! | 4 | CRC-32 of all other settings of the generator |
//! | 8 | seed |
//! | 8 | number of the first game (or source position) of the block |
//! | 4 | number of games (or source positions) of the block |
//! | 4 | CRC-32 of the records |
//! | 4 | CRC-32 of the 44 bytes above |
//! | 21 a record | the records |
//!
//! | bytes | record |
//! |---|---|
//! | 8 | discs of the side to move: bit 0 is A1, bit 7 H1, bit 63 H8 |
//! | 8 | discs of the other side |
//! | 1 | score in discs, signed; 0 for kind 2 |
//! | 2 | value of a search, or the mean of several (`--lambda`), in centidiscs, signed; -32768 for none |
//! | 1 | plies of that search; 0 for none |
//! | 1 | kind: 0 exact score, 1 result of a game, 2 only a search value |
//!
//! Scores and values are for the side to move. A position is the least of its eight images
//! ([`Position::canonical`](umigame_othello::Position::canonical)).
//!
//! A block is one write, so a killed process leaves at most one incomplete block, at the end.
//! Reading skips it with a warning; appending removes it. Anything else that does not fit is damage
//! and an error.

mod block;
mod error;
mod fold;
mod read;
mod record;
#[cfg(test)]
mod tests;
mod write;

pub use block::{Block, Generator, Recipe};
pub use error::DataError;
pub use fold::{Sample, SampleOutcome, fold, load};
pub use read::DataReader;
pub use record::{Label, Record, Searched};
pub use write::Writer;
