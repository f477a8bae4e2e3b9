//! A compact book: a read-only file of fixed-size records, to play from.
//!
//! Little-endian. Header, 24 bytes: [`MAGIC`] and the number of records (u64). Then the records,
//! sorted by position, and the CRC-32 of all bytes before it (u32).
//!
//! | record | bytes | |
//! |---|---|---|
//! | player, opponent | 8, 8 | discs of the canonical position |
//! | value | 2 | hundredths of a disc |
//! | trust | 1 | 1 played, 2 searched, 3 exact, 0 no value |
//! | best move | 1 | code of the move that a search found best, 255 none |
//! | results | 4 | games with a result |
//! | half points | 4 | two for a win of the side to move, one for a draw |
//! | mean result | 2 | hundredths of a disc |
//! | search | 2 | value of the search, hundredths of a disc |

#![deny(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing)]

use std::fs;
use std::io::Read;
use std::path::Path;

use zerocopy::little_endian::{I16, U32, U64};
use zerocopy::{FromBytes, Immutable, IntoBytes, KnownLayout, Unaligned};

use umigame_othello::{Eval, Position};

use crate::book::Book;
use crate::canonical::{code_of, move_of};
use crate::entry::{BookValue, Trust};
use crate::error::BookError;
use crate::export::ExportFilter;
use crate::summary::{PositionSummary, SearchedMove};

/// First bytes of every file.
const MAGIC: &[u8; 16] = b"umigame book 1\n\0";
const HEADER_BYTES: usize = MAGIC.len() + size_of::<u64>();
const CHECKSUM_BYTES: usize = 4;
const NO_MOVE_CODE: u8 = 255;
const NO_TRUST: u8 = 0;

#[derive(Clone, Copy, Debug, FromBytes, IntoBytes, Immutable, KnownLayout, Unaligned)]
#[repr(C)]
struct Record {
    player: U64,
    opponent: U64,
    value: I16,
    trust: u8,
    best: u8,
    results: U32,
    half_points: U32,
    mean: I16,
    search: I16,
}

const _: () = assert!(size_of::<Record>() == 32);

impl Record {
    fn of(position: Position, summary: &PositionSummary) -> Record {
        let centidiscs = |eval: Eval| I16::new(eval.centidiscs() as i16);
        let (value, search) = (summary.value, summary.search);
        Record {
            player: position.player().bits().into(),
            opponent: position.opponent().bits().into(),
            value: centidiscs(value.map_or(Eval::default(), |value| value.eval)),
            trust: value.map_or(NO_TRUST, |value| value.trust as u8),
            best: search.map_or(NO_MOVE_CODE, |search| code_of(search.best)),
            results: summary.results.into(),
            half_points: summary.half_points.into(),
            mean: centidiscs(summary.mean),
            search: centidiscs(search.map_or(Eval::default(), |search| search.eval)),
        }
    }

    fn summary(&self) -> PositionSummary {
        let eval = |number: I16| Eval::from_centidiscs(i32::from(number.get()));
        let trust = Trust::of_number(i64::from(self.trust));
        PositionSummary {
            value: trust.map(|trust| BookValue { eval: eval(self.value), trust }),
            search: move_of(self.best).map(|best| SearchedMove { eval: eval(self.search), best }),
            results: self.results.get(),
            half_points: self.half_points.get(),
            mean: eval(self.mean),
        }
    }

    fn key(&self) -> (u64, u64) {
        (self.player.get(), self.opponent.get())
    }
}

/// A compact book in memory.
#[derive(Debug)]
pub struct CompactBook {
    records: Vec<Record>,
}

impl CompactBook {
    /// Returns true where a file begins like a compact book.
    pub fn is_compact(path: &Path) -> bool {
        // Opening a pipe would wait for its writer.
        if !path.is_file() {
            return false;
        }
        let mut start = [0; MAGIC.len()];
        let read = fs::File::open(path).and_then(|mut file| file.read_exact(&mut start));
        read.is_ok() && start == *MAGIC
    }

    /// Reads a compact book from a file.
    ///
    /// # Errors
    /// The file cannot be read or is damaged.
    pub fn read(path: &Path) -> Result<CompactBook, BookError> {
        let bytes = fs::read(path).map_err(|error| BookError::failed(path, error))?;
        CompactBook::of_bytes(&bytes).map_err(|why| BookError::damaged(path, why))
    }

    fn of_bytes(bytes: &[u8]) -> Result<CompactBook, &'static str> {
        const CUT_OFF: &str = "cut off";
        let (content, checksum) = bytes.split_last_chunk::<CHECKSUM_BYTES>().ok_or(CUT_OFF)?;
        if crc32fast::hash(content) != u32::from_le_bytes(*checksum) {
            return Err("wrong checksum, or cut off");
        }
        let (header, records) = content.split_at_checked(HEADER_BYTES).ok_or(CUT_OFF)?;
        let count = header.last_chunk::<8>().map_or(0, |count| u64::from_le_bytes(*count));
        let records = <[Record]>::ref_from_bytes(records)
            .ok()
            .filter(|records| records.len() as u64 == count && header.starts_with(MAGIC))
            .ok_or("wrong length")?;
        if !records.is_sorted_by_key(Record::key) {
            return Err("not sorted");
        }
        Ok(CompactBook { records: records.to_vec() })
    }

    /// Returns the bytes of the file.
    pub fn to_bytes(&self) -> Vec<u8> {
        let size = HEADER_BYTES + size_of_val(self.records.as_slice()) + CHECKSUM_BYTES;
        let mut bytes = Vec::with_capacity(size);
        bytes.extend_from_slice(MAGIC);
        bytes.extend_from_slice(&(self.records.len() as u64).to_le_bytes());
        bytes.extend_from_slice(self.records.as_bytes());
        let checksum = crc32fast::hash(&bytes);
        bytes.extend_from_slice(&checksum.to_le_bytes());
        bytes
    }

    /// Returns the number of positions.
    pub fn len(&self) -> usize {
        self.records.len()
    }

    /// Returns true where there are no positions.
    pub fn is_empty(&self) -> bool {
        self.records.is_empty()
    }

    pub(crate) fn summary(&self, canonical: Position) -> Option<PositionSummary> {
        let key = (canonical.player().bits(), canonical.opponent().bits());
        let at = self.records.binary_search_by_key(&key, Record::key).ok()?;
        self.records.get(at).map(Record::summary)
    }
}

impl Book {
    /// Makes a compact book of the searched positions and, unless `filter` asks for searched ones
    /// only, of those that enough games met.
    ///
    /// # Errors
    /// The book cannot be read.
    pub fn compact(&self, filter: ExportFilter) -> Result<CompactBook, BookError> {
        let mut records = Vec::new();
        for empties in filter.layers() {
            for (position, entry) in self.database.layer(empties)? {
                let is_searched = entry.value.is_some_and(|value| value.trust == Trust::Searched)
                    || entry.search.is_some();
                let has_games = entry.stats.games >= filter.min_games;
                if is_searched || (has_games && !filter.searched_only) {
                    records.push(Record::of(position, &PositionSummary::from(&entry)));
                }
            }
        }
        records.sort_unstable_by_key(Record::key);
        Ok(CompactBook { records })
    }
}
