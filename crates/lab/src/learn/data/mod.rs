//! Training data: positions with what is known of their worth, in a compact
//! file that is only ever appended to.
//!
//! A file is a header and blocks; all numbers are little-endian.
//!
//! | bytes | of the header of the file |
//! |---|---|
//! | 8 | `UMIGDATA` |
//! | 2 | version: 1 |
//! | 2 | bytes of a record: 21 |
//! | 4 | CRC-32 of the 12 bytes above |
//!
//! | bytes | of a block |
//! |---|---|
//! | 4 | `BLCK` |
//! | 4 | number of records, at most 2^20 |
//! | 1 | generator: 1 play, 2 label |
//! | 1 | depth of the searches in plies |
//! | 1 | empties from which positions were solved exactly |
//! | 1 | selectivity of the searches in percent |
//! | 4 | checksum of the weights; 0 in files whose games the handmade evaluation of old played |
//! | 4 | CRC-32 of all other settings of the generator |
//! | 8 | seed |
//! | 8 | number of the first game (or source position) in the block |
//! | 4 | how many games (or source positions) went into the block |
//! | 4 | CRC-32 of the records |
//! | 4 | CRC-32 of the 44 bytes above |
//! | 21 a record | the records |
//!
//! | bytes | of a record |
//! |---|---|
//! | 8 | discs of the side to move, bit 0 is A1, bit 7 H1, bit 63 H8 |
//! | 8 | discs of the other side |
//! | 1 | score in discs, signed; 0 where the kind is 2 |
//! | 2 | value that a search found, in centidiscs, signed; -32768 for none |
//! | 1 | plies of that search, 0 for none |
//! | 1 | kind: 0 exact, 1 result of a game, 2 only a search value |
//!
//! Scores and values are for the side to move. A position is the least of
//! its eight images ([`Position::canonical`]).
//!
//! A block is one write, so a killed process leaves at most one that is cut
//! off, at the end: reading skips it with a warning, appending removes it.
//! Anything else that does not fit is damage and an error.

mod fold;
mod read;
#[cfg(test)]
mod tests;
mod write;

use std::io;
use std::path::PathBuf;

use umigame_othello::text::shown_path as shown;
use umigame_othello::{Eval, Position, Score};

pub use fold::{Outcome, Sample, fold, load};
pub use read::Reader;
pub use write::Writer;

const MAGIC: [u8; 8] = *b"UMIGDATA";
const VERSION: u16 = 1;
const HEADER: usize = 16;
const BLOCK_MAGIC: [u8; 4] = *b"BLCK";
const BLOCK_HEADER: usize = 48;
const RECORD: usize = 21;
/// Records of a block at most.
pub const MOST_RECORDS: usize = 1 << 20;
/// The search value of a record that has none.
const NO_VALUE: i16 = i16::MIN;

/// What is known of the outcome of a position.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Label {
    /// The score under perfect play, proven.
    Exact(Score),
    /// The score of the game that was played on from here by searches alone.
    Game(Score),
    /// Nothing but what a search said.
    Searched,
}

/// What a search said of a position.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Searched {
    /// For the side to move.
    pub value: Eval,
    /// Plies searched, 1 to 60; the empties where it read to the end.
    pub depth: u8,
}

/// A position and what is known of it, for the side to move.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Record {
    /// The least of its eight images.
    pub position: Position,
    /// Its outcome.
    pub label: Label,
    /// What a search said.
    pub searched: Option<Searched>,
}

impl Record {
    /// A record of any image of a position.
    pub fn new(position: Position, label: Label, searched: Option<Searched>) -> Record {
        Record { position: position.canonical().0, label, searched }
    }

    fn pack(&self) -> [u8; RECORD] {
        let (kind, score) = match self.label {
            Label::Exact(score) => (0, score.discs()),
            Label::Game(score) => (1, score.discs()),
            Label::Searched => (2, 0),
        };
        let (value, depth) = match self.searched {
            Some(searched) => (searched.value.centidiscs() as i16, searched.depth),
            None => (NO_VALUE, 0),
        };
        let mut bytes = [0; RECORD];
        bytes[..8].copy_from_slice(&self.position.player.to_le_bytes());
        bytes[8..16].copy_from_slice(&self.position.opponent.to_le_bytes());
        bytes[16] = score as i8 as u8;
        bytes[17..19].copy_from_slice(&value.to_le_bytes());
        bytes[19] = depth;
        bytes[20] = kind;
        bytes
    }

    /// `None` where the bytes are no record.
    fn unpack(bytes: &[u8; RECORD]) -> Option<Record> {
        let position = Position::new(u64_at(bytes, 0), u64_at(bytes, 8))?;
        let score = Score::new(i32::from(bytes[16] as i8))?;
        let label = match bytes[20] {
            0 => Label::Exact(score),
            1 => Label::Game(score),
            2 => Label::Searched,
            _ => return None,
        };
        let searched = match (i16::from_le_bytes([bytes[17], bytes[18]]), bytes[19]) {
            (NO_VALUE, 0) => None,
            (value @ -6400..=6400, depth @ 1..=60) => {
                Some(Searched { value: Eval::from_centidiscs(i32::from(value)), depth })
            }
            _ => return None,
        };
        Some(Record { position, label, searched })
    }
}

/// The command that made a block.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Generator {
    /// `umigame learn play`.
    Play,
    /// `umigame learn label`.
    Label,
}

/// How a generator works: what, beside the numbers of the games, decides on
/// its records.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Recipe {
    /// Which generator.
    pub generator: Generator,
    /// Plies of its searches.
    pub depth: u8,
    /// Empties from which it solves exactly.
    pub exact: u8,
    /// Confidence of its searches in percent.
    pub selectivity: u8,
    /// Checksum of the weights; 0 in blocks that the handmade evaluation of version 0.1 made.
    pub weights: u32,
    /// A checksum of all its other settings.
    pub settings: u32,
    /// Where its random numbers come from.
    pub seed: u64,
}

/// Records that were made, and written, together.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Block {
    /// How they were made.
    pub recipe: Recipe,
    /// The number of the first game, or source position, in the block.
    pub first: u64,
    /// How many games, or source positions, went into it.
    pub games: u32,
    /// At most [`MOST_RECORDS`].
    pub records: Vec<Record>,
}

/// A file cannot be read or written.
#[derive(Debug, thiserror::Error)]
pub enum DataError {
    /// The system says no.
    #[error("{}: {error}", shown(.path))]
    Io {
        /// The file.
        path: PathBuf,
        /// Why.
        error: io::Error,
    },
    /// It is something else.
    #[error("{}: is no training data of umigame: it does not begin with UMIGDATA", shown(.0))]
    Foreign(PathBuf),
    /// It was written by a later umigame.
    #[error("{}: has version {version}: expected {VERSION}", shown(.path))]
    Version {
        /// The file.
        path: PathBuf,
        /// Its version.
        version: u16,
    },
    /// It is not as it was written.
    #[error("{}, byte {offset}: damaged: {what}", shown(.path))]
    Damaged {
        /// The file.
        path: PathBuf,
        /// Where the part that is not right begins.
        offset: u64,
        /// What is not right.
        what: &'static str,
    },
    /// Somebody else appends to it.
    #[error("{}: another process is writing to it", shown(.0))]
    Busy(PathBuf),
}

fn u16_at(bytes: &[u8], at: usize) -> u16 {
    let mut word = [0; 2];
    word.copy_from_slice(&bytes[at..at + 2]);
    u16::from_le_bytes(word)
}

fn u32_at(bytes: &[u8], at: usize) -> u32 {
    let mut word = [0; 4];
    word.copy_from_slice(&bytes[at..at + 4]);
    u32::from_le_bytes(word)
}

fn u64_at(bytes: &[u8], at: usize) -> u64 {
    let mut word = [0; 8];
    word.copy_from_slice(&bytes[at..at + 8]);
    u64::from_le_bytes(word)
}

/// The header of every file.
fn file_header() -> [u8; HEADER] {
    let mut bytes = [0; HEADER];
    bytes[..8].copy_from_slice(&MAGIC);
    bytes[8..10].copy_from_slice(&VERSION.to_le_bytes());
    bytes[10..12].copy_from_slice(&(RECORD as u16).to_le_bytes());
    let check = crc32fast::hash(&bytes[..12]);
    bytes[12..].copy_from_slice(&check.to_le_bytes());
    bytes
}

/// The bytes of a block.
fn pack_block(block: &Block) -> Vec<u8> {
    let records: Vec<u8> = block.records.iter().flat_map(Record::pack).collect();
    let recipe = &block.recipe;
    let generator = match recipe.generator {
        Generator::Play => 1,
        Generator::Label => 2,
    };
    let mut bytes = Vec::with_capacity(BLOCK_HEADER + records.len());
    bytes.extend(BLOCK_MAGIC);
    bytes.extend((block.records.len() as u32).to_le_bytes());
    bytes.extend([generator, recipe.depth, recipe.exact, recipe.selectivity]);
    bytes.extend(recipe.weights.to_le_bytes());
    bytes.extend(recipe.settings.to_le_bytes());
    bytes.extend(recipe.seed.to_le_bytes());
    bytes.extend(block.first.to_le_bytes());
    bytes.extend(block.games.to_le_bytes());
    bytes.extend(crc32fast::hash(&records).to_le_bytes());
    bytes.extend(crc32fast::hash(&bytes).to_le_bytes());
    bytes.extend(records);
    bytes
}

/// The header of a block, read.
struct BlockHeader {
    recipe: Recipe,
    first: u64,
    games: u32,
    records: usize,
    check: u32,
}

/// What of the bytes is not right, if they are no header of a block.
fn unpack_block_header(bytes: &[u8; BLOCK_HEADER]) -> Result<BlockHeader, &'static str> {
    if bytes[..4] != BLOCK_MAGIC {
        return Err("no block begins here");
    }
    if crc32fast::hash(&bytes[..BLOCK_HEADER - 4]) != u32_at(bytes, BLOCK_HEADER - 4) {
        return Err("the checksum of the block's header differs");
    }
    let generator = match bytes[8] {
        1 => Generator::Play,
        2 => Generator::Label,
        _ => return Err("the generator of the block is unknown"),
    };
    let records = u32_at(bytes, 4) as usize;
    if records > MOST_RECORDS {
        return Err("the block is too long");
    }
    Ok(BlockHeader {
        recipe: Recipe {
            generator,
            depth: bytes[9],
            exact: bytes[10],
            selectivity: bytes[11],
            weights: u32_at(bytes, 12),
            settings: u32_at(bytes, 16),
            seed: u64_at(bytes, 20),
        },
        first: u64_at(bytes, 28),
        games: u32_at(bytes, 36),
        records,
        check: u32_at(bytes, 40),
    })
}
