//! The weights laid out for lookup: one stage for each number of empties.

use std::sync::LazyLock;

use super::features::{MOST_MOVES, OF_BOARD, OF_EDGE, OF_MOVES, line_features, moves_features};
use super::weights::{WEIGHTS, Weights};
use umigame_othello::stability::{LINES, line_of_index};

/// Everything that holds at one number of empties, in thousandths of a disc.
#[derive(Debug)]
pub struct Stage {
    /// The worth of an edge, by `line_index`.
    pub edge: [i16; LINES],
    /// The worth of the player's number of moves.
    pub moves: [i32; MOST_MOVES],
    /// The worth of the opponent's number of moves.
    pub other_moves: [i32; MOST_MOVES],
    /// The weights of the counts over the board.
    pub board: [i32; OF_BOARD],
}

/// One stage for each number of empties, 0 to 64.
pub type Stages = [Stage; 65];

/// The stages of the weights in use.
pub static STAGES: LazyLock<Box<Stages>> = LazyLock::new(|| stages_of(&WEIGHTS));

/// The stages of any weights, which run from few empties to many.
pub fn stages_of(weights: &[Weights]) -> Box<Stages> {
    let lines: Vec<[i32; OF_EDGE]> = (0..LINES)
        .map(|index| {
            let (player, opponent) = line_of_index(index);
            line_features(player, opponent)
        })
        .collect();
    let stages: Vec<Stage> =
        (0..65).map(|empties| stage(&between_weights(weights, empties), &lines)).collect();
    stages.into_boxed_slice().try_into().unwrap_or_else(|_| unreachable!("65 stages"))
}

fn dot<const N: usize>(features: &[i32; N], weights: &[i32; N]) -> i32 {
    features.iter().zip(weights).map(|(feature, weight)| feature * weight).sum()
}

fn stage(weights: &Weights, lines: &[[i32; OF_EDGE]]) -> Stage {
    let edge = |index: usize| {
        let worth = dot(&lines[index], &weights.edge);
        worth.clamp(i32::from(i16::MIN), i32::from(i16::MAX)) as i16
    };
    let moves = |of: &[i32; OF_MOVES]| std::array::from_fn(|count| dot(&moves_features(count), of));
    Stage {
        edge: std::array::from_fn(edge),
        moves: moves(&weights.moves),
        other_moves: moves(&weights.other_moves),
        board: weights.board,
    }
}

/// The weights at a number of empties: on the line between the two nearest.
pub fn between_weights(weights: &[Weights], empties: i32) -> Weights {
    let (first, last) = (weights[0], weights[weights.len() - 1]);
    let pair = weights.windows(2).find(|pair| empties <= pair[1].empties);
    match pair {
        _ if empties <= first.empties => first,
        None => last,
        Some(pair) => {
            let [low, high] = [pair[0], pair[1]];
            let (step, span) = (empties - low.empties, high.empties - low.empties);
            Weights {
                empties,
                edge: between(&low.edge, &high.edge, step, span),
                moves: between(&low.moves, &high.moves, step, span),
                other_moves: between(&low.other_moves, &high.other_moves, step, span),
                board: between(&low.board, &high.board, step, span),
            }
        }
    }
}

fn between<const N: usize>(low: &[i32; N], high: &[i32; N], step: i32, span: i32) -> [i32; N] {
    std::array::from_fn(|i| low[i] + (high[i] - low[i]) * step / span)
}
