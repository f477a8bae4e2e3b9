//! Small network over the same patterns: it corrects the pattern sum by what no sum can express.
//!
//! Every configuration of a pattern, except those of short diagonals, and every value of a counted
//! feature has an embedding of [`WIDTH`] small integers, the same at all phases. The embeddings of a
//! position are added up and passed through an activation; the layer of the position's phase applies
//! its filters to the result, [`HIDDEN`] values, passes them through another activation and adds them
//! up: the correction, in discs.
//!
//! The sum has [`CHANNELS`] values for each of the eight symmetries. A placement that is made by a
//! symmetry adds its embedding with the blocks permuted by that symmetry, and the layers treat all
//! blocks alike. So an embedding can tell the two sides of a corner apart, and yet the eight images
//! of a position have one value. All arithmetic is on integers: the order of a sum does not matter,
//! and every processor computes the same value.
//!
//! After: networks over pattern embeddings in recent Othello programs; Y. Nasu, "Efficiently
//! updatable neural-network-based evaluation functions for computer shogi", 2018 (integers,
//! clipped sums); T. Cohen and M. Welling, "Group equivariant convolutional networks", 2016 (blocks
//! for symmetries).

mod dimensions;
pub mod embedding;
mod inference;
pub mod layer;
pub mod parameters;
#[cfg(test)]
mod tests;

#[cfg(test)]
use dimensions::block_of;
pub use dimensions::{
    CHANNELS, EMBEDDING_SCALE, Embedding, EmbeddingSum, FILTERS, HIDDEN, LAYER_SCALE, SYMMETRIES,
    WIDTH, channel_of, is_embedded, place,
};
pub(super) use dimensions::{EMBEDDED_PLACEMENTS, MAX_PARAMETER, MAX_WEIGHT};
pub use inference::Network;
pub use layer::LayerParameters;
pub use parameters::{LAYER_BYTES, Parameters, layers};
