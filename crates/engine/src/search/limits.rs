//! How far a search may go.

use super::confidence::Confidence;
use std::time::Duration;

use super::time::Allowance;
use super::value::Discs;
use super::window::Window;
use umigame_othello::Score;

/// What a search is to find out.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Goal {
    /// The number of discs.
    #[default]
    Score,
    /// Only who wins.
    WinLossDraw,
    /// The number of discs where it lies between these two, the lower one
    /// first; where it does not, which of the two it does not pass. Lines
    /// then carry a bound.
    Window(Score, Score),
}

impl Goal {
    /// The fixed window of the search in discs, `None` where it is free.
    pub(super) fn window(self) -> Option<Window<Discs>> {
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

/// The bounds of one search. Whichever is reached first ends it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Limits {
    /// Plies to search before the evaluation is asked, 1 to 60.
    pub depth: u32,
    /// How sure a search to a depth is to be of what it leaves out.
    pub confidence: Confidence,
    /// With this many empties or fewer the game is read to its end, exactly;
    /// 60 reads every position to its end.
    pub solve_from: u32,
    /// What is asked of an ending that is read to its end.
    pub goal: Goal,
    /// How many of the best moves get a line, at least 1.
    pub lines: usize,
    /// Positions to visit.
    pub nodes: Option<u64>,
    /// Time to use, all of it.
    pub move_time: Option<Duration>,
    /// What a clock shows: the engine decides what to spend of it.
    pub clock: Option<Allowance>,
}

impl Limits {
    /// A search to this depth that leaves nothing out, with endings read out
    /// from as many empties.
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
        }
    }

    /// The exact score, however long it takes.
    pub fn exact() -> Limits {
        Limits { solve_from: 60, ..Limits::depth(60) }
    }

    /// These limits with this confidence.
    #[must_use]
    pub fn with_confidence(self, confidence: Confidence) -> Limits {
        Limits { confidence, ..self }
    }

    /// These limits with this many lines.
    #[must_use]
    pub fn with_lines(self, lines: usize) -> Limits {
        Limits { lines: lines.max(1), ..self }
    }
}
