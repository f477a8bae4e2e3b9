//! Limits of an engine in a match: time, depth, level, nodes.

use std::fmt;
use std::str::FromStr;
use std::time::Duration;

use derive_more::Display;
use serde::{Deserialize, Serialize};

use umigame_othello::text::quote;

use super::config_error::ConfigError;
use umigame_support::time;

/// A length of time, displayed and serialised in seconds.
#[derive(Clone, Copy, Debug, Display, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[display("{}", _0.as_secs_f64())]
#[serde(try_from = "TimeText", into = "f64")]
pub struct Seconds(pub Duration);

/// A time in a TOML or JSON file: a number of seconds, or a text with a unit.
#[derive(Deserialize)]
#[serde(untagged, expecting = "expected a number of seconds, or a text such as `100ms`")]
enum TimeText {
    Number(f64),
    Text(String),
}

impl TimeText {
    fn parse<T: FromStr<Err = ConfigError>>(self) -> Result<T, ConfigError> {
        match self {
            TimeText::Number(number) => number.to_string().parse(),
            TimeText::Text(text) => text.parse(),
        }
    }
}

impl TryFrom<TimeText> for Seconds {
    type Error = ConfigError;

    fn try_from(text: TimeText) -> Result<Seconds, ConfigError> {
        text.parse()
    }
}

impl From<Seconds> for f64 {
    fn from(time: Seconds) -> f64 {
        time.0.as_secs_f64()
    }
}

impl FromStr for Seconds {
    type Err = ConfigError;

    fn from_str(text: &str) -> Result<Seconds, ConfigError> {
        let time = time::parse(text);
        time.map(Seconds).map_err(|why| ConfigError(format!("`{}`: {why}", quote(text))))
    }
}

/// Time for a whole game, with an increment per move: `60`, `60+0.5`, `1h`, `2m+500ms`.
#[derive(Clone, Copy, Debug, Display, PartialEq, Eq, Serialize, Deserialize)]
#[display("{}+{}", Seconds(*main), Seconds(*increment))]
#[serde(try_from = "TimeText", into = "String")]
pub struct GameTime {
    /// Time at the start.
    pub main: Duration,
    /// Time added after each move of the side.
    pub increment: Duration,
}

impl TryFrom<TimeText> for GameTime {
    type Error = ConfigError;

    fn try_from(text: TimeText) -> Result<GameTime, ConfigError> {
        text.parse()
    }
}

impl From<GameTime> for String {
    fn from(time: GameTime) -> String {
        time.to_string()
    }
}

impl FromStr for GameTime {
    type Err = ConfigError;

    fn from_str(text: &str) -> Result<GameTime, ConfigError> {
        let (main, increment) = text.split_once('+').unwrap_or((text, "0"));
        let wrong = |why| format!("`{}`: {why}, or two of them as in 60+0.5", quote(text));
        let read = |part: &str| time::parse(part).map_err(|why| ConfigError(wrong(why)));
        Ok(GameTime { main: read(main)?, increment: read(increment)? })
    }
}

/// Limits of an engine's thinking; several apply together.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct EngineLimits {
    /// Time per move.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub move_time: Option<Seconds>,
    /// Time per game.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub game_time: Option<GameTime>,
    /// Depth in plies.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub depth: Option<u32>,
    /// Level, on the engine's own scale.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub level: Option<u32>,
    /// Nodes per move.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub nodes: Option<u64>,
}

impl EngineLimits {
    /// Returns the limits of a move by the names of umigame's options, with values as they are typed.
    pub fn by_name(&self) -> impl Iterator<Item = (&'static str, String)> {
        let values = [
            ("depth", self.depth.map(|depth| depth.to_string())),
            ("level", self.level.map(|level| level.to_string())),
            ("nodes", self.nodes.map(|nodes| nodes.to_string())),
            ("move_time", self.move_time.map(|time| format!("{time}s"))),
        ];
        values.into_iter().filter_map(|(name, value)| Some((name, value?)))
    }

    /// Whether there is no limit.
    pub fn is_none(&self) -> bool {
        *self == EngineLimits::default()
    }
}

impl fmt::Display for EngineLimits {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let parts = [
            self.move_time.map(|time| format!("{time} s a move")),
            self.game_time.map(|time| format!("{time} s a game")),
            self.depth.map(|depth| format!("depth {depth}")),
            self.level.map(|level| format!("level {level}")),
            self.nodes.map(|nodes| format!("{nodes} nodes a move")),
        ];
        let parts: Vec<String> = parts.into_iter().flatten().collect();
        f.write_str(if parts.is_empty() { "no limit" } else { "" })?;
        f.write_str(&parts.join(", "))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_game_time_is_a_main_time_and_an_increment() {
        let time: GameTime = "1m+500ms".parse().unwrap();
        assert_eq!(time.to_string(), "60+0.5");
        let hour: GameTime = "1h".parse().unwrap();
        assert_eq!(hour.to_string(), "3600+0");
        for text in ["60+", "+", "soon", "60+-1", "1e9"] {
            assert!(text.parse::<GameTime>().is_err(), "{text}");
        }
        assert_eq!("0.1".parse::<Seconds>().unwrap().to_string(), "0.1");
        assert_eq!("0".parse::<Seconds>().unwrap().0, Duration::ZERO);
    }

    #[test]
    fn an_error_quotes_the_time_and_states_the_form() {
        let error = "soon".parse::<Seconds>().unwrap_err().to_string();
        assert!(error.starts_with("`soon`: expected a number with ms, s, m or h"), "{error}");
        let error = "60+x".parse::<GameTime>().unwrap_err().to_string();
        assert!(error.starts_with("`60+x`: "), "{error}");
    }
}
