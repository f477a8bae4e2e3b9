//! Weights file: small enough for the binary and quick to unpack.
//!
//! | bytes | content |
//! |---|---|
//! | 8 | `UMIGAMEW` |
//! | 4 | version: 10 |
//! | 4 | CRC-32 of the layout: shapes, counts, phases and the size of the network |
//! | 4 | checksum of the weights: CRC-32 of the pattern weights, 16 bits each, phase by phase, and of the network |
//! | 96 | coefficients of the error model, 8 bytes each |
//! | 368 | coefficients of the score model, 8 bytes each |
//! | 64 | lengths of the blocks of pattern weights, 4 bytes each |
//! | 64 | lengths of the blocks of embeddings; 0 without a network |
//! | 4 | length of the layers; 0 without a network |
//! | 4 | CRC-32 of everything after the version, this field left out |
//! | .. | blocks of pattern weights, each one LZ4 block |
//! | .. | blocks of embeddings, each one stream of DEFLATE |
//! | .. | layers, one stream of DEFLATE |
//!
//! Numbers are little-endian. There is a block for each shape and one for the features counted
//! over the whole board; each is unpacked by itself, on any thread. Unpacked, a block of pattern
//! weights holds for each configuration its weight at every phase minus the one at the phase before,
//! zigzag encoded (0, -1, 1, -2 become 0, 1, 2, 3): one byte, or 255 for a difference that takes two
//! bytes at the end of the block. A block of embeddings holds those of its configurations, layers are
//! those of all phases (see `network::parameters`).
//!
//! LZ4 unpacks fast. DEFLATE packs embeddings a third smaller, so that the file stays below 12 MB, but
//! unpacks more slowly (docs/measurements.md, platforms). Both are written in Rust.

use thiserror::Error;

use super::deflate;
use super::error_model::{self, ErrorModel};
use super::network::{self, Embedding, LayerParameters, Parameters};
use super::patterns::layout::{BLOCKS, PACKING, RAW};
use super::patterns::shapes::SHAPE;
use super::patterns::{ConfigurationWeights, PHASES};
use super::score_model::{self, ScoreModel};

const MAGIC: &[u8; 8] = b"UMIGAMEW";
const VERSION: u32 = 10;
/// Offsets of the fields; the file's CRC-32 covers the bytes from the layout on.
const LAYOUT_AT: usize = 12;
const CHECKSUM_AT: usize = 16;
const ERROR_MODEL_AT: usize = 20;
const SCORE_MODEL_AT: usize = ERROR_MODEL_AT + 8 * error_model::COEFFICIENTS;
const LENGTHS_AT: usize = SCORE_MODEL_AT + 8 * score_model::COEFFICIENTS;
const CRC_AT: usize = LENGTHS_AT + 4 * PARTS;
const HEADER_LEN: usize = CRC_AT + 4;
/// Parts of a file: blocks of pattern weights, blocks of embeddings, layers.
const PARTS: usize = 2 * BLOCKS + 1;
/// Part of the first block of embeddings.
const EMBEDDINGS: usize = BLOCKS;
/// Part of the layers.
const LAYERS: usize = 2 * BLOCKS;
/// Byte that stands for a difference of two bytes.
const TWO_BYTES: u8 = u8::MAX;

/// Models fitted to searches with the weights.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Models {
    /// Distances between shallow and deep searches, for ProbCut.
    pub error: ErrorModel,
    /// Estimates of final scores from the values of searches.
    pub score: ScoreModel,
}

impl Models {
    /// Models for weights without fits of their own.
    pub const DEFAULT: Models = Models { error: ErrorModel::DEFAULT, score: ScoreModel::DEFAULT };
}

/// Everything that is fitted, except the models.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Weights {
    /// Packed pattern weights, [`PHASES`] phases one after the other.
    pub patterns: Vec<i16>,
    /// Network that corrects their sum.
    pub network: Option<Parameters>,
}

impl From<Vec<i16>> for Weights {
    fn from(patterns: Vec<i16>) -> Weights {
        Weights { patterns, network: None }
    }
}

impl Weights {
    /// Returns the checksum by which the weights are known, however their file is compressed.
    pub fn checksum(&self) -> u32 {
        let mut hasher = crc32fast::Hasher::new();
        self.patterns.iter().for_each(|weight| hasher.update(&weight.to_le_bytes()));
        if let Some(network) = &self.network {
            hasher.update(&network.to_checked_bytes());
        }
        hasher.finalize()
    }
}

/// Reason why a weights file cannot be used.
#[derive(Debug, Error, PartialEq, Eq)]
pub enum WeightsError {
    /// It is no weights file at all.
    #[error("not a file of umigame's weights")]
    Foreign,
    /// A newer or older program wrote it.
    #[error("weights of version {0}, this program reads version {VERSION}")]
    Version(u32),
    /// It is for other patterns than this program has.
    #[error("weights for other patterns than this program's")]
    OtherPatterns,
    /// It is cut short or changed.
    #[error("damaged: {0}")]
    Damaged(String),
}

/// Returns a checksum of the layout that the weights belong to.
fn layout_checksum() -> u32 {
    let mut text = format!(
        "{PHASES} {RAW} {} {} {}",
        network::CHANNELS,
        network::FILTERS,
        network::EMBEDDED_PLACEMENTS
    );
    for shape in SHAPE {
        text += &format!(" {shape:?}");
    }
    crc32fast::hash(text.as_bytes())
}

/// Returns the bytes of a weights file.
///
/// # Panics
/// If the number of pattern weights is not that of [`PHASES`] phases.
pub fn to_bytes(weights: &Weights, models: &Models) -> Vec<u8> {
    let patterns = &weights.patterns;
    assert_eq!(patterns.len(), PHASES * PACKING.len, "weights of every phase");
    let pack = |block: usize| lz4_flex::block::compress(&differences(patterns, block));
    let mut parts: Vec<Vec<u8>> = (0..BLOCKS).map(pack).collect();
    match &weights.network {
        Some(network) => {
            let pack = |block| deflate::pack(&network.embedding_bytes(block));
            parts.extend((0..BLOCKS).map(pack));
            parts.push(deflate::pack(&network.layer_bytes()));
        }
        None => parts.resize(PARTS, Vec::new()),
    }
    let mut file = MAGIC.to_vec();
    for word in [VERSION, layout_checksum(), weights.checksum()] {
        file.extend(word.to_le_bytes());
    }
    let coefficients = models.error.0.into_iter().chain(models.score.coefficients());
    coefficients.for_each(|coefficient| file.extend(coefficient.to_le_bytes()));
    append_parts(&mut file, &parts);
    file
}

/// Appends the lengths of the parts, the checksum, and the parts.
fn append_parts(file: &mut Vec<u8>, parts: &[Vec<u8>]) {
    parts.iter().for_each(|part| file.extend((part.len() as u32).to_le_bytes()));
    let parts = parts.concat();
    file.extend(file_crc(file, &parts).to_le_bytes());
    file.extend(parts);
}

/// Returns the CRC-32 of the header's checked fields and the parts.
fn file_crc(header: &[u8], parts: &[u8]) -> u32 {
    let mut hasher = crc32fast::Hasher::new();
    hasher.update(header.get(LAYOUT_AT..CRC_AT).unwrap_or_default());
    hasher.update(parts);
    hasher.finalize()
}

/// Returns the differences from phase to phase of a block, encoded as bytes.
fn differences(weights: &[i16], block: usize) -> Vec<u8> {
    let (mut one_byte, mut two_bytes) = (Vec::new(), Vec::new());
    for place in PACKING.block(block) {
        let mut before = 0;
        for phase in weights.chunks_exact(PACKING.len) {
            let difference = zigzag(phase[place].wrapping_sub(before));
            before = phase[place];
            one_byte.push(u8::try_from(difference).unwrap_or(TWO_BYTES));
            if difference >= TWO_BYTES.into() {
                two_bytes.extend(difference.to_le_bytes());
            }
        }
    }
    one_byte.extend(two_bytes);
    one_byte
}

const fn zigzag(difference: i16) -> u16 {
    ((difference << 1) ^ (difference >> 15)) as u16
}

const fn unzigzag(code: u16) -> i16 {
    (code >> 1) as i16 ^ -((code & 1) as i16)
}

/// A complete file for the patterns of this program, not unpacked yet.
#[derive(Clone, Debug)]
pub struct WeightsFile<'a> {
    checksum: u32,
    models: Models,
    parts: [&'a [u8]; PARTS],
}

impl<'a> WeightsFile<'a> {
    /// Checks the bytes of a file.
    ///
    /// # Errors
    /// Anything but a complete file for the patterns of this program.
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
        if word(LAYOUT_AT)? != layout_checksum() {
            return Err(WeightsError::OtherPatterns);
        }
        let error = ErrorModel(coefficients(file, ERROR_MODEL_AT).ok_or_else(short)?);
        let score = coefficients(file, SCORE_MODEL_AT).ok_or_else(short)?;
        let score = ScoreModel::of_coefficients(&score);
        let mut rest = file.get(HEADER_LEN..).ok_or_else(short)?;
        if file_crc(file, rest) != word(CRC_AT)? {
            return Err(WeightsError::Damaged("the checksum differs".into()));
        }
        for (name, is_finite) in [("error", error.are_finite()), ("score", score.is_finite())] {
            if !is_finite {
                let why = format!("a coefficient of the {name} model is not finite");
                return Err(WeightsError::Damaged(why));
            }
        }
        let mut parts = [rest; PARTS];
        for (place, part) in parts.iter_mut().enumerate() {
            let length = word(LENGTHS_AT + 4 * place)? as usize;
            (*part, rest) = rest.split_at_checked(length).ok_or_else(short)?;
        }
        let models = Models { error, score };
        Ok(WeightsFile { checksum: word(CHECKSUM_AT)?, models, parts })
    }

    /// Checksum of the weights, see [`Weights::checksum`].
    pub fn checksum(&self) -> u32 {
        self.checksum
    }

    /// Models of the weights.
    pub fn models(&self) -> Models {
        self.models
    }

    /// Unpacks a block: the weights of each of its packed places.
    ///
    /// # Errors
    /// A block that cannot be unpacked.
    pub fn block(&self, block: usize) -> Result<Vec<ConfigurationWeights>, WeightsError> {
        let damaged = |why: String| WeightsError::Damaged(format!("block {block}: {why}"));
        let count = PACKING.block(block).len() * PHASES;
        // At most, every difference takes two bytes more.
        let bytes = lz4_flex::block::decompress(self.parts[block], 3 * count);
        let bytes = bytes.map_err(|error| damaged(error.to_string()))?;
        sum_differences(&bytes, count).ok_or_else(|| damaged(format!("{} bytes", bytes.len())))
    }

    /// Whether there is a network.
    pub fn has_network(&self) -> bool {
        !self.parts[LAYERS].is_empty()
    }

    /// Unpacks a block of the network: the embedding of each of its packed places.
    ///
    /// # Errors
    /// A block that cannot be unpacked.
    pub fn embeddings(&self, block: usize) -> Result<Vec<Embedding>, WeightsError> {
        let length = PACKING.block(block).len() * network::WIDTH;
        let bytes = deflate::unpack(self.parts[EMBEDDINGS + block], length);
        let damaged = |why| WeightsError::Damaged(format!("network, block {block}: {why}"));
        Ok(network::embeddings(&bytes.map_err(damaged)?))
    }

    /// Unpacks the network's layer of every phase.
    ///
    /// # Errors
    /// Layers that cannot be unpacked or are out of bounds.
    pub fn layers(&self) -> Result<Vec<LayerParameters>, WeightsError> {
        let damaged = |why| WeightsError::Damaged(format!("network, layers: {why}"));
        let bytes = deflate::unpack(self.parts[LAYERS], network::LAYER_BYTES).map_err(damaged)?;
        network::layers(&bytes).ok_or_else(|| damaged("a parameter out of bounds".into()))
    }

    /// Unpacks the network, if there is one.
    ///
    /// # Errors
    /// Parts that cannot be unpacked or are no network.
    pub fn network(&self) -> Result<Option<Parameters>, WeightsError> {
        if !self.has_network() {
            return Ok(None);
        }
        let embeddings: Result<Vec<_>, _> = (0..BLOCKS).map(|at| self.embeddings(at)).collect();
        Ok(Some(Parameters { embeddings: embeddings?.concat(), layers: self.layers()? }))
    }
}

/// Reads coefficients of 8 bytes each; `None` if the file ends before.
fn coefficients<const N: usize>(file: &[u8], at: usize) -> Option<[f64; N]> {
    let (words, _) = file.get(at..at + 8 * N)?.as_chunks();
    Some(std::array::from_fn(|place| f64::from_le_bytes(words[place])))
}

/// Returns the weights behind `count` encoded differences; `None` if `bytes` holds more or fewer.
fn sum_differences(bytes: &[u8], count: usize) -> Option<Vec<ConfigurationWeights>> {
    let (one_byte, two_bytes) = bytes.split_at_checked(count)?;
    let (two_bytes, rest) = two_bytes.as_chunks();
    let mut two_bytes = two_bytes.iter().map(|&bytes| u16::from_le_bytes(bytes));
    let mut weights = vec![[0; PHASES]; count / PHASES];
    for (weights, codes) in weights.iter_mut().zip(one_byte.chunks_exact(PHASES)) {
        let mut sum = 0i16;
        for (weight, &code) in weights.iter_mut().zip(codes) {
            let code = if code == TWO_BYTES { two_bytes.next()? } else { code.into() };
            sum = sum.wrapping_add(unzigzag(code));
            *weight = sum;
        }
    }
    (two_bytes.next().is_none() && rest.is_empty()).then_some(weights)
}

/// Reads the weights of a file.
///
/// # Errors
/// Anything but a complete file for the patterns of this program.
pub fn from_bytes(file: &[u8]) -> Result<Weights, WeightsError> {
    let file = WeightsFile::new(file)?;
    let mut patterns = vec![0; PHASES * PACKING.len];
    for block in 0..BLOCKS {
        for (place, weights) in PACKING.block(block).zip(file.block(block)?) {
            for (phase, weight) in patterns.chunks_exact_mut(PACKING.len).zip(weights) {
                phase[place] = weight;
            }
        }
    }
    Ok(Weights { patterns, network: file.network()? })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::eval::network::Embedding;
    use crate::eval::network::layer::{LayerParameters, max_parameter};
    use crate::eval::patterns::Tables;

    fn some_weights() -> Weights {
        let mut random = fastrand::Rng::with_seed(1);
        let patterns = (0..PHASES * PACKING.len)
            .map(|_| random.i16(-900..900) * i16::from(random.bool()))
            .collect();
        let embedding = |_| -> Embedding { std::array::from_fn(|_| random.i8(-3..3)) };
        let embeddings = (0..PACKING.len).map(embedding).collect();
        let max = |at| max_parameter(at) as i16;
        let layer = |i: usize| std::array::from_fn(|at| [max(at), 0, -max(at)][(i + at) % 3]);
        let layers = (0..PHASES).map(|i| LayerParameters(layer(i))).collect();
        let network = Some(Parameters { embeddings, layers });
        Weights { patterns, network }
    }

    #[test]
    fn a_file_gives_back_its_weights() {
        let weights = some_weights();
        let mut random = fastrand::Rng::with_seed(3);
        let models = Models {
            error: ErrorModel(std::array::from_fn(|_| random.f64())),
            score: ScoreModel::of_coefficients(&std::array::from_fn(|_| random.f64() - 0.5)),
        };
        let file = to_bytes(&weights, &models);
        assert!(from_bytes(&file).as_ref() == Ok(&weights));
        let file = WeightsFile::new(&file).expect("a complete file");
        assert_eq!(file.checksum(), weights.checksum());
        assert!(file.network() == Ok(weights.network.clone()));
        assert_eq!(file.models(), models);
        let tables = Tables::new(&weights.patterns).expect("weights of every phase");
        let unpacked = Tables::from_blocks(|block| file.block(block));
        assert!(unpacked.is_ok_and(|unpacked| unpacked == tables));
    }

    #[test]
    fn extreme_weights_survive() {
        let patterns: Vec<i16> =
            (0..PHASES * PACKING.len).map(|i| [i16::MIN, i16::MAX, 0][i % 3]).collect();
        let weights = Weights::from(patterns);
        assert!(from_bytes(&to_bytes(&weights, &Models::DEFAULT)) == Ok(weights));
        for difference in i16::MIN..=i16::MAX {
            assert_eq!(unzigzag(zigzag(difference)), difference);
        }
    }

    #[test]
    fn a_damaged_file_is_refused() {
        let file = to_bytes(&some_weights(), &Models::DEFAULT);
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
        old[8] = 5;
        let error = from_bytes(&old).expect_err("the file of an older program");
        assert_eq!(error.to_string(), "weights of version 5, this program reads version 10");
    }

    #[test]
    fn coefficients_that_are_not_finite_are_refused() {
        let mut error = ErrorModel::DEFAULT;
        error.0[3] = f64::NAN;
        let mut score = ScoreModel::DEFAULT;
        score.spread[2] = f64::INFINITY;
        for (name, models) in [
            ("error", Models { error, ..Models::DEFAULT }),
            ("score", Models { score, ..Models::DEFAULT }),
        ] {
            let zeros = Weights::from(vec![0; PHASES * PACKING.len]);
            let error = from_bytes(&to_bytes(&zeros, &models)).expect_err("not finite");
            let expected = format!("damaged: a coefficient of the {name} model is not finite");
            assert_eq!(error.to_string(), expected);
        }
    }

    /// Returns the bytes of a file with these parts and matching checksums.
    fn file_with(parts: &[Vec<u8>]) -> Vec<u8> {
        let zeros = Weights::from(vec![0; PHASES * PACKING.len]);
        let mut file = to_bytes(&zeros, &Models::DEFAULT);
        file.truncate(LENGTHS_AT);
        append_parts(&mut file, parts);
        file
    }

    /// Parts with pattern weights of zero, unpacked and changed by `change`; no network.
    fn changed_blocks(change: fn(&mut Vec<u8>)) -> Vec<Vec<u8>> {
        let block = |block: usize| {
            let mut bytes = vec![0; PACKING.block(block).len() * PHASES];
            change(&mut bytes);
            lz4_flex::block::compress(&bytes)
        };
        let mut parts: Vec<Vec<u8>> = (0..BLOCKS).map(block).collect();
        parts.resize(PARTS, Vec::new());
        parts
    }

    #[test]
    fn malformed_blocks_with_matching_checksums_are_refused() {
        let read = |change| from_bytes(&file_with(&changed_blocks(change)));
        assert!(read(|_| {}).is_ok_and(|read| read.patterns.len() == PHASES * PACKING.len));
        let changes: [fn(&mut Vec<u8>); 5] = [
            |bytes| bytes.push(0),
            |bytes| bytes.extend([1, 0]),
            |bytes| bytes.truncate(7),
            |bytes| bytes[0] = TWO_BYTES,
            |bytes| bytes.resize(5_000_000, 0),
        ];
        for change in changes {
            assert!(matches!(read(change), Err(WeightsError::Damaged(_))));
        }
        let none = from_bytes(&file_with(&vec![Vec::new(); PARTS]));
        assert!(matches!(none, Err(WeightsError::Damaged(_))), "{none:?}");
        let noise = from_bytes(&file_with(&vec![vec![0xA7; 3000]; PARTS]));
        assert!(matches!(noise, Err(WeightsError::Damaged(_))), "{noise:?}");
    }

    #[test]
    fn a_malformed_network_with_matching_checksums_is_refused() {
        let read = |part: usize, change: fn(&mut Vec<u8>)| {
            let mut parts = changed_blocks(|_| {});
            for block in 0..BLOCKS {
                let length = PACKING.block(block).len() * network::WIDTH;
                parts[EMBEDDINGS + block] = vec![0; length];
            }
            parts[LAYERS] = vec![0; network::LAYER_BYTES];
            change(&mut parts[part]);
            for part in &mut parts[EMBEDDINGS..] {
                *part = deflate::pack(part);
            }
            from_bytes(&file_with(&parts))
        };
        assert!(read(LAYERS, |_| {}).is_ok_and(|read| read.network.is_some()));
        let changes: [fn(&mut Vec<u8>); 4] = [
            |bytes| bytes.push(0),
            |bytes| bytes.truncate(7),
            |bytes| bytes.clear(),
            |bytes| bytes.resize(50_000_000, 0),
        ];
        for change in changes {
            for part in [EMBEDDINGS, LAYERS - 1, LAYERS] {
                assert!(matches!(read(part, change), Err(WeightsError::Damaged(_))));
            }
        }
        // A parameter of the last layer that is too large.
        let too_large = |bytes: &mut Vec<u8>| {
            bytes.iter_mut().rev().skip(2).take(2).for_each(|byte| *byte = 0x7F);
        };
        assert!(matches!(read(LAYERS, too_large), Err(WeightsError::Damaged(_))));
    }
}
