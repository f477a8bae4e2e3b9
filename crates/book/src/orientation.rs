//! The usual orientation of positions: that of games beginning with f5.

use rayon::prelude::*;

use umigame_othello::{Move, Position};

use crate::canonical::CanonicalPosition;
use crate::minimax::PositionMap;
use crate::queries::PositionEntry;

/// Turns canonical positions into the orientation of games beginning with f5.
///
/// Takes one layer after the other, from the start of the game. A position reached by a usual move
/// from the layer before, or by a pass, keeps the orientation of that line; positions that no game
/// from the start reaches stay canonical.
#[derive(Default)]
pub(crate) struct UsualOrientation {
    /// Positions of the layer before, oriented.
    previous: Vec<Position>,
}

impl UsualOrientation {
    /// Returns the positions of the next layer, oriented, in the order of `layer`.
    pub(crate) fn next_layer(&mut self, layer: &[PositionEntry]) -> &[Position] {
        let index_of: PositionMap<usize> =
            layer.iter().enumerate().map(|(index, (position, _))| (*position, index)).collect();
        let mut oriented: Vec<Option<Position>> = vec![None; layer.len()];
        let find = |position: Position| {
            let index = *index_of.get(&CanonicalPosition::of(position).position())?;
            Some((index, position))
        };
        let children: Vec<(usize, Position)> = self
            .previous
            .par_iter()
            .flat_map_iter(|position| usual_children(*position))
            .filter_map(find)
            .collect();
        for (index, position) in find(Position::START).into_iter().chain(children) {
            set_if_empty(&mut oriented, index, position);
        }
        // A pass leads to a position of the same layer.
        let passes: Vec<Position> =
            oriented.iter().flatten().copied().filter(|position| position.must_pass()).collect();
        for (index, position) in passes.into_iter().map(Position::passed).filter_map(find) {
            set_if_empty(&mut oriented, index, position);
        }
        let canonical = layer.iter().map(|(position, _)| *position);
        self.previous =
            oriented.into_iter().zip(canonical).map(|(own, other)| own.unwrap_or(other)).collect();
        &self.previous
    }
}

fn set_if_empty(oriented: &mut [Option<Position>], index: usize, position: Position) {
    if let Some(slot) = oriented.get_mut(index) {
        slot.get_or_insert(position);
    }
}

/// Returns the positions after the moves that people usually write, one of several equivalents.
fn usual_children(position: Position) -> impl Iterator<Item = Position> {
    let canonical = CanonicalPosition::of(position);
    position
        .legal_moves()
        .iter()
        .filter(move |square| {
            let played = Move::Place(*square);
            canonical.usual_move(canonical.canonical_move(played)) == played
        })
        .filter_map(move |square| position.play(square))
}
