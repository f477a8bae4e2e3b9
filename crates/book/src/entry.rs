//! The content of a book for one position.

use derive_more::Display;

use umigame_engine::{Bound, Confidence, Report, ScoreKind};
use umigame_othello::{Eval, Move, Position};

use crate::canonical::{CanonicalPosition, code_of, move_of};
use crate::stats::GameStats;

/// How far a value can be trusted, in rising order.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Display)]
#[display(rename_all = "lowercase")]
pub enum Trust {
    /// The best result of the games; moves that nobody played are not considered.
    Played = 1,
    /// A search considered every move.
    Searched = 2,
    /// Proven: the game is over, a search solved the position, or every continuation is proven.
    /// Shown to people as "fully searched".
    Exact = 3,
}

impl Trust {
    pub(crate) fn of_number(number: i64) -> Option<Trust> {
        [Trust::Played, Trust::Searched, Trust::Exact]
            .into_iter()
            .find(|trust| *trust as i64 == number)
    }
}

/// The value of a position, backed up by minimax.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct BookValue {
    /// For the side to move.
    pub eval: Eval,
    /// How far it can be trusted.
    pub trust: Trust,
}

impl BookValue {
    /// Returns the same value for the other side.
    #[must_use]
    pub(crate) fn for_other(self) -> BookValue {
        BookValue { eval: -self.eval, trust: self.trust }
    }

    /// Returns true where the value comes from searches or proof, not from games alone.
    pub(crate) fn is_searched(self) -> bool {
        self.trust > Trust::Played
    }
}

/// The result of a search of the position itself.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct StoredSearch {
    /// For the side to move.
    pub eval: Eval,
    /// Kind and depth of the search; never [`ScoreKind::WinLossDraw`].
    pub kind: ScoreKind,
    /// Best move in canonical form; `None` where the game is over.
    pub best: Option<Move>,
}

impl StoredSearch {
    /// Returns the part of a report that a book stores, or `None` where it has nothing of use.
    pub(crate) fn of_report(
        canonical: &CanonicalPosition,
        report: &Report,
    ) -> Option<StoredSearch> {
        let line = report.best()?;
        let usable = report.kind != ScoreKind::WinLossDraw && line.bound == Bound::Exact;
        let best = Some(canonical.canonical_move(line.first()));
        usable.then_some(StoredSearch { eval: line.eval(), kind: report.kind, best })
    }

    /// Returns the search of a finished game: its final score.
    pub(crate) fn of_finished(position: Position) -> StoredSearch {
        StoredSearch { eval: position.final_score().to_eval(), kind: ScoreKind::Exact, best: None }
    }

    /// Returns the order of preference among searches of one position.
    ///
    /// Exact before selective to the end of the game, that before any depth; then plies, then
    /// confidence.
    fn rank(&self) -> (u8, u8, Confidence) {
        match self.kind {
            ScoreKind::Depth { plies, confidence } => (0, plies, confidence),
            ScoreKind::Endgame { confidence } => (1, 0, confidence),
            ScoreKind::WinLossDraw => (0, 0, Confidence::P73),
            ScoreKind::Exact => (2, 0, Confidence::FULL),
        }
    }
}

/// The content of a book for one position; moves are in canonical form.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct BookEntry {
    /// Results of the games through the position.
    pub stats: GameStats,
    /// Results by the code of the next move, sorted by code.
    pub(crate) moves: Vec<(u8, GameStats)>,
    /// The best search of the position.
    pub search: Option<StoredSearch>,
    /// The value that follows from the positions after it.
    pub value: Option<BookValue>,
}

impl BookEntry {
    /// Iterates over the moves played in games, sorted by square.
    pub fn moves(&self) -> impl Iterator<Item = (Move, &GameStats)> {
        self.moves.iter().filter_map(|(code, stats)| Some((move_of(*code)?, stats)))
    }

    /// Returns the results of the games that continued with a canonical move.
    pub(crate) fn stats_of(&self, canonical: Move) -> GameStats {
        let code = code_of(canonical);
        let found = self.moves.iter().find(|(other, _)| *other == code);
        found.map_or_else(GameStats::default, |(_, stats)| *stats)
    }

    /// Adds games that continued with the move of this code; `None` where they ended here.
    pub(crate) fn add_games(&mut self, code: Option<u8>, games: &GameStats) {
        self.stats.add(games);
        if let Some(code) = code {
            self.add_to_move(code, games);
        }
    }

    /// Adds the games of another entry of the same position.
    pub(crate) fn join(&mut self, other: &BookEntry) {
        self.stats.add(&other.stats);
        for (code, stats) in &other.moves {
            self.add_to_move(*code, stats);
        }
    }

    fn add_to_move(&mut self, code: u8, games: &GameStats) {
        match self.moves.binary_search_by_key(&code, |(other, _)| *other) {
            Ok(at) => {
                if let Some((_, stats)) = self.moves.get_mut(at) {
                    stats.add(games);
                }
            }
            Err(at) => self.moves.insert(at, (code, *games)),
        }
    }

    /// Stores a search unless the stored one is better.
    pub(crate) fn keep_better_search(&mut self, search: StoredSearch) {
        if self.search.is_none_or(|old| old.rank() <= search.rank()) {
            self.search = Some(search);
        }
    }
}
