//! Othello games judged move by move.
//!
//! [`judge`] goes from the end of a game to its start, so that solved positions help those before
//! them, and gives every position and move a value. The search is a function that the caller hands
//! in. [`Analysis`] sums up a judged game: losses of each side, turning points, opening. It is
//! displayed as text; [`json`] and [`html`] have other formats, [`diagram`] draws boards, and [`values`]
//! are what stands on their squares.
//! [`request`] and [`mod@report`] are the limits and results of a search as JSON, [`levels`], [`layers`],
//! [`mod@pasted`] and [`picture`] what else a page shows.
//!
//! ```
//! use umigame_analysis::{Analysis, judge};
//! use umigame_engine::{Confidence, Limits, Report, ReportLine, ScoreKind};
//! use umigame_othello::formats::transcript;
//! use umigame_othello::Eval;
//!
//! let record = transcript::parse("f5d6c3")?;
//! let mut judgements = Vec::new();
//! // A search that values every position at 0.00; `Engine::search` is the real one.
//! let mut search = |position: umigame_othello::Position, _: &Limits| {
//!     let moves = position.legal_moves().iter().take(1).map(Into::into).collect();
//!     let kind = ScoreKind::Depth { plies: 1, confidence: Confidence::FULL };
//!     let line = ReportLine::unsure(moves, Eval::default(), kind);
//!     Some(Report { lines: vec![line], kind, ..Report::default() })
//! };
//! judge(&record.board()?, &Limits::depth(1), &mut search, &mut |judged| {
//!     judgements.push(judged.clone());
//! });
//! let analysis = Analysis::new(record, judgements)?;
//! assert!(analysis.to_string().contains("# Black, Black: lost 0.00 discs a move"));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

#![deny(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing)]

pub mod diagram;
pub mod estimate;
pub mod html;
mod json;
mod judge;
pub mod layers;
pub mod levels;
pub mod pasted;
pub mod picture;
pub mod report;
pub mod request;
mod summary;
#[cfg(test)]
mod tests;
pub mod text;
pub mod values;

pub use json::json;
pub use judge::{Judgement, SearchFn, Valuation, ValuedMove, judge};
pub use summary::{Analysis, Grade, ReachedOpening, SideTotals, Standing, TurningPoint};
