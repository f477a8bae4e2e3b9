//! Squares, moves, scores, and two boards that check each other: the mailbox
//! [`Board`] for games and the two-word [`Position`] for the search.

mod board;
mod clock;
mod color;
pub mod edges;
pub mod files;
pub mod formats;
pub mod kernels;
mod line;
pub mod lines;
mod moves;
pub mod notation;
pub mod openings;
mod perft;
mod position;
mod record;
mod replay;
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

pub use board::{Board, IllegalMove};
pub use clock::{Clock, ParseClockError};
pub use color::Color;
pub use moves::{Move, ParseMoveError};
pub use notation::{ParsePositionError, parse_position, position_text};
pub use perft::{PassRule, perft, perft_mailbox};
pub use position::Position;
pub use record::{Ending, GameOutcome, Player, Record, ReplayError, Turn};
pub use replay::MoveError;
pub use score::{Eval, Score};
pub use square::COLUMN_A;
pub use square::{C_SQUARES, CORNERS, DIRECTIONS, ParseSquareError, Square, X_SQUARES, squares};
pub use symmetry::Symmetry;

/// The former paths of records, formats and openings.
pub mod game {
    pub use crate::clock::{Clock, ParseClockError};
    pub use crate::formats::transcript::{ReadPositionError, read_position};
    pub use crate::formats::{ggf, obf, pgn, sgf, transcript};
    pub use crate::openings;
    pub use crate::record::{Ending, GameOutcome as Outcome, Player, Record, ReplayError, Turn};
    pub use crate::replay::MoveError;

    /// The former path of [`crate::formats::lines`].
    pub mod lines {
        pub use crate::formats::lines::{LineError, TextLines as Lines};
    }
    /// The former path of [`crate::formats::wthor`].
    pub mod wthor {
        pub use crate::formats::wthor::{WthorGame as Game, *};
    }
}
