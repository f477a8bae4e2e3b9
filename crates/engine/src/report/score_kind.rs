//! How an eval was found.

use std::fmt;
use std::str::FromStr;

use crate::limits::confidence::Confidence;

/// The kind of search behind an eval. Displays as, and is read from, the depth field of the NBoard protocol:
/// `12`, `18@73%`, `100%`, `100%W`.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum ScoreKind {
    /// A search to a depth, then the evaluation. Below full confidence, branches were cut that would
    /// very probably not have mattered.
    Depth {
        /// Plies searched.
        plies: u8,
        /// Confidence of each cut, full if nothing was cut.
        confidence: Confidence,
    },
    /// A selective search to the end of the game.
    Endgame {
        /// Confidence of each cut.
        confidence: Confidence,
    },
    /// The score under perfect play.
    #[default]
    Exact,
    /// Win, loss or draw under perfect play: only the sign of the eval counts.
    WinLossDraw,
}

impl ScoreKind {
    /// Whether the evals are proven.
    pub const fn is_proven(self) -> bool {
        matches!(self, ScoreKind::Exact | ScoreKind::WinLossDraw)
    }
}

impl fmt::Display for ScoreKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            ScoreKind::Depth { plies, confidence: Confidence::FULL } => write!(f, "{plies}"),
            ScoreKind::Depth { plies, confidence } => write!(f, "{plies}@{confidence}"),
            ScoreKind::Endgame { confidence } => write!(f, "{confidence}"),
            ScoreKind::Exact => f.write_str("100%"),
            ScoreKind::WinLossDraw => f.write_str("100%W"),
        }
    }
}

/// A text that is no [`ScoreKind`].
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
#[error("no kind of search: expected 12, 18@73%, 73%, 100% or 100%W")]
pub struct ParseScoreKindError;

impl FromStr for ScoreKind {
    type Err = ParseScoreKindError;

    fn from_str(text: &str) -> Result<ScoreKind, ParseScoreKindError> {
        let plies = |text: &str| text.parse().ok().filter(|plies| (1..=100).contains(plies));
        let confidence = |text: &str| Confidence::from_percent(text.parse().ok()?);
        let kind = match (text, text.strip_suffix('%'), text.split_once('@')) {
            ("100%", ..) => Some(ScoreKind::Exact),
            ("100%W", ..) => Some(ScoreKind::WinLossDraw),
            (_, Some(_), Some((depth, percent))) => plies(depth)
                .zip(percent.strip_suffix('%').and_then(confidence))
                .map(|(plies, confidence)| ScoreKind::Depth { plies, confidence }),
            (_, Some(percent), None) => {
                confidence(percent).map(|confidence| ScoreKind::Endgame { confidence })
            }
            _ => plies(text).map(|plies| ScoreKind::Depth { plies, confidence: Confidence::FULL }),
        };
        kind.ok_or(ParseScoreKindError)
    }
}
