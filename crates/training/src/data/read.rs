//! Reading of training data, block by block.

use std::fs::File;
use std::io::{self, BufReader, Read};
use std::path::{Path, PathBuf};

use super::block::{
    BLOCK_HEADER_LEN, Block, BlockHeader, FILE_HEADER_LEN, MAGIC, VERSION, file_header,
};
use super::bytes::bytes_at;
use super::error::DataError;
use super::record::{RECORD_LEN, Record};
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

/// Bytes read before the end of the file.
enum Filled {
    All,
    /// The file ended after this many bytes.
    Part(usize),
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
        let (mut header, expected) = ([0; FILE_HEADER_LEN], file_header());
        match reader.fill(&mut header)? {
            Filled::All => {}
            Filled::Part(length) if header[..length] == expected[..length] => {
                reader.end_early();
                return Ok(reader);
            }
            Filled::Part(_) => return Err(DataError::Foreign(path.to_owned())),
        }
        if header[..8] != MAGIC {
            return Err(DataError::Foreign(path.to_owned()));
        }
        let version = u16::from_le_bytes(bytes_at(&header, 8));
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

    fn fill(&mut self, bytes: &mut [u8]) -> Result<Filled, DataError> {
        let mut filled = 0;
        while filled < bytes.len() {
            match self.file.read(&mut bytes[filled..]) {
                Ok(0) => return Ok(Filled::Part(filled)),
                Ok(count) => filled += count,
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                Err(error) => return Err(DataError::Io { path: self.path.clone(), error }),
            }
        }
        Ok(Filled::All)
    }

    /// Returns whether only zeros follow: a machine that stops may have lengthened a file without
    /// writing to it.
    fn only_zeros_follow(&mut self) -> Result<bool, DataError> {
        let mut rest = [0; 4096];
        loop {
            let filled = match self.fill(&mut rest)? {
                Filled::All => rest.len(),
                Filled::Part(filled) => filled,
            };
            if rest[..filled].iter().any(|&byte| byte != 0) {
                return Ok(false);
            }
            if filled < rest.len() {
                return Ok(true);
            }
        }
    }

    fn read(&mut self) -> Result<Option<Block>, DataError> {
        let mut bytes = [0; BLOCK_HEADER_LEN];
        match self.fill(&mut bytes)? {
            Filled::All => {}
            Filled::Part(0) => return Ok(None),
            Filled::Part(_) => {
                self.end_early();
                return Ok(None);
            }
        }
        let header = match BlockHeader::unpack(&bytes) {
            Ok(header) => header,
            Err(_) if bytes == [0; BLOCK_HEADER_LEN] && self.only_zeros_follow()? => {
                self.end_early();
                return Ok(None);
            }
            Err(what) => return Err(self.damaged(what)),
        };
        let mut bytes = vec![0; header.records * RECORD_LEN];
        if let Filled::Part(_) = self.fill(&mut bytes)? {
            self.end_early();
            return Ok(None);
        }
        if crc32fast::hash(&bytes) != header.records_crc {
            return Err(self.damaged("the checksum of the records differs"));
        }
        let (packed, _) = bytes.as_chunks();
        let records: Option<Vec<Record>> = packed.iter().map(Record::unpack).collect();
        let Some(records) = records else {
            return Err(self.damaged("a record is not right"));
        };
        self.offset += (BLOCK_HEADER_LEN + bytes.len()) as u64;
        Ok(Some(Block { recipe: header.recipe, first: header.first, games: header.games, records }))
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
