//! Games as records, and the files that hold them.
//!
//! Every format reads into and writes from one [`Record`]. Readers take any
//! bytes: what is wrong becomes an error that names the place and quotes it,
//! nothing panics, and memory stays in proportion to the input. Formats
//! without passes have the forced ones put in on reading and left out on
//! writing.

#![deny(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing)]

mod clock;
pub mod ggf;
pub mod lines;
pub mod obf;
pub mod openings;
pub mod pgn;
mod record;
pub mod sgf;
#[cfg(test)]
mod testing;
#[cfg(test)]
mod tests;
pub mod transcript;
pub mod wthor;

pub use clock::{Clock, ParseClockError};
pub use lines::{LONGEST_LINE, LineError};
pub use record::{Ending, Fault, Outcome, Player, Record, ReplayError, Turn};
pub use transcript::{ReadPositionError, read_position};
