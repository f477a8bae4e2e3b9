//! An engine as the referee sees it, whatever protocol it speaks.

use std::time::{Duration, Instant};

use serde::{Deserialize, Serialize};

use umigame_othello::{Board, Color, Eval, Move, Record, text::quote};

use super::clock::SideClock;
use super::process::{EngineProcess, ReadError};

/// Wait beyond an engine's clock, to tell a late answer from none.
const LATE_ANSWER_WAIT: Duration = Duration::from_secs(1);

/// The way in which an engine lost a game that was not played to its end.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum FaultKind {
    /// It resigned.
    Resigned,
    /// It answered after its clock had run out.
    Clock,
    /// It did not answer.
    Hang,
    /// Its process ended or did not start.
    Crash,
    /// It played an illegal move.
    Illegal,
    /// It refused a request or sent something unreadable.
    Protocol,
}

impl FaultKind {
    /// Returns a predicate for a table, such as `crashed`.
    pub const fn label(self) -> &'static str {
        match self {
            FaultKind::Resigned => "resigned",
            FaultKind::Clock => "lost on time",
            FaultKind::Hang => "hung",
            FaultKind::Crash => "crashed",
            FaultKind::Illegal => "played illegally",
            FaultKind::Protocol => "broke the protocol",
        }
    }

    /// Whether the process must be restarted before the next game.
    pub(super) const fn needs_restart(self) -> bool {
        !matches!(self, FaultKind::Resigned)
    }
}

/// A fault of an engine.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("the engine {}: {why}", kind.label())]
pub struct Fault {
    /// Its kind.
    pub kind: FaultKind,
    /// Details for the record of the game.
    pub why: String,
}

impl Fault {
    pub(super) fn new(kind: FaultKind, why: impl Into<String>) -> Fault {
        Fault { kind, why: why.into() }
    }

    /// A move that is unreadable or illegal.
    pub(super) fn illegal(text: &str, why: impl std::fmt::Display) -> Fault {
        Fault::new(FaultKind::Illegal, format!("`{}`: {why}", quote(text)))
    }

    /// No `expected` line came from the process, or none can be sent.
    pub(super) fn no_line(process: &mut EngineProcess, error: ReadError, expected: &str) -> Fault {
        match error {
            ReadError::Timeout => Fault::new(FaultKind::Hang, format!("no {expected} came")),
            ReadError::Closed => {
                let exit =
                    process.exit_status().unwrap_or_else(|| "its output is closed".to_string());
                Fault::new(FaultKind::Crash, format!("{exit}, where {expected} was expected"))
            }
        }
    }
}

/// The state of a game, from which an engine gets its requests.
#[derive(Debug)]
pub(super) struct GameView<'a> {
    /// Start position and moves so far, with their times.
    pub(super) record: &'a Record,
    /// Current board.
    pub(super) board: &'a Board,
    /// Plies of the opening, passes included.
    pub(super) opening_plies: usize,
    /// Clocks of Black and White.
    pub(super) clocks: &'a [SideClock; 2],
}

impl GameView<'_> {
    /// Returns the clock of a side.
    pub(super) fn clock(&self, color: Color) -> &SideClock {
        &self.clocks[color.index()]
    }

    /// Returns the time to wait for an answer: until after the clock of the side to move runs
    /// out, or `patience` without a clock.
    pub(super) fn answer_wait(&self, patience: Duration) -> Duration {
        let clock = self.clock(self.board.side_to_move());
        clock.deadline().map_or(patience, |deadline| deadline + LATE_ANSWER_WAIT)
    }
}

/// An engine's report of the search behind its move.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct SearchInfo {
    /// Eval of the move in the engine's own terms, for the engine's side.
    pub eval: Option<Eval>,
    /// Depth in the engine's own words: plies, or a percentage.
    pub depth: Option<String>,
    /// Nodes that the engine states.
    pub nodes: Option<u64>,
}

/// An engine's choice of a move.
#[derive(Clone, Debug, PartialEq)]
pub struct ChosenMove {
    /// The move.
    pub played: Move,
    /// The search behind it.
    pub search: SearchInfo,
    /// Time from the request to the answer.
    pub time: Duration,
}

/// A move that an engine suggests.
#[derive(Clone, Debug, PartialEq)]
pub struct Hint {
    /// The move and the play expected to follow, never empty.
    pub line: Vec<Move>,
    /// Eval in the engine's own terms, for the side to move.
    pub eval: Option<Eval>,
    /// Depth in the engine's own words: plies, or a percentage.
    pub depth: String,
}

/// A running engine. A method that fails leaves the engine unusable, except after
/// [`FaultKind::Resigned`].
pub(super) trait EngineClient: Send + std::fmt::Debug {
    /// Initialises the engine and waits until it is ready for its first game.
    fn initialize(&mut self, until: Instant) -> Result<(), Fault>;

    /// Whether a game can start from any position; known after initialisation.
    fn can_set_positions(&self) -> bool;

    /// Starts a game whose record holds the opening.
    fn new_game(&mut self, view: &GameView<'_>) -> Result<(), Fault>;

    /// Tells the engine a move that it did not make itself.
    fn notify_move(&mut self, mover: Color, played: Move) -> Result<(), Fault>;

    /// Requests a move of the side to move, which has a legal one.
    fn request_move(&mut self, view: &GameView<'_>) -> Result<ChosenMove, Fault>;

    /// Requests the best `count` moves, if the protocol has hints; ends the search after `time`.
    fn request_hints(
        &mut self,
        _view: &GameView<'_>,
        _count: usize,
        _time: Duration,
    ) -> Result<Vec<Hint>, Fault> {
        Err(Fault::new(FaultKind::Protocol, "its protocol has no hints"))
    }

    /// Returns the engine's process.
    fn process(&mut self) -> &mut EngineProcess;

    /// Asks the engine to quit, then ends it.
    fn quit(self: Box<Self>);
}

/// Reads discs as engines print them, one number or a comma-separated pair; `None` for NaN.
pub(super) fn parse_discs(text: &str) -> Option<Eval> {
    let first = text.split(',').next()?;
    let discs: f64 = first.parse().ok()?;
    discs.is_finite().then(|| Eval::from_centidiscs((discs * 100.0).round() as i32))
}
