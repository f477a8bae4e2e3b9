//! The tables of a book, its version and its settings.
//!
//! | table | one row for |
//! |---|---|
//! | `metadata` | each setting: `version`, `plies` (the last ply stored) |
//! | `game` | each game; `high` and `low` are the halves of its [`GameId`](crate::GameId) |
//! | `position` | each canonical position: game results, search, value |
//! | `move` | each move of a position where games continued differently |
//!
//! In version 1, table `metadata` was called `about`.
//!
//! `position.next` is the code of the move where all games continued with the same one, whose
//! results are those of the position. It is -1 where table `move` has the moves, and null where no
//! game continued. `answer` is the best move of the search, `depth` its plies (null: to the end of
//! the game), `percent` its confidence. Discs and hundredths of a disc are for the side to move.

use rusqlite::{Connection, OptionalExtension};

/// Version of the tables.
pub(crate) const VERSION: u32 = 2;

const METADATA_TABLE: &str = "metadata";
/// Table of the settings in version 1.
const OLD_METADATA_TABLE: &str = "about";

/// Rows lie in the order of their primary key, so that one ply is read in one sweep.
const TABLES: &str = "
    CREATE TABLE metadata (name TEXT NOT NULL PRIMARY KEY, content TEXT NOT NULL) WITHOUT ROWID;
    CREATE TABLE game (high BIGINT NOT NULL, low BIGINT NOT NULL,
        first TEXT NOT NULL, moves TEXT NOT NULL, black TEXT NOT NULL, white TEXT NOT NULL,
        place TEXT NOT NULL, date TEXT NOT NULL, result SMALLINT,
        PRIMARY KEY (high, low)) WITHOUT ROWID;
    CREATE TABLE position (empties SMALLINT NOT NULL, player BIGINT NOT NULL,
        opponent BIGINT NOT NULL, games INTEGER NOT NULL, wins INTEGER NOT NULL,
        draws INTEGER NOT NULL, losses INTEGER NOT NULL, total BIGINT NOT NULL,
        best SMALLINT, worst SMALLINT, next SMALLINT,
        searched SMALLINT, depth SMALLINT, percent SMALLINT, answer SMALLINT,
        value SMALLINT, trust SMALLINT,
        PRIMARY KEY (empties, player, opponent)) WITHOUT ROWID;
    CREATE TABLE move (empties SMALLINT NOT NULL, player BIGINT NOT NULL,
        opponent BIGINT NOT NULL, square SMALLINT NOT NULL, games INTEGER NOT NULL,
        wins INTEGER NOT NULL, draws INTEGER NOT NULL, losses INTEGER NOT NULL,
        total BIGINT NOT NULL, best SMALLINT, worst SMALLINT,
        PRIMARY KEY (empties, player, opponent, square)) WITHOUT ROWID;";

/// Returns true where the database has no tables.
pub(crate) fn is_empty(connection: &Connection) -> rusqlite::Result<bool> {
    connection.query_row("SELECT NOT EXISTS (SELECT 1 FROM sqlite_schema)", [], |row| row.get(0))
}

/// Makes the tables, unless another process was first.
pub(crate) fn create_tables(connection: &Connection) -> rusqlite::Result<()> {
    if !is_empty(connection)? {
        return Ok(());
    }
    connection.execute_batch(TABLES)?;
    set_metadata(connection, "version", &VERSION.to_string())
}

/// Renames the tables of an older version, in the transaction of the caller.
pub(crate) fn migrate(connection: &Connection) -> rusqlite::Result<()> {
    if metadata_table(connection)? != Some(OLD_METADATA_TABLE) {
        return Ok(());
    }
    connection
        .execute_batch(&format!("ALTER TABLE {OLD_METADATA_TABLE} RENAME TO {METADATA_TABLE}"))?;
    set_metadata(connection, "version", &VERSION.to_string())
}

/// Returns the name of the table of settings; `None` where the database is not a book.
fn metadata_table(connection: &Connection) -> rusqlite::Result<Option<&'static str>> {
    let exists = "SELECT EXISTS (SELECT 1 FROM sqlite_schema WHERE name = ?1)";
    for table in [METADATA_TABLE, OLD_METADATA_TABLE] {
        if connection.query_row(exists, [table], |row| row.get(0))? {
            return Ok(Some(table));
        }
    }
    Ok(None)
}

/// Returns true where the database has the tables of a book.
pub(crate) fn is_book(connection: &Connection) -> rusqlite::Result<bool> {
    Ok(metadata_table(connection)?.is_some())
}

/// Reads a setting, of any version.
pub(crate) fn metadata(connection: &Connection, name: &str) -> rusqlite::Result<Option<String>> {
    let Some(table) = metadata_table(connection)? else { return Ok(None) };
    let select = format!("SELECT content FROM {table} WHERE name = ?1");
    connection.query_row(&select, [name], |row| row.get(0)).optional()
}

/// Writes a setting, in the current version.
pub(crate) fn set_metadata(
    connection: &Connection,
    name: &str,
    content: &str,
) -> rusqlite::Result<()> {
    let insert = "INSERT OR REPLACE INTO metadata (name, content) VALUES (?1, ?2)";
    connection.execute(insert, [name, content]).map(|_| ())
}
