//! What the book holds of one position.

use std::fmt;

use umigame_engine::search::ScoreKind;
use umigame_othello::{Eval, Move};

use super::canonical::{code_of, move_of};
use super::stats::GameStats;

/// How far a value can be trusted. The order is that of trust.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Trust {
    /// The best that games came to; moves that nobody played were not looked
    /// at.
    Played = 1,
    /// Every move was looked at by a search.
    Searched = 2,
    /// Proven: the game is over, a search has read it to its end, or every
    /// continuation is proven. This is the mark "fully searched".
    Exact = 3,
}

impl Trust {
    pub(super) fn of_number(number: i64) -> Option<Trust> {
        [Trust::Played, Trust::Searched, Trust::Exact]
            .into_iter()
            .find(|trust| *trust as i64 == number)
    }
}

/// `played`, `searched`, `exact`.
impl fmt::Display for Trust {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            Trust::Played => "played",
            Trust::Searched => "searched",
            Trust::Exact => "exact",
        })
    }
}

/// What a position is worth to the side to move, backed up through the graph.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct BookValue {
    /// For the side to move.
    pub eval: Eval,
    /// What stands behind it.
    pub trust: Trust,
}

impl BookValue {
    /// The same value seen by the other side.
    pub fn for_other(self) -> BookValue {
        BookValue { eval: -self.eval, trust: self.trust }
    }
}

/// What a search of the position itself said.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct StoredSearch {
    /// For the side to move.
    pub eval: Eval,
    /// How it was searched; never [`ScoreKind::WinLossDraw`].
    pub kind: ScoreKind,
    /// The best move, folded as the position is; none where the game is over.
    pub best: Option<Move>,
}

impl StoredSearch {
    /// What decides between two searches of one position: proven, then read
    /// to the end, then deep, then sure.
    pub(super) fn rank(&self) -> (u8, u8, u8) {
        match self.kind {
            ScoreKind::Depth { plies, percent } => (0, plies, percent),
            ScoreKind::Ending { percent } => (1, 0, percent),
            ScoreKind::WinLossDraw => (0, 0, 0),
            ScoreKind::Exact => (2, 0, 0),
        }
    }
}

/// What the book holds of one position, moves folded like the position.
#[derive(Clone, PartialEq, Debug)]
pub struct BookEntry {
    /// The games that met the position.
    pub tally: GameStats,
    /// The games by the move that they went on with, sorted by move.
    pub(super) moves: Vec<(u8, GameStats)>,
    /// The deepest search of the position.
    pub searched: Option<StoredSearch>,
    /// The value that follows from the positions after it.
    pub value: Option<BookValue>,
}

impl Default for BookEntry {
    fn default() -> BookEntry {
        BookEntry { tally: GameStats::NONE, moves: Vec::new(), searched: None, value: None }
    }
}

impl BookEntry {
    /// The moves that games went on with, sorted.
    pub fn moves(&self) -> impl Iterator<Item = (Move, &GameStats)> {
        self.moves.iter().filter_map(|(code, tally)| Some((move_of(*code)?, tally)))
    }

    /// The games that went on with this move.
    pub fn by_move(&self, folded: Move) -> GameStats {
        let code = code_of(folded);
        let found = self.moves.iter().find(|(other, _)| *other == code);
        found.map_or(GameStats::NONE, |(_, tally)| *tally)
    }

    /// Adds games that went on with this move, or ended here.
    pub(super) fn add_games(&mut self, code: Option<u8>, games: &GameStats) {
        self.tally.add(games);
        let Some(code) = code else { return };
        match self.moves.binary_search_by_key(&code, |(other, _)| *other) {
            Ok(at) => {
                if let Some((_, tally)) = self.moves.get_mut(at) {
                    tally.add(games);
                }
            }
            Err(at) => self.moves.insert(at, (code, *games)),
        }
    }

    /// Keeps the better of two searches; whether the new one was it.
    pub(super) fn keep_search(&mut self, searched: StoredSearch) -> bool {
        let better = self.searched.is_none_or(|old| old.rank() <= searched.rank());
        if better {
            self.searched = Some(searched);
        }
        better
    }
}
