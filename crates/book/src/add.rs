//! Adds games and searches to a book; each game counts once.
//!
//! One call is one commit. Many positions are sorted in memory and merged with the book layer by
//! layer from the end of the game, so that values are backed up on the way and rows are written in
//! table order. Few positions are added one by one.

use std::collections::BTreeSet;
use std::sync::atomic::AtomicBool;

use derive_more::AddAssign;
use rayon::prelude::*;

use umigame_engine::Report;
use umigame_othello::{Position, Record};

use crate::book::Book;
use crate::canonical::CanonicalPosition;
use crate::database::Database;
use crate::entry::{BookEntry, StoredSearch};
use crate::error::BookError;
use crate::game::{BookGame, GameId, Visit};
use crate::interrupt;
use crate::minimax::{LayerValues, MAX_EMPTIES, propagate};
use crate::queries::{PositionEntry, row_order};
use crate::visits::{GAMES_PER_CHECK, entries_of, split_layer, visits_of};

/// Games per commit, at most: 2.5 million positions, 150 MB of memory while they are sorted.
pub(crate) const MAX_GAMES_PER_COMMIT: usize = 40_000;
/// Positions added one by one, at most. The two ways break even between a hundred games and a
/// thousand, depending on the size of the book.
const ONE_BY_ONE_MAX_POSITIONS: usize = 2_000;

/// Numbers of games added.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, AddAssign)]
pub struct AddedGames {
    /// Games new to the book.
    pub new: u64,
    /// Games already in the book.
    pub known: u64,
}

/// Searches of canonical positions.
pub(crate) type PositionSearches = Vec<(Position, StoredSearch)>;

impl Book {
    /// Best number of games for one call of [`Book::add`], and its maximum.
    pub const MAX_GAMES_PER_COMMIT: usize = MAX_GAMES_PER_COMMIT;

    /// Adds games and backs their results up, in one commit.
    ///
    /// # Errors
    /// The file cannot be written; the book is unchanged then.
    pub fn add(&mut self, games: &[BookGame]) -> Result<AddedGames, BookError> {
        self.add_until(games, &interrupt::NEVER)
    }

    /// Adds games as [`Book::add`] does, unless `stop` is set meanwhile.
    ///
    /// # Errors
    /// As [`Book::add`]; [`BookError::Interrupted`] where `stop` is set; the book is unchanged then.
    pub fn add_until(
        &mut self,
        games: &[BookGame],
        stop: &AtomicBool,
    ) -> Result<AddedGames, BookError> {
        self.add_all(games, Vec::new(), stop).map(|(added, _)| added)
    }

    /// Adds a game and, where it is unfinished, the report of a search of its last position, in
    /// one commit. The report is stored for a known game too.
    ///
    /// # Errors
    /// As [`Book::add`]; or the game has an illegal move.
    pub fn learn(
        &mut self,
        record: &Record,
        last: Option<&Report>,
    ) -> Result<AddedGames, BookError> {
        let game = BookGame::of(record)?;
        let position = record.board()?.position();
        let search = last.and_then(|report| {
            let canonical = CanonicalPosition::of(position);
            let search = StoredSearch::of_report(&canonical, report)?;
            Some((canonical.position(), search))
        });
        let (added, _) = self.add_all(&[game], search.into_iter().collect(), &interrupt::NEVER)?;
        Ok(added)
    }

    /// Adds games and searches, in one commit. Returns also the positions whose entries changed.
    pub(crate) fn add_all(
        &mut self,
        games: &[BookGame],
        searches: PositionSearches,
        stop: &AtomicBool,
    ) -> Result<(AddedGames, Vec<Position>), BookError> {
        let mut by_id: Vec<(GameId, &BookGame)> = Vec::with_capacity(games.len());
        for games in games.chunks(GAMES_PER_CHECK) {
            interrupt::check(stop)?;
            by_id.par_extend(games.par_iter().map(|game| (game.id(), game)));
        }
        by_id.par_sort_unstable_by_key(|(id, _)| *id);
        let min_empties = self.min_empties;
        self.database.transaction(|database| {
            let mut new = Vec::new();
            for (id, game) in by_id {
                interrupt::check(stop)?;
                if database.add_game(id, game)? {
                    new.push(game);
                }
            }
            let visits = visits_of(&new, min_empties, stop)?;
            let changed = if visits.len() + searches.len() <= ONE_BY_ONE_MAX_POSITIONS {
                add_one_by_one(database, &visits, searches)?
            } else {
                add_by_layer(database, &visits, searches, stop)?
            };
            let new = new.len() as u64;
            Ok((AddedGames { new, known: games.len() as u64 - new }, changed))
        })
    }
}

fn add_one_by_one(
    database: &Database,
    visits: &[Visit],
    searches: PositionSearches,
) -> Result<Vec<Position>, BookError> {
    let (mut changed, mut new) = (BTreeSet::new(), BTreeSet::new());
    let counted = entries_of(visits).into_iter().map(|(position, entry)| (position, entry, None));
    let searches = searches
        .into_iter()
        .map(|(position, search)| (position, BookEntry::default(), Some(search)));
    for (position, more, search) in counted.chain(searches) {
        let old = database.entry(position)?;
        if old.is_none() {
            new.insert(position);
        }
        let mut entry = old.clone().unwrap_or_default();
        entry.join(&more);
        if let Some(search) = search {
            entry.keep_better_search(search);
        }
        if old.as_ref() != Some(&entry) {
            database.put(position, &entry, old.as_ref())?;
            changed.insert(position);
        }
    }
    propagate(database, changed, &new)
}

fn add_by_layer(
    database: &Database,
    visits: &[Visit],
    searches: PositionSearches,
    stop: &AtomicBool,
) -> Result<Vec<Position>, BookError> {
    let mut searches_by_empties: Vec<PositionSearches> = vec![Vec::new(); MAX_EMPTIES as usize + 1];
    for (position, search) in searches {
        if let Some(searches) = searches_by_empties.get_mut(position.empties() as usize) {
            searches.push((position, search));
        }
    }
    let mut values = LayerValues::default();
    let mut rest = visits;
    let mut changed = Vec::new();
    for (empties, searches) in (0..).zip(searches_by_empties) {
        let counted = entries_of(split_layer(&mut rest, empties));
        let mut layer = merge(database.layer(empties)?, counted);
        add_searches(&mut layer, searches);
        let mut entries: Vec<_> =
            layer.iter_mut().map(|merged| (merged.position, &mut merged.new)).collect();
        values.set(&mut entries);
        for Merged { position, old, new } in &layer {
            interrupt::check(stop)?;
            if old.as_ref() != Some(new) {
                database.put(*position, new, old.as_ref())?;
                changed.push(*position);
            }
        }
    }
    Ok(changed)
}

/// A position of a layer before and after a change.
struct Merged {
    position: Position,
    /// `None` where the position is new to the book.
    old: Option<BookEntry>,
    new: BookEntry,
}

/// Merges two lists of positions in row order.
fn merge(stored: Vec<PositionEntry>, counted: Vec<PositionEntry>) -> Vec<Merged> {
    let mut merged = Vec::with_capacity(stored.len() + counted.len());
    let mut counted = counted.into_iter().peekable();
    let added = |(position, new)| Merged { position, old: None, new };
    for (position, old) in stored {
        let here = row_order(position);
        while let Some(before) = counted.next_if(|(at, _)| row_order(*at) < here) {
            merged.push(added(before));
        }
        let mut new = old.clone();
        if let Some((_, more)) = counted.next_if(|(at, _)| *at == position) {
            new.join(&more);
        }
        merged.push(Merged { position, old: Some(old), new });
    }
    merged.extend(counted.map(added));
    merged
}

/// Adds searches to a layer in row order.
fn add_searches(layer: &mut Vec<Merged>, searches: PositionSearches) {
    for (position, search) in searches {
        let here = row_order(position);
        match layer.binary_search_by_key(&here, |merged| row_order(merged.position)) {
            Ok(at) => {
                if let Some(merged) = layer.get_mut(at) {
                    merged.new.keep_better_search(search);
                }
            }
            Err(at) => {
                let new = BookEntry { search: Some(search), ..BookEntry::default() };
                layer.insert(at, Merged { position, old: None, new });
            }
        }
    }
}
