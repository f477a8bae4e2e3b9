//! How sure a search is that what it leaves out does not matter.

/// A level of selectivity: the least sure first.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(super) struct Selectivity(u8);

/// The probability of each level in percent.
const PERCENT: [u8; 6] = [73, 87, 95, 98, 99, 100];

impl Selectivity {
    /// Nothing is left out.
    pub const NONE: Selectivity = Selectivity(5);

    /// The level as the table stores it: higher is surer.
    pub const fn surety(self) -> u8 {
        self.0
    }

    /// The probability of each cut, 100 where there is none.
    pub const fn percent(self) -> u8 {
        PERCENT[self.0 as usize]
    }
}
