//! Levels in requests.

use serde::{Deserialize, Deserializer};
use umigame_engine::{Level, ParseStrengthError, Strength};

use crate::error::ApiError;

/// A level as `levels` lists it: a number, or a text.
#[derive(Clone, Copy, Debug)]
pub(super) struct LevelName(pub Strength);

impl LevelName {
    /// Returns the number of the level; an error for one that errs, of which only `play` has use.
    pub fn number(self) -> Result<u32, ApiError> {
        let LevelName(strength) = self;
        strength.level().map(Level::number).ok_or_else(|| {
            ApiError::bad(format!("level `{strength}`: it is for `play`: expected 1 to 30 here"))
        })
    }
}

impl<'de> Deserialize<'de> for LevelName {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<LevelName, D::Error> {
        #[derive(Deserialize)]
        #[serde(untagged, expecting = "expected a level, such as 16 or \"beginner\"")]
        enum Form {
            Number(u32),
            Text(String),
        }
        let text = match Form::deserialize(deserializer)? {
            Form::Number(number) => number.to_string(),
            Form::Text(text) => text,
        };
        let strength: Result<Strength, ParseStrengthError> = text.parse();
        strength.map(LevelName).map_err(serde::de::Error::custom)
    }
}
