//! What an engine is: a command, how to speak to it, how far it may think.
//!
//! One type for a TOML table, for the short form on the command line
//! (`[name=old depth=6] ./engine nboard`), and for the record of a match.

use std::collections::BTreeMap;
use std::fmt;
use std::path::{Path, PathBuf};
use std::str::FromStr;
use std::time::Duration;

use serde::{Deserialize, Serialize};

use umigame_othello::text::quote;

use crate::time::{self, ParseTimeError};

/// Why a description of an engine cannot be used.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ConfigError {
    /// A time that cannot be read.
    #[error("`{text}`: {why}")]
    Time {
        /// The text.
        text: String,
        /// What is wrong with it.
        why: ParseTimeError,
    },
    /// A game clock that cannot be read.
    #[error("`{text}`: {why}, or two of them as in 60+0.5")]
    GameTime {
        /// The text.
        text: String,
        /// What is wrong with one of its times.
        why: ParseTimeError,
    },
    /// The settings before a command have no end.
    #[error("`{0}`: expected `]` after the settings of the engine")]
    Bracket(String),
    /// A word among the settings that is no setting.
    #[error("`{0}` is no setting: expected KEY=VALUE")]
    Setting(String),
    /// A quotation mark without its partner.
    #[error("`{0}`: a quotation mark is not closed")]
    Quote(String),
    /// No command.
    #[error("an engine without a command")]
    NoCommand,
    /// What the TOML reader says.
    #[error("{0}")]
    Toml(String),
}

/// A span of time, written in seconds.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(try_from = "TimeText", into = "f64")]
pub struct Seconds(pub Duration);

#[derive(Deserialize)]
#[serde(untagged)]
enum TimeText {
    Number(f64),
    Text(String),
}

impl TryFrom<TimeText> for Seconds {
    type Error = ConfigError;

    fn try_from(text: TimeText) -> Result<Seconds, ConfigError> {
        match text {
            TimeText::Number(number) => number.to_string().parse(),
            TimeText::Text(text) => text.parse(),
        }
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
        time.map(Seconds).map_err(|why| ConfigError::Time { text: quote(text), why })
    }
}

impl fmt::Display for Seconds {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.0.as_secs_f64())
    }
}

/// Time for a whole game, and what is added after each move.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(try_from = "TimeText", into = "String")]
pub struct GameTime {
    /// Time at the start.
    pub main: Duration,
    /// Time added after each of one's own moves.
    pub increment: Duration,
}

impl TryFrom<TimeText> for GameTime {
    type Error = ConfigError;

    fn try_from(text: TimeText) -> Result<GameTime, ConfigError> {
        match text {
            TimeText::Number(number) => number.to_string().parse(),
            TimeText::Text(text) => text.parse(),
        }
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
        let read = |part: &str| {
            time::parse(part).map_err(|why| ConfigError::GameTime { text: quote(text), why })
        };
        Ok(GameTime { main: read(main)?, increment: read(increment)? })
    }
}

impl fmt::Display for GameTime {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}+{}", Seconds(self.main), Seconds(self.increment))
    }
}

/// How an engine is spoken to.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Protocol {
    /// Found out at its first start.
    #[default]
    Auto,
    /// The NBoard protocol.
    Nboard,
    /// GTP, version 2.
    Gtp,
}

/// How passes are spoken of to a GTP engine.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Passes {
    /// Said, and left unsaid from the first time the engine refuses one.
    #[default]
    Auto,
    /// `play b pass` is sent to both sides.
    Explicit,
    /// Nothing is sent: the next move of the other side implies it.
    Implicit,
}

/// How far an engine may think: any of these together.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Limits {
    /// Time for each move.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub move_time: Option<Seconds>,
    /// Time for the game.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub game_time: Option<GameTime>,
    /// Plies of search.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub depth: Option<u32>,
    /// The engine's own levels.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub level: Option<u32>,
    /// Positions a move.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub nodes: Option<u64>,
}

impl Limits {
    /// Whether nothing is limited.
    pub fn is_none(&self) -> bool {
        *self == Limits::default()
    }
}

impl fmt::Display for Limits {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut parts = Vec::new();
        if let Some(time) = self.move_time {
            parts.push(format!("{time} s a move"));
        }
        if let Some(time) = self.game_time {
            parts.push(format!("{time} s a game"));
        }
        if let Some(depth) = self.depth {
            parts.push(format!("depth {depth}"));
        }
        if let Some(level) = self.level {
            parts.push(format!("level {level}"));
        }
        if let Some(nodes) = self.nodes {
            parts.push(format!("{nodes} nodes a move"));
        }
        f.write_str(if parts.is_empty() { "no limit" } else { "" })?;
        f.write_str(&parts.join(", "))
    }
}

/// A command as one text or as a list of words.
#[derive(Deserialize)]
#[serde(untagged)]
enum CommandText {
    Line(String),
    Words(Vec<String>),
}

fn read_command<'de, D: serde::Deserializer<'de>>(source: D) -> Result<Vec<String>, D::Error> {
    match CommandText::deserialize(source)? {
        CommandText::Words(words) => Ok(words),
        CommandText::Line(line) => split_words(&line).map_err(serde::de::Error::custom),
    }
}

/// One engine of a match.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct EngineConfig {
    /// What it is called in tables and records; made from the command where
    /// empty.
    #[serde(default)]
    pub name: String,
    /// The program and its arguments. `{depth}`, `{level}` and `{nodes}` in
    /// them stand for the limit.
    #[serde(deserialize_with = "read_command")]
    pub command: Vec<String>,
    /// The folder in which it runs.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub folder: Option<PathBuf>,
    /// How it is spoken to.
    #[serde(default)]
    pub protocol: Protocol,
    /// Environment variables.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub env: BTreeMap<String, String>,
    /// Options, sent as `set NAME VALUE` over NBoard and `NAME VALUE` over GTP.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub options: BTreeMap<String, String>,
    /// Lines sent as they stand once the engine has started.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub start: Vec<String>,
    /// Time for each move.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub move_time: Option<Seconds>,
    /// Time for the game.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub game_time: Option<GameTime>,
    /// Plies of search.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub depth: Option<u32>,
    /// The engine's own levels.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub level: Option<u32>,
    /// Positions a move.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub nodes: Option<u64>,
    /// Time over the clock that is forgiven.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub margin: Option<Seconds>,
    /// Whether a time a move is one sum for the game, told and judged so.
    /// Always over NBoard, which knows game clocks only.
    #[serde(default)]
    pub bank: bool,
    /// Whether a GTP engine is told whole seconds only; found out where it
    /// refuses a fraction.
    #[serde(default)]
    pub whole_seconds: bool,
    /// How passes are spoken of over GTP.
    #[serde(default)]
    pub passes: Passes,
}

impl EngineConfig {
    /// An engine from its short form: settings in brackets, if any, before
    /// the command.
    ///
    /// # Errors
    /// [`ConfigError`], which quotes what cannot be read.
    pub fn parse(text: &str) -> Result<EngineConfig, ConfigError> {
        let Some(rest) = text.trim().strip_prefix('[') else {
            return EngineConfig { command: split_words(text)?, ..EngineConfig::default() }
                .checked();
        };
        let (settings, command) =
            rest.split_once(']').ok_or_else(|| ConfigError::Bracket(quote(text)))?;
        let mut table = toml::Table::new();
        for word in split_words(settings)? {
            let (key, value) =
                word.split_once('=').ok_or_else(|| ConfigError::Setting(quote(&word)))?;
            table.insert(key.to_string(), plain_value(value));
        }
        table.insert("command".to_string(), command.trim().into());
        let engine: EngineConfig =
            table.try_into().map_err(|error: toml::de::Error| toml_error(&error))?;
        engine.checked()
    }

    /// The engines of a TOML file: tables named `engine`, or one engine at
    /// the top. Folders count from `base`, the folder of the file.
    ///
    /// # Errors
    /// [`ConfigError`], with the line where it went wrong.
    pub fn parse_toml(text: &str, base: &Path) -> Result<Vec<EngineConfig>, ConfigError> {
        #[derive(Deserialize)]
        #[serde(deny_unknown_fields)]
        struct File {
            engine: Vec<EngineConfig>,
        }
        let table: toml::Table = text.parse().map_err(|error| toml_error(&error))?;
        let engines = if table.contains_key("engine") {
            toml::from_str::<File>(text).map_err(|error| toml_error(&error))?.engine
        } else {
            vec![toml::from_str(text).map_err(|error| toml_error(&error))?]
        };
        let in_base = |mut engine: EngineConfig| {
            engine.folder = engine.folder.map(|folder| base.join(folder));
            engine.checked()
        };
        engines.into_iter().map(in_base).collect()
    }

    fn checked(mut self) -> Result<EngineConfig, ConfigError> {
        let program = self.command.first().ok_or(ConfigError::NoCommand)?;
        if self.name.is_empty() {
            let stem = Path::new(program).file_stem().unwrap_or_default();
            self.name = stem.to_string_lossy().into_owned();
        }
        // Names go into GGF, where a bracket ends a value.
        let fit = |c: char| if c.is_ascii_graphic() && c != ']' && c != '[' { c } else { '_' };
        self.name = self.name.chars().map(fit).collect();
        Ok(self)
    }

    /// Its own limits.
    pub fn limits(&self) -> Limits {
        Limits {
            move_time: self.move_time,
            game_time: self.game_time,
            depth: self.depth,
            level: self.level,
            nodes: self.nodes,
        }
    }

    /// Takes the limits of the match where it has none of its own.
    pub fn limit_by_default(&mut self, limits: Limits) {
        if self.limits().is_none() {
            Limits {
                move_time: self.move_time,
                game_time: self.game_time,
                depth: self.depth,
                level: self.level,
                nodes: self.nodes,
            } = limits;
        }
    }

    /// Whether the program is umigame, by its name.
    pub fn is_umigame(&self) -> bool {
        self.command.first().is_some_and(|program| {
            let stem = Path::new(program).file_stem().unwrap_or_default();
            stem.to_string_lossy().starts_with("umigame")
        })
    }
}

/// Makes names differ: the second `a` becomes `a-2`.
pub fn distinguish(engines: &mut [EngineConfig]) {
    for index in 1..engines.len() {
        let (before, rest) = engines.split_at_mut(index);
        let taken = |name: &str| before.iter().any(|engine| engine.name == name);
        let Some(engine) = rest.first_mut() else { continue };
        let name = engine.name.clone();
        let mut number = 2;
        while taken(&engine.name) {
            engine.name = format!("{name}-{number}");
            number += 1;
        }
    }
}

fn toml_error(error: &toml::de::Error) -> ConfigError {
    ConfigError::Toml(error.to_string().trim_end().to_string())
}

fn plain_value(text: &str) -> toml::Value {
    match (text.parse::<i64>(), text) {
        (_, "true") => true.into(),
        (_, "false") => false.into(),
        (Ok(number), _) => number.into(),
        _ => text.into(),
    }
}

/// Splits a command line into words; quotation marks of either kind keep
/// blanks in a word.
///
/// # Errors
/// A quotation mark that is not closed.
pub fn split_words(text: &str) -> Result<Vec<String>, ConfigError> {
    let mut words = Vec::new();
    let mut word: Option<String> = None;
    let mut open: Option<char> = None;
    for letter in text.chars() {
        match open {
            Some(mark) if letter == mark => open = None,
            Some(_) => word.get_or_insert_default().push(letter),
            None if letter == '"' || letter == '\'' => {
                open = Some(letter);
                word.get_or_insert_default();
            }
            None if letter.is_whitespace() => words.extend(word.take()),
            None => word.get_or_insert_default().push(letter),
        }
    }
    if open.is_some() {
        return Err(ConfigError::Quote(quote(text)));
    }
    words.extend(word);
    Ok(words)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_keep_what_is_quoted() {
        let words = split_words("  a 'b c' d\"e f\"g '' ").unwrap();
        assert_eq!(words, ["a", "b c", "de fg", ""]);
        assert_eq!(split_words("a 'b"), Err(ConfigError::Quote("a 'b".to_string())));
    }

    #[test]
    fn times_are_read_in_their_units() {
        assert_eq!("0.1".parse::<Seconds>().unwrap().0.as_millis(), 100);
        let time: GameTime = "1m+500ms".parse().unwrap();
        assert_eq!(time.to_string(), "60+0.5");
        assert_eq!("1h".parse::<GameTime>().unwrap().to_string(), "3600+0");
        assert!("60+".parse::<GameTime>().is_err());
    }

    #[test]
    fn the_short_form_is_the_table_in_brackets() {
        let short =
            EngineConfig::parse("[name=old depth=6 move_time=0.1 bank=true] ./bin/engine -x 'a b'")
                .unwrap();
        let table = EngineConfig::parse_toml(
            "name = 'old'\ndepth = 6\nmove_time = 0.1\nbank = true\n\
             command = ['./bin/engine', '-x', 'a b']",
            Path::new("/"),
        )
        .unwrap();
        assert_eq!([short].as_slice(), table);
        assert_eq!(EngineConfig::parse("/opt/edax -gtp").unwrap().name, "edax");
    }

    #[test]
    fn what_cannot_be_used_is_quoted() {
        for (text, part) in [
            ("", "without a command"),
            ("[depth=6", "expected `]`"),
            ("[depth] x", "`depth` is no setting"),
            ("[deep=6] x", "deep"),
            ("[depth=six] x", "invalid type"),
            ("[move_time=soon] x", "`soon`: expected a number"),
        ] {
            let message = EngineConfig::parse(text).unwrap_err().to_string();
            assert!(message.contains(part), "{message}");
        }
        let message = EngineConfig::parse_toml("[[engine]]\ncommand = 5", Path::new("/"))
            .unwrap_err()
            .to_string();
        assert!(message.contains("line 2"), "{message}");
    }

    #[test]
    fn a_configuration_survives_being_written() {
        let text = "[[engine]]\nname = 'a'\ncommand = 'e --depth {depth}'\nfolder = 'x'\n\
            protocol = 'gtp'\ngame_time = '60+0.5'\nlevel = 3\nstart = ['komi 0']\n\
            passes = 'implicit'\nwhole_seconds = true\n\
            [engine.options]\ncontempt = '0'\n[engine.env]\nK = 'v'";
        let engines = EngineConfig::parse_toml(text, Path::new("/base")).unwrap();
        assert_eq!(engines[0].folder.as_deref(), Some(Path::new("/base/x")));
        let json = serde_json::to_string(&engines).unwrap();
        assert_eq!(serde_json::from_str::<Vec<EngineConfig>>(&json).unwrap(), engines);
    }

    #[test]
    fn equal_names_are_told_apart() {
        let engine = EngineConfig::parse("a").unwrap();
        let mut engines = vec![engine.clone(), engine.clone(), engine];
        distinguish(&mut engines);
        let names: Vec<&str> = engines.iter().map(|engine| engine.name.as_str()).collect();
        assert_eq!(names, ["a", "a-2", "a-3"]);
    }
}
