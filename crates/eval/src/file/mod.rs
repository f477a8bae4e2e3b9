//! Weights file: small enough for the binary and quick to unpack.
//!
//! | bytes | content |
//! |---|---|
//! | 8 | `UMIGAMEW` |
//! | 4 | version: 13 |
//! | 4 | CRC-32 of the layout: shapes, counts, phases and the size of the network |
//! | 4 | checksum of the weights: CRC-32 of the pattern weights, 16 bits each, phase by phase, and of the network |
//! | 96 | coefficients of the ProbCut model, 8 bytes each |
//! | 512 | coefficients of the score calibration, 8 bytes each |
//! | 780 | numbers of the noise, 2 bytes each, phase by phase |
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
//! unpacks more slowly. Both are written in Rust.

mod deflate;
mod differences;
#[cfg(test)]
mod tests;

use thiserror::Error;
use zerocopy::IntoBytes;

use crate::network::{self, Embedding, LayerParameters, Parameters};
use crate::patterns::layout::{BLOCKS, PACKING, RAW};
use crate::patterns::shapes::SHAPE;
use crate::patterns::{ConfigurationWeights, PHASES};
use crate::position_noise::{self, PositionNoiseModel};
use crate::probcut_model::{self, ProbCutModel};
use crate::score_calibration::{self, ScoreCalibration};
use differences::{differences, sum_differences};

const MAGIC: &[u8; 8] = b"UMIGAMEW";
const VERSION: u32 = 13;
/// Offsets of the fields; the file's CRC-32 covers the bytes from the layout on.
const LAYOUT_AT: usize = 12;
const CHECKSUM_AT: usize = 16;
const PROBCUT_MODEL_AT: usize = 20;
const CALIBRATION_AT: usize = PROBCUT_MODEL_AT + 8 * probcut_model::COEFFICIENTS;
const NOISE_AT: usize = CALIBRATION_AT + 8 * score_calibration::COEFFICIENTS;
const LENGTHS_AT: usize = NOISE_AT + position_noise::BYTES;
const CRC_AT: usize = LENGTHS_AT + 4 * PARTS;
const HEADER_LEN: usize = CRC_AT + 4;
/// Parts of a file: blocks of pattern weights, blocks of embeddings, layers.
const PARTS: usize = 2 * BLOCKS + 1;
/// Part of the first block of embeddings.
const EMBEDDINGS: usize = BLOCKS;
/// Part of the layers.
const LAYERS: usize = 2 * BLOCKS;

/// Models fitted to searches with the weights.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct FittedModels {
    /// Distances between shallow and deep searches, for ProbCut.
    pub probcut: ProbCutModel,
    /// Estimates of final scores from the values of searches.
    pub calibration: ScoreCalibration,
    /// How uncertain the value of a position is, for ProbCut and estimates.
    pub noise: PositionNoiseModel,
}

impl FittedModels {
    /// Models for weights without fits of their own.
    pub const DEFAULT: FittedModels = FittedModels {
        probcut: ProbCutModel::DEFAULT,
        calibration: ScoreCalibration::DEFAULT,
        noise: PositionNoiseModel::AVERAGE,
    };
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
pub fn to_bytes(weights: &Weights, models: &FittedModels) -> Vec<u8> {
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
    let coefficients = models.probcut.0.into_iter().chain(models.calibration.coefficients());
    coefficients.for_each(|coefficient| file.extend(coefficient.to_le_bytes()));
    file.extend(models.noise.to_bytes());
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

/// A complete file for the patterns of this program, not unpacked yet.
#[derive(Clone, Debug)]
pub struct WeightsFile<'a> {
    checksum: u32,
    models: FittedModels,
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
        let probcut = ProbCutModel(coefficients(file, PROBCUT_MODEL_AT).ok_or_else(short)?);
        let calibration = coefficients(file, CALIBRATION_AT).ok_or_else(short)?;
        let calibration = ScoreCalibration::of_coefficients(&calibration);
        let bytes = file.get(NOISE_AT..).and_then(<[u8]>::first_chunk).ok_or_else(short)?;
        let noise = PositionNoiseModel::from_bytes(bytes);
        let mut rest = file.get(HEADER_LEN..).ok_or_else(short)?;
        if file_crc(file, rest) != word(CRC_AT)? {
            return Err(WeightsError::Damaged("the checksum differs".into()));
        }
        if !probcut.are_finite() {
            let why = "a coefficient of the ProbCut model is not finite";
            return Err(WeightsError::Damaged(why.into()));
        }
        if !calibration.is_finite() {
            let why = "a coefficient of the score calibration is not finite";
            return Err(WeightsError::Damaged(why.into()));
        }
        if !noise.is_sound() {
            return Err(WeightsError::Damaged("a number of the noise out of bounds".into()));
        }
        let mut parts = [rest; PARTS];
        for (place, part) in parts.iter_mut().enumerate() {
            let length = word(LENGTHS_AT + 4 * place)? as usize;
            (*part, rest) = rest.split_at_checked(length).ok_or_else(short)?;
        }
        let models = FittedModels { probcut, calibration, noise };
        Ok(WeightsFile { checksum: word(CHECKSUM_AT)?, models, parts })
    }

    /// Checksum of the weights, see [`Weights::checksum`].
    pub fn checksum(&self) -> u32 {
        self.checksum
    }

    /// Models of the weights.
    pub fn models(&self) -> FittedModels {
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
        let damaged = |why| WeightsError::Damaged(format!("network, block {block}: {why}"));
        let mut embeddings = vec![[0; network::WIDTH]; PACKING.block(block).len()];
        let bytes = embeddings.as_mut_bytes();
        deflate::unpack(self.parts[EMBEDDINGS + block], bytes).map_err(damaged)?;
        Ok(embeddings)
    }

    /// Unpacks the network's layer of every phase.
    ///
    /// # Errors
    /// Layers that cannot be unpacked or are out of bounds.
    pub fn layers(&self) -> Result<Vec<LayerParameters>, WeightsError> {
        let damaged = |why| WeightsError::Damaged(format!("network, layers: {why}"));
        let mut bytes = vec![0; network::LAYER_BYTES];
        deflate::unpack(self.parts[LAYERS], &mut bytes).map_err(damaged)?;
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
