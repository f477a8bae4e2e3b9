//! Pattern weights as differences from phase to phase, most of which take one byte.

use crate::patterns::layout::PACKING;
use crate::patterns::{ConfigurationWeights, PHASES};

/// Byte that stands for a difference of two bytes.
pub(super) const TWO_BYTES: u8 = u8::MAX;

/// Returns the differences from phase to phase of a block, encoded as bytes.
pub fn differences(weights: &[i16], block: usize) -> Vec<u8> {
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

pub(super) const fn zigzag(difference: i16) -> u16 {
    ((difference << 1) ^ (difference >> 15)) as u16
}

pub(super) const fn unzigzag(code: u16) -> i16 {
    (code >> 1) as i16 ^ -((code & 1) as i16)
}

/// Returns the weights behind `count` encoded differences; `None` if `bytes` holds more or fewer.
pub fn sum_differences(bytes: &[u8], count: usize) -> Option<Vec<ConfigurationWeights>> {
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
