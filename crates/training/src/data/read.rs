//! Reading of training data, block by block.

use std::fs::File;
use std::io::{BufReader, Read};
use std::path::{Path, PathBuf};

use zerocopy::FromBytes;

use super::block::{
    BLOCK_HEADER_LEN, Block, BlockHeader, FILE_HEADER_LEN, MAGIC, VERSION, file_header,
};
use super::error::DataError;
use super::record::{PackedRecord, RECORD_LEN, Record};
use umigame_othello::text::shown_path as shown;
use umigame_support::files;

/// Iterator over the blocks of a file.
///
/// An incomplete block at the end of the file is skipped with a warning. After an error there are
/// no further blocks.
#[derive(Debug)]
pub struct DataReader {
    file: BufReader<File>,
    path: PathBuf,
    /// Offset of the next block.
    offset: u64,
    over: bool,
}

impl DataReader {
    /// Opens a file. One that ends within its header holds no blocks.
    ///
    /// # Errors
    /// A file that cannot be opened or is no training data.
    pub fn open(path: &Path) -> Result<DataReader, DataError> {
        let failed = |error| DataError::Io { path: path.to_owned(), error };
        let file = files::open(path).map_err(failed)?;
        DataReader::new(file, path)
    }

    /// Reads an open file from its beginning.
    pub(super) fn new(file: File, path: &Path) -> Result<DataReader, DataError> {
        let mut reader = DataReader {
            file: BufReader::with_capacity(1 << 16, file),
            path: path.to_owned(),
            offset: 0,
            over: false,
        };
        let (header, expected) = (reader.next_bytes(FILE_HEADER_LEN)?, file_header());
        let is_whole = header.len() == FILE_HEADER_LEN;
        if !is_whole && expected.starts_with(&header) {
            reader.end_early();
            return Ok(reader);
        }
        if !is_whole || !header.starts_with(&MAGIC) {
            return Err(DataError::Foreign(path.to_owned()));
        }
        let version = u16::from_le_bytes([header[8], header[9]]);
        if version > VERSION && crc32fast::hash(&header[..12]).to_le_bytes() == header[12..] {
            let path = path.to_owned();
            return Err(DataError::Version { path, version, expected: VERSION });
        }
        if header != expected {
            return Err(reader.damaged("the header of the file is not right"));
        }
        reader.offset = FILE_HEADER_LEN as u64;
        Ok(reader)
    }

    /// Returns the offset of the next block; after the last one, of the end of complete blocks.
    pub fn offset(&self) -> u64 {
        self.offset
    }

    fn damaged(&self, what: &'static str) -> DataError {
        DataError::Damaged { path: self.path.clone(), offset: self.offset, what }
    }

    /// Ends the iteration at an incomplete block.
    fn end_early(&mut self) {
        self.over = true;
        log::warn!(
            "{}: the incomplete block at byte {} is skipped",
            shown(&self.path),
            self.offset
        );
    }

    /// Reads the next bytes; they are fewer at the end of the file.
    fn next_bytes(&mut self, count: usize) -> Result<Vec<u8>, DataError> {
        let mut bytes = Vec::with_capacity(count);
        let read = self.file.by_ref().take(count as u64).read_to_end(&mut bytes);
        read.map_err(|error| DataError::Io { path: self.path.clone(), error })?;
        Ok(bytes)
    }

    /// Returns whether only zeros follow: a machine that stops may have lengthened a file without
    /// writing to it.
    fn only_zeros_follow(&mut self) -> Result<bool, DataError> {
        for byte in self.file.by_ref().bytes() {
            if byte.map_err(|error| DataError::Io { path: self.path.clone(), error })? != 0 {
                return Ok(false);
            }
        }
        Ok(true)
    }

    fn read(&mut self) -> Result<Option<Block>, DataError> {
        let bytes = self.next_bytes(BLOCK_HEADER_LEN)?;
        let Ok(header) = BlockHeader::read_from_bytes(&bytes) else {
            if !bytes.is_empty() {
                self.end_early();
            }
            return Ok(None);
        };
        let recipe = match header.recipe() {
            Ok(recipe) => recipe,
            Err(_) if bytes == [0; BLOCK_HEADER_LEN] && self.only_zeros_follow()? => {
                self.end_early();
                return Ok(None);
            }
            Err(what) => return Err(self.damaged(what)),
        };
        let length = header.records.get() as usize * RECORD_LEN;
        let bytes = self.next_bytes(length)?;
        if bytes.len() < length {
            self.end_early();
            return Ok(None);
        }
        if header.records_crc != crc32fast::hash(&bytes) {
            return Err(self.damaged("the checksum of the records differs"));
        }
        let packed = <[PackedRecord]>::ref_from_bytes(&bytes).unwrap_or_default();
        let records: Option<Vec<Record>> = packed.iter().map(Record::unpack).collect();
        let Some(records) = records else {
            return Err(self.damaged("a record is not right"));
        };
        self.offset += (BLOCK_HEADER_LEN + length) as u64;
        let (first, games) = (header.first.get(), header.games.get());
        Ok(Some(Block { recipe, first, games, records }))
    }
}

impl Iterator for DataReader {
    type Item = Result<Block, DataError>;

    fn next(&mut self) -> Option<Self::Item> {
        if self.over {
            return None;
        }
        let block = self.read().transpose();
        self.over |= !matches!(block, Some(Ok(_)));
        block
    }
}
