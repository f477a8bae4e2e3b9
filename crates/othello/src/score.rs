//! The two units of a lead: [`Score`] for a fact, in discs, and [`Eval`] for an opinion, in
//! hundredths of a disc. They do not convert silently.

use std::fmt;
use std::str::FromStr;

use derive_more::{Debug, Neg};

use crate::clock::decimal;
use crate::text::quote;

/// A final disc difference for the side to move, -64 to 64. The winner takes the empties.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default, Debug, Neg)]
#[debug("Score({self})")]
pub struct Score(i8);

impl Score {
    /// The lowest score: a wipe-out by the opponent.
    pub const MIN: Score = Score(-64);
    /// The highest score: a wipe-out by the side to move.
    pub const MAX: Score = Score(64);
    /// A draw.
    pub const DRAW: Score = Score(0);

    /// Returns the score of `discs`, or `None` outside -64..=64.
    #[inline]
    pub const fn new(discs: i32) -> Option<Score> {
        if discs >= -64 && discs <= 64 { Some(Score(discs as i8)) } else { None }
    }

    /// Returns the score of `discs`, clamped to -64..=64.
    #[inline]
    pub const fn saturating(discs: i32) -> Score {
        match Score::new(discs) {
            Some(score) => score,
            None if discs < 0 => Score::MIN,
            None => Score::MAX,
        }
    }

    /// Returns the score of a finished game from the disc counts. The winner takes the empties. The
    /// counts must add up to at most 64.
    #[inline]
    pub const fn of_finished(player: u32, opponent: u32) -> Score {
        let (player, opponent) = (player as i32, opponent as i32);
        let empties = 64 - player - opponent;
        let difference = player - opponent;
        Score::saturating(match difference {
            0 => 0,
            1.. => difference + empties,
            _ => difference - empties,
        })
    }

    /// Returns the discs, -64 to 64.
    #[inline]
    pub const fn discs(self) -> i32 {
        self.0 as i32
    }

    /// Returns the same lead as an eval.
    #[inline]
    pub const fn to_eval(self) -> Eval {
        Eval(self.0 as i16 * 100)
    }
}

/// Writes `+12`, `0`, `-3`.
impl fmt::Display for Score {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.0 {
            0 => f.pad("0"),
            discs => f.pad(&format!("{discs:+}")),
        }
    }
}

/// A text that is no score or no eval; quotes the text.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("`{found}` is no {expected}")]
pub struct ParseScoreError {
    /// The text.
    pub found: String,
    /// The expected kind of number, and its range.
    pub expected: &'static str,
}

impl FromStr for Score {
    type Err = ParseScoreError;

    /// Reads a whole number of discs, with or without a sign.
    fn from_str(text: &str) -> Result<Score, ParseScoreError> {
        let score = text.parse().ok().and_then(Score::new);
        let expected = "score: expected discs from -64 to 64";
        score.ok_or_else(|| ParseScoreError { found: quote(text), expected })
    }
}

/// An estimated disc difference for the side to move, in hundredths of a disc, -6400 to 6400.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default, Debug, Neg)]
#[debug("Eval({self})")]
pub struct Eval(i16);

impl Eval {
    /// Returns the eval of `centidiscs` hundredths of a disc, clamped to -6400..=6400.
    #[inline]
    pub const fn from_centidiscs(centidiscs: i32) -> Eval {
        if centidiscs > 6400 {
            Eval(6400)
        } else if centidiscs < -6400 {
            Eval(-6400)
        } else {
            Eval(centidiscs as i16)
        }
    }

    /// Returns the hundredths of a disc, -6400 to 6400.
    #[inline]
    pub const fn centidiscs(self) -> i32 {
        self.0 as i32
    }

    /// Returns the discs with their fraction.
    pub fn discs(self) -> f64 {
        f64::from(self.0) / 100.0
    }

    /// Returns the nearest whole score.
    #[inline]
    pub const fn round(self) -> Score {
        let half = if self.0 < 0 { -50 } else { 50 };
        Score::saturating((self.0 as i32 + half) / 100)
    }
}

/// Writes `+1.25`, `0.00`, `-3.50`.
impl fmt::Display for Eval {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.0 {
            0 => f.pad("0.00"),
            _ => f.pad(&format!("{:+.2}", self.discs())),
        }
    }
}

impl FromStr for Eval {
    type Err = ParseScoreError;

    /// Reads discs with a fraction, rounded to hundredths, with or without a sign.
    fn from_str(text: &str) -> Result<Eval, ParseScoreError> {
        let discs = decimal(text).filter(|discs| discs.abs() <= 64.0);
        let expected = "eval: expected discs from -64.00 to 64.00";
        discs
            .map(|discs| Eval::from_centidiscs((discs * 100.0).round() as i32))
            .ok_or_else(|| ParseScoreError { found: quote(text), expected })
    }
}
