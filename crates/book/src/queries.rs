//! The one module that speaks SQL: every statement ([`portable`], and those of
//! [`sqlite`] alone), and the way between rows and what the rest of the store
//! knows.
//!
//! Positions are sorted by their empties first, so that the positions of one
//! ply lie together and values can be backed up ply by ply. Where every game
//! went on with the same move, `next` names it and its results are the
//! position's; where they did not, `next` is [`SEVERAL`] and table `move`
//! has the moves.

mod statements;

use std::ffi::{OsStr, OsString};
use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::time::Duration;

use rusqlite::{Connection, ErrorCode, OpenFlags, OptionalExtension, Row, params};

use umigame_engine::search::ScoreKind;
use umigame_othello::{Eval, Position};

use super::canonical::{code_of, move_of};
use super::entry::{BookEntry, BookValue, StoredSearch, Trust};
use super::error::BookError;
use super::game::{BookGame, GameId};
use super::stats::GameStats;
use statements::{portable, sqlite};

/// The version of the tables that this umigame writes.
pub(super) const VERSION: u32 = 1;
/// Stands in `next` where table `move` has the moves.
const SEVERAL: i64 = -1;
/// How long a writer waits for another one.
const PATIENCE: Duration = Duration::from_secs(10);

/// What a connection may do.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Access {
    /// Read a book that is there.
    Read,
    /// Read and write a book that is there.
    Write,
    /// The same, and make it where it is missing.
    Create,
}

/// A connection to the database of one book.
#[derive(Debug)]
pub(super) struct Sql {
    connection: Connection,
    path: PathBuf,
}

/// How many rows there are.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct BookCounts {
    /// Games.
    pub games: u64,
    /// Positions.
    pub positions: u64,
    /// Positions that were searched themselves.
    pub searched: u64,
    /// Positions whose value is proven.
    pub exact: u64,
}

/// A position with what the book holds of it.
pub(super) type Held = (Position, BookEntry);

impl Sql {
    /// Opens a book.
    ///
    /// # Errors
    /// The file is missing, no book, of a newer version, or cannot be used.
    pub fn open(path: &Path, access: Access) -> Result<Sql, BookError> {
        if access != Access::Create && !path.exists() {
            return Err(BookError::Missing(path.to_path_buf()));
        }
        if path.is_dir() {
            return Err(BookError::NoBook(path.to_path_buf()));
        }
        if path.parent().is_some_and(|folder| folder != Path::new("") && !folder.is_dir()) {
            return Err(BookError::failed(path, "there is no such folder to make a book in"));
        }
        let mut log = path.as_os_str().to_owned();
        log.push("-wal");
        match Sql::open_as(path, access, path.as_os_str()) {
            // Where not even the log can be made and there is none, the file is
            // all there is: it is read as one that nobody changes.
            Err(BookError::ReadOnly(_)) if access == Access::Read && !Path::new(&log).exists() => {
                Sql::open_as(path, access, &unchanging(path))
            }
            opened => opened,
        }
    }

    /// Opens a book under the name that SQLite knows it by.
    fn open_as(path: &Path, access: Access, name: &OsStr) -> Result<Sql, BookError> {
        // A reader that could not write either would leave the files of the
        // log behind; where the file is read-only, SQLite makes do with that.
        let mut flags = OpenFlags::SQLITE_OPEN_READ_WRITE | OpenFlags::SQLITE_OPEN_NO_MUTEX;
        flags.set(OpenFlags::SQLITE_OPEN_CREATE, access == Access::Create);
        flags.set(OpenFlags::SQLITE_OPEN_URI, name != path.as_os_str());
        let explain = |error| explain(path, error);
        let connection = Connection::open_with_flags(name, flags).map_err(explain)?;
        connection.busy_timeout(PATIENCE).map_err(explain)?;
        connection.set_prepared_statement_cache_capacity(32);
        let mut sql = Sql { connection, path: path.to_path_buf() };
        if access == Access::Create && sql.is_empty()? {
            sql.batch(sqlite::OPENING)?;
            sql.transaction(Sql::make_tables)?;
        }
        sql.check_version()?;
        if access == Access::Read {
            sql.batch(sqlite::ONLY_READ)?;
            return Ok(sql);
        }
        if sql.connection.is_readonly("main").map_err(explain)? {
            return Err(BookError::ReadOnly(path.to_path_buf()));
        }
        sql.batch(sqlite::OPENING)?;
        Ok(sql)
    }

    /// The file.
    pub fn path(&self) -> &Path {
        &self.path
    }

    fn explain(&self, error: rusqlite::Error) -> BookError {
        explain(&self.path, error)
    }

    fn batch(&self, statements: &str) -> Result<(), BookError> {
        self.connection.execute_batch(statements).map_err(|error| self.explain(error))
    }

    fn is_empty(&self) -> Result<bool, BookError> {
        self.connection
            .query_row(sqlite::COUNT_TABLES, [], |row| row.get::<_, i64>(0))
            .map(|count| count == 0)
            .map_err(|error| self.explain(error))
    }

    fn make_tables(&mut self) -> Result<(), BookError> {
        // Another process may have been first.
        if !self.is_empty()? {
            return Ok(());
        }
        for table in portable::TABLES {
            self.batch(&format!("{table} {}", sqlite::ORDERED))?;
        }
        self.set_about("version", &VERSION.to_string())
    }

    fn check_version(&self) -> Result<(), BookError> {
        let no_book = || BookError::NoBook(self.path.clone());
        let tables: i64 = self
            .connection
            .query_row(sqlite::COUNT_ABOUT, [], |row| row.get(0))
            .map_err(|error| self.explain(error))?;
        if tables == 0 {
            return Err(no_book());
        }
        let version = self.about("version")?.and_then(|text| text.parse().ok());
        match version.ok_or_else(no_book)? {
            found if found > VERSION => {
                Err(BookError::Newer { path: self.path.clone(), found, known: VERSION })
            }
            _ => Ok(()),
        }
    }

    /// Does all of a piece of work or nothing: one commit.
    ///
    /// # Errors
    /// What the work fails with, or the commit; nothing has changed then.
    pub fn transaction<T>(
        &mut self,
        work: impl FnOnce(&mut Sql) -> Result<T, BookError>,
    ) -> Result<T, BookError> {
        self.batch(sqlite::BEGIN)?;
        let done = work(self).and_then(|done| self.batch(portable::COMMIT).map(|()| done));
        if done.is_err() && !self.connection.is_autocommit() {
            // The error that came first says more than a failure of this.
            let _ = self.batch(portable::ROLLBACK);
        }
        done
    }

    /// Whether another connection has committed since this was last asked.
    pub fn changed_elsewhere(&self, seen: &mut i64) -> Result<bool, BookError> {
        let version = self
            .connection
            .query_row(sqlite::DATA_VERSION, [], |row| row.get(0))
            .map_err(|error| self.explain(error))?;
        Ok(std::mem::replace(seen, version) != version)
    }

    /// What the database itself finds wrong with the file.
    pub fn integrity(&self) -> Result<Vec<String>, BookError> {
        let complaints = (|| {
            let mut statement = self.connection.prepare(sqlite::INTEGRITY)?;
            statement.query_map([], |row| row.get::<_, String>(0))?.collect::<Result<Vec<_>, _>>()
        })();
        let mut complaints = complaints.map_err(|error| self.explain(error))?;
        complaints.retain(|complaint| complaint != "ok");
        Ok(complaints)
    }

    /// Limits the size of the file, for tests of a full disk.
    #[cfg(test)]
    pub fn limit_pages(&self, pages: u32) {
        self.batch(&format!("PRAGMA max_page_count = {pages}")).expect("a limit can be set");
    }

    /// A fact about the book.
    pub fn about(&self, name: &str) -> Result<Option<String>, BookError> {
        let found = || {
            let mut statement = self.connection.prepare_cached(portable::GET_ABOUT)?;
            statement.query_row([name], |row| row.get(0)).optional()
        };
        found().map_err(|error| self.explain(error))
    }

    /// Sets a fact about the book.
    pub fn set_about(&self, name: &str, content: &str) -> Result<(), BookError> {
        let done = || self.connection.prepare_cached(portable::SET_ABOUT)?.execute([name, content]);
        done().map(|_| ()).map_err(|error| self.explain(error))
    }

    /// Adds a game; whether it was not there before.
    pub fn add_game(&self, id: GameId, game: &BookGame) -> Result<bool, BookError> {
        let added = || {
            self.connection.prepare_cached(portable::ADD_GAME)?.execute(params![
                id.high(),
                id.low(),
                game.first_text(),
                game.moves_text(),
                game.black,
                game.white,
                game.place,
                game.date,
                game.result.map(|score| score.discs()),
            ])
        };
        added().map(|rows| rows > 0).map_err(|error| self.explain(error))
    }

    /// At most so many games after one, in the order of their identities;
    /// `None` begins at the first.
    pub fn games_after(
        &self,
        after: Option<GameId>,
        most: usize,
    ) -> Result<Vec<(GameId, BookGame)>, BookError> {
        let least = GameId::of_columns(i64::MIN, i64::MIN);
        let after = after.unwrap_or(least);
        type Columns = (i64, i64, [String; 6], Option<i32>);
        let columns = |row: &Row<'_>| {
            let texts =
                [row.get(2)?, row.get(3)?, row.get(4)?, row.get(5)?, row.get(6)?, row.get(7)?];
            Ok((row.get(0)?, row.get(1)?, texts, row.get(8)?))
        };
        let read = || {
            let mut statement = self.connection.prepare_cached(portable::GAMES_AFTER)?;
            let rows =
                statement.query_map(params![after.high(), after.low(), most as i64], columns)?;
            rows.collect::<Result<Vec<Columns>, _>>()
        };
        let rows = read().map_err(|error| self.explain(error))?;
        rows.into_iter()
            .map(|(high, low, texts, result)| {
                let game = BookGame::of_columns(texts, result)
                    .map_err(|why| BookError::damaged(&self.path, why))?;
                Ok((GameId::of_columns(high, low), game))
            })
            .collect()
    }

    /// How much the book holds.
    pub fn counts(&self) -> Result<BookCounts, BookError> {
        let read = || {
            let games =
                self.connection.query_row(portable::COUNT_GAMES, [], |row| row.get::<_, i64>(0))?;
            self.connection.query_row(portable::COUNT_POSITIONS, [], |row| {
                Ok(BookCounts {
                    games: games as u64,
                    positions: row.get::<_, i64>(0)? as u64,
                    searched: row.get::<_, i64>(1)? as u64,
                    exact: row.get::<_, i64>(2)? as u64,
                })
            })
        };
        read().map_err(|error| self.explain(error))
    }

    /// What the book holds of a folded position.
    pub fn entry(&self, position: Position) -> Result<Option<BookEntry>, BookError> {
        let key = params![position.empties(), position.player as i64, position.opponent as i64];
        let read = || {
            let mut statement = self.connection.prepare_cached(portable::GET_POSITION)?;
            let Some((held, several)) = statement.query_row(key, held_of).optional()? else {
                return Ok(None);
            };
            let (_, mut entry) = held;
            if several {
                let mut statement = self.connection.prepare_cached(portable::GET_MOVES)?;
                let moves = statement.query_map(key, move_row)?;
                entry.moves =
                    moves.map(|row| row.map(|(_, played)| played)).collect::<Result<_, _>>()?;
            }
            Ok(Some(entry))
        };
        read().map_err(|error| self.explain(error))
    }

    /// All positions with so many empties, sorted.
    pub fn layer(&self, empties: u32) -> Result<Vec<Held>, BookError> {
        self.layer_of(portable::LAYER, empties)
    }

    /// Those of them that were searched.
    pub fn searched(&self, empties: u32) -> Result<Vec<Held>, BookError> {
        self.layer_of(portable::SEARCHED, empties)
    }

    fn layer_of(&self, statement: &str, empties: u32) -> Result<Vec<Held>, BookError> {
        let read = || {
            let mut positions = self.connection.prepare_cached(statement)?;
            let mut moves = self.connection.prepare_cached(portable::LAYER_MOVES)?;
            let mut moves = moves.query_map([empties], move_row)?.peekable();
            let mut layer = Vec::new();
            for row in positions.query_map([empties], held_of)? {
                let ((position, mut entry), several) = row?;
                let here = order(position);
                let before =
                    |row: &Result<MoveRow, _>| row.as_ref().is_ok_and(|(at, _)| order(*at) < here);
                while moves.next_if(before).is_some() {}
                let ours =
                    |row: &Result<MoveRow, _>| row.as_ref().map_or(true, |(at, _)| *at == position);
                while several && let Some(row) = moves.next_if(ours) {
                    entry.moves.push(row?.1);
                }
                layer.push((position, entry));
            }
            Ok(layer)
        };
        read().map_err(|error| self.explain(error))
    }

    /// Rows of table `move` that belong to no position.
    pub fn stray_moves(&self) -> Result<u64, BookError> {
        self.connection
            .query_row(portable::COUNT_STRAY_MOVES, [], |row| row.get::<_, i64>(0))
            .map(|count| count as u64)
            .map_err(|error| self.explain(error))
    }

    /// Writes what the book is to hold of a folded position, in place of what
    /// it held.
    pub fn put(
        &self,
        position: Position,
        new: &BookEntry,
        old: Option<&BookEntry>,
    ) -> Result<(), BookError> {
        self.try_put(position, new, old).map_err(|error| self.explain(error))
    }

    fn try_put(
        &self,
        position: Position,
        new: &BookEntry,
        old: Option<&BookEntry>,
    ) -> rusqlite::Result<()> {
        let (empties, player) = (position.empties(), position.player as i64);
        let opponent = position.opponent as i64;
        let next = next_of(new);
        let (depth, percent) = match new.searched.map(|searched| searched.kind) {
            None => (None, None),
            Some(ScoreKind::Depth { plies, percent }) => (Some(plies), Some(percent)),
            Some(ScoreKind::Ending { percent }) => (None, Some(percent)),
            Some(ScoreKind::Exact | ScoreKind::WinLossDraw) => (None, Some(100)),
        };
        let tally = &new.tally;
        self.connection.prepare_cached(portable::PUT_POSITION)?.execute(params![
            empties,
            player,
            opponent,
            tally.games,
            tally.wins,
            tally.draws,
            tally.losses,
            tally.total,
            tally.best(),
            tally.worst(),
            next,
            new.searched.map(|searched| searched.eval.centidiscs()),
            depth,
            percent,
            new.searched.and_then(|searched| searched.best).map(code_of),
            new.value.map(|value| value.eval.centidiscs()),
            new.value.map(|value| value.trust as i64),
        ])?;
        let has = |entry: &BookEntry| next_of(entry) == Some(SEVERAL);
        let had = old.is_some_and(has);
        if had && old.is_some_and(|old| old.moves == new.moves) {
            return Ok(());
        }
        if had {
            self.connection
                .prepare_cached(portable::DROP_MOVES)?
                .execute(params![empties, player, opponent])?;
        }
        if next == Some(SEVERAL) {
            let mut statement = self.connection.prepare_cached(portable::PUT_MOVE)?;
            for (square, tally) in &new.moves {
                statement.execute(params![
                    empties,
                    player,
                    opponent,
                    square,
                    tally.games,
                    tally.wins,
                    tally.draws,
                    tally.losses,
                    tally.total,
                    tally.best(),
                    tally.worst(),
                ])?;
            }
        }
        Ok(())
    }
}

/// What stands in column `next`.
fn next_of(entry: &BookEntry) -> Option<i64> {
    match entry.moves.as_slice() {
        [] => None,
        [(square, tally)] if *tally == entry.tally => Some(i64::from(*square)),
        _ => Some(SEVERAL),
    }
}

/// The order of positions in the database, whose numbers have a sign.
pub(super) fn order(position: Position) -> (i64, i64) {
    (position.player as i64, position.opponent as i64)
}

fn position_of(row: &Row<'_>) -> rusqlite::Result<Position> {
    Ok(Position { player: row.get::<_, i64>(0)? as u64, opponent: row.get::<_, i64>(1)? as u64 })
}

/// Columns from this one on: games, wins, draws, losses, total, best, worst.
fn tally_of(row: &Row<'_>, at: usize) -> rusqlite::Result<GameStats> {
    let counts = [row.get(at)?, row.get(at + 1)?, row.get(at + 2)?, row.get(at + 3)?];
    let (best, worst): (Option<i8>, Option<i8>) = (row.get(at + 5)?, row.get(at + 6)?);
    Ok(GameStats::of_columns(counts, row.get(at + 4)?, worst.zip(best)))
}

/// A position, and whether table `move` has its moves.
fn held_of(row: &Row<'_>) -> rusqlite::Result<(Held, bool)> {
    let tally = tally_of(row, 2)?;
    let next: Option<i64> = row.get(9)?;
    let mut entry = BookEntry { tally, ..BookEntry::default() };
    if let Some(square) = next.and_then(|next| u8::try_from(next).ok()) {
        entry.moves.push((square, tally));
    }
    if let Some(centidiscs) = row.get::<_, Option<i32>>(10)? {
        let (plies, percent) = (row.get::<_, Option<u8>>(11)?, row.get::<_, u8>(12)?);
        let kind = match (plies, percent) {
            (Some(plies), percent) => ScoreKind::Depth { plies, percent },
            (None, 100) => ScoreKind::Exact,
            (None, percent) => ScoreKind::Ending { percent },
        };
        let best = row.get::<_, Option<u8>>(13)?.and_then(move_of);
        entry.searched = Some(StoredSearch { eval: Eval::from_centidiscs(centidiscs), kind, best });
    }
    if let Some(centidiscs) = row.get::<_, Option<i32>>(14)? {
        let trust = Trust::of_number(row.get(15)?);
        let eval = Eval::from_centidiscs(centidiscs);
        entry.value = trust.map(|trust| BookValue { eval, trust });
    }
    Ok(((position_of(row)?, entry), next == Some(SEVERAL)))
}

type MoveRow = (Position, (u8, GameStats));

fn move_row(row: &Row<'_>) -> rusqlite::Result<MoveRow> {
    Ok((position_of(row)?, (row.get(2)?, tally_of(row, 3)?)))
}

/// A file as one that does not change while it is open.
fn unchanging(path: &Path) -> OsString {
    let mut name = String::from("file:");
    for byte in path.as_os_str().as_encoded_bytes() {
        match byte {
            b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'/' | b'.' | b'_' | b'-' => {
                name.push(char::from(*byte));
            }
            // Writing to a string cannot fail.
            _ => _ = write!(name, "%{byte:02X}"),
        }
    }
    name.push_str("?immutable=1");
    name.into()
}

fn explain(path: &Path, error: rusqlite::Error) -> BookError {
    let path_buf = path.to_path_buf();
    match error.sqlite_error_code() {
        Some(ErrorCode::DiskFull) => BookError::Full(path_buf),
        Some(ErrorCode::ReadOnly) => BookError::ReadOnly(path_buf),
        Some(ErrorCode::NotADatabase) => BookError::NoBook(path_buf),
        Some(ErrorCode::DatabaseBusy | ErrorCode::DatabaseLocked) => BookError::Busy(path_buf),
        Some(ErrorCode::DatabaseCorrupt) => BookError::damaged(path, error),
        _ => match error {
            // A column that holds something else than was written.
            rusqlite::Error::InvalidColumnType(..)
            | rusqlite::Error::IntegralValueOutOfRange(..) => BookError::damaged(path, error),
            _ => BookError::failed(path, error),
        },
    }
}
