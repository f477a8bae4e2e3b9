//! Dimensions and value types of the network.

use umigame_othello::Symmetry;

/// Values of an embedding for each symmetry.
pub const CHANNELS: usize = 4;
/// Symmetries of the board.
pub const SYMMETRIES: usize = Symmetry::ALL.len();
/// Values of an embedding: the channels of each symmetry, in the order of [`Symmetry::ALL`].
pub const WIDTH: usize = CHANNELS * SYMMETRIES;
/// Filters of a layer; each is applied under every symmetry.
pub const FILTERS: usize = 2;
/// Values that the filters of a layer compute.
pub const HIDDEN: usize = FILTERS * SYMMETRIES;

/// Embedding of a configuration, in units of 1 / [`EMBEDDING_SCALE`].
pub type Embedding = [i8; WIDTH];
/// Sum of embeddings, in units of 1 / [`EMBEDDING_SCALE`].
pub type EmbeddingSum = [i16; WIDTH];

/// Quantisation scale of embeddings.
pub const EMBEDDING_SCALE: i32 = 128;
