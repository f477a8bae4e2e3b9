//! Results of a search: lines of play with an eval each, the kind of search behind it, and the
//! listener through which a search talks to the world.

pub(crate) mod estimates;
mod score_kind;
pub(crate) mod variation;

use std::time::Duration;

pub use crate::report::score_kind::{ParseScoreKindError, ScoreKind};
use umigame_eval::Estimate;
use umigame_othello::{Eval, Move};

/// How an eval bounds the value that the search was for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Bound {
    /// The eval is the value.
    Exact,
    /// The value is at least the eval.
    Lower,
    /// The value is at most the eval.
    Upper,
}

/// A move with its eval and the play expected to follow.
#[derive(Clone, PartialEq, Debug)]
pub struct ReportLine {
    /// The principal variation, never empty: the first move is the move itself.
    pub moves: Vec<Move>,
    /// Estimate of the final score under perfect play, for the side to move at the root.
    pub estimate: Estimate,
    /// The value on the search's own scale. Moves are compared by it and evaluations fitted to it;
    /// The estimate rises with it.
    pub raw: Eval,
    /// How the estimate bounds the value.
    pub bound: Bound,
    /// The kind of search behind the eval.
    pub kind: ScoreKind,
}

impl ReportLine {
    /// Returns a line with an eval of which nothing more is known.
    pub fn unsure(moves: Vec<Move>, eval: Eval, kind: ScoreKind) -> ReportLine {
        ReportLine { moves, estimate: Estimate::unsure(eval), raw: eval, bound: Bound::Exact, kind }
    }

    /// The score expected for the side to move at the root.
    pub fn eval(&self) -> Eval {
        self.estimate.eval
    }

    /// The move that the line begins with.
    pub fn first(&self) -> Move {
        self.moves.first().copied().unwrap_or(Move::Pass)
    }
}

/// The result of an iteration, or of a whole search.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Report {
    /// The best moves, best first: as many as the limits ask for, or all. Empty only if the game is
    /// over.
    pub lines: Vec<ReportLine>,
    /// The kind of search behind the best line, and behind every line unless the limits ask for
    /// [focus](crate::Limits::with_focus).
    pub kind: ScoreKind,
    /// Positions visited so far by all threads.
    pub nodes: u64,
    /// Time since the search began, by the listener.
    pub elapsed: Duration,
    /// Predicted time from here until every eval in `lines` is exact; `None` if they are, or if the
    /// search is not for a score.
    pub time_to_exact: Option<Duration>,
}

impl Report {
    /// The best line, unless the game is over.
    pub fn best(&self) -> Option<&ReportLine> {
        self.lines.first()
    }
}

/// The search's door to the world: the time, a stop, and results as they come.
///
/// Every thread of the search calls `go_on` and `elapsed`; only the thread that called the search
/// calls `report`. `()` is a listener without a clock that never stops the search.
pub trait Listener: Sync {
    /// Whether the search may go on. Called every few thousand nodes.
    ///
    /// Once it returns false, the search returns its last report within milliseconds, or finishes
    /// the first iteration.
    fn go_on(&self) -> bool {
        true
    }

    /// The time since the search began.
    fn elapsed(&self) -> Duration;

    /// Receives a finished iteration, or at the end a better move that the unfinished one has found.
    /// The search returns the last of them, with the nodes and time of the whole search.
    fn report(&self, _report: &Report) {}
}

/// A listener without a clock: limits of time never end the search.
impl Listener for () {
    fn elapsed(&self) -> Duration {
        Duration::ZERO
    }
}
