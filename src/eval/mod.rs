//! Evaluation: what a position is worth without looking ahead.
//!
//! The search sees [`evaluate`] alone. Behind it stands a handmade
//! evaluation whose weights depend on the number of empty squares: discs by
//! square, edges by shape, mobility, potential mobility, stable edges,
//! parity. It looks at nothing but the position, so that equal positions and
//! all eight images of one have one value.

mod explain;
mod features;
#[cfg(test)]
mod fit;
pub mod parity;
mod tables;
#[cfg(test)]
mod tests;
mod weights;

use crate::board::edges::Edge;
use crate::board::stability::line_index;
use crate::board::{Eval, Position};
pub use explain::{Explanation, Term, explain};
pub use features::Topic;
use features::{MOST_MOVES, board_features};
use tables::{STAGES, Stages};

/// Thousandths of a disc, the unit of the tables, in a hundredth.
const MILLIS: i32 = 10;

/// The value of a position for the side to move, in hundredths of a disc,
/// -6400 to 6400. Of a finished game it says no more than of another.
pub fn evaluate(position: Position) -> i32 {
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

/// [`evaluate`] as a number with a unit.
pub fn eval(position: Position) -> Eval {
    Eval::from_centidiscs(evaluate(position))
}
