//! A book for play alone: one file of fixed-size records, sorted, read whole
//! and never written.
//!
//! Little-endian: 16 bytes of [`MAGIC`], the number of records (u64), the
//! records, and the CRC-32 of all that. A record of 32 bytes: the side to
//! move's discs and the other's (u64 each), the value (i16, hundredths of a
//! disc), its trust (u8, 0 for none), the move that a search found best (u8,
//! 255 for none), games with a result (u32), half points of the side to move
//! (u32), the mean result (i16, hundredths) and what the search said (i16).

#![deny(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing)]

use std::fs;
use std::io::Read;
use std::path::{Path, PathBuf};

use zerocopy::little_endian::{I16, U32, U64};
use zerocopy::{FromBytes, Immutable, IntoBytes, KnownLayout, Unaligned};

use umigame_othello::{Eval, Position};

use super::Book;
use super::canonical::{code_of, move_of};
use super::entry::{BookValue, Trust};
use super::error::BookError;
use super::export::ExportFilter;
use super::play::Brief;

/// Begins every file.
const MAGIC: &[u8; 16] = b"umigame book 1\n\0";
const HEAD: usize = 24;
const NO_MOVE: u8 = 255;

#[derive(Clone, Copy, Debug, FromBytes, IntoBytes, Immutable, KnownLayout, Unaligned)]
#[repr(C)]
struct Record {
    player: U64,
    opponent: U64,
    value: I16,
    trust: u8,
    answer: u8,
    results: U32,
    half_points: U32,
    mean: I16,
    searched: I16,
}

const _: () = assert!(size_of::<Record>() == 32);

impl Record {
    fn of(position: Position, brief: &Brief) -> Record {
        let centidiscs = |eval: Eval| I16::new(eval.centidiscs() as i16);
        Record {
            player: position.player.into(),
            opponent: position.opponent.into(),
            value: centidiscs(brief.value.map_or(Eval::default(), |value| value.eval)),
            trust: brief.value.map_or(0, |value| value.trust as u8),
            answer: brief.answer.map_or(NO_MOVE, |(_, best)| code_of(best)),
            results: brief.results.into(),
            half_points: brief.half_points.into(),
            mean: centidiscs(brief.mean),
            searched: centidiscs(brief.answer.map_or(Eval::default(), |(eval, _)| eval)),
        }
    }

    fn brief(&self) -> Brief {
        let eval = |number: I16| Eval::from_centidiscs(i32::from(number.get()));
        let trust = Trust::of_number(i64::from(self.trust));
        Brief {
            value: trust.map(|trust| BookValue { eval: eval(self.value), trust }),
            answer: move_of(self.answer).map(|best| (eval(self.searched), best)),
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
    path: PathBuf,
    records: Vec<Record>,
}

impl CompactBook {
    /// Whether a file begins like a compact book.
    pub fn is_one(path: &Path) -> bool {
        let mut head = [0; MAGIC.len()];
        let read = fs::File::open(path).and_then(|mut file| file.read_exact(&mut head));
        read.is_ok() && head == *MAGIC
    }

    /// Reads a compact book.
    ///
    /// # Errors
    /// The file cannot be read, or is damaged.
    pub fn read(path: &Path) -> Result<CompactBook, BookError> {
        let bytes = fs::read(path).map_err(|error| BookError::failed(path, error))?;
        let damaged = |why: &str| BookError::damaged(path, why);
        let (content, sum) = bytes.split_last_chunk::<4>().ok_or_else(|| damaged("cut off"))?;
        if crc32fast::hash(content) != u32::from_le_bytes(*sum) {
            return Err(damaged("its check sum is wrong, or it is cut off"));
        }
        let (head, records) = content.split_at_checked(HEAD).ok_or_else(|| damaged("cut off"))?;
        let count = head.last_chunk::<8>().map_or(0, |count| u64::from_le_bytes(*count));
        let records = <[Record]>::ref_from_bytes(records)
            .ok()
            .filter(|records| records.len() as u64 == count && head.starts_with(MAGIC))
            .ok_or_else(|| damaged("another length than it says"))?;
        if !records.is_sorted_by_key(Record::key) {
            return Err(damaged("not sorted"));
        }
        Ok(CompactBook { path: path.to_path_buf(), records: records.to_vec() })
    }

    /// The file.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// How many positions it has.
    pub fn len(&self) -> usize {
        self.records.len()
    }

    /// Whether it has none.
    pub fn is_empty(&self) -> bool {
        self.records.is_empty()
    }

    pub(super) fn brief(&self, folded: Position) -> Option<Brief> {
        let key = (folded.player, folded.opponent);
        let at = self.records.binary_search_by_key(&key, Record::key).ok()?;
        self.records.get(at).map(Record::brief)
    }
}

impl Book {
    /// Writes a compact book, in one step, of the positions that were
    /// searched, and of those that enough games met unless only the searched
    /// ones are wanted; how many it has.
    ///
    /// # Errors
    /// The book cannot be read, or the file not be written.
    pub fn write_compact(&self, path: &Path, selection: ExportFilter) -> Result<usize, BookError> {
        let mut records = Vec::new();
        for empties in selection.layers() {
            for (position, entry) in self.sql.layer(empties)? {
                let searched = entry.value.is_some_and(|value| value.trust == Trust::Searched)
                    || entry.searched.is_some();
                let met = entry.tally.games >= selection.min_games;
                if searched || (met && !selection.searched) {
                    records.push(Record::of(position, &entry.brief()));
                }
            }
        }
        records.sort_unstable_by_key(Record::key);
        let mut bytes = Vec::with_capacity(HEAD + 32 * records.len() + 4);
        bytes.extend_from_slice(MAGIC);
        bytes.extend_from_slice(&(records.len() as u64).to_le_bytes());
        bytes.extend_from_slice(records.as_bytes());
        let sum = crc32fast::hash(&bytes);
        bytes.extend_from_slice(&sum.to_le_bytes());
        umigame_othello::files::replace(path, &bytes)
            .map_err(|error| BookError::failed(path, error))?;
        Ok(records.len())
    }
}
