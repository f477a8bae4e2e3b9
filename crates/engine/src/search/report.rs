//! What a search says: lines of play with an estimate each, and how far
//! they can be trusted.

use std::fmt;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::time::{Duration, Instant};

use umigame_othello::{Eval, Move};

/// What stands behind the numbers of a report. Prints as the depth word of
/// the NBoard protocol: `12`, `18@73%`, `100%`, `100%W`.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum ScoreKind {
    /// Every line to this many plies, then an estimate; at less than 100
    /// percent, branches were cut where they would very probably not matter.
    Depth {
        /// Plies searched.
        plies: u8,
        /// The probability of each cut, 100 where there was none.
        percent: u8,
    },
    /// To the end of the game, with branches cut on probability.
    Ending {
        /// The probability of each cut.
        percent: u8,
    },
    /// The score under perfect play, and nothing else.
    #[default]
    Exact,
    /// Win, loss or draw under perfect play; the number is only a sign.
    WinLossDraw,
}

impl ScoreKind {
    /// Whether the numbers are proven.
    pub const fn is_proven(self) -> bool {
        matches!(self, ScoreKind::Exact | ScoreKind::WinLossDraw)
    }
}

impl fmt::Display for ScoreKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            ScoreKind::Depth { plies, percent: 100 } => write!(f, "{plies}"),
            ScoreKind::Depth { plies, percent } => write!(f, "{plies}@{percent}%"),
            ScoreKind::Ending { percent } => write!(f, "{percent}%"),
            ScoreKind::Exact => f.write_str("100%"),
            ScoreKind::WinLossDraw => f.write_str("100%W"),
        }
    }
}

/// Which side of the truth a number may be on.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Bound {
    /// The number itself.
    Exact,
    /// The number or more.
    Lower,
    /// The number or less.
    Upper,
}

/// A move with its estimate and the play that is expected to follow.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ReportLine {
    /// The principal variation; the first is the move itself, and there is
    /// always a first.
    pub moves: Vec<Move>,
    /// For the side to move at the root.
    pub eval: Eval,
    /// Which side of the truth `eval` may be on.
    pub bound: Bound,
}

impl ReportLine {
    /// The move that the line begins with.
    pub fn first(&self) -> Move {
        self.moves.first().copied().unwrap_or(Move::Pass)
    }
}

/// The result of one finished iteration, or of a whole search.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Report {
    /// Best first; as many as were asked for, or as there are moves. Empty
    /// only where the game is over.
    pub lines: Vec<ReportLine>,
    /// What stands behind every number in `lines`.
    pub kind: ScoreKind,
    /// Positions visited so far, all threads together.
    pub nodes: u64,
    /// Since the search began, by the listener's clock.
    pub elapsed: Duration,
}

impl Report {
    /// The best line, unless the game is over.
    pub fn best(&self) -> Option<&ReportLine> {
        self.lines.first()
    }
}

/// How a search talks to the world. Every thread of the search asks
/// `go_on`; only the thread that called the search reports.
pub trait Listener: Sync {
    /// Whether the search may go on; asked every few thousand positions.
    /// Once it has said no, the search ends within milliseconds with the
    /// last finished iteration.
    fn go_on(&self) -> bool {
        true
    }

    /// The time since the search began.
    fn elapsed(&self) -> Duration;

    /// An iteration is finished. The last report is also what the search
    /// returns, with all of its nodes and time.
    fn report(&self, _report: &Report) {}
}

/// A listener that keeps time and says nothing.
#[derive(Clone, Copy, Debug)]
pub struct Silent(Instant);

impl Default for Silent {
    fn default() -> Silent {
        Silent(Instant::now())
    }
}

impl Listener for Silent {
    fn elapsed(&self) -> Duration {
        self.0.elapsed()
    }
}

/// Says nothing, and stops the search once somebody has set the flag.
#[derive(Clone, Copy, Debug)]
pub struct Stoppable<'a> {
    start: Instant,
    stop: &'a AtomicBool,
}

impl<'a> Stoppable<'a> {
    /// A listener for a search that begins now.
    pub fn new(stop: &'a AtomicBool) -> Stoppable<'a> {
        Stoppable { start: Instant::now(), stop }
    }
}

impl Listener for Stoppable<'_> {
    fn go_on(&self) -> bool {
        !self.stop.load(Relaxed)
    }

    fn elapsed(&self) -> Duration {
        self.start.elapsed()
    }
}
