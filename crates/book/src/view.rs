//! Everything a book knows about a position, in the orientation of the question.

use umigame_othello::openings::{self, Opening};
use umigame_othello::{Board, Move, Position};

use crate::book::{Book, MAX_PLY};
use crate::canonical::CanonicalPosition;
use crate::entry::{BookEntry, BookValue, Trust};
use crate::error::BookError;
use crate::stats::GameStats;

/// A position and its moves as a book knows them.
#[derive(Clone, Debug)]
pub struct PositionView {
    /// The position.
    pub position: Position,
    /// Discs placed since the start of a game; passes do not count.
    pub ply: i32,
    /// Entry of the position; its moves are in canonical form.
    pub entry: Option<BookEntry>,
    /// Moves that were played or lead to a position in the book; most games first, then best
    /// value.
    pub moves: Vec<MoveView>,
    /// Opening of the position.
    pub opening: Option<Opening>,
}

/// A move and its equivalents by symmetry.
#[derive(Clone, Debug)]
pub struct MoveView {
    /// The move as people usually write it.
    pub played: Move,
    /// All equivalent moves, this one included.
    pub equivalent: Vec<Move>,
    /// Results of the games that continued with it, for the side that moves.
    pub stats: GameStats,
    /// Value for the side that moves.
    pub value: Option<BookValue>,
    /// Opening of the position after it.
    pub opening: Option<Opening>,
    /// Every continuation is proven.
    pub fully_searched: bool,
}

impl Book {
    /// Returns the view of the last position of a game, with the last named opening of the game.
    ///
    /// # Errors
    /// The file cannot be read.
    pub fn view(&self, board: &Board) -> Result<PositionView, BookError> {
        let mut view = self.view_position(board.position())?;
        view.opening = openings::along(board).next();
        Ok(view)
    }

    /// Returns the view of a position without history.
    ///
    /// # Errors
    /// The file cannot be read.
    pub fn view_position(&self, position: Position) -> Result<PositionView, BookError> {
        let entry = self.entry(position)?;
        let canonical = CanonicalPosition::of(position);
        let mut moves: Vec<MoveView> = Vec::new();
        let pass = position.must_pass().then_some(Move::Pass);
        for played in position.legal_moves().iter().map(Move::Place).chain(pass) {
            if moves.iter().any(|other| other.equivalent.contains(&played)) {
                continue;
            }
            let next = position.play(played);
            let after = next.map(|next| self.entry(next)).transpose()?.flatten();
            let one = canonical.canonical_move(played);
            let stats = entry.as_ref().map_or_else(GameStats::default, |entry| entry.stats_of(one));
            if after.is_none() && stats.games == 0 {
                continue;
            }
            let value = after.and_then(|after| after.value).map(BookValue::for_other);
            moves.push(MoveView {
                played: canonical.usual_move(one),
                equivalent: canonical.equivalent_moves(one).to_vec(),
                stats,
                value,
                opening: next.and_then(openings::of_position),
                fully_searched: value.is_some_and(|value| value.trust == Trust::Exact),
            });
        }
        moves.sort_by_key(|one| {
            let value = one.value.map(|value| (value.trust, value.eval));
            std::cmp::Reverse((one.stats.games, value))
        });
        let ply = i32::from(MAX_PLY) - position.empties() as i32;
        let opening = openings::of_position(position);
        Ok(PositionView { position, ply, entry, moves, opening })
    }
}
