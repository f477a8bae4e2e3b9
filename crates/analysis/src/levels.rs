//! The levels of play as JSON, in the words that pages, programs and the npm package share.

use serde::Serialize;
use umigame_engine::Strength;

/// A level of play.
#[derive(Serialize, Clone, PartialEq, Debug)]
pub struct LevelRecord {
    /// A name, or 1 to 30.
    pub level: String,
    /// A sentence on how it plays.
    pub text: String,
    /// Plies that it looks ahead.
    pub depth: u32,
    /// Empties from which it solves positions.
    pub exact_from: u32,
    /// Elo rating, where it was measured: 0 is a player that moves at random.
    pub rating: Option<i32>,
}

impl LevelRecord {
    /// Returns all levels, the weakest first.
    pub fn all() -> Vec<LevelRecord> {
        Strength::all().map(LevelRecord::from).collect()
    }
}

impl From<Strength> for LevelRecord {
    fn from(strength: Strength) -> LevelRecord {
        let limits = strength.searches_at().limits();
        LevelRecord {
            level: strength.to_string(),
            text: strength.text(),
            depth: limits.max_depth(),
            exact_from: limits.exact_from(),
            rating: strength.rating(),
        }
    }
}
