//! The SQLite connection of one book: opening, transactions, errors.

use std::ffi::{OsStr, OsString};
use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};
use std::time::Duration;

use rusqlite::{Connection, ErrorCode, OpenFlags};

use crate::error::BookError;
use crate::schema;

/// Time that a writer waits for another one.
const BUSY_TIMEOUT: Duration = Duration::from_secs(10);
/// Prepared statements kept for reuse.
const STATEMENT_CACHE_SIZE: usize = 32;

/// Settings of a connection that writes: readers continue while one process writes; a commit
/// survives a kill, and the file survives a power cut. 64 MB of cache and of log.
const WRITER_PRAGMAS: &str = "PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL;
    PRAGMA cache_size = -65536; PRAGMA journal_size_limit = 67108864;";

/// Permissions of a connection.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Access {
    /// Reads an existing book.
    Read,
    /// Reads and writes an existing book.
    Write,
    /// Reads and writes a book; makes it where it is missing.
    Create,
}

/// A connection to the database of one book.
#[derive(Debug)]
pub(crate) struct Database {
    pub(crate) connection: Connection,
    path: PathBuf,
}

impl Database {
    /// Opens a book.
    ///
    /// # Errors
    /// The file is missing, not a book, of a later version, or cannot be used.
    pub fn open(path: &Path, access: Access) -> Result<Database, BookError> {
        if access != Access::Create && !path.exists() {
            return Err(BookError::Missing(path.to_path_buf()));
        }
        // A pipe would wait for its writer. SQLite takes a file of one byte for an empty one.
        if fs::metadata(path).is_ok_and(|file| !file.is_file() || file.len() == 1) {
            return Err(BookError::NotABook(path.to_path_buf()));
        }
        if path.parent().is_some_and(|folder| folder != Path::new("") && !folder.is_dir()) {
            return Err(BookError::failed(path, "there is no such folder to make a book in"));
        }
        let mut log = path.as_os_str().to_owned();
        log.push("-wal");
        // SQLite gives `:memory:` and `file:...` a meaning of their own, but not after a folder.
        let name = if path.is_relative() { Path::new(".").join(path) } else { path.to_path_buf() };
        match Database::open_as(path, access, name.as_os_str(), false) {
            // Where the log is absent and cannot be made either, the file is complete: it is read
            // as one that nobody changes.
            Err(BookError::ReadOnly(_)) if access == Access::Read && !Path::new(&log).exists() => {
                Database::open_as(path, access, &immutable_uri(path), true)
            }
            opened => opened,
        }
    }

    /// Opens the book at `path` by the file name or URI that SQLite is given.
    fn open_as(
        path: &Path,
        access: Access,
        name: &OsStr,
        is_uri: bool,
    ) -> Result<Database, BookError> {
        // A reader without write access to the file would leave the log behind when it closes;
        // where the file is read-only, SQLite falls back to reading.
        let mut flags = OpenFlags::SQLITE_OPEN_READ_WRITE | OpenFlags::SQLITE_OPEN_NO_MUTEX;
        flags.set(OpenFlags::SQLITE_OPEN_CREATE, access == Access::Create);
        flags.set(OpenFlags::SQLITE_OPEN_URI, is_uri);
        let explain = |error| explain(path, error);
        let connection = Connection::open_with_flags(name, flags).map_err(explain)?;
        connection.busy_timeout(BUSY_TIMEOUT).map_err(explain)?;
        connection.set_prepared_statement_cache_capacity(STATEMENT_CACHE_SIZE);
        let mut database = Database { connection, path: path.to_path_buf() };
        if access == Access::Create && schema::is_empty(&database.connection).map_err(explain)? {
            database.execute(WRITER_PRAGMAS)?;
            database.transaction(|database| {
                schema::create_tables(&database.connection).map_err(explain)
            })?;
        }
        let found = database.version()?;
        if found > schema::VERSION {
            let path = path.to_path_buf();
            return Err(BookError::Newer { path, found, known: schema::VERSION });
        }
        if access == Access::Read {
            database.execute("PRAGMA query_only = ON")?;
            return Ok(database);
        }
        if database.connection.is_readonly("main").map_err(explain)? {
            return Err(BookError::ReadOnly(path.to_path_buf()));
        }
        database.execute(WRITER_PRAGMAS)?;
        if database.version()? < schema::VERSION {
            database
                .transaction(|database| schema::migrate(&database.connection).map_err(explain))?;
        }
        Ok(database)
    }

    /// Returns the file.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Turns an error of SQLite into one that names the file.
    pub fn explain(&self, error: rusqlite::Error) -> BookError {
        explain(&self.path, error)
    }

    fn execute(&self, statements: &str) -> Result<(), BookError> {
        self.connection.execute_batch(statements).map_err(|error| self.explain(error))
    }

    /// Returns the version of the tables.
    fn version(&self) -> Result<u32, BookError> {
        let not_a_book = || BookError::NotABook(self.path.clone());
        if !schema::is_book(&self.connection).map_err(|error| self.explain(error))? {
            return Err(not_a_book());
        }
        let version = self.metadata("version")?.and_then(|text| text.parse().ok());
        version.ok_or_else(not_a_book)
    }

    /// Runs `work` in one transaction: all of it is committed, or nothing.
    ///
    /// # Errors
    /// The error of `work` or of the commit; the book is unchanged then.
    pub(crate) fn transaction<T>(
        &mut self,
        work: impl FnOnce(&mut Database) -> Result<T, BookError>,
    ) -> Result<T, BookError> {
        // The writer takes its lock before it reads, so that it never has to start again.
        self.execute("BEGIN IMMEDIATE")?;
        let done = work(self).and_then(|done| self.execute("COMMIT").map(|()| done));
        if done.is_err() && !self.connection.is_autocommit() {
            // The first error says more than a failure of the rollback.
            let _ = self.execute("ROLLBACK");
        }
        done
    }

    /// Returns true where another connection has committed since the last call with `seen`.
    pub(crate) fn changed_elsewhere(&self, seen: &mut i64) -> Result<bool, BookError> {
        let version = self
            .connection
            .query_row("PRAGMA data_version", [], |row| row.get(0))
            .map_err(|error| self.explain(error))?;
        Ok(std::mem::replace(seen, version) != version)
    }

    /// Returns the faults that SQLite finds in the pages of the file, at most 20.
    pub(crate) fn integrity_faults(&self) -> Result<Vec<String>, BookError> {
        let read = || {
            let mut statement = self.connection.prepare("PRAGMA integrity_check(20)")?;
            statement.query_map([], |row| row.get::<_, String>(0))?.collect::<Result<Vec<_>, _>>()
        };
        let mut faults = read().map_err(|error| self.explain(error))?;
        faults.retain(|fault| fault != "ok");
        Ok(faults)
    }

    /// Reads a setting of the book.
    pub fn metadata(&self, name: &str) -> Result<Option<String>, BookError> {
        schema::metadata(&self.connection, name).map_err(|error| self.explain(error))
    }

    /// Writes a setting of the book.
    pub(crate) fn set_metadata(&self, name: &str, content: &str) -> Result<(), BookError> {
        schema::set_metadata(&self.connection, name, content).map_err(|error| self.explain(error))
    }

    /// Limits the size of the file, for tests of a full disk.
    #[cfg(test)]
    pub(crate) fn limit_pages(&self, pages: u32) {
        self.execute(&format!("PRAGMA max_page_count = {pages}")).expect("a limit can be set");
    }
}

/// Returns the URI of a file that does not change while it is open.
fn immutable_uri(path: &Path) -> OsString {
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
        Some(ErrorCode::NotADatabase) => BookError::NotABook(path_buf),
        Some(ErrorCode::DatabaseBusy | ErrorCode::DatabaseLocked) => BookError::Busy(path_buf),
        Some(ErrorCode::DatabaseCorrupt) => BookError::damaged(path, error),
        _ => match error {
            // A column holds a value of another type or size.
            rusqlite::Error::InvalidColumnType(..)
            | rusqlite::Error::IntegralValueOutOfRange(..) => BookError::damaged(path, error),
            _ => BookError::failed(path, error),
        },
    }
}
