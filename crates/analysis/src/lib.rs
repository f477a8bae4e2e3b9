//! A game judged move by move, and what people are shown of it.
//!
//! [`judge`] goes from the end of a game to its beginning, so that what is
//! known of the end helps with what led to it, and says what each position
//! and each move was worth. It is handed the search as a function, and so
//! serves the command line, the protocols and tests alike. [`Analysis`] sums
//! a judged game up: the losses of each side, the turning points, the opening.
//! The renderers turn it into text, JSON and a page; [`diagram`] draws boards.

#![deny(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing)]

pub mod diagram;
pub mod html;
mod json;
mod judge;
mod summary;
#[cfg(test)]
mod tests;
pub mod text;

pub use json::json;
pub use judge::{Judgement, SearchFn, Valuation, ValuedMove, judge};
pub use summary::{Analysis, Grade, ReachedOpening, SideTotals, Standing, TurningPoint};
