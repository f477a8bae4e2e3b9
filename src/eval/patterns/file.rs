//! The weights file: small enough to be part of the binary.
//!
//! ```text
//! 0   8  "UMIGAMEW"
//! 8   4  version, 1
//! 12  4  what the shapes, counts and stages are: a checksum
//! 16  4  checksum of the weights (CRC-32 of the unpacked bytes)
//! 20  .. the weights, packed with Zstandard
//! ```
//!
//! Numbers are little-endian. Unpacked, the weights are 16-bit numbers,
//! stage by stage, each less the same weight of the stage before; first all
//! low bytes, then all high bytes, which pack better apart.

use std::io::Read;

use thiserror::Error;

use super::layout::{PACKING, RAW};
use super::shapes::SHAPE;
use super::tables::STAGES;

const MAGIC: &[u8; 8] = b"UMIGAMEW";
const VERSION: u32 = 1;
const HEADER: usize = 20;

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
    let mut text = format!("{STAGES} {RAW}");
    for shape in SHAPE {
        text += &format!(" {shape:?}");
    }
    crc32fast::hash(text.as_bytes())
}

/// The file of packed weights, [`STAGES`] stages one after the other.
pub fn to_bytes(weights: &[i16]) -> Vec<u8> {
    let len = PACKING.len;
    let before = std::iter::repeat_n(&0, len).chain(weights);
    let steps: Vec<[u8; 2]> = weights
        .iter()
        .zip(before)
        .map(|(w, before)| w.wrapping_sub(*before).to_le_bytes())
        .collect();
    let bytes: Vec<u8> = (0..2).flat_map(|k| steps.iter().map(move |step| step[k])).collect();
    let mut file = MAGIC.to_vec();
    for word in [VERSION, layout_sum(), crc32fast::hash(&bytes)] {
        file.extend(word.to_le_bytes());
    }
    file.extend(ruzstd::encoding::compress_to_vec(
        bytes.as_slice(),
        ruzstd::encoding::CompressionLevel::Fastest,
    ));
    file
}

/// The number by which weights are known: the checksum of their file.
pub fn checksum(file: &[u8]) -> u32 {
    word(file, 16).unwrap_or(0)
}

fn word(file: &[u8], at: usize) -> Option<u32> {
    Some(u32::from_le_bytes(file.get(at..at + 4)?.try_into().ok()?))
}

/// The packed weights of a file.
///
/// # Errors
/// Anything but a whole file for this program's patterns.
pub fn from_bytes(file: &[u8]) -> Result<Vec<i16>, WeightsError> {
    let rest = file.strip_prefix(MAGIC).ok_or(WeightsError::Foreign)?;
    let short = || WeightsError::Damaged("cut short".into());
    let version = word(file, 8).ok_or_else(short)?;
    if version != VERSION {
        return Err(WeightsError::Version(version));
    }
    if word(file, 12).ok_or_else(short)? != layout_sum() {
        return Err(WeightsError::OtherPatterns);
    }
    let packed = rest.get(HEADER - MAGIC.len()..).ok_or_else(short)?;
    let count = STAGES * PACKING.len;
    let bytes = unpack(packed, 2 * count)?;
    if crc32fast::hash(&bytes) != checksum(file) {
        return Err(WeightsError::Damaged("the checksum differs".into()));
    }
    let (low, high) = bytes.split_at(count);
    let mut weights: Vec<i16> =
        low.iter().zip(high).map(|(&low, &high)| i16::from_le_bytes([low, high])).collect();
    for i in PACKING.len..count {
        weights[i] = weights[i].wrapping_add(weights[i - PACKING.len]);
    }
    Ok(weights)
}

fn unpack(packed: &[u8], size: usize) -> Result<Vec<u8>, WeightsError> {
    let damaged = |error: &dyn std::fmt::Display| WeightsError::Damaged(error.to_string());
    let mut bytes = Vec::with_capacity(size);
    let decoder =
        ruzstd::decoding::StreamingDecoder::new(packed).map_err(|error| damaged(&error))?;
    // One byte more than there may be: a longer file must not fill memory.
    decoder.take(size as u64 + 1).read_to_end(&mut bytes).map_err(|error| damaged(&error))?;
    if bytes.len() != size {
        return Err(WeightsError::Damaged(format!("{} bytes of {size}", bytes.len())));
    }
    Ok(bytes)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn some_weights() -> Vec<i16> {
        let mut random = fastrand::Rng::with_seed(1);
        (0..STAGES * PACKING.len)
            .map(|_| random.i16(-900..900) * i16::from(random.bool()))
            .collect()
    }

    #[test]
    fn a_file_gives_back_its_weights() {
        let weights = some_weights();
        assert_eq!(from_bytes(&to_bytes(&weights)), Ok(weights));
    }

    #[test]
    fn extreme_weights_survive() {
        let weights: Vec<i16> =
            (0..STAGES * PACKING.len).map(|i| [i16::MIN, i16::MAX, 0][i % 3]).collect();
        assert_eq!(from_bytes(&to_bytes(&weights)), Ok(weights));
    }

    #[test]
    fn a_damaged_file_is_refused() {
        let file = to_bytes(&some_weights());
        let mut random = fastrand::Rng::with_seed(2);
        for _ in 0..40 {
            let mut bad = file.clone();
            let at = random.usize(..bad.len());
            bad[at] ^= 1 << random.u32(..8);
            let read = std::panic::catch_unwind(|| from_bytes(&bad));
            assert!(matches!(read, Ok(Err(_))), "byte {at}: {read:?}");
            let short = file.get(..at).unwrap_or_default();
            assert!(matches!(std::panic::catch_unwind(|| from_bytes(short)), Ok(Err(_))));
        }
        assert_eq!(from_bytes(b"P6 64 64 255"), Err(WeightsError::Foreign));
        assert_eq!(from_bytes(b""), Err(WeightsError::Foreign));
    }
}
