//! The iterations of a search, as its limits ask for them.

use crate::limits::confidence::Confidence;
use crate::limits::{Goal, Limits};
use crate::report::ScoreKind;
use umigame_othello::Position;

/// Minimum empties at which an endgame is prepared by midgame and selective iterations.
const PREPARED_MIN_EMPTIES: u32 = 13;

/// Empties at the leaves of the last midgame iteration before an endgame.
const PREPARED_LEAF_EMPTIES: u32 = 12;

/// Minimum depth at which a midgame node is probed by ProbCut.
pub(crate) const PROBCUT_MIN_DEPTH: u32 = 3;
/// Minimum depth of a midgame iteration that several threads search.
const LARGE_MIN_DEPTH: u32 = 8;
/// Minimum empties of an endgame iteration that several threads search.
pub(crate) const LARGE_MIN_EMPTIES: u32 = 16;

/// One iteration: a search to a depth, or to the end of the game.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Iteration {
    Midgame(u32, Confidence),
    Endgame(Goal, Confidence),
}

impl Iteration {
    /// The kind of its report.
    pub fn kind(self) -> ScoreKind {
        match self {
            Iteration::Midgame(depth, confidence) => {
                ScoreKind::Depth { plies: depth as u8, confidence }
            }
            Iteration::Endgame(Goal::WinLossDraw, Confidence::FULL) => ScoreKind::WinLossDraw,
            Iteration::Endgame(_, Confidence::FULL) => ScoreKind::Exact,
            Iteration::Endgame(_, confidence) => ScoreKind::Endgame { confidence },
        }
    }

    /// Whether it is large enough for several threads, at a root of `empties` empties.
    pub fn is_large(self, empties: u32) -> bool {
        match self {
            Iteration::Midgame(depth, _) => depth >= LARGE_MIN_DEPTH,
            Iteration::Endgame(..) => empties >= LARGE_MIN_EMPTIES,
        }
    }

    /// A midgame iteration a ply deeper, at a root of `empties` empties; `None` if it would reach the
    /// end of the game.
    pub fn deeper(self, empties: u32) -> Option<Iteration> {
        match self {
            Iteration::Midgame(depth, confidence) if depth + 1 < empties => {
                Some(Iteration::Midgame(depth + 1, confidence))
            }
            _ => None,
        }
    }

    /// Whether it seeks the value of the root, and not only on which side of a window it lies.
    pub fn seeks_score(self) -> bool {
        matches!(self, Iteration::Midgame(..) | Iteration::Endgame(Goal::Score, _))
    }

    /// The confidence of its cutoffs.
    pub fn confidence(self) -> Confidence {
        match self {
            Iteration::Midgame(_, confidence) | Iteration::Endgame(_, confidence) => confidence,
        }
    }
}

/// Returns the iterations of a search, the last as deep and as sure as the limits ask for.
pub(crate) fn iterations(position: Position, limits: &Limits) -> Vec<Iteration> {
    let empties = position.empties();
    let solve = empties <= limits.exact_from;
    if solve || limits.depth >= empties {
        let last = if solve { Confidence::FULL } else { limits.confidence };
        return endgame_iterations(empties, limits.goal, last);
    }
    (1..=limits.depth)
        .map(|depth| {
            // Nothing is cut at so small a depth, and the report says so.
            let full = depth <= PROBCUT_MIN_DEPTH;
            Iteration::Midgame(depth, if full { Confidence::FULL } else { limits.confidence })
        })
        .collect()
}

/// Returns a few midgame iterations, then endgame iterations of rising confidence: each leaves its
/// best moves in the table for the next.
pub(crate) fn endgame_iterations(empties: u32, goal: Goal, last: Confidence) -> Vec<Iteration> {
    let prepared = empties.saturating_sub(PREPARED_LEAF_EMPTIES).max(1);
    let steps = match empties {
        0..PREPARED_MIN_EMPTIES => 0,
        PREPARED_MIN_EMPTIES..=25 => 3,
        _ => 4,
    };
    (1..=prepared.min(empties.saturating_sub(1)))
        .map(|depth| Iteration::Midgame(depth, Confidence::P73))
        .chain(
            Confidence::all()
                .take(steps)
                .take_while(|&confidence| confidence < last)
                .chain([last])
                .map(|confidence| Iteration::Endgame(goal, confidence)),
        )
        .collect()
}
