//! Confidence levels of selective searches.

use derive_more::Display;

/// The probability that a branch cut by ProbCut would not have mattered. Ordered: a higher level
/// cuts less.
///
/// Displays as `73%`.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Display)]
#[display("{}%", self.percent())]
pub struct Confidence(u8);

/// A level: its probability, and the standard deviations within which a normal variable lies with
/// it.
struct ConfidenceLevel {
    percent: u8,
    sigmas: f64,
}

/// The levels, the most selective first.
const CONFIDENCE_LEVELS: [ConfidenceLevel; 6] = [
    ConfidenceLevel { percent: 73, sigmas: 1.1 },
    ConfidenceLevel { percent: 87, sigmas: 1.5 },
    ConfidenceLevel { percent: 95, sigmas: 2.0 },
    ConfidenceLevel { percent: 98, sigmas: 2.6 },
    ConfidenceLevel { percent: 99, sigmas: 3.3 },
    ConfidenceLevel { percent: 100, sigmas: f64::INFINITY },
];

impl Confidence {
    /// 73 %, the most selective level.
    pub const P73: Confidence = Confidence(0);
    /// 87 %.
    pub const P87: Confidence = Confidence(1);
    /// 95 %.
    pub const P95: Confidence = Confidence(2);
    /// 98 %.
    pub const P98: Confidence = Confidence(3);
    /// 99 %.
    pub const P99: Confidence = Confidence(4);
    /// 100 %: nothing is cut.
    pub const FULL: Confidence = Confidence(5);

    /// All levels, the most selective first.
    pub fn all() -> impl DoubleEndedIterator<Item = Confidence> {
        (0..CONFIDENCE_LEVELS.len() as u8).map(Confidence)
    }

    /// Returns the level of a percentage: 73, 87, 95, 98, 99 or 100.
    pub fn from_percent(percent: u32) -> Option<Confidence> {
        Confidence::all().find(|level| u32::from(level.percent()) == percent)
    }

    /// Returns the highest level of at most this percentage, or else 73 %.
    pub fn at_most(percent: u32) -> Confidence {
        let mut levels = Confidence::all().rev();
        levels.find(|level| u32::from(level.percent()) <= percent).unwrap_or(Confidence::P73)
    }

    /// Whether this is 73 %, for which some constants are set apart.
    pub(crate) const fn is_most_selective(self) -> bool {
        self.0 == Confidence::P73.0
    }

    /// The level as the transposition table stores it, 0 to 5.
    pub(crate) const fn index(self) -> u8 {
        self.0
    }

    /// The level stored as `index`.
    pub(crate) const fn from_index(index: u8) -> Confidence {
        Confidence(index)
    }

    /// The probability of each cut in percent; 100 where nothing is cut.
    pub const fn percent(self) -> u8 {
        CONFIDENCE_LEVELS[self.0 as usize].percent
    }

    /// Standard deviations between a probe's value and the window at which ProbCut cuts.
    pub(crate) const fn sigmas(self) -> f64 {
        CONFIDENCE_LEVELS[self.0 as usize].sigmas
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_percentage_between_two_levels_is_the_lower_one() {
        for level in Confidence::all() {
            let percent = u32::from(level.percent());
            assert_eq!(Confidence::at_most(percent), level);
            assert_eq!(Confidence::from_percent(percent), Some(level));
        }
        assert_eq!([0, 86, 94, 255].map(Confidence::at_most), {
            [Confidence::P73, Confidence::P73, Confidence::P87, Confidence::FULL]
        });
    }
}
