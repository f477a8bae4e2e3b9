//! Parameters of a network, and their bytes in the weights file.
//!
//! Embeddings are one byte a value, layers 16 bits a parameter, little-endian.

use super::dimensions::{Embedding, WIDTH};
use super::layer::{LayerParameters, PARAMETERS};
use crate::patterns::PHASES;
use crate::patterns::layout::PACKING;

/// Bytes of the layers of all phases.
pub const LAYER_BYTES: usize = PHASES * PARAMETERS * 2;

/// Parameters of a network as they are fitted and stored.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Parameters {
    /// Embedding of every packed place.
    pub embeddings: Vec<Embedding>,
    /// Layer of every phase.
    pub layers: Vec<LayerParameters>,
}

impl Parameters {
    /// Returns the bytes of the embeddings of a block's packed places.
    pub fn embedding_bytes(&self, block: usize) -> Vec<u8> {
        self.embeddings[PACKING.block(block)].as_flattened().iter().map(|&it| it as u8).collect()
    }

    /// Returns the bytes of the layers.
    pub fn layer_bytes(&self) -> Vec<u8> {
        self.layers.iter().flat_map(|layer| layer.0).flat_map(i16::to_le_bytes).collect()
    }

    /// Returns the bytes that the checksum of the weights covers: the first values of all
    /// embeddings, then the second ones and so on, and the layers.
    ///
    /// The order is that of the file before version 5, so checksums did not change with it.
    pub fn to_checked_bytes(&self) -> Vec<u8> {
        let column = |at: usize| self.embeddings.iter().map(move |values| values[at] as u8);
        (0..WIDTH).flat_map(column).chain(self.layer_bytes()).collect()
    }
}

/// Reads the layer of every phase from [`LAYER_BYTES`] bytes. `None` if a parameter is out of its
/// bounds.
pub fn layers(bytes: &[u8]) -> Option<Vec<LayerParameters>> {
    let (numbers, _) = bytes.as_chunks();
    let numbers: Vec<i16> = numbers.iter().map(|&value| i16::from_le_bytes(value)).collect();
    let (layers, _) = numbers.as_chunks();
    let layers: Vec<_> = layers.iter().map(|&layer| LayerParameters(layer)).collect();
    layers.iter().all(LayerParameters::is_sound).then_some(layers)
}
