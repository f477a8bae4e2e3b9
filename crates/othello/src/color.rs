//! The two players.

use std::ops::Not;
use std::str::FromStr;

use derive_more::Display;

use crate::text::quote;

/// The owner of a disc, or the side to move. Black moves first. Displays as `Black` or `White`.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, PartialOrd, Ord, Display)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "lowercase"))]
pub enum Color {
    /// Dark discs, written `X` or `*`.
    Black,
    /// Light discs, written `O`.
    White,
}

impl Color {
    /// Black, then White.
    pub const ALL: [Color; 2] = [Color::Black, Color::White];

    /// Returns 0 for Black, 1 for White.
    #[inline(always)]
    pub const fn index(self) -> usize {
        self as usize
    }

    /// Returns `X` for Black, `O` for White.
    #[inline]
    pub const fn letter(self) -> char {
        match self {
            Color::Black => 'X',
            Color::White => 'O',
        }
    }
}

impl Not for Color {
    type Output = Color;

    #[inline(always)]
    fn not(self) -> Color {
        match self {
            Color::Black => Color::White,
            Color::White => Color::Black,
        }
    }
}

/// A text that is no colour; quotes the text.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("`{0}` is no colour: expected black or white")]
pub struct ParseColorError(pub String);

impl FromStr for Color {
    type Err = ParseColorError;

    /// Reads `black` or `white`, or their first letter, in either case.
    fn from_str(text: &str) -> Result<Color, ParseColorError> {
        match text.to_ascii_lowercase().as_str() {
            "black" | "b" => Ok(Color::Black),
            "white" | "w" => Ok(Color::White),
            _ => Err(ParseColorError(quote(text))),
        }
    }
}
