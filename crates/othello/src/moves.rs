//! Moves: a disc placed on a square, or a pass.

use std::fmt;
use std::str::FromStr;

use derive_more::{Debug, From};

use crate::square::Square;
use crate::text::quote;

/// A move of either kind.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug, From)]
pub enum Move {
    /// Places a disc on a square.
    #[from]
    #[debug("{_0:#}")]
    Place(Square),
    /// Passes; legal only where the side to move has no legal square and the other side has one.
    #[debug("PA")]
    Pass,
}

impl Move {
    /// Returns the square of the disc, or `None` for a pass.
    #[inline]
    pub const fn square(self) -> Option<Square> {
        match self {
            Move::Place(square) => Some(square),
            Move::Pass => None,
        }
    }
}

/// Writes `f5` or `pass`; with `{:#}`, `F5` or `PA` as NBoard does.
impl fmt::Display for Move {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Move::Place(square) => fmt::Display::fmt(square, f),
            Move::Pass => f.write_str(if f.alternate() { "PA" } else { "pass" }),
        }
    }
}

/// A text that is no move; quotes the text.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("`{0}` is no move: expected a square such as f5, or pass (also PA, ps, --)")]
pub struct ParseMoveError(pub String);

impl FromStr for Move {
    type Err = ParseMoveError;

    /// Reads a square or a pass (`pass`, `pas`, `pa`, `ps`, `--`), in either case.
    fn from_str(text: &str) -> Result<Move, ParseMoveError> {
        let lower = text.to_ascii_lowercase();
        if matches!(lower.as_str(), "pa" | "pas" | "pass" | "ps" | "--") {
            return Ok(Move::Pass);
        }
        text.parse().map(Move::Place).map_err(|_| ParseMoveError(quote(text)))
    }
}
