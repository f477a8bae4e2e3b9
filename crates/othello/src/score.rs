//! The two kinds of number that say who is ahead. They never convert
//! silently: a [`Score`] is a fact about the end of a game, an [`Eval`] is
//! an opinion about the middle of one.

use std::fmt;
use std::ops::Neg;

/// A final disc difference for the side to move, -64 to 64; the winner takes
/// the empty squares.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub struct Score(i8);

impl Score {
    /// The least score: every disc the opponent's.
    pub const MIN: Score = Score(-64);
    /// The greatest score: every disc one's own.
    pub const MAX: Score = Score(64);
    /// A draw.
    pub const DRAW: Score = Score(0);

    /// A score of this many discs, or `None` beyond 64 either way.
    pub const fn new(discs: i32) -> Option<Score> {
        if discs >= -64 && discs <= 64 { Some(Score(discs as i8)) } else { None }
    }

    /// A score of this many discs, brought within -64 to 64.
    pub const fn saturating(discs: i32) -> Score {
        match Score::new(discs) {
            Some(score) => score,
            None if discs < 0 => Score::MIN,
            None => Score::MAX,
        }
    }

    /// The score of a finished game with these disc counts: the winner takes
    /// the empty squares. The counts must add up to at most 64.
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

    /// Discs, -64 to 64.
    pub const fn discs(self) -> i32 {
        self.0 as i32
    }

    /// The same number as an estimate.
    pub const fn to_eval(self) -> Eval {
        Eval(self.0 as i16 * 100)
    }
}

impl Neg for Score {
    type Output = Score;

    fn neg(self) -> Score {
        Score(-self.0)
    }
}

/// `+12`, `0`, `-3`.
impl fmt::Display for Score {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.0 {
            0 => f.pad("0"),
            discs => f.pad(&format!("{discs:+}")),
        }
    }
}

impl fmt::Debug for Score {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Score({self})")
    }
}

/// An estimated disc difference for the side to move, in hundredths of a
/// disc, -6400 to 6400.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub struct Eval(i16);

impl Eval {
    /// An estimate of this many hundredths of a disc, brought within
    /// -6400 to 6400.
    pub const fn from_centidiscs(centidiscs: i32) -> Eval {
        if centidiscs > 6400 {
            Eval(6400)
        } else if centidiscs < -6400 {
            Eval(-6400)
        } else {
            Eval(centidiscs as i16)
        }
    }

    /// Hundredths of a disc, -6400 to 6400.
    pub const fn centidiscs(self) -> i32 {
        self.0 as i32
    }

    /// Discs, with the fraction.
    pub fn discs(self) -> f64 {
        f64::from(self.0) / 100.0
    }

    /// The nearest whole score.
    pub const fn round(self) -> Score {
        let half = if self.0 < 0 { -50 } else { 50 };
        Score::saturating((self.0 as i32 + half) / 100)
    }
}

impl Neg for Eval {
    type Output = Eval;

    fn neg(self) -> Eval {
        Eval(-self.0)
    }
}

/// `+1.25`, `0.00`, `-3.50`.
impl fmt::Display for Eval {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.0 {
            0 => f.pad("0.00"),
            _ => f.pad(&format!("{:+.2}", self.discs())),
        }
    }
}

impl fmt::Debug for Eval {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Eval({self})")
    }
}
