//! Levels of strength.

use crate::limits::Limits;
use crate::limits::confidence::Confidence;

/// A strength from 1 to 30.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Level(u8);

/// Empties from which positions are solved exactly, by level from 1. The depth of a level, in plies at
/// 73 %, is its number. Where it reaches the end of the game before a position is solved exactly, the
/// position is searched to the end at 73 %.
const EXACT_FROM: [u32; 30] = [
    2, 4, 6, 8, 10, 12, 13, 14, 15, 16, 17, 18, 19, 20, 20, 21, 21, 22, 22, 22, 23, 23, 24, 24, 24,
    25, 25, 25, 26, 26,
];

impl Level {
    /// The default level, 16.
    pub const DEFAULT: Level = Level(16);
    /// The strongest level, 30.
    pub const MAX: Level = Level(EXACT_FROM.len() as u8);

    /// All levels, from 1.
    pub fn all() -> impl Iterator<Item = Level> {
        (1..=Level::MAX.0).map(Level)
    }

    /// Makes a level from 1 to 30; `None` outside.
    pub const fn new(level: u32) -> Option<Level> {
        if level >= 1 && level <= Level::MAX.number() { Some(Level(level as u8)) } else { None }
    }

    /// The level, 1 to 30.
    pub const fn number(self) -> u32 {
        self.0 as u32
    }

    /// The limits of a search at this level.
    pub fn limits(self) -> Limits {
        Limits::depth(self.number())
            .with_confidence(Confidence::P73)
            .with_exact_from(EXACT_FROM[usize::from(self.0) - 1])
    }

    /// The limits of the first level that searches to `depth`, 1 to [`crate::MAX_DEPTH`], with that depth.
    ///
    /// Deeper than every level, endgames are solved from as many empties as at the last level, so that
    /// a game at depth 60 still ends.
    pub fn limits_to_depth(depth: u32) -> Limits {
        Level::new(depth).unwrap_or(Level::MAX).limits().with_depth(depth)
    }
}
