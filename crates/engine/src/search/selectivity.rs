//! How sure a search is that what it leaves out does not matter.

use std::fmt;

/// A level of selectivity: the probability with which a branch that is cut
/// would not have mattered. The least sure comes first.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Selectivity(u8);

/// The probability of each level in percent, and the number of standard
/// deviations within which a normal variable stays so often.
const LEVELS: [(u8, f64); 6] =
    [(73, 1.1), (87, 1.5), (95, 2.0), (98, 2.6), (99, 3.3), (100, f64::INFINITY)];

impl Selectivity {
    /// The least sure: 73 %.
    pub const LEAST: Selectivity = Selectivity(0);
    /// Nothing is left out.
    pub const NONE: Selectivity = Selectivity(5);

    /// All levels, the least sure first.
    pub fn all() -> impl DoubleEndedIterator<Item = Selectivity> {
        (0..LEVELS.len() as u8).map(Selectivity)
    }

    /// The level of this percentage, if there is one: 73, 87, 95, 98, 99 or
    /// 100.
    pub fn from_percent(percent: u32) -> Option<Selectivity> {
        Selectivity::all().find(|level| u32::from(level.percent()) == percent)
    }

    /// The level as the table stores it: higher is surer.
    pub(super) const fn surety(self) -> u8 {
        self.0
    }

    /// The probability of each cut in percent, 100 where there is none.
    pub const fn percent(self) -> u8 {
        LEVELS[self.0 as usize].0
    }

    /// How many standard deviations a cut must be away from the window.
    pub(super) const fn deviations(self) -> f64 {
        LEVELS[self.0 as usize].1
    }
}

/// `73%`.
impl fmt::Display for Selectivity {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}%", self.percent())
    }
}
