//! Canonical positions: one representative of the eight symmetric images, and its moves.
//!
//! A position with symmetries of its own has several ways into its canonical form. Moves that
//! these ways carry into each other are equivalent and count as one move.

use arrayvec::ArrayVec;

use umigame_othello::{Move, Position, Square, Symmetry};

/// Move code of a pass; squares have 0 to 63.
const PASS_CODE: u8 = 64;

/// Returns the code of a move: the index of its square, or 64 for a pass.
pub(crate) fn code_of(played: Move) -> u8 {
    played.square().map_or(PASS_CODE, |square| square.index() as u8)
}

/// Returns the move with this code, if there is one.
pub(crate) fn move_of(code: u8) -> Option<Move> {
    match code {
        PASS_CODE => Some(Move::Pass),
        _ => Square::from_index(usize::from(code)).map(Move::Place),
    }
}

/// A position's canonical form, with every symmetry that leads to it.
#[derive(Clone, Debug)]
pub struct CanonicalPosition {
    position: Position,
    symmetries: ArrayVec<Symmetry, 8>,
}

impl CanonicalPosition {
    /// Finds the canonical form of a position.
    pub fn of(position: Position) -> CanonicalPosition {
        let mut canonical = CanonicalPosition { position, symmetries: ArrayVec::new() };
        for symmetry in Symmetry::ALL {
            let image = symmetry.of_position(position);
            if image < canonical.position {
                canonical.position = image;
                canonical.symmetries.clear();
            }
            if image == canonical.position {
                canonical.symmetries.push(symmetry);
            }
        }
        canonical
    }

    /// Returns the canonical form: the least of the eight images.
    pub fn position(&self) -> Position {
        self.position
    }

    /// Returns the canonical form of a move of the original position; equivalent moves share it.
    pub(crate) fn canonical_move(&self, played: Move) -> Move {
        let Move::Place(square) = played else { return Move::Pass };
        let images = self.symmetries.iter().map(|symmetry| symmetry.of_square(square));
        Move::Place(images.min().unwrap_or(square))
    }

    /// Returns the moves of the original position with this canonical form, each once.
    pub(crate) fn equivalent_moves(&self, canonical: Move) -> ArrayVec<Move, 8> {
        let Move::Place(square) = canonical else { return ArrayVec::from_iter([Move::Pass]) };
        let mut moves: ArrayVec<Move, 8> = ArrayVec::new();
        for symmetry in &self.symmetries {
            let own = Move::Place(symmetry.inverse().of_square(square));
            if !moves.contains(&own) {
                moves.push(own);
            }
        }
        moves
    }

    /// Returns the equivalent move that people write.
    ///
    /// It is the one in the rightmost column, so that a game begins with f5.
    pub fn usual_move(&self, canonical: Move) -> Move {
        let moves = self.equivalent_moves(canonical);
        let column = |played: &Move| played.square().map(|square| (square.column(), square.row()));
        moves.iter().copied().max_by_key(column).unwrap_or(canonical)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_four_first_moves_are_equivalent() {
        let start = CanonicalPosition::of(Position::START);
        let moves: Vec<Move> = (Position::START.legal_moves())
            .iter()
            .map(|square| start.canonical_move(square.into()))
            .collect();
        assert!(moves.windows(2).all(|pair| pair[0] == pair[1]));
        assert_eq!(start.equivalent_moves(moves[0]).len(), 4);
        assert_eq!(start.usual_move(moves[0]), Move::Place(Square::F5));
    }

    #[test]
    fn all_images_of_a_move_have_the_same_canonical_form() {
        fastrand::seed(3);
        for _ in 0..200 {
            let mut position = Position::START;
            while !position.is_over() {
                let canonical = CanonicalPosition::of(position);
                let legal: Vec<Square> = position.legal_moves().iter().collect();
                for square in &legal {
                    let one = canonical.canonical_move((*square).into());
                    assert!(canonical.equivalent_moves(one).contains(&(*square).into()));
                    for symmetry in Symmetry::ALL {
                        let image = CanonicalPosition::of(symmetry.of_position(position));
                        assert_eq!(image.position(), canonical.position());
                        assert_eq!(image.canonical_move(symmetry.of_square(*square).into()), one);
                    }
                }
                position = match fastrand::choice(&legal) {
                    Some(square) => position.play(*square).expect("legal"),
                    None => position.passed(),
                };
            }
        }
    }
}
