//! Levels of strength.

use crate::limits::Limits;
use crate::limits::confidence::Confidence;

/// A strength from 1 to 30.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Level(u8);

/// Depth and exact empties of a level.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct LevelLimits {
    /// Depth in plies, at 73 %.
    pub depth: u32,
    /// Empties from which positions are solved exactly.
    pub exact_from: u32,
}

const fn level(depth: u32, exact_from: u32) -> LevelLimits {
    LevelLimits { depth, exact_from }
}

/// The levels from 1. Where the depth reaches the end of the game before a position is solved
/// exactly, it is searched to the end at 73 %.
pub const LEVELS: [LevelLimits; 30] = [
    level(1, 2),
    level(2, 4),
    level(3, 6),
    level(4, 8),
    level(5, 10),
    level(6, 12),
    level(7, 13),
    level(8, 14),
    level(9, 15),
    level(10, 16),
    level(11, 17),
    level(12, 18),
    level(13, 19),
    level(14, 20),
    level(15, 20),
    level(16, 21),
    level(17, 21),
    level(18, 22),
    level(19, 22),
    level(20, 22),
    level(21, 23),
    level(22, 23),
    level(23, 24),
    level(24, 24),
    level(25, 24),
    level(26, 25),
    level(27, 25),
    level(28, 25),
    level(29, 26),
    level(30, 26),
];

impl Level {
    /// The default level, 16.
    pub const DEFAULT: Level = Level(16);

    /// Makes a level from 1 to 30; `None` outside.
    pub const fn new(level: u32) -> Option<Level> {
        if level >= 1 && level <= LEVELS.len() as u32 { Some(Level(level as u8)) } else { None }
    }

    /// The level, 1 to 30.
    pub const fn number(self) -> u32 {
        self.0 as u32
    }

    /// The limits of a search at this level.
    pub fn limits(self) -> Limits {
        let LevelLimits { depth, exact_from } = LEVELS[usize::from(self.0) - 1];
        Limits::depth(depth).with_confidence(Confidence::P73).with_exact_from(exact_from)
    }

    /// The limits of the first level that searches to `depth`, 1 to [`crate::MAX_DEPTH`], with that depth.
    ///
    /// Deeper than every level, endgames are solved from as many empties as at the last level, so that
    /// a game at depth 60 still ends.
    pub fn limits_to_depth(depth: u32) -> Limits {
        let levels = || (1..).map_while(Level::new).map(Level::limits);
        let level = levels().find(|level| level.depth >= depth).or(levels().last());
        level.unwrap_or_else(Limits::exact).with_depth(depth)
    }
}
