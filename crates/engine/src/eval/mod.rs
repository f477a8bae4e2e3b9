//! Evaluation: what a position is worth without looking ahead.
//!
//! The search sees an [`Evaluation`] and hands it the board of the middle
//! game. It is either trained, the patterns of [`patterns`] with weights from
//! a file, or handmade, with weights that depend on the number of empty
//! squares: discs by square, edges by shape, mobility, potential mobility,
//! stable edges, parity. Both look at nothing but the position, so that equal
//! positions and all eight images of one have one value.

mod contributions;
pub mod error_model;
mod explain;
mod features;
pub mod file;
#[cfg(test)]
mod fit;
pub mod network;
pub mod parity;
pub mod patterns;
mod shared;
mod tables;
#[cfg(test)]
mod tests;
mod trained;
mod weights;

use file::{Weights, WeightsFile};

pub use contributions::{Contribution, Contributions, Group};
pub use error_model::ErrorModel;
pub use explain::{Explanation, Term, explain};
pub use features::Topic;
use features::{MOST_MOVES, board_features};
pub use file::WeightsError;
pub use patterns::{MidBoard, Tables};
pub use shared::SharedEvaluation;
use tables::{STAGES, Stages};
pub use trained::Trained;
use umigame_othello::edges::Edge;
use umigame_othello::stability::line_index;
use umigame_othello::{Position, Square};

/// A window that every value lies in.
const EVERYTHING: (i32, i32) = (-7400, 7400);

/// Thousandths of a disc, the unit of the tables, in a hundredth.
const MILLIS: i32 = 10;

/// A way to evaluate positions.
#[derive(Debug)]
pub enum Evaluation {
    /// Features and weights made by hand and fitted by least squares.
    Handmade,
    /// Weights from self-play.
    Trained(Trained),
}

/// The weights in the binary; `weights/README.md` tells how they were made.
static EMBEDDED: &[u8] = include_bytes!("../../weights/umigame.weights");

impl Evaluation {
    /// The evaluation of the weights in the binary.
    pub fn embedded() -> SharedEvaluation {
        SharedEvaluation::embedded()
    }

    fn unpack_embedded() -> Evaluation {
        Evaluation::from_bytes(EMBEDDED).expect("a test unpacks the weights in the binary")
    }

    /// The evaluation of a file of weights.
    ///
    /// # Errors
    /// Anything but a whole file for this program's patterns.
    pub fn from_bytes(file: &[u8]) -> Result<Evaluation, WeightsError> {
        Trained::unpack(&WeightsFile::new(file)?).map(Evaluation::Trained)
    }

    /// The evaluation of weights, as a fit makes them; `None` where their
    /// number is not right.
    pub fn from_weights(weights: &Weights) -> Option<Evaluation> {
        Trained::new(weights).map(Evaluation::Trained)
    }

    /// The evaluation that knows nothing: every position is worth 0.
    pub fn nothing() -> Evaluation {
        let zeroes = vec![0; patterns::STAGES * patterns::layout::PACKING.len];
        Evaluation::from_weights(&zeroes.into()).expect("weights of every stage")
    }

    /// What the weights are known by; 0 for the handmade ones.
    pub fn checksum(&self) -> u32 {
        match self {
            Evaluation::Handmade => 0,
            Evaluation::Trained(trained) => trained.checksum,
        }
    }

    /// How far shallow searches with it are from deep ones.
    pub fn error_model(&self) -> &ErrorModel {
        match self {
            Evaluation::Handmade => &ErrorModel::HANDMADE,
            Evaluation::Trained(trained) => &trained.error_model,
        }
    }

    /// The value of a board for the side to move, in hundredths of a disc,
    /// -6400 to 6400. Of a finished game it says no more than of another.
    #[inline(always)]
    pub fn evaluate(&self, board: &MidBoard) -> i32 {
        self.evaluate_within(board, EVERYTHING)
    }

    /// The value of a position for the side to move, in hundredths of a disc, -6400 to 6400.
    pub fn evaluate_position(&self, position: Position) -> i32 {
        self.evaluate(&MidBoard::new(position))
    }

    /// The value of a board as far as a window needs it: what is far outside
    /// may be less exact, and is as far outside.
    #[inline(always)]
    pub fn evaluate_within(&self, board: &MidBoard, window: (i32, i32)) -> i32 {
        match self {
            Evaluation::Trained(trained) => trained.evaluate(board, window),
            Evaluation::Handmade => evaluate_by_hand(board.position()),
        }
    }

    /// The value after a disc with these flips, for the side then to move, as
    /// far as a window of that side needs it.
    #[inline(always)]
    pub fn evaluate_after(
        &self,
        board: &MidBoard,
        (square, flips): (Square, u64),
        window: (i32, i32),
    ) -> i32 {
        match self {
            Evaluation::Trained(trained) => trained.evaluate_after(board, (square, flips), window),
            Evaluation::Handmade => evaluate_by_hand(board.position().after(square, flips)),
        }
    }

    /// The same by the weights of the patterns alone: good enough to tell
    /// which move to try first, and sooner done.
    #[inline(always)]
    pub fn pattern_eval_after(&self, board: &MidBoard, (square, flips): (Square, u64)) -> i32 {
        match self {
            Evaluation::Trained(trained) => trained.pattern_eval_after(board, (square, flips)),
            Evaluation::Handmade => evaluate_by_hand(board.position().after(square, flips)),
        }
    }
}

/// The handmade value of a position.
pub fn evaluate_by_hand(position: Position) -> i32 {
    evaluate_with(&STAGES, position)
}

#[inline(always)]
fn evaluate_with(stages: &Stages, position: Position) -> i32 {
    let Position { player, opponent } = position;
    let stage = &stages[position.empties() as usize];
    let (moves, other_moves) = (position.moves(), position.passed().moves());
    let edge = |edge: Edge| {
        let index = line_index(edge.line(player), edge.line(opponent));
        i32::from(stage.edge[index])
    };
    let edges = edge(Edge::North) + edge(Edge::East) + edge(Edge::South) + edge(Edge::West);
    let mobility = stage.moves[(moves.count_ones() as usize).min(MOST_MOVES - 1)]
        + stage.other_moves[(other_moves.count_ones() as usize).min(MOST_MOVES - 1)];
    let counts = board_features(position, moves, other_moves);
    let board: i32 = counts.iter().zip(&stage.board).map(|(count, weight)| count * weight).sum();
    ((edges + mobility + board) / MILLIS).clamp(-6400, 6400)
}
