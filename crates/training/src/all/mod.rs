//! Learning from nothing: rounds of self-play and fitting, each with the weights of the round
//! before as teacher.
//!
//! The first teacher values every position at 0, so its games are decided by the endgames, which
//! are solved exactly. From round to round there are more games with deeper searches. The folder
//! holds the state: the games of a round are a file of training data, and its weights mark it as
//! finished. So the work resumes where it was interrupted, and leads to the same weights however
//! often that happens.

mod plan;
mod progress;
mod record;
mod rounds;
#[cfg(test)]
mod tests;

pub use plan::{Plan, Round};
pub use progress::Progress;
pub use record::{FinishedRound, PlyErrors, Record};
pub use rounds::{WEIGHTS_FILE, learn};
