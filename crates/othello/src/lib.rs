//! Squares, moves, scores, and two boards that check each other: the mailbox
//! [`Board`] for games and the two-word [`Position`] for the search.

mod color;
pub mod edges;
pub mod files;
pub mod game;
pub mod kernels;
mod mailbox;
mod moves;
pub mod notation;
mod perft;
mod position;
mod score;
mod square;
pub mod stability;
mod symmetry;
#[cfg(any(test, feature = "testing"))]
pub mod testing;
#[cfg(test)]
mod tests;
pub mod text;
mod zobrist;

pub use color::Color;
pub use mailbox::{Board, IllegalMove};
pub use moves::{Move, ParseMoveError};
pub use notation::{ParsePositionError, parse_position, position_text};
pub use perft::{PassRule, perft, perft_mailbox};
pub use position::Position;
pub use score::{Eval, Score};
pub use square::COLUMN_A;
pub use square::{C_SQUARES, CORNERS, DIRECTIONS, ParseSquareError, Square, X_SQUARES, squares};
pub use symmetry::Symmetry;
