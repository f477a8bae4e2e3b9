//! Reads and writes the rows of a book: games, positions and their moves.
//!
//! Positions are sorted by empties first. The positions with one number of empties, a layer, lie
//! together, so values can be backed up layer by layer.

use rusqlite::types::Type;
use rusqlite::{OptionalExtension, Row, params};

use umigame_engine::{Confidence, ScoreKind};
use umigame_othello::{Bitboard, Eval, Position};

use crate::canonical::{code_of, move_of};
use crate::database::Database;
use crate::entry::{BookEntry, BookValue, StoredSearch, Trust};
use crate::error::BookError;
use crate::game::{BookGame, GameId};
use crate::stats::GameStats;

/// Value of column `next` where table `move` has the moves.
const MOVES_DIFFER: i64 = -1;

/// Selects the columns that [`position_row`] reads.
macro_rules! select_position {
    ($rest:literal) => {
        concat!(
            "SELECT player, opponent, games, wins, draws, losses, total, best, worst, next, \
             searched, depth, percent, answer, value, trust FROM position ",
            $rest
        )
    };
}

/// Selects the columns that [`move_row`] reads.
macro_rules! select_moves {
    ($rest:literal) => {
        concat!(
            "SELECT player, opponent, square, games, wins, draws, losses, total, best, worst \
             FROM move ",
            $rest
        )
    };
}

const INSERT_GAME: &str = "INSERT OR IGNORE INTO game
    (high, low, first, moves, black, white, place, date, result)
    VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9)";

const GAMES_AFTER: &str = "SELECT high, low, first, moves, black, white, place, date, result
    FROM game WHERE (high, low) > (?1, ?2) ORDER BY high, low LIMIT ?3";

const COUNTS: &str = "SELECT COUNT(*), COUNT(searched), COUNT(*) FILTER (WHERE trust = 3),
    (SELECT COUNT(*) FROM game) FROM position";

const PUT_POSITION: &str = "INSERT INTO position
    (empties, player, opponent, games, wins, draws, losses, total, best, worst,
     next, searched, depth, percent, answer, value, trust)
    VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?14, ?15, ?16, ?17)
    ON CONFLICT (empties, player, opponent) DO UPDATE SET
    games = excluded.games, wins = excluded.wins, draws = excluded.draws,
    losses = excluded.losses, total = excluded.total, best = excluded.best,
    worst = excluded.worst, next = excluded.next, searched = excluded.searched,
    depth = excluded.depth, percent = excluded.percent, answer = excluded.answer,
    value = excluded.value, trust = excluded.trust";

const DELETE_MOVES: &str = "DELETE FROM move WHERE empties = ?1 AND player = ?2 AND opponent = ?3";

const INSERT_MOVE: &str = "INSERT INTO move
    (empties, player, opponent, square, games, wins, draws, losses, total, best, worst)
    VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11)";

const COUNT_STRAY_MOVES: &str = "SELECT COUNT(*) FROM move WHERE NOT EXISTS (SELECT 1
    FROM position WHERE position.empties = move.empties AND position.player = move.player
    AND position.opponent = move.opponent AND position.next = -1)";

/// Numbers of rows in a book.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct BookCounts {
    /// Games.
    pub games: u64,
    /// Positions.
    pub positions: u64,
    /// Positions with a search of their own.
    pub searched: u64,
    /// Positions with a proven value.
    pub exact: u64,
}

/// A canonical position and its entry.
pub(crate) type PositionEntry = (Position, BookEntry);

impl Database {
    /// Adds a game; returns true where it is new.
    pub fn add_game(&self, id: GameId, game: &BookGame) -> Result<bool, BookError> {
        let add = || {
            self.connection.prepare_cached(INSERT_GAME)?.execute(params![
                id.high,
                id.low,
                game.start_text(),
                game.moves_text(),
                game.black,
                game.white,
                game.place,
                game.date,
                game.result.map(|score| score.discs()),
            ])
        };
        add().map(|rows| rows > 0).map_err(|error| self.explain(error))
    }

    /// Reads at most `count` games with ids above `after`, in order; `None` starts at the first.
    pub(crate) fn games_after(
        &self,
        after: Option<GameId>,
        count: usize,
    ) -> Result<Vec<(GameId, BookGame)>, BookError> {
        let after = after.unwrap_or(GameId { high: i64::MIN, low: i64::MIN });
        let game_of = |row: &Row<'_>| {
            let texts =
                [row.get(2)?, row.get(3)?, row.get(4)?, row.get(5)?, row.get(6)?, row.get(7)?];
            let id = GameId { high: row.get(0)?, low: row.get(1)? };
            Ok((id, BookGame::of_columns(texts, row.get(8)?)))
        };
        let read = || {
            let mut statement = self.connection.prepare_cached(GAMES_AFTER)?;
            let rows =
                statement.query_map(params![after.high, after.low, count as i64], game_of)?;
            rows.collect::<rusqlite::Result<Vec<_>>>()
        };
        let rows = read().map_err(|error| self.explain(error))?;
        rows.into_iter()
            .map(|(id, game)| Ok((id, game.map_err(|why| BookError::damaged(self.path(), why))?)))
            .collect()
    }

    /// Counts the rows.
    pub fn counts(&self) -> Result<BookCounts, BookError> {
        let counts = |row: &Row<'_>| {
            Ok(BookCounts {
                positions: row.get::<_, i64>(0)? as u64,
                searched: row.get::<_, i64>(1)? as u64,
                exact: row.get::<_, i64>(2)? as u64,
                games: row.get::<_, i64>(3)? as u64,
            })
        };
        self.connection.query_row(COUNTS, [], counts).map_err(|error| self.explain(error))
    }

    /// Reads the entry of a canonical position.
    pub fn entry(&self, position: Position) -> Result<Option<BookEntry>, BookError> {
        let key = params![
            position.empties(),
            position.player().bits() as i64,
            position.opponent().bits() as i64
        ];
        let read = || {
            let mut statement = self.connection.prepare_cached(select_position!(
                "WHERE empties = ?1 AND player = ?2 AND opponent = ?3"
            ))?;
            let Some(row) = statement.query_row(key, position_row).optional()? else {
                return Ok(None);
            };
            let mut entry = row.entry;
            if row.moves_differ {
                let mut statement = self.connection.prepare_cached(select_moves!(
                    "WHERE empties = ?1 AND player = ?2 AND opponent = ?3 ORDER BY square"
                ))?;
                let rows = statement.query_map(key, move_row)?;
                let moves = rows.map(|row| row.map(|row| (row.code, row.stats)));
                entry.moves = moves.collect::<rusqlite::Result<_>>()?;
            }
            Ok(Some(entry))
        };
        read().map_err(|error| self.explain(error))
    }

    /// Reads all positions with this many empties, in row order.
    pub fn layer(&self, empties: u32) -> Result<Vec<PositionEntry>, BookError> {
        let all = select_position!("WHERE empties = ?1 ORDER BY player, opponent");
        self.read_layer(all, empties)
    }

    /// Reads the positions with this many empties that have a search, in row order.
    pub(crate) fn searched_layer(&self, empties: u32) -> Result<Vec<PositionEntry>, BookError> {
        let searched = select_position!(
            "WHERE empties = ?1 AND searched IS NOT NULL ORDER BY player, opponent"
        );
        self.read_layer(searched, empties)
    }

    fn read_layer(&self, select: &str, empties: u32) -> Result<Vec<PositionEntry>, BookError> {
        let read = || {
            let mut positions = self.connection.prepare_cached(select)?;
            let mut moves = self.connection.prepare_cached(select_moves!(
                "WHERE empties = ?1 ORDER BY player, opponent, square"
            ))?;
            let mut moves = moves.query_map([empties], move_row)?.peekable();
            let mut layer = Vec::new();
            for row in positions.query_map([empties], position_row)? {
                let PositionRow { position, mut entry, moves_differ } = row?;
                let here = row_order(position);
                let is_before = |row: &rusqlite::Result<MoveRow>| {
                    row.as_ref().is_ok_and(|row| row_order(row.position) < here)
                };
                while moves.next_if(is_before).is_some() {}
                // An error is taken too, and returned.
                let is_here = |row: &rusqlite::Result<MoveRow>| {
                    row.as_ref().map_or(true, |row| row.position == position)
                };
                while moves_differ && let Some(row) = moves.next_if(is_here) {
                    let row = row?;
                    entry.moves.push((row.code, row.stats));
                }
                layer.push((position, entry));
            }
            Ok(layer)
        };
        read().map_err(|error| self.explain(error))
    }

    /// Counts rows of table `move` without a position that refers to them.
    pub(crate) fn stray_moves(&self) -> Result<u64, BookError> {
        self.connection
            .query_row(COUNT_STRAY_MOVES, [], |row| row.get::<_, i64>(0))
            .map(|count| count as u64)
            .map_err(|error| self.explain(error))
    }

    /// Writes the entry of a canonical position in place of `old`.
    pub fn put(
        &self,
        position: Position,
        new: &BookEntry,
        old: Option<&BookEntry>,
    ) -> Result<(), BookError> {
        self.put_position(position, new)
            .and_then(|()| self.put_moves(position, new, old))
            .map_err(|error| self.explain(error))
    }

    fn put_position(&self, position: Position, entry: &BookEntry) -> rusqlite::Result<()> {
        let (depth, percent) = match entry.search.map(|search| search.kind) {
            None => (None, None),
            Some(ScoreKind::Depth { plies, confidence }) => {
                (Some(plies), Some(confidence.percent()))
            }
            Some(ScoreKind::Endgame { confidence }) => (None, Some(confidence.percent())),
            Some(ScoreKind::Exact | ScoreKind::WinLossDraw) => (None, Some(100)),
        };
        let stats = &entry.stats;
        self.connection.prepare_cached(PUT_POSITION)?.execute(params![
            position.empties(),
            position.player().bits() as i64,
            position.opponent().bits() as i64,
            stats.games,
            stats.wins,
            stats.draws,
            stats.losses,
            stats.total_discs,
            stats.best(),
            stats.worst(),
            next_of(entry),
            entry.search.map(|search| search.eval.centidiscs()),
            depth,
            percent,
            entry.search.and_then(|search| search.best).map(code_of),
            entry.value.map(|value| value.eval.centidiscs()),
            entry.value.map(|value| value.trust as i64),
        ])?;
        Ok(())
    }

    /// Writes the rows of table `move`, where they differ from those of `old`.
    fn put_moves(
        &self,
        position: Position,
        new: &BookEntry,
        old: Option<&BookEntry>,
    ) -> rusqlite::Result<()> {
        let (empties, player) = (position.empties(), position.player().bits() as i64);
        let opponent = position.opponent().bits() as i64;
        let has_rows = |entry: &BookEntry| next_of(entry) == Some(MOVES_DIFFER);
        let had_rows = old.is_some_and(has_rows);
        if had_rows && old.is_some_and(|old| old.moves == new.moves) {
            return Ok(());
        }
        if had_rows {
            let mut statement = self.connection.prepare_cached(DELETE_MOVES)?;
            statement.execute(params![empties, player, opponent])?;
        }
        if !has_rows(new) {
            return Ok(());
        }
        let mut statement = self.connection.prepare_cached(INSERT_MOVE)?;
        for (code, stats) in &new.moves {
            statement.execute(params![
                empties,
                player,
                opponent,
                code,
                stats.games,
                stats.wins,
                stats.draws,
                stats.losses,
                stats.total_discs,
                stats.best(),
                stats.worst(),
            ])?;
        }
        Ok(())
    }
}

/// Returns the value of column `next`.
fn next_of(entry: &BookEntry) -> Option<i64> {
    match entry.moves.as_slice() {
        [] => None,
        [(code, stats)] if *stats == entry.stats => Some(i64::from(*code)),
        _ => Some(MOVES_DIFFER),
    }
}

/// Returns the sort key of a position within its layer; the integers of SQLite are signed.
pub(crate) fn row_order(position: Position) -> (i64, i64) {
    (position.player().bits() as i64, position.opponent().bits() as i64)
}

/// A row of table `position`.
struct PositionRow {
    position: Position,
    entry: BookEntry,
    /// Table `move` has the moves.
    moves_differ: bool,
}

/// A row of table `move`.
struct MoveRow {
    position: Position,
    code: u8,
    stats: GameStats,
}

fn position_of(row: &Row<'_>) -> rusqlite::Result<Position> {
    let discs =
        |column| Ok::<_, rusqlite::Error>(Bitboard::from(row.get::<_, i64>(column)? as u64));
    Position::new(discs(0)?, discs(1)?)
        .map_err(|error| rusqlite::Error::FromSqlConversionFailure(1, Type::Integer, error.into()))
}

/// Reads games, wins, draws, losses, total, best and worst from the columns starting at `at`.
fn stats_of(row: &Row<'_>, at: usize) -> rusqlite::Result<GameStats> {
    let counts = [row.get(at)?, row.get(at + 1)?, row.get(at + 2)?, row.get(at + 3)?];
    let (best, worst): (Option<i8>, Option<i8>) = (row.get(at + 5)?, row.get(at + 6)?);
    Ok(GameStats::of_columns(counts, row.get(at + 4)?, worst.zip(best)))
}

fn position_row(row: &Row<'_>) -> rusqlite::Result<PositionRow> {
    let stats = stats_of(row, 2)?;
    let next: Option<i64> = row.get(9)?;
    let mut entry = BookEntry { stats, ..BookEntry::default() };
    if let Some(code) = next.and_then(|next| u8::try_from(next).ok()) {
        entry.moves.push((code, stats));
    }
    if let Some(centidiscs) = row.get::<_, Option<i32>>(10)? {
        let confidence = Confidence::at_most(row.get(12)?);
        let kind = match row.get::<_, Option<u8>>(11)? {
            Some(plies) => ScoreKind::Depth { plies, confidence },
            None if confidence == Confidence::FULL => ScoreKind::Exact,
            None => ScoreKind::Endgame { confidence },
        };
        let best = row.get::<_, Option<u8>>(13)?.and_then(move_of);
        entry.search = Some(StoredSearch { eval: Eval::from_centidiscs(centidiscs), kind, best });
    }
    if let Some(centidiscs) = row.get::<_, Option<i32>>(14)? {
        let trust = Trust::of_number(row.get(15)?);
        let eval = Eval::from_centidiscs(centidiscs);
        entry.value = trust.map(|trust| BookValue { eval, trust });
    }
    let position = position_of(row)?;
    Ok(PositionRow { position, entry, moves_differ: next == Some(MOVES_DIFFER) })
}

fn move_row(row: &Row<'_>) -> rusqlite::Result<MoveRow> {
    Ok(MoveRow { position: position_of(row)?, code: row.get(2)?, stats: stats_of(row, 3)? })
}
