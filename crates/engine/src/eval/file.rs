//! The weights file: small enough to be part of the binary, and soon
//! unpacked.
//!
//! | bytes | |
//! |---|---|
//! | 8 | `UMIGAMEW` |
//! | 4 | version, 4 |
//! | 4 | what the shapes, counts, stages and the network are: a checksum |
//! | 4 | the number of the weights: CRC-32 of them, 16 bits each, stage by stage, and of the network's bytes |
//! | 96 | the deviations of searches with the weights, 8 bytes each |
//! | 64 | the lengths of the blocks, 4 bytes each |
//! | 4 | the length of the network, 0 where there is none |
//! | 4 | CRC-32 of the numbers above, after the version, and of the blocks |
//! | .. | the blocks, each packed with Zstandard |
//! | .. | the network, packed so too |
//!
//! Numbers are little-endian. There is a block for every shape, and one for
//! what is counted over the whole board; each can be unpacked by itself.
//! Unpacked, it holds for each configuration its weight at every stage, less
//! the one at the stage before, as a number without sign (0, -1, 1, -2 are 0,
//! 1, 2, 3): one byte, or 255 for one that stands in two bytes at the end of
//! the block. Unpacked, the network is what [`super::network::file`] makes.

use thiserror::Error;

use super::error_model::{COEFFICIENTS, ErrorModel};
use super::network::{self, Numbers, file as bytes};
use super::patterns::STAGES;
use super::patterns::layout::{BLOCKS, PACKING, RAW};
use super::patterns::shapes::SHAPE;

const MAGIC: &[u8; 8] = b"UMIGAMEW";
const VERSION: u32 = 4;
/// Where the numbers after the version begin, those that are checked.
const CHECKED: usize = 12;
const DEVIATIONS: usize = 20;
const SIZES: usize = DEVIATIONS + 8 * COEFFICIENTS;
const NETWORK: usize = SIZES + 4 * BLOCKS;
const CHECK: usize = NETWORK + 4;
const HEADER: usize = CHECK + 4;
/// What stands for a difference that needs two bytes.
const LARGE: u8 = u8::MAX;
/// For the patterns. Beyond it, packing takes ten times as long for two parts in
/// a hundred.
const EFFORT: i32 = 12;
/// For the network, which is nearly noise: what more effort finds in it takes
/// more room than it saves, and twice as long to unpack.
const NETWORK_EFFORT: i32 = 1;

/// All that is fitted, but for the deviations.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Weights {
    /// The packed weights of the patterns, [`STAGES`] stages one after the
    /// other.
    pub patterns: Vec<i16>,
    /// What corrects their sum.
    pub network: Option<Numbers>,
}

impl From<Vec<i16>> for Weights {
    fn from(patterns: Vec<i16>) -> Weights {
        Weights { patterns, network: None }
    }
}

impl Weights {
    /// The number by which they are known, however their file was made.
    pub fn checksum(&self) -> u32 {
        let mut hasher = crc32fast::Hasher::new();
        self.patterns.iter().for_each(|weight| hasher.update(&weight.to_le_bytes()));
        if let Some(network) = &self.network {
            hasher.update(&bytes::to_bytes(network));
        }
        hasher.finalize()
    }
}

/// The weights of a configuration at all stages.
pub type Line = [i16; STAGES];

/// Why a file of weights cannot be used.
#[derive(Debug, Error, PartialEq, Eq)]
pub enum WeightsError {
    /// It is not a file of weights at all.
    #[error("not a file of umigame's weights")]
    Foreign,
    /// Of a newer or older program.
    #[error("weights of version {0}, this program reads version {VERSION}")]
    Version(u32),
    /// For other patterns than this program has.
    #[error("weights for other patterns than this program's")]
    OtherPatterns,
    /// Cut short or changed.
    #[error("damaged: {0}")]
    Damaged(String),
}

/// What the weights are weights of.
fn layout_sum() -> u32 {
    let mut text = format!("{STAGES} {RAW} {} {}", network::CHANNELS, network::KINDS);
    for shape in SHAPE {
        text += &format!(" {shape:?}");
    }
    crc32fast::hash(text.as_bytes())
}

/// The file of weights.
///
/// # Panics
/// On more weights of patterns than [`STAGES`] stages have, or fewer.
pub fn to_bytes(weights: &Weights, error_model: &ErrorModel) -> Vec<u8> {
    let patterns = &weights.patterns;
    assert_eq!(patterns.len(), STAGES * PACKING.len, "weights of every stage");
    let mut blocks: Vec<Vec<u8>> = (0..BLOCKS).map(|at| pack(patterns, at)).collect();
    let network =
        weights.network.as_ref().map(|network| squashed(&bytes::to_bytes(network), NETWORK_EFFORT));
    blocks.push(network.unwrap_or_default());
    let mut file = MAGIC.to_vec();
    for word in [VERSION, layout_sum(), weights.checksum()] {
        file.extend(word.to_le_bytes());
    }
    error_model.0.iter().for_each(|number| file.extend(number.to_le_bytes()));
    blocks.iter().for_each(|block| file.extend((block.len() as u32).to_le_bytes()));
    let blocks = blocks.concat();
    file.extend(check(&file, &blocks).to_le_bytes());
    file.extend(blocks);
    file
}

/// The checksum of the numbers in the header, and of the blocks.
fn check(header: &[u8], blocks: &[u8]) -> u32 {
    let mut hasher = crc32fast::Hasher::new();
    hasher.update(header.get(CHECKED..CHECK).unwrap_or_default());
    hasher.update(blocks);
    hasher.finalize()
}

fn pack(weights: &[i16], at: usize) -> Vec<u8> {
    let (mut small, mut large) = (Vec::new(), Vec::new());
    for place in PACKING.block(at) {
        let mut before = 0;
        for stage in weights.chunks_exact(PACKING.len) {
            let step = unsigned(stage[place].wrapping_sub(before));
            before = stage[place];
            small.push(u8::try_from(step).unwrap_or(LARGE));
            if step >= LARGE.into() {
                large.extend(step.to_le_bytes());
            }
        }
    }
    small.extend(large);
    squashed(&small, EFFORT)
}

fn squashed(bytes: &[u8], effort: i32) -> Vec<u8> {
    // There is nothing about memory that could go wrong.
    zstd::bulk::compress(bytes, effort).expect("memory")
}

const fn unsigned(step: i16) -> u16 {
    ((step << 1) ^ (step >> 15)) as u16
}

const fn signed(step: u16) -> i16 {
    (step >> 1) as i16 ^ -((step & 1) as i16)
}

/// A whole file for this program's patterns, not unpacked yet.
#[derive(Clone, Debug)]
pub struct WeightsFile<'a> {
    checksum: u32,
    error_model: ErrorModel,
    blocks: [&'a [u8]; BLOCKS],
    network: &'a [u8],
}

impl<'a> WeightsFile<'a> {
    /// Checks a file.
    ///
    /// # Errors
    /// Anything but a whole file for this program's patterns.
    pub fn new(file: &'a [u8]) -> Result<WeightsFile<'a>, WeightsError> {
        if !file.starts_with(MAGIC) {
            return Err(WeightsError::Foreign);
        }
        let short = || WeightsError::Damaged("cut short".into());
        let word = |at: usize| {
            let bytes = file.get(at..at + 4).and_then(|bytes| bytes.try_into().ok());
            bytes.map(u32::from_le_bytes).ok_or_else(short)
        };
        let version = word(8)?;
        if version != VERSION {
            return Err(WeightsError::Version(version));
        }
        if word(CHECKED)? != layout_sum() {
            return Err(WeightsError::OtherPatterns);
        }
        let mut error_model = ErrorModel([0.0; COEFFICIENTS]);
        for (at, number) in error_model.0.iter_mut().enumerate() {
            let half = |which: usize| word(DEVIATIONS + 8 * at + 4 * which).map(u64::from);
            *number = f64::from_bits(half(0)? | half(1)? << 32);
        }
        let mut rest = file.get(HEADER..).ok_or_else(short)?;
        if check(file, rest) != word(CHECK)? {
            return Err(WeightsError::Damaged("the checksum differs".into()));
        }
        if !error_model.are_finite() {
            return Err(WeightsError::Damaged(
                "a coefficient of the error model is not finite".into(),
            ));
        }
        let mut blocks = [rest; BLOCKS];
        for (at, block) in blocks.iter_mut().enumerate() {
            let size = word(SIZES + 4 * at)? as usize;
            (*block, rest) = rest.split_at_checked(size).ok_or_else(short)?;
        }
        let network = rest.get(..word(NETWORK)? as usize).ok_or_else(short)?;
        Ok(WeightsFile { checksum: word(CHECKED + 4)?, error_model, blocks, network })
    }

    /// The number by which the weights are known.
    pub fn checksum(&self) -> u32 {
        self.checksum
    }

    /// How far shallow searches with the weights are from deep ones.
    pub fn error_model(&self) -> ErrorModel {
        self.error_model
    }

    /// The weights of each packed place of a block.
    ///
    /// # Errors
    /// A block that cannot be unpacked.
    pub fn lines(&self, block: usize) -> Result<Vec<Line>, WeightsError> {
        let damaged = |why: String| WeightsError::Damaged(format!("block {block}: {why}"));
        let count = PACKING.block(block).len() * STAGES;
        // Every difference may be a large one.
        let bytes = zstd::bulk::decompress(self.blocks[block], 3 * count);
        let bytes = bytes.map_err(|error| damaged(error.to_string()))?;
        lines(&bytes, count).ok_or_else(|| damaged(format!("{} bytes", bytes.len())))
    }

    /// The network, where there is one.
    ///
    /// # Errors
    /// One that cannot be unpacked, or that no network is.
    pub fn network(&self) -> Result<Option<Numbers>, WeightsError> {
        if self.network.is_empty() {
            return Ok(None);
        }
        let damaged = |why: String| WeightsError::Damaged(format!("network: {why}"));
        let unpacked = zstd::bulk::decompress(self.network, bytes::size() + 1);
        let unpacked = unpacked.map_err(|error| damaged(error.to_string()))?;
        let numbers = bytes::from_bytes(&unpacked);
        numbers.map(Some).ok_or_else(|| damaged(format!("{} bytes", unpacked.len())))
    }
}

/// The weights of differences; `None` where their number is not right.
fn lines(bytes: &[u8], count: usize) -> Option<Vec<Line>> {
    let (small, large) = bytes.split_at_checked(count)?;
    let (large, rest) = large.as_chunks();
    let mut large = large.iter().map(|&bytes| u16::from_le_bytes(bytes));
    let mut lines = vec![[0; STAGES]; count / STAGES];
    for (line, steps) in lines.iter_mut().zip(small.chunks_exact(STAGES)) {
        let mut weight = 0i16;
        for (place, &step) in line.iter_mut().zip(steps) {
            let step = if step == LARGE { large.next()? } else { step.into() };
            weight = weight.wrapping_add(signed(step));
            *place = weight;
        }
    }
    (large.next().is_none() && rest.is_empty()).then_some(lines)
}

/// The weights of a file.
///
/// # Errors
/// Anything but a whole file for this program's patterns.
pub fn from_bytes(file: &[u8]) -> Result<Weights, WeightsError> {
    let file = WeightsFile::new(file)?;
    let mut patterns = vec![0; STAGES * PACKING.len];
    for at in 0..BLOCKS {
        for (place, line) in PACKING.block(at).zip(file.lines(at)?) {
            for (stage, weight) in patterns.chunks_exact_mut(PACKING.len).zip(line) {
                stage[place] = weight;
            }
        }
    }
    Ok(Weights { patterns, network: file.network()? })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::eval::network::Row;
    use crate::eval::network::head::{Head, LARGEST};
    use crate::eval::patterns::Tables;

    fn some_weights() -> Weights {
        let mut random = fastrand::Rng::with_seed(1);
        let patterns = (0..STAGES * PACKING.len)
            .map(|_| random.i16(-900..900) * i16::from(random.bool()))
            .collect();
        let row = |_| -> Row { std::array::from_fn(|_| random.i8(-3..3)) };
        let rows = (0..PACKING.len).map(row).collect();
        let largest = LARGEST as i16;
        let head = |i: usize| Head(std::array::from_fn(|at| [largest, 0, -largest][(i + at) % 3]));
        let network = Some(Numbers { rows, heads: (0..STAGES).map(head).collect() });
        Weights { patterns, network }
    }

    #[test]
    fn a_file_gives_back_its_weights() {
        let weights = some_weights();
        let file = to_bytes(&weights, &ErrorModel::DEFAULT);
        assert!(from_bytes(&file).as_ref() == Ok(&weights));
        let file = WeightsFile::new(&file).expect("a whole file");
        assert_eq!(file.checksum(), weights.checksum());
        assert!(file.network() == Ok(weights.network.clone()));
        assert_eq!(file.error_model(), ErrorModel::DEFAULT);
        let tables = Tables::new(&weights.patterns).expect("weights of every stage");
        assert!(Tables::unpack(&file).is_ok_and(|unpacked| unpacked == tables));
    }

    #[test]
    fn extreme_weights_survive() {
        let patterns: Vec<i16> =
            (0..STAGES * PACKING.len).map(|i| [i16::MIN, i16::MAX, 0][i % 3]).collect();
        let weights = Weights::from(patterns);
        assert!(from_bytes(&to_bytes(&weights, &ErrorModel::DEFAULT)) == Ok(weights));
        for step in i16::MIN..=i16::MAX {
            assert_eq!(signed(unsigned(step)), step);
        }
    }

    #[test]
    fn a_damaged_file_is_refused() {
        let file = to_bytes(&some_weights(), &ErrorModel::DEFAULT);
        let mut random = fastrand::Rng::with_seed(2);
        for _ in 0..40 {
            let mut bad = file.clone();
            let at = random.usize(..bad.len());
            bad[at] ^= 1 << random.u32(..8);
            let read = std::panic::catch_unwind(|| from_bytes(&bad));
            assert!(matches!(read, Ok(Err(_))), "byte {at}");
            let short = file.get(..at).unwrap_or_default();
            assert!(matches!(std::panic::catch_unwind(|| from_bytes(short)), Ok(Err(_))));
        }
        assert_eq!(from_bytes(b"P6 64 64 255"), Err(WeightsError::Foreign));
        assert_eq!(from_bytes(b""), Err(WeightsError::Foreign));
        let mut old = file;
        old[8] = 2;
        assert_eq!(from_bytes(&old), Err(WeightsError::Version(2)));
    }

    /// Damage that a checksum does not show: somebody made it.
    #[test]
    fn blocks_that_make_no_sense_are_refused() {
        let zeroes = || Weights::from(vec![0; STAGES * PACKING.len]);
        let with = |blocks: Vec<Vec<u8>>| {
            let whole = to_bytes(&zeroes(), &ErrorModel::DEFAULT);
            let mut file = whole[..SIZES].to_vec();
            blocks.iter().for_each(|block| file.extend((block.len() as u32).to_le_bytes()));
            let blocks = blocks.concat();
            file.extend(check(&file, &blocks).to_le_bytes());
            file.extend(blocks);
            from_bytes(&file).map(|weights| weights.patterns.len())
        };
        let block = |at: usize, change: fn(&mut Vec<u8>)| {
            let mut bytes = vec![0; PACKING.block(at).len() * STAGES];
            change(&mut bytes);
            zstd::bulk::compress(&bytes, 1).expect("memory")
        };
        let blocks = |change: fn(&mut Vec<u8>)| -> Vec<Vec<u8>> {
            (0..BLOCKS).map(|at| block(at, change)).chain([Vec::new()]).collect()
        };
        assert_eq!(with(blocks(|_| {})), Ok(STAGES * PACKING.len));
        let changes: [fn(&mut Vec<u8>); 5] = [
            |bytes| bytes.push(0),
            |bytes| bytes.extend([1, 0]),
            |bytes| bytes.truncate(7),
            |bytes| bytes[0] = LARGE,
            |bytes| bytes.resize(5_000_000, 0),
        ];
        for change in changes {
            assert!(matches!(with(blocks(change)), Err(WeightsError::Damaged(_))));
        }
        let none = with(vec![Vec::new(); BLOCKS + 1]);
        assert!(matches!(none, Err(WeightsError::Damaged(_))), "{none:?}");
        let network = |change: fn(&mut Vec<u8>)| {
            let mut bytes = vec![0; bytes::size()];
            change(&mut bytes);
            let mut all = blocks(|_| {});
            all[BLOCKS] = squashed(&bytes, NETWORK_EFFORT);
            with(all)
        };
        assert_eq!(network(|_| {}), Ok(STAGES * PACKING.len));
        let changes: [fn(&mut Vec<u8>); 4] = [
            |bytes| bytes.push(0),
            |bytes| bytes.truncate(7),
            |bytes| bytes.resize(50_000_000, 0),
            // Too large, in the last head.
            |bytes| bytes.iter_mut().rev().skip(2).take(2).for_each(|byte| *byte = 0x7F),
        ];
        for change in changes {
            assert!(matches!(network(change), Err(WeightsError::Damaged(_))));
        }
    }
}
