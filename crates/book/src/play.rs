//! Plays from a book: known moves and the choice among them.

use std::path::Path;

use umigame_engine::Report;
use umigame_othello::{Eval, Move, Position, Record};

use crate::add::AddedGames;
use crate::book::Book;
use crate::canonical::CanonicalPosition;
use crate::compact::CompactBook;
use crate::entry::{BookValue, Trust};
use crate::error::BookError;
use crate::summary::PositionSummary;

/// Results that a move needs to be chosen by win rate.
const WIN_RATE_MIN_RESULTS: u32 = 10;
/// Moves of the best line: each costs a dozen look-ups, and an answer takes less than 1 ms.
const MAX_LINE_MOVES: usize = 5;

/// The criterion by which moves of a book are ordered.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum ChoiceCriterion {
    /// The value backed up from searches. Positions that no search considered are unknown.
    #[default]
    Value,
    /// The share of games won, draws counting half. Moves with fewer than ten results are
    /// unknown.
    WinRate,
}

/// How to choose a move from a book.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub struct ChoicePolicy {
    /// Order of the moves.
    pub criterion: ChoiceCriterion,
    /// Hundredths of a disc, in value or mean result, that a chosen move may fall short of the
    /// best.
    pub tolerance_centidiscs: i32,
}

/// A move that a book knows.
#[derive(Clone, PartialEq, Debug)]
pub struct BookMove {
    /// The move; for the best move, followed by the best line.
    pub line: Vec<Move>,
    /// Value, or mean result where games decide, for the side that moves.
    pub eval: Eval,
    /// Games with a result that met the position after the move.
    pub games: u32,
    /// Share of these games won by the side that moves, 0 to 1; `None` without games.
    pub win_rate: Option<f64>,
    /// How far the value can be trusted; `None` without a value.
    pub trust: Option<Trust>,
}

impl BookMove {
    /// Returns the move.
    pub fn played(&self) -> Move {
        self.line.first().copied().unwrap_or(Move::Pass)
    }
}

/// A book to play from: the database or a compact book exported from it.
#[derive(Debug)]
pub enum PlayBook {
    /// The database.
    Full {
        /// The book.
        book: Book,
        /// Games can be added.
        writable: bool,
    },
    /// A compact book, read-only.
    Compact(CompactBook),
}

impl PlayBook {
    /// Opens a book of either kind, for writing where that is possible.
    ///
    /// # Errors
    /// The file is missing or not a book of either kind.
    pub fn open(path: &Path) -> Result<PlayBook, BookError> {
        if CompactBook::is_compact(path) {
            return Ok(PlayBook::Compact(CompactBook::read(path)?));
        }
        match Book::write(path) {
            Ok(book) => Ok(PlayBook::Full { book, writable: true }),
            Err(BookError::ReadOnly(_)) => {
                Ok(PlayBook::Full { book: Book::read(path)?, writable: false })
            }
            Err(error) => Err(error),
        }
    }

    /// Returns true where games can be learned.
    pub fn is_writable(&self) -> bool {
        matches!(self, PlayBook::Full { writable: true, .. })
    }

    fn summary(&self, canonical: Position) -> Result<Option<PositionSummary>, BookError> {
        match self {
            PlayBook::Full { book, .. } => {
                let entry = book.database.entry(canonical)?;
                Ok(entry.as_ref().map(PositionSummary::from))
            }
            PlayBook::Compact(compact) => Ok(compact.summary(canonical)),
        }
    }

    /// Returns the known moves of a position, best first, the best one with its line; one of
    /// several equivalent moves. Empty where the best move is unknown.
    ///
    /// # Errors
    /// The file cannot be read.
    pub fn moves(
        &self,
        position: Position,
        criterion: ChoiceCriterion,
    ) -> Result<Vec<BookMove>, BookError> {
        let mut moves = self.known_moves(position, criterion)?;
        let Some(best) = moves.first_mut() else { return Ok(moves) };
        let mut at = position;
        while let Some(&last) = best.line.last().filter(|_| best.line.len() < MAX_LINE_MOVES) {
            let Some(next) = at.play(last) else { break };
            at = next;
            match self.known_moves(at, criterion)?.first() {
                Some(next) => best.line.push(next.played()),
                None => break,
            }
        }
        Ok(moves)
    }

    /// Returns the known moves, each with a line of one move.
    fn known_moves(
        &self,
        position: Position,
        criterion: ChoiceCriterion,
    ) -> Result<Vec<BookMove>, BookError> {
        let canonical = CanonicalPosition::of(position);
        let Some(own) = self.summary(canonical.position())? else { return Ok(Vec::new()) };
        if criterion == ChoiceCriterion::Value && !own.value.is_some_and(BookValue::is_searched) {
            return Ok(Vec::new());
        }
        // Each with the canonical form of its move.
        let mut known: Vec<(Move, BookMove)> = Vec::new();
        for square in position.legal_moves() {
            let played = canonical.canonical_move(square.into());
            let Some(next) = position.play(square) else { continue };
            if known.iter().any(|(other, _)| *other == played) {
                continue;
            }
            let after = self.summary(CanonicalPosition::of(next).position())?;
            let line = vec![canonical.usual_move(played)];
            if let Some(found) = after.and_then(|after| book_move(line, &after, criterion)) {
                known.push((played, found));
            }
        }
        // The search of the position may have chosen a move that is not in the book.
        if let (ChoiceCriterion::Value, Some(search)) = (criterion, own.search)
            && search.best != Move::Pass
            && known.iter().all(|(other, _)| *other != search.best)
        {
            let line = vec![canonical.usual_move(search.best)];
            let trust = Some(Trust::Searched);
            let found = BookMove { line, eval: search.eval, games: 0, win_rate: None, trust };
            known.push((search.best, found));
        }
        let mut moves: Vec<BookMove> = known.into_iter().map(|(_, found)| found).collect();
        match criterion {
            ChoiceCriterion::Value => {
                moves.sort_by_key(|one| std::cmp::Reverse((one.eval, one.games)));
            }
            ChoiceCriterion::WinRate => moves
                .sort_by(|a, b| b.win_rate.unwrap_or(0.0).total_cmp(&a.win_rate.unwrap_or(0.0))),
        }
        Ok(moves)
    }

    /// Chooses a move at random among those within the tolerance of `policy`; `None` where the
    /// best move is unknown.
    ///
    /// # Errors
    /// The file cannot be read.
    pub fn choose(
        &self,
        position: Position,
        policy: ChoicePolicy,
        random: &mut fastrand::Rng,
    ) -> Result<Option<BookMove>, BookError> {
        let mut known = self.known_moves(position, policy.criterion)?;
        let Some(best) = known.first().map(|best| best.eval.centidiscs()) else { return Ok(None) };
        if policy.tolerance_centidiscs > 0 {
            known.retain(|one| one.eval.centidiscs() >= best - policy.tolerance_centidiscs);
        } else {
            known.truncate(1);
        }
        Ok(Some(known.swap_remove(random.usize(..known.len()))))
    }

    /// Adds a game and, where it is unfinished, the report of a search of its last position.
    ///
    /// # Errors
    /// The book is read-only or cannot be written, or the game has an illegal move.
    pub fn learn(
        &mut self,
        record: &Record,
        last: Option<&Report>,
    ) -> Result<AddedGames, BookError> {
        match self {
            PlayBook::Full { book, writable: true } => book.learn(record, last),
            _ => Err(BookError::NotWritable),
        }
    }
}

/// Returns a move given the summary of the position after it; `None` where it is unknown.
fn book_move(
    line: Vec<Move>,
    after: &PositionSummary,
    criterion: ChoiceCriterion,
) -> Option<BookMove> {
    let value = after.value.map(BookValue::for_other);
    let eval = match criterion {
        ChoiceCriterion::Value => value.filter(|value| value.is_searched())?.eval,
        ChoiceCriterion::WinRate if after.results < WIN_RATE_MIN_RESULTS => return None,
        ChoiceCriterion::WinRate => -after.mean,
    };
    Some(BookMove {
        line,
        eval,
        games: after.results,
        win_rate: after.win_rate().map(|rate| 1.0 - rate),
        trust: value.map(|value| value.trust),
    })
}
