//! Blocks of records that were made and written together, and the headers of file and block.

use super::bytes::bytes_at;
use super::record::{RECORD_LEN, Record};

pub(super) const MAGIC: [u8; 8] = *b"UMIGDATA";
/// Version of the format.
pub(super) const VERSION: u16 = 1;
pub(super) const FILE_HEADER_LEN: usize = 16;
pub(super) const BLOCK_HEADER_LEN: usize = 48;
const BLOCK_MAGIC: [u8; 4] = *b"BLCK";
/// Maximum number of records of a block.
pub(crate) const MAX_BLOCK_RECORDS: usize = 1 << 20;

/// Command that made a block.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Generator {
    /// `umigame-lab learn play`.
    Play,
    /// `umigame-lab learn label`.
    Label,
}

/// Settings of a generator: with the numbers of the games, they determine the records.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Recipe {
    /// Generator.
    pub generator: Generator,
    /// Plies of its searches.
    pub depth: u8,
    /// Empties from which it solves exactly.
    pub exact: u8,
    /// Confidence of its searches in percent.
    pub confidence: u8,
    /// Checksum of the weights. 0 in files of version 0.1 whose games its handmade evaluation
    /// played; they remain readable.
    pub weights: u32,
    /// Checksum of all other settings.
    pub settings: u32,
    /// Seed of the random numbers.
    pub seed: u64,
}

/// Records that were made and written together.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Block {
    /// Settings of the generator.
    pub recipe: Recipe,
    /// Number of the first game, or source position, of the block.
    pub first: u64,
    /// Number of games, or source positions, of the block.
    pub games: u32,
    /// Records, at most 2^20.
    pub records: Vec<Record>,
}

/// Returns the header of every file.
pub(super) fn file_header() -> [u8; FILE_HEADER_LEN] {
    let mut bytes = [0; FILE_HEADER_LEN];
    bytes[..8].copy_from_slice(&MAGIC);
    bytes[8..10].copy_from_slice(&VERSION.to_le_bytes());
    bytes[10..12].copy_from_slice(&(RECORD_LEN as u16).to_le_bytes());
    let crc = crc32fast::hash(&bytes[..12]);
    bytes[12..].copy_from_slice(&crc.to_le_bytes());
    bytes
}

impl Block {
    /// Returns the bytes of the block.
    pub(super) fn pack(&self) -> Vec<u8> {
        let records: Vec<u8> = self.records.iter().flat_map(Record::pack).collect();
        let recipe = &self.recipe;
        let generator = match recipe.generator {
            Generator::Play => 1,
            Generator::Label => 2,
        };
        let mut bytes = Vec::with_capacity(BLOCK_HEADER_LEN + records.len());
        bytes.extend(BLOCK_MAGIC);
        bytes.extend((self.records.len() as u32).to_le_bytes());
        bytes.extend([generator, recipe.depth, recipe.exact, recipe.confidence]);
        bytes.extend(recipe.weights.to_le_bytes());
        bytes.extend(recipe.settings.to_le_bytes());
        bytes.extend(recipe.seed.to_le_bytes());
        bytes.extend(self.first.to_le_bytes());
        bytes.extend(self.games.to_le_bytes());
        bytes.extend(crc32fast::hash(&records).to_le_bytes());
        bytes.extend(crc32fast::hash(&bytes).to_le_bytes());
        bytes.extend(records);
        bytes
    }
}

/// Header of a block.
pub(super) struct BlockHeader {
    pub recipe: Recipe,
    pub first: u64,
    pub games: u32,
    /// Number of records.
    pub records: usize,
    /// CRC-32 of the records.
    pub records_crc: u32,
}

impl BlockHeader {
    /// Reads the header of a block.
    ///
    /// # Errors
    /// A description of the first fault.
    pub(super) fn unpack(bytes: &[u8; BLOCK_HEADER_LEN]) -> Result<BlockHeader, &'static str> {
        if bytes[..4] != BLOCK_MAGIC {
            return Err("no block begins here");
        }
        let crc_at = BLOCK_HEADER_LEN - 4;
        if crc32fast::hash(&bytes[..crc_at]) != u32::from_le_bytes(bytes_at(bytes, crc_at)) {
            return Err("the checksum of the block's header differs");
        }
        let generator = match bytes[8] {
            1 => Generator::Play,
            2 => Generator::Label,
            _ => return Err("the generator of the block is unknown"),
        };
        let records = u32::from_le_bytes(bytes_at(bytes, 4)) as usize;
        if records > MAX_BLOCK_RECORDS {
            return Err("the block is too long");
        }
        Ok(BlockHeader {
            recipe: Recipe {
                generator,
                depth: bytes[9],
                exact: bytes[10],
                confidence: bytes[11],
                weights: u32::from_le_bytes(bytes_at(bytes, 12)),
                settings: u32::from_le_bytes(bytes_at(bytes, 16)),
                seed: u64::from_le_bytes(bytes_at(bytes, 20)),
            },
            first: u64::from_le_bytes(bytes_at(bytes, 28)),
            games: u32::from_le_bytes(bytes_at(bytes, 36)),
            records,
            records_crc: u32::from_le_bytes(bytes_at(bytes, 40)),
        })
    }
}
