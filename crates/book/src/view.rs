//! A position as people look at it: its moves in their own squares, with
//! names, results and values.

use umigame_othello::game::openings::{self, Opening};
use umigame_othello::{Board, Move, Position, squares};

use super::entry::{BookEntry, BookValue};
use super::error::BookError;
use super::stats::GameStats;
use super::{Book, CanonicalPosition};

/// What the book knows of a position and its moves.
#[derive(Clone, Debug)]
pub struct PositionView {
    /// The position.
    pub position: Position,
    /// Discs placed since the start of a game, passes not counted.
    pub ply: i32,
    /// What the book holds of it.
    pub entry: Option<BookEntry>,
    /// The moves that lead to a position in the book, or were played; those
    /// of most games first, then those of the best value.
    pub moves: Vec<MoveView>,
    /// The opening of the position, by whatever moves it was reached.
    pub opening: Option<Opening>,
}

/// A move, and all that are the same by symmetry.
#[derive(Clone, Debug)]
pub struct MoveView {
    /// The move as people write it.
    pub played: Move,
    /// Every move that is the same, this one included.
    pub like: Vec<Move>,
    /// The games that went on with it, for the side that moves.
    pub tally: GameStats,
    /// What it is worth to the side that moves.
    pub value: Option<BookValue>,
    /// The opening that it leads to.
    pub opening: Option<Opening>,
    /// Every continuation is proven.
    pub fully_searched: bool,
}

impl Book {
    /// What the book knows of a position; the name is that of the last
    /// position of the game that has one.
    ///
    /// # Errors
    /// The file cannot be read.
    pub fn view(&self, board: &Board) -> Result<PositionView, BookError> {
        let mut view = self.view_position(board.position())?;
        view.opening = openings::along(board).next();
        Ok(view)
    }

    /// The same for a position without a history.
    ///
    /// # Errors
    /// The file cannot be read.
    pub fn view_position(&self, position: Position) -> Result<PositionView, BookError> {
        let entry = self.entry(position)?;
        let folded = CanonicalPosition::of(position);
        let mut moves: Vec<MoveView> = Vec::new();
        let pass = position.must_pass().then_some(Move::Pass);
        for played in squares(position.moves()).map(Move::Place).chain(pass) {
            if moves.iter().any(|other| other.like.contains(&played)) {
                continue;
            }
            let next = match played {
                Move::Place(square) => position.place(square),
                Move::Pass => Some(position.passed()),
            };
            let after = next.map(|next| self.entry(next)).transpose()?.flatten();
            let one = folded.fold(played);
            let tally = entry.as_ref().map_or(GameStats::NONE, |entry| entry.by_move(one));
            if after.is_none() && tally == GameStats::NONE {
                continue;
            }
            let value = after.and_then(|after| after.value).map(BookValue::for_other);
            moves.push(MoveView {
                played: folded.usual(one),
                like: folded.unfold(one).to_vec(),
                tally,
                value,
                opening: next.and_then(openings::of_position),
                fully_searched: value.is_some_and(|value| value.trust == super::Trust::Exact),
            });
        }
        moves.sort_by_key(|one| {
            let value = one.value.map(|value| (value.trust, value.eval));
            std::cmp::Reverse((one.tally.games, value))
        });
        let ply = super::MAX_PLY as i32 - position.empties() as i32;
        let opening = openings::of_position(position);
        Ok(PositionView { position, ply, entry, moves, opening })
    }
}
