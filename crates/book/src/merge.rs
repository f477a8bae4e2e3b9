//! One book into another: games that are new there, and searches that are
//! better than its own.

use super::add::{MAX_GAMES_PER_COMMIT, Searches};
use super::error::BookError;
use super::minimax::MAX_EMPTIES;
use super::{AddedGames, Book};

/// Searches that go into one commit.
const MAX_SEARCHES_PER_COMMIT: usize = 500_000;

impl Book {
    /// Takes over the games of another book, and its searches where they are
    /// deeper or surer, in several commits; doing it again changes nothing.
    ///
    /// # Errors
    /// One of the books cannot be read or written; what was committed stays.
    pub fn merge(&mut self, other: &Book) -> Result<AddedGames, BookError> {
        let mut added = AddedGames::default();
        let mut last = None;
        loop {
            let games = other.sql.games_after(last, MAX_GAMES_PER_COMMIT)?;
            let Some((identity, _)) = games.last() else { break };
            last = Some(*identity);
            let games: Vec<_> = games.into_iter().map(|(_, game)| game).collect();
            let some = self.add(&games)?;
            added.new += some.new;
            added.known += some.known;
        }
        let mut searches = Searches::new();
        for empties in 0..=MAX_EMPTIES {
            for (position, entry) in other.sql.searched(empties)? {
                searches.extend(entry.searched.map(|searched| (position, searched)));
                if searches.len() >= MAX_SEARCHES_PER_COMMIT {
                    self.add_all(&[], std::mem::take(&mut searches))?;
                }
            }
        }
        self.add_all(&[], searches)?;
        Ok(added)
    }
}
