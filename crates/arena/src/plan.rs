//! The plan of a match: engines, openings, limits and the test that may end it.

use serde::{Deserialize, Serialize};

use super::config::EngineConfig;
use super::launch::LaunchError;
use super::limits::Seconds;
use super::openings::OpeningError;
use super::schedule::{PairingScheme, Schedule};
use super::sprt::Sprt;

/// Everything that defines a match, so that it can be resumed.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct MatchPlan {
    /// Engines; results count from the view of the first.
    pub engines: Vec<EngineConfig>,
    /// Which engines play each other.
    #[serde(rename = "shape")]
    pub scheme: PairingScheme,
    /// Pairs of games per pairing.
    pub pairs: usize,
    /// Openings as transcripts, in the order in which they are played; repeated from the first if
    /// there are fewer than pairs.
    pub openings: Vec<String>,
    /// Games played at once.
    pub concurrency: usize,
    /// Whether the engines of each game run on one core.
    pub pin: bool,
    /// Tolerance beyond the clock of engines without a margin of their own.
    pub margin: Seconds,
    /// Time to wait for an answer of an engine without a clock.
    pub patience: Seconds,
    /// Time that an engine may take to start.
    pub start_patience: Seconds,
    /// Sequential test that ends the match early; for two engines.
    pub sprt: Option<Sprt>,
}

/// Largest number of pairs of games per pairing.
const MAX_PAIRS: usize = 500_000;
/// Largest number of games played at once: each has a thread.
const MAX_CONCURRENCY: usize = 1024;

/// A match cannot start, or not go on.
#[derive(Debug, thiserror::Error)]
pub enum MatchError {
    /// An engine cannot take part.
    #[error(transparent)]
    Launch(#[from] LaunchError),
    /// The openings cannot be read.
    #[error("openings: {0}")]
    Openings(#[from] OpeningError),
    /// The plan contradicts itself.
    #[error("{0}")]
    Plan(&'static str),
    /// A file of the match's folder cannot be read or written.
    #[error("{path}: {error}")]
    Records {
        /// Path of the file.
        path: String,
        /// Error of the system.
        error: std::io::Error,
    },
    /// A line in a file of the match's folder was not written by a match.
    #[error("{path}, line {line}: {why}")]
    BadRecord {
        /// Path of the file.
        path: String,
        /// Number of the line, from 1.
        line: usize,
        /// Reason.
        why: String,
    },
}

impl MatchPlan {
    /// Returns the schedule of all games.
    pub fn schedule(&self) -> Schedule {
        Schedule::new(self.scheme, self.engines.len(), self.pairs)
    }

    /// Checks that the plan does not contradict itself.
    ///
    /// # Errors
    /// [`MatchError::Plan`].
    pub fn check(&self) -> Result<(), MatchError> {
        let wrong = |why| Err(MatchError::Plan(why));
        if self.engines.len() < 2 {
            return wrong("a match takes two engines or more");
        }
        if !(1..=MAX_PAIRS).contains(&self.pairs) {
            return wrong("a match takes from two to a million games in each pairing");
        }
        if !(1..=MAX_CONCURRENCY).contains(&self.concurrency) {
            return wrong("a match plays from 1 to 1024 games at once");
        }
        match self.sprt {
            Some(_) if self.engines.len() > 2 => wrong("a sequential test takes two engines"),
            Some(sprt) if sprt.low >= sprt.high => {
                wrong("a sequential test takes a lower bound below its upper bound")
            }
            Some(Sprt { alpha, beta, .. })
                if !(alpha > 0.0 && alpha < 0.5 && beta > 0.0 && beta < 0.5) =>
            {
                wrong("a sequential test takes error rates between 0 and 0.5")
            }
            _ => Ok(()),
        }
    }
}
