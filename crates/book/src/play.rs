//! Playing from a book: which moves it knows, and which of them to make.

use std::path::Path;

use umigame_othello::{Eval, Move, Position, squares};

use super::compact::CompactBook;
use super::entry::{BookValue, Trust};
use super::error::BookError;
use super::{Book, CanonicalPosition};

/// A position is known by its games from so many results on.
const LEAST_RESULTS: u32 = 10;
/// Moves of the best line that is shown: each is a dozen look-ups, and the
/// answer is to take less than a millisecond.
const LINE: usize = 5;

/// What decides between the moves of a book.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum ChoiceCriterion {
    /// The value backed up from searches; where no search has looked, the
    /// book says nothing.
    #[default]
    Value,
    /// The share of games won, draws counting half, where ten games or more
    /// have a result.
    WinRate,
}

/// How to choose from a book.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub struct ChoicePolicy {
    /// What decides.
    pub by: ChoiceCriterion,
    /// Hundredths of a disc by which a move may fall short of the best one,
    /// in value or in mean result, and still be made.
    pub loose: i32,
}

/// A move that the book knows.
#[derive(Clone, PartialEq, Debug)]
pub struct BookMove {
    /// The move; with the best one, what the book goes on with.
    pub line: Vec<Move>,
    /// Its value, or the mean result where games decide, for the mover.
    pub eval: Eval,
    /// Games that met the position after it and have a result.
    pub games: u32,
    /// The mover's share of them, where there are any.
    pub win_rate: Option<f64>,
    /// What is behind its value, if it has one.
    pub trust: Option<Trust>,
}

impl BookMove {
    /// The move itself.
    pub fn played(&self) -> Move {
        self.line.first().copied().unwrap_or(Move::Pass)
    }
}

/// What a choice needs to know of a position, for its side to move.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub(super) struct Brief {
    pub value: Option<BookValue>,
    /// What a search of the position said, and its move, folded.
    pub answer: Option<(Eval, Move)>,
    /// Games with a result.
    pub results: u32,
    /// Twice the wins, and the draws.
    pub half_points: u32,
    pub mean: Eval,
}

impl Brief {
    fn win_rate(&self) -> Option<f64> {
        (self.results > 0).then(|| f64::from(self.half_points) / (2.0 * f64::from(self.results)))
    }
}

/// A book to play from: the database, or what was exported from it for play.
#[derive(Debug)]
pub enum PlayBook {
    /// The database; games can be added where it can be written.
    Full {
        /// The book.
        book: Book,
        /// Whether it can be written.
        writable: bool,
    },
    /// The compact file, only to read.
    Compact(CompactBook),
}

impl PlayBook {
    /// Opens either kind of book.
    ///
    /// # Errors
    /// The file is missing, or no book of either kind.
    pub fn open(path: &Path) -> Result<PlayBook, BookError> {
        if CompactBook::is_one(path) {
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

    /// The file.
    pub fn path(&self) -> &Path {
        match self {
            PlayBook::Full { book, .. } => book.path(),
            PlayBook::Compact(compact) => compact.path(),
        }
    }

    fn brief(&self, folded: Position) -> Result<Option<Brief>, BookError> {
        match self {
            PlayBook::Full { book, .. } => Ok(book.sql.entry(folded)?.map(|entry| entry.brief())),
            PlayBook::Compact(compact) => Ok(compact.brief(folded)),
        }
    }

    /// The moves of a position that the book knows, best first, the best one
    /// with the line that follows; those that are the same by symmetry once.
    /// Empty where it does not know which is best.
    ///
    /// # Errors
    /// The file cannot be read.
    pub fn moves(
        &self,
        position: Position,
        by: ChoiceCriterion,
    ) -> Result<Vec<BookMove>, BookError> {
        let mut found = self.known(position, by)?;
        let Some(best) = found.first_mut() else { return Ok(found) };
        let mut at = position;
        while let Some(&last) = best.line.last().filter(|_| best.line.len() < LINE) {
            let next = match last {
                Move::Place(square) => at.place(square),
                Move::Pass => Some(at.passed()),
            };
            let Some(next) = next else { break };
            at = next;
            match self.known(at, by)?.first() {
                Some(next) => best.line.push(next.played()),
                None => break,
            }
        }
        Ok(found)
    }

    /// The same with lines of one move.
    fn known(&self, position: Position, by: ChoiceCriterion) -> Result<Vec<BookMove>, BookError> {
        let folded = CanonicalPosition::of(position);
        let Some(own) = self.brief(folded.position())? else { return Ok(Vec::new()) };
        let looked_at = own.value.is_some_and(|value| value.trust > Trust::Played);
        if by == ChoiceCriterion::Value && !looked_at {
            return Ok(Vec::new());
        }
        let mut found: Vec<(Move, BookMove)> = Vec::new();
        for square in squares(position.moves()) {
            let one = folded.fold(square.into());
            let Some(next) = position.place(square) else { continue };
            if found.iter().any(|(other, _)| *other == one) {
                continue;
            }
            let after = self.brief(CanonicalPosition::of(next).position())?;
            let Some(known) = after.and_then(|after| known_move(&after, by)) else { continue };
            found.push((one, BookMove { line: vec![folded.usual(one)], ..known }));
        }
        if let (ChoiceCriterion::Value, Some((eval, best))) = (by, own.answer)
            && best != Move::Pass
            && found.iter().all(|(other, _)| *other != best)
        {
            let line = vec![folded.usual(best)];
            let trust = Some(Trust::Searched);
            found.push((best, BookMove { line, eval, games: 0, win_rate: None, trust }));
        }
        let mut found: Vec<BookMove> = found.into_iter().map(|(_, known)| known).collect();
        match by {
            ChoiceCriterion::Value => {
                found.sort_by_key(|one| std::cmp::Reverse((one.eval, one.games)))
            }
            ChoiceCriterion::WinRate => found
                .sort_by(|a, b| b.win_rate.unwrap_or(0.0).total_cmp(&a.win_rate.unwrap_or(0.0))),
        }
        Ok(found)
    }

    /// A move of the book, by chance among those that are good enough;
    /// `None` where the book does not know.
    ///
    /// # Errors
    /// The file cannot be read.
    pub fn choose(
        &self,
        position: Position,
        choosing: ChoicePolicy,
        random: &mut fastrand::Rng,
    ) -> Result<Option<BookMove>, BookError> {
        let mut known = self.known(position, choosing.by)?;
        let Some(best) = known.first().map(|best| best.eval.centidiscs()) else { return Ok(None) };
        if choosing.loose > 0 {
            known.retain(|one| one.eval.centidiscs() >= best - choosing.loose);
        } else {
            known.truncate(1);
        }
        Ok(Some(known.swap_remove(random.usize(..known.len()))))
    }
}

/// What the position after a move says of the move.
fn known_move(after: &Brief, by: ChoiceCriterion) -> Option<BookMove> {
    let value = after.value.map(BookValue::for_other);
    let known = match by {
        ChoiceCriterion::Value => value.is_some_and(|value| value.trust > Trust::Played),
        ChoiceCriterion::WinRate => after.results >= LEAST_RESULTS,
    };
    let eval = match by {
        ChoiceCriterion::Value => value?.eval,
        ChoiceCriterion::WinRate => -after.mean,
    };
    known.then(|| BookMove {
        line: Vec::new(),
        eval,
        games: after.results,
        win_rate: after.win_rate().map(|rate| 1.0 - rate),
        trust: value.map(|value| value.trust),
    })
}

impl super::BookEntry {
    /// What a choice needs.
    pub(super) fn brief(&self) -> Brief {
        let tally = &self.tally;
        let mean = tally.mean().map_or(0.0, |mean| (100.0 * mean).round());
        Brief {
            value: self.value,
            answer: self.searched.and_then(|searched| Some((searched.eval, searched.best?))),
            results: tally.results(),
            half_points: tally.wins.saturating_mul(2).saturating_add(tally.draws),
            mean: Eval::from_centidiscs(mean as i32),
        }
    }
}
