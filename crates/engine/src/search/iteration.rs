//! The iterations of a search, and which of them lead to what the limits ask for.

use super::confidence::Confidence;
use super::limits::{Goal, Limits};
use super::probcut;
use super::report::ScoreKind;
use umigame_othello::Position;

/// Half of the first aspiration window of the middle game, in centidiscs.
const MIDGAME_ASPIRATION: i32 = 300;
/// Half of the first aspiration window of an ending, in discs.
const ENDING_ASPIRATION: i32 = 2;
/// From this many empties on, an ending is prepared by a search to a depth.
const PREPARED: u32 = 13;

/// One iteration: a search to a depth, or to the end.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Iteration {
    Midgame(u32, Confidence),
    Endgame(Goal, Confidence),
}

impl Iteration {
    pub fn kind(self) -> ScoreKind {
        match self {
            Iteration::Midgame(depth, confidence) => {
                ScoreKind::Depth { plies: depth as u8, percent: confidence.percent() }
            }
            Iteration::Endgame(Goal::WinLossDraw, Confidence::FULL) => ScoreKind::WinLossDraw,
            Iteration::Endgame(_, Confidence::FULL) => ScoreKind::Exact,
            Iteration::Endgame(_, confidence) => {
                ScoreKind::Ending { percent: confidence.percent() }
            }
        }
    }

    pub fn confidence(self) -> Confidence {
        match self {
            Iteration::Midgame(_, confidence) | Iteration::Endgame(_, confidence) => confidence,
        }
    }

    /// Half of the first aspiration window, in centidiscs.
    pub fn aspiration(self) -> i32 {
        match self {
            Iteration::Midgame(..) => MIDGAME_ASPIRATION,
            Iteration::Endgame(..) => 100 * ENDING_ASPIRATION,
        }
    }
}

/// The iterations that lead to what the limits ask for.
pub(super) fn iterations(position: Position, limits: &Limits) -> Vec<Iteration> {
    let empties = position.empties();
    let solve = empties <= limits.solve_from;
    if solve || limits.depth >= empties {
        let last = if solve { Confidence::FULL } else { limits.confidence };
        return endgame_iterations(empties, limits.goal, last);
    }
    (1..=limits.depth)
        .map(|depth| {
            // Too shallow for a single cut: the label says so.
            let full = depth <= probcut::LEAST_DEPTH;
            Iteration::Midgame(depth, if full { Confidence::FULL } else { limits.confidence })
        })
        .collect()
}

/// A few searches to a depth, then to the end with rising sureness: each
/// leaves the next its best moves in the table.
fn endgame_iterations(empties: u32, goal: Goal, last: Confidence) -> Vec<Iteration> {
    let prepared = if empties < PREPARED { 1 } else { (empties - 10).min(empties - 1) };
    let steps = match empties {
        0..PREPARED => 0,
        PREPARED..=25 => 2,
        26..=28 => 3,
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
