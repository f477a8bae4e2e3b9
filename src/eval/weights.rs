//! The coefficients of the handmade evaluation, in thousandths of a disc.

use super::features::{OF_BOARD, OF_EDGE, OF_MOVES};

/// The weights of every feature at one number of empty squares.
#[derive(Clone, Copy, Debug)]
pub struct Weights {
    /// How many squares are empty where these weights hold.
    pub empties: i32,
    /// As [`super::features::EDGE_FEATURES`].
    pub edge: [i32; OF_EDGE],
    /// For the moves of the player, as [`super::features::moves_features`].
    pub moves: [i32; OF_MOVES],
    /// For the moves of the opponent.
    pub other_moves: [i32; OF_MOVES],
    /// As [`super::features::BOARD_FEATURES`].
    pub board: [i32; OF_BOARD],
}

/// The weights, from few empty squares to many. Set by hand, to be replaced
/// by fitted ones.
pub const WEIGHTS: [Weights; 3] = [
    Weights {
        empties: 0,
        edge: [1000, 1000, 1000, 1000, 1000, 1000, 500, 0, 0, 0, 0, -500, 1000],
        moves: [300, 500, 0, 0],
        other_moves: [-300, -500, 0, 0],
        board: [
            1000, 1000, 1000, 1000, 1000, 1000, 1000, 1000, 0, 2000, -2000, 0, 0, 0, 0, -200, 200,
            -100, -500, 500,
        ],
    },
    Weights {
        empties: 24,
        edge: [3000, -700, 500, 200, 300, 300, 900, 300, -400, -300, 0, -400, 500],
        moves: [700, 500, 300, 200],
        other_moves: [-700, -500, -300, -200],
        board: [
            -2500, 300, 200, 0, 0, 200, 0, 100, 0, 3000, -4000, 0, 0, 250, -250, -250, 250, -100,
            300, 600,
        ],
    },
    Weights {
        empties: 56,
        edge: [4000, -1000, 500, 200, 300, 200, 700, 300, -400, -300, 0, -300, 500],
        moves: [600, 500, 300, 200],
        other_moves: [-600, -500, -300, -200],
        board: [
            -3000, 300, 200, -200, -200, 200, 0, 100, 0, 3000, -4000, 0, 0, 250, -250, -250, 250,
            0, 300, 300,
        ],
    },
];
