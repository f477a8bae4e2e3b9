//! Features of a position by square as JSON, in the words that pages, programs and the npm package share.

use std::collections::BTreeMap;

use serde::Serialize;
use umigame_engine::Layers;
use umigame_othello::{Bitboard, Color, Position, Square};

#[derive(Serialize, Clone, PartialEq, Eq, Debug)]
struct Sides {
    black: Vec<String>,
    white: Vec<String>,
}

/// The [`Layers`] of a position.
#[derive(Serialize, Clone, PartialEq, Eq, Debug)]
pub struct LayersRecord {
    stable: Sides,
    frontier: Sides,
    regions: Vec<Vec<String>>,
    openness: BTreeMap<String, u32>,
}

impl LayersRecord {
    /// Returns those of a position in which it is `side`'s turn.
    pub fn of(position: Position, side: Color) -> LayersRecord {
        let layers = Layers::of(position);
        let named = |(square, count): (Square, u32)| (square.to_string(), count);
        LayersRecord {
            stable: sides(layers.stable, side),
            frontier: sides(layers.frontier, side),
            regions: layers.regions.into_iter().map(squares).collect(),
            openness: layers.openness.into_iter().map(named).collect(),
        }
    }
}

fn squares(set: Bitboard) -> Vec<String> {
    set.iter().map(|square| square.to_string()).collect()
}

fn sides([own, other]: [Bitboard; 2], side: Color) -> Sides {
    let (black, white) = if side == Color::Black { (own, other) } else { (other, own) };
    Sides { black: squares(black), white: squares(white) }
}
