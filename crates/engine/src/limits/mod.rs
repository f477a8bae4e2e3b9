//! Limits of a search.

pub(crate) mod confidence;
pub(crate) mod level;

use std::time::Duration;

use crate::limits::confidence::Confidence;
use umigame_eval::value::Discs;
use umigame_eval::value::Window;
use umigame_othello::Score;

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

/// What a player's clock allows at the start of a move.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Allowance {
    /// A time for this move.
    Move(Duration),
    /// A time for the rest of the game, with an increment for each move.
    Game {
        /// Time left; zero if the clock has run out.
        remaining: Duration,
        /// Added after each of the player's moves.
        increment: Duration,
    },
    /// A time for the next few moves, then a new period (Canadian byo-yomi).
    Period {
        /// Time left in the period.
        remaining: Duration,
        /// Moves to make in it, at least 1.
        moves: u32,
        /// Main time left besides.
        main: Duration,
    },
}

/// The bounds of one search. The first one reached ends it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Limits {
    /// Maximum depth in plies, 1 to 60. A depth of the number of empties or more searches to the end
    /// of the game at `confidence`.
    pub depth: u32,
    /// Confidence of the cuts of a search to a depth.
    pub confidence: Confidence,
    /// Maximum empties at which the game is solved exactly; 60 solves every position.
    pub solve_from: u32,
    /// The question that a search to the end of the game answers.
    pub goal: Goal,
    /// The number of best moves that get a line, at least 1.
    pub lines: usize,
    /// Maximum positions to visit.
    pub nodes: Option<u64>,
    /// Time to use, all of it but `move_overhead`.
    pub move_time: Option<Duration>,
    /// The player's clock: the engine decides how much of it to spend.
    pub clock: Option<Allowance>,
    /// Time of a move that the clock sees and the search does not. It is left of `move_time`, and of
    /// the clock for this move and each later one.
    pub move_overhead: Duration,
}

impl Limits {
    /// A search to `depth` plies that cuts nothing on probability and solves positions of at most as
    /// many empties.
    pub fn depth(depth: u32) -> Limits {
        Limits {
            depth: depth.clamp(1, 60),
            confidence: Confidence::FULL,
            solve_from: depth,
            goal: Goal::Score,
            lines: 1,
            nodes: None,
            move_time: None,
            clock: None,
            move_overhead: Duration::ZERO,
        }
    }

    /// The exact score, however long it takes.
    pub fn exact() -> Limits {
        Limits { solve_from: 60, ..Limits::depth(60) }
    }

    /// Whether time is a limit.
    pub(super) fn is_timed(&self) -> bool {
        self.move_time.is_some() || self.clock.is_some()
    }

    /// These limits at another confidence.
    #[must_use]
    pub fn with_confidence(self, confidence: Confidence) -> Limits {
        Limits { confidence, ..self }
    }

    /// These limits with another number of lines.
    #[must_use]
    pub fn with_lines(self, lines: usize) -> Limits {
        Limits { lines: lines.max(1), ..self }
    }
}
