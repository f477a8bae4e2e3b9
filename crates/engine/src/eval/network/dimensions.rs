//! Dimensions and value types of the network.

use umigame_othello::Symmetry;

/// Values of an embedding for each symmetry.
pub const CHANNELS: usize = 8;
/// Channels of a half: a half holds as many values for each symmetry.
const HALF_CHANNELS: usize = 4;
/// Halves of an embedding, each as wide as the kernels take.
pub const HALVES: usize = CHANNELS / HALF_CHANNELS;
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

/// Placements whose patterns have embeddings, the first ones: the short diagonals, the last, are in
/// the pattern sum alone.
pub const EMBEDDED_PLACEMENTS: usize = 50;

/// Embedding of a configuration, in units of 1 / [`EMBEDDING_SCALE`].
pub type Embedding = [i8; WIDTH];
/// Sum of embeddings, in units of 1 / [`EMBEDDING_SCALE`].
pub type EmbeddingSum = [i16; WIDTH];

/// Quantisation scale of embeddings.
pub const EMBEDDING_SCALE: i32 = 128;
