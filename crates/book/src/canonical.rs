//! Positions folded by the eight symmetries, and moves with them.
//!
//! A position that looks the same from several sides has several ways into
//! its folded form; moves that these ways carry into each other are one move.

use arrayvec::ArrayVec;

use umigame_othello::{Move, Position, Square, Symmetry};

/// The number that stands for a pass where squares have 0 to 63.
pub(super) const PASS: u8 = 64;

/// A move as a number: its square, or 64 for a pass.
pub(super) fn code_of(played: Move) -> u8 {
    played.square().map_or(PASS, |square| square.index() as u8)
}

/// The move with this number, if there is one.
pub(super) fn move_of(code: u8) -> Option<Move> {
    match code {
        PASS => Some(Move::Pass),
        _ => Square::from_index(usize::from(code)).map(Move::Place),
    }
}

/// A position with its folded form and every symmetry that leads there.
#[derive(Clone, Debug)]
pub struct CanonicalPosition {
    position: Position,
    ways: ArrayVec<Symmetry, 8>,
}

impl CanonicalPosition {
    /// Folds a position.
    pub fn of(position: Position) -> CanonicalPosition {
        let mut folded = CanonicalPosition { position, ways: ArrayVec::new() };
        for symmetry in Symmetry::ALL {
            let image = symmetry.of_position(position);
            if image < folded.position {
                folded.position = image;
                folded.ways.clear();
            }
            if image == folded.position {
                folded.ways.push(symmetry);
            }
        }
        folded
    }

    /// The folded form: the least of the eight images.
    pub fn position(&self) -> Position {
        self.position
    }

    /// The one form of a move and its like in the folded position.
    pub fn fold(&self, played: Move) -> Move {
        let Move::Place(square) = played else { return Move::Pass };
        let images = self.ways.iter().map(|way| way.of_square(square));
        Move::Place(images.min().unwrap_or(square))
    }

    /// The moves of the position itself that fold into this one, each once.
    pub fn unfold(&self, folded: Move) -> ArrayVec<Move, 8> {
        let Move::Place(square) = folded else { return ArrayVec::from_iter([Move::Pass]) };
        let mut moves: ArrayVec<Move, 8> = ArrayVec::new();
        for way in &self.ways {
            let own = Move::Place(way.inverse().of_square(square));
            if !moves.contains(&own) {
                moves.push(own);
            }
        }
        moves
    }

    /// The one of [`CanonicalPosition::unfold`] that people write: the column farthest
    /// to the right, so that a game begins with f5.
    pub fn usual(&self, folded: Move) -> Move {
        let moves = self.unfold(folded);
        let column = |played: &Move| played.square().map(|square| (square.column(), square.row()));
        moves.iter().copied().max_by_key(column).unwrap_or(folded)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use umigame_othello::squares;

    #[test]
    fn the_four_first_moves_are_one_and_unfold_into_four() {
        let folded = CanonicalPosition::of(Position::START);
        let moves: Vec<Move> =
            squares(Position::START.moves()).map(|square| folded.fold(square.into())).collect();
        assert!(moves.windows(2).all(|pair| pair[0] == pair[1]));
        assert_eq!(folded.unfold(moves[0]).len(), 4);
        assert_eq!(folded.usual(moves[0]), Move::Place(Square::F5));
    }

    #[test]
    fn a_move_and_its_image_fold_into_the_same_in_games_by_chance() {
        fastrand::seed(3);
        for _ in 0..200 {
            let mut position = Position::START;
            while !position.is_over() {
                let folded = CanonicalPosition::of(position);
                let legal: Vec<Square> = squares(position.moves()).collect();
                for square in &legal {
                    let one = folded.fold((*square).into());
                    assert!(folded.unfold(one).contains(&(*square).into()));
                    for symmetry in Symmetry::ALL {
                        let image = CanonicalPosition::of(symmetry.of_position(position));
                        assert_eq!(image.position(), folded.position());
                        assert_eq!(image.fold(symmetry.of_square(*square).into()), one);
                    }
                }
                position = match fastrand::choice(&legal) {
                    Some(square) => position.place(*square).expect("legal"),
                    None => position.passed(),
                };
            }
        }
    }
}
