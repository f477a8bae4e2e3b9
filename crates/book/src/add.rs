//! Games into the book, each once.
//!
//! A piece of work is one commit: the games that are new are replayed and
//! their positions folded and sorted in memory, on all cores, then merged
//! into the book ply by ply from the end of the game on, so that each value
//! is backed up in passing and rows are written in the order of the table. A
//! few games are added position by position instead.

use std::collections::BTreeSet;

use rayon::prelude::*;

use umigame_engine::search::Report;
use umigame_othello::Position;

use super::entry::{BookEntry, StoredSearch};
use super::error::BookError;
use super::game::{BookGame, GameId, Step};
use super::grow::searched_of;
use super::minimax::{Layers, MAX_EMPTIES, refresh};
use super::queries::{Held, Sql, order};
use super::stats::GameStats;
use super::{Book, CanonicalPosition};

/// How many games a commit has at most: 2.5 million positions, some 150 MB of
/// memory while they are sorted.
pub(super) const MAX_GAMES_PER_COMMIT: usize = 40_000;
/// Up to so many positions are added one by one. Where the two ways cost the
/// same lies between a hundred games and a thousand, by the size of the book.
const FEW: usize = 2_000;

/// What came of adding games.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct AddedGames {
    /// Games that are new in the book.
    pub new: u64,
    /// Games that it had.
    pub known: u64,
}

/// Searches of positions, folded, to be kept where they are better.
pub(super) type Searches = Vec<(Position, StoredSearch)>;

impl Book {
    /// How many games [`Book::add`] takes best at once.
    pub const MAX_GAMES_PER_COMMIT: usize = MAX_GAMES_PER_COMMIT;

    /// Adds games that are not in the book yet, and backs their results up:
    /// one commit.
    ///
    /// # Errors
    /// The file cannot be written; nothing has changed then.
    pub fn add(&mut self, games: &[BookGame]) -> Result<AddedGames, BookError> {
        self.add_all(games, Vec::new()).map(|(added, _)| added)
    }

    /// Adds a game, and what a search said of the position at its end where
    /// it goes on: one commit. A game that is known is searched all the same.
    ///
    /// # Errors
    /// As [`Book::add`].
    pub fn learn(
        &mut self,
        game: &BookGame,
        last: Option<(Position, Report)>,
    ) -> Result<AddedGames, BookError> {
        let search = last.and_then(|(position, report)| {
            let folded = CanonicalPosition::of(position);
            Some((folded.position(), searched_of(&folded, &report)?))
        });
        let (added, _) = self.add_all(std::slice::from_ref(game), search.into_iter().collect())?;
        Ok(added)
    }

    /// Adds games and searches: one commit. Returns too which positions have
    /// another value now, others perhaps among them.
    pub(super) fn add_all(
        &mut self,
        games: &[BookGame],
        searches: Searches,
    ) -> Result<(AddedGames, Vec<Position>), BookError> {
        let mut named: Vec<(GameId, &BookGame)> =
            games.par_iter().map(|game| (game.identity(), game)).collect();
        named.par_sort_unstable_by_key(|(identity, _)| *identity);
        let least = self.min_empties;
        self.sql.transaction(|sql| {
            let mut new = Vec::new();
            for (identity, game) in named {
                if sql.add_game(identity, game)? {
                    new.push(game);
                }
            }
            let steps = steps_of(&new, least);
            let changed = match steps.len() + searches.len() <= FEW {
                true => add_few(sql, &steps, searches)?,
                false => add_many(sql, &steps, searches)?,
            };
            let new = new.len() as u64;
            Ok((AddedGames { new, known: games.len() as u64 - new }, changed))
        })
    }
}

/// The positions of games, those with the fewest empties first, as the
/// database sorts them.
pub(super) fn steps_of(games: &[&BookGame], min_empties: u32) -> Vec<Step> {
    let mut steps: Vec<Step> = games
        .par_iter()
        .fold(Vec::new, |mut steps, game| {
            game.steps(min_empties, |step| steps.push(step));
            steps
        })
        .reduce(Vec::new, |mut all, mut some| {
            all.append(&mut some);
            all
        });
    steps.par_sort_unstable_by_key(|step| {
        (step.position.empties(), order(step.position), step.played)
    });
    steps
}

/// What the steps say of each of their positions, sorted like the steps.
pub(super) fn entries_of(steps: &[Step]) -> Vec<Held> {
    steps
        .chunk_by(|one, other| one.position == other.position)
        .filter_map(|met| {
            let mut entry = BookEntry::default();
            for same in met.chunk_by(|one, other| one.played == other.played) {
                let mut tally = GameStats::NONE;
                same.iter().for_each(|step| tally.add(&GameStats::of_game(step.result)));
                entry.add_games(same.first()?.played, &tally);
            }
            Some((met.first()?.position, entry))
        })
        .collect()
}

fn join(entry: &mut BookEntry, more: &BookEntry) {
    entry.tally.add(&more.tally);
    for (code, tally) in &more.moves {
        match entry.moves.binary_search_by_key(code, |(other, _)| *other) {
            Ok(at) => entry.moves.get_mut(at).into_iter().for_each(|(_, old)| old.add(tally)),
            Err(at) => entry.moves.insert(at, (*code, *tally)),
        }
    }
}

fn add_few(sql: &Sql, steps: &[Step], searches: Searches) -> Result<Vec<Position>, BookError> {
    let (mut changed, mut new) = (BTreeSet::new(), BTreeSet::new());
    let found = entries_of(steps).into_iter().map(|(position, entry)| (position, entry, None));
    let searches = searches
        .into_iter()
        .map(|(position, searched)| (position, BookEntry::default(), Some(searched)));
    for (position, more, searched) in found.chain(searches) {
        let old = sql.entry(position)?;
        if old.is_none() {
            new.insert(position);
        }
        let mut entry = old.clone().unwrap_or_default();
        join(&mut entry, &more);
        searched.into_iter().for_each(|searched| {
            entry.keep_search(searched);
        });
        if old.as_ref() != Some(&entry) {
            sql.put(position, &entry, old.as_ref())?;
            changed.insert(position);
        }
    }
    refresh(sql, changed, &new)
}

/// A position of a layer: what the book held of it and what it holds now.
type Merged = (Position, Option<BookEntry>, BookEntry);

fn add_many(sql: &Sql, steps: &[Step], searches: Searches) -> Result<Vec<Position>, BookError> {
    let mut layers = Layers::default();
    let mut searches_of: Vec<Searches> = vec![Vec::new(); MAX_EMPTIES as usize + 1];
    for (position, searched) in searches {
        if let Some(layer) = searches_of.get_mut(position.empties() as usize) {
            layer.push((position, searched));
        }
    }
    let mut rest = steps;
    let mut changed = Vec::new();
    for (empties, searches) in (0..).zip(searches_of) {
        let here = rest.partition_point(|step| step.position.empties() <= empties);
        let (now, later) = rest.split_at(here);
        rest = later;
        let mut merged = merge(sql.layer(empties)?, entries_of(now));
        for (position, searched) in searches {
            match merged.binary_search_by_key(&order(position), |(at, ..)| order(*at)) {
                Ok(at) => merged.get_mut(at).into_iter().for_each(|(_, _, entry)| {
                    entry.keep_search(searched);
                }),
                Err(at) => {
                    let entry = BookEntry { searched: Some(searched), ..BookEntry::default() };
                    merged.insert(at, (position, None, entry));
                }
            }
        }
        let mut parts: Vec<_> =
            merged.iter_mut().map(|(position, _, entry)| (*position, entry)).collect();
        layers.value(&mut parts);
        for (position, old, entry) in &merged {
            if old.as_ref() != Some(entry) {
                sql.put(*position, entry, old.as_ref())?;
                changed.push(*position);
            }
        }
    }
    Ok(changed)
}

/// Joins two sorted lists of positions.
fn merge(old: Vec<Held>, new: Vec<Held>) -> Vec<Merged> {
    let mut merged = Vec::with_capacity(old.len() + new.len());
    let mut new = new.into_iter().peekable();
    for (position, held) in old {
        while let Some((at, entry)) = new.next_if(|(at, _)| order(*at) < order(position)) {
            merged.push((at, None, entry));
        }
        let mut entry = held.clone();
        if let Some((_, more)) = new.next_if(|(at, _)| *at == position) {
            join(&mut entry, &more);
        }
        merged.push((position, Some(held), entry));
    }
    merged.extend(new.map(|(at, entry)| (at, None, entry)));
    merged
}
