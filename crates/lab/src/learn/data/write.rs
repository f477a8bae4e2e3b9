//! Appending to training data.

use std::collections::HashMap;
use std::fs::{File, OpenOptions, TryLockError};
use std::io::{Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

use super::{Block, DataError, MOST_RECORDS, Reader, Recipe, file_header, pack_block};

/// A file that blocks are appended to. While it is open, nobody else can
/// open it so.
#[derive(Debug)]
pub struct Writer {
    file: File,
    path: PathBuf,
    games: HashMap<Recipe, u64>,
    records: u64,
}

impl Writer {
    /// Opens a file, or makes it; reads what it holds, and removes a block
    /// that was cut off at its end.
    ///
    /// # Errors
    /// A file that cannot be opened, is damaged, holds something else, or is
    /// being written to.
    pub fn append(path: &Path) -> Result<Writer, DataError> {
        let failed = |error| DataError::Io { path: path.to_owned(), error };
        let file =
            OpenOptions::new().read(true).write(true).create(true).truncate(false).open(path);
        let file = file.map_err(failed)?;
        match file.try_lock() {
            Ok(()) => {}
            Err(TryLockError::WouldBlock) => return Err(DataError::Busy(path.to_owned())),
            Err(TryLockError::Error(error)) => return Err(failed(error)),
        }
        let is_new = file.metadata().map_err(failed)?.len() == 0;
        let mut writer = Writer { file, path: path.to_owned(), games: HashMap::new(), records: 0 };
        let end = if is_new { 0 } else { writer.take_stock()? };
        writer.file.set_len(end).map_err(failed)?;
        writer.file.seek(SeekFrom::Start(end)).map_err(failed)?;
        if end == 0 {
            writer.file.write_all(&file_header()).map_err(failed)?;
        }
        Ok(writer)
    }

    /// Reads the blocks, and returns where they end.
    fn take_stock(&mut self) -> Result<u64, DataError> {
        let failed = |error| DataError::Io { path: self.path.clone(), error };
        let mut reader = Reader::new(self.file.try_clone().map_err(failed)?, &self.path)?;
        for block in &mut reader {
            self.count(&block?);
        }
        Ok(reader.offset())
    }

    fn count(&mut self, block: &Block) {
        self.records += block.records.len() as u64;
        let done = self.games.entry(block.recipe).or_default();
        *done = (*done).max(block.first.saturating_add(u64::from(block.games)));
    }

    /// How many games, or source positions, of a recipe the file holds: the
    /// number of the next one. Blocks are written in the order of their
    /// games, so none is missing before it.
    pub fn games(&self, recipe: &Recipe) -> u64 {
        self.games.get(recipe).copied().unwrap_or(0)
    }

    /// How many records the file holds, of all recipes.
    pub fn records(&self) -> u64 {
        self.records
    }

    /// Appends a block.
    ///
    /// # Errors
    /// What the system says.
    ///
    /// # Panics
    /// On a block of more than [`MOST_RECORDS`].
    pub fn write(&mut self, block: &Block) -> Result<(), DataError> {
        assert!(block.records.len() <= MOST_RECORDS, "a block is too long");
        let bytes = pack_block(block);
        let written = self.file.write_all(&bytes);
        written.map_err(|error| DataError::Io { path: self.path.clone(), error })?;
        self.count(block);
        Ok(())
    }
}
