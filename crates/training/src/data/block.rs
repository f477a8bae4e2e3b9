//! Blocks of records that were made and written together, and the headers of file and block.

use zerocopy::little_endian::{U32, U64};
use zerocopy::{FromBytes, Immutable, IntoBytes, KnownLayout, Unaligned};

use super::record::{PackedRecord, RECORD_LEN, Record};

pub(super) const MAGIC: [u8; 8] = *b"UMIGDATA";
/// Version of the format.
pub(super) const VERSION: u16 = 1;
pub(super) const FILE_HEADER_LEN: usize = 16;
pub(super) const BLOCK_HEADER_LEN: usize = 48;
const _: () = assert!(size_of::<BlockHeader>() == BLOCK_HEADER_LEN);
const BLOCK_MAGIC: [u8; 4] = *b"BLCK";
/// Maximum number of records of a block.
pub(crate) const MAX_BLOCK_RECORDS: usize = 1 << 20;

/// Command that made a block.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Generator {
    /// `umigame-lab learn play`.
    Play = 1,
    /// `umigame-lab learn label`.
    Label = 2,
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
        let records: Vec<PackedRecord> = self.records.iter().map(Record::pack).collect();
        let recipe = &self.recipe;
        let mut header = BlockHeader {
            magic: BLOCK_MAGIC,
            records: (records.len() as u32).into(),
            generator: recipe.generator as u8,
            depth: recipe.depth,
            exact: recipe.exact,
            confidence: recipe.confidence,
            weights: recipe.weights.into(),
            settings: recipe.settings.into(),
            seed: recipe.seed.into(),
            first: self.first.into(),
            games: self.games.into(),
            records_crc: crc32fast::hash(records.as_bytes()).into(),
            header_crc: 0.into(),
        };
        header.header_crc = header.checksum().into();
        [header.as_bytes(), records.as_bytes()].concat()
    }
}

/// Header of a block as it is stored.
#[derive(FromBytes, IntoBytes, Immutable, KnownLayout, Unaligned)]
#[repr(C)]
pub(super) struct BlockHeader {
    magic: [u8; 4],
    /// Number of records.
    pub records: U32,
    generator: u8,
    depth: u8,
    exact: u8,
    confidence: u8,
    weights: U32,
    settings: U32,
    seed: U64,
    pub first: U64,
    pub games: U32,
    /// CRC-32 of the records.
    pub records_crc: U32,
    header_crc: U32,
}

impl BlockHeader {
    fn checksum(&self) -> u32 {
        crc32fast::hash(&self.as_bytes()[..BLOCK_HEADER_LEN - size_of::<U32>()])
    }

    /// Checks the header and returns the recipe.
    ///
    /// # Errors
    /// A description of the first fault.
    pub(super) fn recipe(&self) -> Result<Recipe, &'static str> {
        if self.magic != BLOCK_MAGIC {
            return Err("no block begins here");
        }
        if self.header_crc != self.checksum() {
            return Err("the checksum of the block's header differs");
        }
        let generator = match self.generator {
            1 => Generator::Play,
            2 => Generator::Label,
            _ => return Err("the generator of the block is unknown"),
        };
        if self.records.get() as usize > MAX_BLOCK_RECORDS {
            return Err("the block is too long");
        }
        Ok(Recipe {
            generator,
            depth: self.depth,
            exact: self.exact,
            confidence: self.confidence,
            weights: self.weights.get(),
            settings: self.settings.get(),
            seed: self.seed.get(),
        })
    }
}
