//! Levels of strength.

use crate::limits::Limits;
use crate::limits::confidence::Confidence;

/// Depth that no game reaches: a search to it is bounded by something else.
pub const MAX_DEPTH: u32 = 60;

/// A strength from 1 to 30.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Level(u8);

/// For each level from 1: the depth in plies at 73 %, and the empties from which positions are
/// solved exactly. Where the depth reaches the end of the game before that, it is searched to the
/// end at 73 %.
pub const LEVELS: [(u32, u32); 30] = [
    (1, 2),
    (2, 4),
    (3, 6),
    (4, 8),
    (5, 10),
    (6, 12),
    (7, 13),
    (8, 14),
    (9, 15),
    (10, 16),
    (11, 17),
    (12, 18),
    (13, 19),
    (14, 20),
    (15, 20),
    (16, 21),
    (17, 21),
    (18, 22),
    (19, 22),
    (20, 22),
    (21, 23),
    (22, 23),
    (23, 24),
    (24, 24),
    (25, 24),
    (26, 25),
    (27, 25),
    (28, 25),
    (29, 26),
    (30, 26),
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
        let (depth, solve_from) = LEVELS[usize::from(self.0) - 1];
        let confidence = Confidence::P73;
        Limits { solve_from, confidence, ..Limits::depth(depth) }
    }

    /// The limits of the first level that searches to `depth`, 1 to [`MAX_DEPTH`], with that depth.
    ///
    /// Deeper than every level, endings are solved from as many empties as at the last level, so that
    /// a game at depth 60 still ends.
    pub fn limits_to_depth(depth: u32) -> Limits {
        let levels = || (1..).map_while(Level::new).map(Level::limits);
        let level = levels().find(|level| level.depth >= depth).or(levels().last());
        let depth = depth.clamp(1, MAX_DEPTH);
        Limits { depth, ..level.unwrap_or_else(|| Limits::depth(depth)) }
    }
}
