//! Dimensions and value types of the network.

use crate::patterns::shapes::PLACEMENTS;
use umigame_othello::Symmetry;

/// Values of an embedding for each symmetry.
pub const CHANNELS: usize = 8;
/// Channels of one half of an embedding.
const HALF_CHANNELS: usize = 4;
/// Halves of an embedding: the kernels add one up in the lower bytes of words, one in the upper.
const HALVES: usize = CHANNELS / HALF_CHANNELS;
/// Symmetries of the board.
pub const SYMMETRIES: usize = Symmetry::ALL.len();
/// Values of a half, in blocks for each symmetry, in the order of [`Symmetry::ALL`].
pub const HALF_WIDTH: usize = HALF_CHANNELS * SYMMETRIES;
/// Values of an embedding: its halves.
pub const WIDTH: usize = HALVES * HALF_WIDTH;
/// Filters of a layer; each is applied under every symmetry.
pub const FILTERS: usize = 4;
/// Values that the filters of a layer compute.
pub const HIDDEN: usize = FILTERS * SYMMETRIES;

/// Returns the place of a value in an embedding.
pub const fn place(block: usize, channel: usize) -> usize {
    channel / HALF_CHANNELS * HALF_WIDTH + block * HALF_CHANNELS + channel % HALF_CHANNELS
}

/// Returns the block of a place in an embedding.
pub const fn block_of(place: usize) -> usize {
    place % HALF_WIDTH / HALF_CHANNELS
}

/// Returns the channel of a place in an embedding.
pub const fn channel_of(place: usize) -> usize {
    place / HALF_WIDTH * HALF_CHANNELS + place % HALF_CHANNELS
}

/// Number of placements with embeddings, the first ones. The short diagonals come last and are in
/// the pattern sum alone.
pub const EMBEDDED_PLACEMENTS: usize = 50;

/// Returns whether a feature, numbered as in [`raw_features`](super::super::patterns::layout::raw_features),
/// has embeddings.
pub fn is_embedded(feature: usize) -> bool {
    !(EMBEDDED_PLACEMENTS..PLACEMENTS).contains(&feature)
}

/// Embedding of a configuration, in units of 1 / [`EMBEDDING_SCALE`].
pub type Embedding = [i8; WIDTH];
/// Sum of embeddings, in units of 1 / [`EMBEDDING_SCALE`].
pub type EmbeddingSum = [i16; WIDTH];

/// Quantisation scale of embeddings.
pub const EMBEDDING_SCALE: i32 = 128;

/// Quantisation scale of parameters, except the biases of the channels.
pub const LAYER_SCALE: i32 = 1024;
/// Largest magnitude of most parameters: 3.
pub(crate) const MAX_PARAMETER: i32 = 3 * LAYER_SCALE;
/// Largest magnitude of a weight of an activation: 1.75. No sum overflows then.
pub(crate) const MAX_WEIGHT: i32 = 7 * LAYER_SCALE / 4;
