//! Parameters of a network, and their bytes in the weights file.
//!
//! The bytes are the embeddings one after the other, then the layers, 16 bits a parameter;
//! little-endian.

use super::dimensions::{Embedding, WIDTH};
use super::layer::{LayerParameters, PARAMETERS};
use crate::eval::patterns::PHASES;
use crate::eval::patterns::layout::PACKING;

/// Parameters of a network as they are fitted and stored.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Parameters {
    /// Embedding of every packed place.
    pub embeddings: Vec<Embedding>,
    /// Layer of every phase.
    pub layers: Vec<LayerParameters>,
}

impl Parameters {
    /// Returns the number of bytes of a network.
    pub fn byte_len() -> usize {
        PACKING.len * WIDTH + PHASES * PARAMETERS * 2
    }

    fn layer_bytes(&self) -> impl Iterator<Item = u8> {
        self.layers.iter().flat_map(|layer| layer.0).flat_map(i16::to_le_bytes)
    }

    /// Returns the bytes of the parameters.
    pub fn to_bytes(&self) -> Vec<u8> {
        let embeddings = self.embeddings.iter().flatten().map(|&value| value as u8);
        embeddings.chain(self.layer_bytes()).collect()
    }

    /// Returns the bytes that the checksum of the weights covers: the first values of all
    /// embeddings, then the second ones and so on, and the layers.
    ///
    /// The order is that of the file before version 5, so checksums did not change with it.
    pub fn to_checked_bytes(&self) -> Vec<u8> {
        let column = |at: usize| self.embeddings.iter().map(move |values| values[at] as u8);
        (0..WIDTH).flat_map(column).chain(self.layer_bytes()).collect()
    }

    /// Reads parameters from bytes. `None` unless there are [`Self::byte_len`] of them and all
    /// parameters of layers are within their bounds.
    pub fn from_bytes(bytes: &[u8]) -> Option<Parameters> {
        if bytes.len() != Parameters::byte_len() {
            return None;
        }
        let (embeddings, layers) = bytes.split_at(PACKING.len * WIDTH);
        let (embeddings, _) = embeddings.as_chunks();
        let embeddings = embeddings.iter().map(|values| values.map(|value| value as i8)).collect();
        let (layers, _) = layers.as_chunks();
        let layers: Vec<i16> = layers.iter().map(|&value| i16::from_le_bytes(value)).collect();
        let (layers, _) = layers.as_chunks();
        let layers: Vec<LayerParameters> =
            layers.iter().map(|&layer| LayerParameters(layer)).collect();
        let sound = layers.iter().all(LayerParameters::is_sound);
        sound.then_some(Parameters { embeddings, layers })
    }
}
