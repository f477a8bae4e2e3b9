//! Features of a position by square, for people: stable discs, frontier, regions, openness.

use crate::parity::{around, regions};
use umigame_othello::stability::stable;
use umigame_othello::{Bitboard, Position, Square};

/// Sets of squares of a position, for the side to move and the other side.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Layers {
    /// Discs that nothing can flip, as far as they are found: of the side to move, then of the other.
    pub stable: [Bitboard; 2],
    /// Discs next to an empty square: of the side to move, then of the other.
    pub frontier: [Bitboard; 2],
    /// Connected regions of empties.
    pub regions: Vec<Bitboard>,
    /// The openness of each legal move.
    pub openness: Vec<(Square, u32)>,
}

impl Layers {
    /// Looks at a position.
    pub fn of(position: Position) -> Layers {
        let both = [position, position.passed()];
        Layers {
            stable: both.map(stable),
            frontier: both.map(|own| own.player() & around(own.empty())),
            regions: regions(position.empty()).collect(),
            openness: position
                .legal_moves()
                .iter()
                .map(|square| (square, openness(position, square)))
                .collect(),
        }
    }
}

/// Returns the openness of a legal move: the empty squares around each disc that it flips, summed over
/// the discs. Quiet moves have little of it.
pub fn openness(position: Position, square: Square) -> u32 {
    let flips = position.flips(square);
    let empty = position.after(square, flips).empty();
    flips.iter().map(|disc| (around(Bitboard::from(disc)) & empty).count()).sum()
}

#[cfg(test)]
mod tests {
    use super::*;
    use umigame_othello::testing::random_positions;

    #[test]
    fn a_first_move_opens_the_empties_around_the_disc_that_it_flips() {
        // f5 flips e5, beside which f4, d6, e6 and f6 are empty.
        assert_eq!(openness(Position::START, Square::F5), 4);
        let layers = Layers::of(Position::START);
        assert_eq!(layers.openness.len(), 4);
        assert_eq!(layers.regions.len(), 1);
    }

    #[test]
    fn layers_of_the_other_side_are_those_with_the_sides_exchanged() {
        random_positions(5, 500, |position| {
            let (own, other) = (Layers::of(position), Layers::of(position.passed()));
            assert_eq!(own.stable, [other.stable[1], other.stable[0]]);
            assert_eq!(own.frontier, [other.frontier[1], other.frontier[0]]);
            assert_eq!(own.regions, other.regions);
            let discs = position.player();
            assert!((own.stable[0] | own.frontier[0]).is_subset(discs), "{position:?}");
        });
    }
}
