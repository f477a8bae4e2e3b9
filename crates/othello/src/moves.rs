//! A move: a disc placed on a square, or a pass.

use std::fmt;
use std::str::FromStr;

use super::square::Square;

/// What a player does with a turn.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Move {
    /// A disc on this square.
    Place(Square),
    /// No disc, because no square flips anything.
    Pass,
}

impl Move {
    /// The square of the disc, or `None` for a pass.
    pub const fn square(self) -> Option<Square> {
        match self {
            Move::Place(square) => Some(square),
            Move::Pass => None,
        }
    }
}

impl From<Square> for Move {
    fn from(square: Square) -> Move {
        Move::Place(square)
    }
}

/// `f5` and `pass`, or `F5` and `PA` with `{:#}` as NBoard writes them.
impl fmt::Display for Move {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Move::Place(square) => fmt::Display::fmt(square, f),
            Move::Pass => f.write_str(if f.alternate() { "PA" } else { "pass" }),
        }
    }
}

impl fmt::Debug for Move {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{self:#}")
    }
}

/// A move that could not be read: it quotes what was there.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("`{0}` is no move: expected a square such as f5, or pass (also PA, ps, --)")]
pub struct ParseMoveError(pub String);

impl FromStr for Move {
    type Err = ParseMoveError;

    /// Reads a square in either case, or a pass: any beginning of `pass`
    /// from two letters on, `ps`, `--`.
    fn from_str(text: &str) -> Result<Move, ParseMoveError> {
        let lower = text.to_ascii_lowercase();
        if matches!(lower.as_str(), "pa" | "pas" | "pass" | "ps" | "--") {
            return Ok(Move::Pass);
        }
        text.parse().map(Move::Place).map_err(|_| ParseMoveError(super::text::quote(text)))
    }
}
