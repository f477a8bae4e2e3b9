//! Levels by name or number: the weak ones below level 1, and levels 1 to 30.

use std::fmt;
use std::str::FromStr;

use crate::limits::level::Level;
use umigame_othello::text::quote;

/// A level below level 1, which has a name.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct WeakLevel(u8);

/// What there is to say of a weak level.
struct Named {
    name: &'static str,
    text: &'static str,
    carelessness: f64,
    /// Discs of a move, by the level's own search.
    max_error: Option<f64>,
    rating: i32,
}

/// The weak levels, the weakest first. Ratings by `umigame-lab ratings` (docs/levels.md).
const NAMED: [Named; 7] = [
    Named {
        name: "starter",
        text: "flips what it can and does not look at the edges; a child wins its first games here",
        carelessness: 1.0,
        max_error: None,
        rating: 16,
    },
    Named {
        name: "beginner",
        text: "likes many discs, and often misses that a corner is about to be lost",
        carelessness: 0.9,
        max_error: None,
        rating: 175,
    },
    Named {
        name: "novice",
        text: "takes a corner when it sees one, and gives others away for discs",
        carelessness: 0.76,
        max_error: Some(64.0),
        rating: 455,
    },
    Named {
        name: "learner",
        text: "has begun to look at replies, but still likes to flip many discs",
        carelessness: 0.6,
        max_error: Some(48.0),
        rating: 570,
    },
    Named {
        name: "casual",
        text: "plays sensible moves for long and then overlooks one at the edge",
        carelessness: 0.46,
        max_error: Some(40.0),
        rating: 673,
    },
    Named {
        name: "hobbyist",
        text: "knows mobility and corners; overlooks replies, more of them late in the game",
        carelessness: 0.35,
        max_error: Some(32.0),
        rating: 876,
    },
    Named {
        name: "amateur",
        text: "a steady player that slips a few times in a game",
        carelessness: 0.27,
        max_error: Some(24.0),
        rating: 1029,
    },
];

/// Ratings of levels from 1 on the scale of the weak ones, as far as they were measured.
const LEVEL_RATINGS: [i32; 8] = [1184, 1375, 1475, 1609, 1705, 1755, 1809, 1856];

impl WeakLevel {
    /// The level whose search all of them share. It looks as far ahead as the best of them might.
    pub(super) const SEARCH: Level = Level::new(4).expect("a level");

    /// All weak levels, the weakest first.
    pub fn all() -> impl DoubleEndedIterator<Item = WeakLevel> {
        (0..NAMED.len() as u8).map(WeakLevel)
    }

    fn named(self) -> &'static Named {
        &NAMED[usize::from(self.0)]
    }

    /// Its name: one word in lower case.
    pub fn name(self) -> &'static str {
        self.named().name
    }

    pub(super) fn carelessness(self) -> f64 {
        self.named().carelessness
    }

    pub(super) fn max_error(self) -> Option<f64> {
        self.named().max_error
    }
}

/// A level as people choose it: by name below level 1, by number from there on. Ordered by strength;
/// reads and displays as `beginner` or `16`.
///
/// ```
/// use umigame_engine::Strength;
///
/// let beginner: Strength = "beginner".parse()?;
/// assert!(beginner < "1".parse()? && Strength::all().any(|strength| strength == beginner));
/// # Ok::<(), umigame_engine::ParseStrengthError>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Strength {
    /// A level that errs.
    Weak(WeakLevel),
    /// A level from 1 to 30.
    Level(Level),
}

impl Strength {
    /// All levels, the weakest first.
    pub fn all() -> impl Iterator<Item = Strength> {
        WeakLevel::all().map(Strength::Weak).chain(Level::all().map(Strength::Level))
    }

    /// The level, if it has a number.
    pub fn level(self) -> Option<Level> {
        match self {
            Strength::Level(level) => Some(level),
            Strength::Weak(_) => None,
        }
    }

    /// The level, if it has a name.
    pub fn weak(self) -> Option<WeakLevel> {
        match self {
            Strength::Weak(level) => Some(level),
            Strength::Level(_) => None,
        }
    }

    /// The level whose search it has.
    pub fn searches_at(self) -> Level {
        self.level().unwrap_or(WeakLevel::SEARCH)
    }

    /// A sentence on how it plays.
    pub fn text(self) -> String {
        match self {
            Strength::Weak(level) => level.named().text.to_owned(),
            Strength::Level(level) => {
                let limits = level.limits();
                let (depth, exact) = (limits.max_depth(), limits.exact_from());
                let plies = if depth == 1 { "ply" } else { "plies" };
                format!("looks {depth} {plies} ahead and plays the last {exact} squares perfectly")
            }
        }
    }

    /// Its Elo rating, where it was measured: 0 is a player that moves at random.
    pub fn rating(self) -> Option<i32> {
        match self {
            Strength::Weak(level) => Some(level.named().rating),
            Strength::Level(level) => LEVEL_RATINGS.get(level.number() as usize - 1).copied(),
        }
    }
}

impl fmt::Display for Strength {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Strength::Weak(level) => f.pad(level.name()),
            Strength::Level(level) => f.pad(&level.number().to_string()),
        }
    }
}

/// A text that names no level; quotes the text.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("level `{found}`: expected 1 to 30, or {}", names())]
pub struct ParseStrengthError {
    /// The text.
    pub found: String,
}

/// The names of the weak levels: `a, b or c`.
fn names() -> String {
    let names: Vec<&str> = WeakLevel::all().map(WeakLevel::name).collect();
    match names.split_last() {
        Some((last, rest)) => format!("{} or {last}", rest.join(", ")),
        None => String::new(),
    }
}

impl FromStr for Strength {
    type Err = ParseStrengthError;

    /// Reads a number from 1 to 30, or a name in any case.
    fn from_str(text: &str) -> Result<Strength, ParseStrengthError> {
        let text = text.trim();
        let number = || text.parse().ok().and_then(Level::new).map(Strength::Level);
        let named = WeakLevel::all().find(|level| level.name().eq_ignore_ascii_case(text));
        let found = named.map(Strength::Weak).or_else(number);
        found.ok_or_else(|| ParseStrengthError { found: quote(text) })
    }
}
