//! Appending to training data.

use std::collections::HashMap;
use std::fs::File;
use std::io::{Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

use super::block::{Block, MAX_BLOCK_RECORDS, Recipe, file_header};
use super::error::DataError;
use super::read::DataReader;
use umigame_support::files;

/// A file that blocks are appended to, locked against other writers.
#[derive(Debug)]
pub struct Writer {
    file: File,
    path: PathBuf,
    games: HashMap<Recipe, u64>,
    records: u64,
}

impl Writer {
    /// Opens or creates a file, reads its blocks and removes an incomplete one at its end.
    ///
    /// # Errors
    /// A file that cannot be opened, is damaged, is no training data, or has another writer.
    pub fn append(path: &Path) -> Result<Writer, DataError> {
        let failed = |error| DataError::Io { path: path.to_owned(), error };
        let file = files::open_locked(path).map_err(failed)?;
        let is_new = file.metadata().map_err(failed)?.len() == 0;
        let mut writer = Writer { file, path: path.to_owned(), games: HashMap::new(), records: 0 };
        let end = if is_new { 0 } else { writer.read_blocks()? };
        writer.file.set_len(end).map_err(failed)?;
        writer.file.seek(SeekFrom::Start(end)).map_err(failed)?;
        if end == 0 {
            writer.file.write_all(&file_header()).map_err(failed)?;
        }
        Ok(writer)
    }

    /// Reads and counts the blocks. Returns the offset of their end.
    fn read_blocks(&mut self) -> Result<u64, DataError> {
        let failed = |error| DataError::Io { path: self.path.clone(), error };
        let mut reader = DataReader::new(self.file.try_clone().map_err(failed)?, &self.path)?;
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

    /// Returns the number of games, or source positions, of a recipe in the file, which is the
    /// number of the next one: blocks are written in the order of their games.
    pub fn games(&self, recipe: &Recipe) -> u64 {
        self.games.get(recipe).copied().unwrap_or(0)
    }

    /// Returns the number of records in the file, of all recipes.
    pub fn records(&self) -> u64 {
        self.records
    }

    /// Appends a block.
    ///
    /// # Errors
    /// I/O errors.
    ///
    /// # Panics
    /// On a block of more than 2^20 records.
    pub fn write(&mut self, block: &Block) -> Result<(), DataError> {
        assert!(block.records.len() <= MAX_BLOCK_RECORDS, "a block is too long");
        let written = self.file.write_all(&block.pack());
        written.map_err(|error| DataError::Io { path: self.path.clone(), error })?;
        self.count(block);
        Ok(())
    }
}
