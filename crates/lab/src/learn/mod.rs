//! Learning: training data and what is made of it.
//!
//! [`data`] is the file that everything here reads or writes; [`play`] fills
//! it with games that the engine plays against itself from many [`starts`],
//! [`label`] with positions of other [`sources`]; [`fit`] makes weights of it
//! and [`network`] what corrects their sum, [`errors`] says how far an evaluation is from what the files hold, and
//! [`probcut`] how far a shallow search is from a deep one; [`calibrate`]
//! stretches weights until they speak in discs. [`all`] does it from the
//! beginning, round by round.

pub mod all;
pub mod calibrate;
pub mod data;
pub mod errors;
pub mod fit;
pub mod label;
pub mod network;
pub mod play;
pub mod plot;
pub mod probcut;
pub mod sources;
pub mod starts;
#[cfg(test)]
mod testing;
#[cfg(test)]
mod tests;

use std::path::PathBuf;

use data::DataError;
use umigame_engine::search::EngineError;

/// Learning cannot go on.
#[derive(Debug, thiserror::Error)]
pub enum LearnError {
    /// A file of training data.
    #[error(transparent)]
    Data(#[from] DataError),
    /// No table to search with.
    #[error(transparent)]
    Table(#[from] EngineError),
    /// A file that positions come from.
    #[error("{}: {why}", umigame_othello::text::shown_path(.path))]
    Source {
        /// The file.
        path: PathBuf,
        /// What is wrong with it.
        why: String,
    },
    /// A solved ending does not lead to the score that was proven for it:
    /// a fault in the search.
    #[error("game {0}: the play of a solved ending does not lead to its score")]
    Unproven(u64),
}
