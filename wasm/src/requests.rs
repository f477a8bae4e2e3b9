//! Requests as JSON.

use serde::Deserialize;
use umigame_analysis::picture::DiagramRequest;
use umigame_analysis::request::SearchLimits;

/// A request of the host.
#[derive(Deserialize, Debug)]
#[serde(rename_all = "camelCase", rename_all_fields = "camelCase", deny_unknown_fields)]
pub enum Request {
    /// Searches a position: 64 squares and the side to move.
    Search { position: String, limits: SearchLimits },
    /// Chooses a move to play, in the way of a level with a name or of an error too.
    Play(PlayRequest),
    /// Lists the levels.
    Levels {},
    /// Recognises a game or a position in whatever form it was pasted.
    Read { text: String },
    /// Looks at a position square by square.
    Layers { position: String },
    /// Draws a board as SVG.
    Diagram(DiagramRequest),
    /// Judges a game, a transcript, move by move.
    Analyze { game: String, limits: SearchLimits },
    /// Values a position without a search.
    Evaluate { position: String },
    /// Counts the sequences of moves of a length.
    Perft { position: String, depth: u32 },
    /// Empties the table.
    Clear {},
    /// Compares the kernels with the portable ones.
    CheckKernels { rounds: u32, seed: u64 },
}

/// How to choose a move to play.
#[derive(Deserialize, Debug)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct PlayRequest {
    pub position: String,
    pub limits: SearchLimits,
    /// The name of a level that errs.
    pub name: Option<String>,
    pub seed: u64,
    pub error: Option<f64>,
    pub max_error: Option<f64>,
}
