//! Merges one book into another.

use crate::add::{AddedGames, MAX_GAMES_PER_COMMIT, PositionSearches};
use crate::book::Book;
use crate::error::BookError;
use crate::interrupt;
use crate::minimax::MAX_EMPTIES;

/// Searches per commit, at most.
const MAX_SEARCHES_PER_COMMIT: usize = 500_000;

impl Book {
    /// Adds the games of another book, and its searches where they are better, in several
    /// commits. Merging the same book again changes nothing.
    ///
    /// # Errors
    /// One of the books cannot be read or written; what was committed stays.
    pub fn merge(&mut self, other: &Book) -> Result<AddedGames, BookError> {
        let mut added = AddedGames::default();
        let mut last = None;
        loop {
            let games = other.database.games_after(last, MAX_GAMES_PER_COMMIT)?;
            let Some((id, _)) = games.last() else { break };
            last = Some(*id);
            let games: Vec<_> = games.into_iter().map(|(_, game)| game).collect();
            added += self.add(&games)?;
        }
        let mut searches = PositionSearches::new();
        for empties in 0..=MAX_EMPTIES {
            for (position, entry) in other.database.searched_layer(empties)? {
                searches.extend(entry.search.map(|search| (position, search)));
                if searches.len() >= MAX_SEARCHES_PER_COMMIT {
                    self.add_all(&[], std::mem::take(&mut searches), &interrupt::NEVER)?;
                }
            }
        }
        self.add_all(&[], searches, &interrupt::NEVER)?;
        Ok(added)
    }
}
