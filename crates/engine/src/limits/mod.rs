//! Limits of a search.

pub(crate) mod confidence;
pub(crate) mod level;
pub(crate) mod options;
pub(crate) mod time_control;

use std::time::Duration;

use crate::limits::confidence::Confidence;
use crate::limits::time_control::TimeControl;
use umigame_eval::value::{Discs, Window};
use umigame_othello::Score;

/// Depth that no game reaches: a search to it is bounded by something else.
pub const MAX_DEPTH: u32 = 60;

/// The question that a search to the end of the game answers.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Goal {
    /// The score.
    #[default]
    Score,
    /// Win, loss or draw.
    WinLossDraw,
    /// The score if it lies between these two, the lower one first; else on which side it lies. The
    /// lines then carry a bound.
    Window(Score, Score),
}

impl Goal {
    /// The fixed window of the search; `None` if it is free.
    pub(crate) fn window(self) -> Option<Window<Discs>> {
        match self {
            Goal::Score => None,
            Goal::WinLossDraw => Some(Window::new(Discs(-1), Discs(1))),
            Goal::Window(alpha, beta) => {
                let (alpha, beta) = (Discs::from(alpha), Discs::from(beta));
                Some(Window::new(alpha, beta.max(alpha + Discs(1))))
            }
        }
    }
}

/// The bounds of one search. The first one reached ends it.
///
/// ```
/// use std::time::Duration;
/// use umigame_engine::{Limits, TimeControl};
///
/// let second = TimeControl::Move(Duration::from_secs(1));
/// let limits = Limits::depth(12).with_nodes(1_000_000).with_time(second);
/// assert_eq!(limits.max_depth(), 12);
/// ```
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Limits {
    pub(crate) depth: u32,
    pub(crate) confidence: Confidence,
    pub(crate) exact_from: u32,
    pub(crate) goal: Goal,
    pub(crate) lines: usize,
    pub(crate) focus: bool,
    pub(crate) nodes: Option<u64>,
    pub(crate) time: TimeControl,
    pub(crate) max_time: Option<Duration>,
    pub(crate) move_overhead: Duration,
}

impl Limits {
    /// A search to `depth` plies, 1 to 60, that cuts nothing on probability and solves positions of
    /// at most as many empties.
    pub fn depth(depth: u32) -> Limits {
        Limits {
            depth: depth.clamp(1, MAX_DEPTH),
            confidence: Confidence::FULL,
            exact_from: depth.min(MAX_DEPTH),
            goal: Goal::Score,
            lines: 1,
            focus: false,
            nodes: None,
            time: TimeControl::Unlimited,
            max_time: None,
            move_overhead: Duration::ZERO,
        }
    }

    /// A search to `depth` plies, 1 to 60, at a confidence, that solves no position.
    pub fn midgame(depth: u32, confidence: Confidence) -> Limits {
        Limits { confidence, exact_from: 0, ..Limits::depth(depth) }
    }

    /// The exact score, however long it takes.
    pub fn exact() -> Limits {
        // A board that was set up may have more empties than the start of a game.
        Limits { exact_from: 64, ..Limits::depth(MAX_DEPTH) }
    }

    /// These limits to another depth, 1 to 60 plies. A depth of the number of empties or more
    /// searches to the end of the game at the limits' confidence.
    #[must_use]
    pub fn with_depth(self, depth: u32) -> Limits {
        Limits { depth: depth.clamp(1, MAX_DEPTH), ..self }
    }

    /// These limits at another confidence of the cuts of a search to a depth.
    #[must_use]
    pub fn with_confidence(self, confidence: Confidence) -> Limits {
        Limits { confidence, ..self }
    }

    /// These limits with another maximum of empties at which positions are solved exactly: 0 solves
    /// none, 60 every one.
    #[must_use]
    pub fn with_exact_from(self, empties: u32) -> Limits {
        Limits { exact_from: empties.min(MAX_DEPTH), ..self }
    }

    /// These limits with another question to a search to the end of the game.
    #[must_use]
    pub fn with_goal(self, goal: Goal) -> Limits {
        Limits { goal, ..self }
    }

    /// These limits with another number of best moves that get a line; 0 counts as 1.
    #[must_use]
    pub fn with_lines(self, lines: usize) -> Limits {
        Limits { lines: lines.max(1), ..self }
    }

    /// These limits, with good moves searched deeper than bad ones on the way or all alike. In the end
    /// all lines are searched alike. Lines are then searched move by move.
    #[must_use]
    pub fn with_focus(self, focus: bool) -> Limits {
        Limits { focus, ..self }
    }

    /// These limits with another maximum of positions to visit, or with none; 0 counts as 1.
    #[must_use]
    pub fn with_nodes(self, nodes: impl Into<Option<u64>>) -> Limits {
        Limits { nodes: nodes.into().map(|nodes| nodes.max(1)), ..self }
    }

    /// These limits with another time control.
    #[must_use]
    pub fn with_time(self, time: impl Into<TimeControl>) -> Limits {
        Limits { time: time.into(), ..self }
    }

    /// These limits with time taken off the clock, if a clock is one of them: it ran while the search
    /// waited.
    #[must_use]
    pub fn after_waiting(self, waited: Duration) -> Limits {
        Limits { time: self.time.after_waiting(waited), ..self }
    }

    /// These limits with another maximum of the time for this search, or with none: the lesser of it
    /// and what the time control allows counts.
    #[must_use]
    pub fn with_max_time(self, max_time: impl Into<Option<Duration>>) -> Limits {
        Limits { max_time: max_time.into(), ..self }
    }

    /// These limits with another time of a move that the clock sees and the search does not. A time
    /// for the move is shortened by it, a clock by that of this move and each later one.
    #[must_use]
    pub fn with_move_overhead(self, move_overhead: Duration) -> Limits {
        Limits { move_overhead, ..self }
    }

    /// These limits a ply deeper, without nodes and time: for a search before the opponent's move
    /// that prepares the search after it.
    #[must_use]
    pub fn for_pondering(self) -> Limits {
        // If time is the only bound, the next search may solve the endgame too.
        let time_alone = self.is_timed() && self.depth >= MAX_DEPTH;
        let exact_from = if time_alone { MAX_DEPTH } else { self.exact_from + 1 };
        let depth = self.depth + 1;
        Limits { nodes: None, time: TimeControl::Unlimited, max_time: None, ..self }
            .with_depth(depth)
            .with_exact_from(exact_from)
    }

    /// Maximum depth in plies, 1 to 60.
    pub fn max_depth(&self) -> u32 {
        self.depth
    }

    /// Confidence of the cuts of a search to a depth.
    pub fn confidence(&self) -> Confidence {
        self.confidence
    }

    /// Maximum empties at which positions are solved exactly, 0 to 60.
    pub fn exact_from(&self) -> u32 {
        self.exact_from
    }

    /// The question that a search to the end of the game answers.
    pub fn goal(&self) -> Goal {
        self.goal
    }

    /// The number of best moves that get a line.
    pub fn lines(&self) -> usize {
        self.lines
    }

    /// Maximum positions to visit.
    pub fn nodes(&self) -> Option<u64> {
        self.nodes
    }

    /// The time that the search may take at most, where it is stated and no clock decides.
    pub fn move_time(&self) -> Option<Duration> {
        match self.time {
            TimeControl::Move(time) => Some(self.max_time.map_or(time, |most| most.min(time))),
            _ => self.max_time,
        }
    }

    /// Whether a clock decides the time of the search.
    pub fn is_on_clock(&self) -> bool {
        matches!(self.time, TimeControl::Game { .. } | TimeControl::Period { .. })
    }

    /// Whether time is a limit.
    pub(crate) fn is_timed(&self) -> bool {
        self.time != TimeControl::Unlimited || self.max_time.is_some()
    }
}
