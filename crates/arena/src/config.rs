//! Configuration of an engine: its command, its protocol, its limits.
//!
//! One type serves a TOML table, the short form on the command line
//! (`[name=old depth=6] ./engine nboard`), and the record of a match.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

use umigame_othello::text::quote;

use super::config_error::ConfigError;
use super::limits::{EngineLimits, Seconds};

/// Protocol of an engine.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum EngineProtocol {
    /// Detected when the engine first starts.
    #[default]
    Auto,
    /// The NBoard protocol, version 2.
    Nboard,
    /// GTP, version 2.
    Gtp,
}

/// How a GTP engine is told of passes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum PassStyle {
    /// Explicitly, until the engine refuses one; implicitly from then on.
    #[default]
    Auto,
    /// By `play COLOR pass`.
    Explicit,
    /// Not at all: the next move of the same side implies the pass.
    Implicit,
}

/// A command as one text or as a list of words.
#[derive(Deserialize)]
#[serde(untagged, expecting = "expected a command: a text or a list of words")]
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

/// An engine of a match.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct EngineConfig {
    /// Name in tables and records; if empty, made from the command.
    #[serde(default)]
    pub name: String,
    /// Program and arguments. `{depth}`, `{level}`, `{nodes}` and `{move_time}` in them stand for
    /// the limit.
    #[serde(deserialize_with = "read_command")]
    pub command: Vec<String>,
    /// Working directory.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub folder: Option<PathBuf>,
    /// Protocol.
    #[serde(default)]
    pub protocol: EngineProtocol,
    /// Environment variables.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub env: BTreeMap<String, String>,
    /// Options, sent as `set NAME VALUE` over NBoard and `NAME VALUE` over GTP.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub options: BTreeMap<String, String>,
    /// Lines sent unchanged after the start.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub start: Vec<String>,
    /// Limits of its own, which replace those of the match.
    #[serde(flatten)]
    pub limits: EngineLimits,
    /// Tolerance beyond the clock.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub margin: Option<Seconds>,
    /// Whether the time per move is added up to a clock for the game. Always so over NBoard,
    /// which knows game clocks only.
    #[serde(default)]
    pub bank: bool,
    /// Whether a GTP engine gets times in whole seconds only. Set automatically when it refuses a
    /// fraction.
    #[serde(default)]
    pub whole_seconds: bool,
    /// How a GTP engine is told of passes.
    #[serde(default)]
    pub passes: PassStyle,
}

impl EngineConfig {
    /// Reads the short form: a command, after settings in brackets if any.
    ///
    /// # Errors
    /// [`ConfigError`], which quotes the text at fault.
    pub fn parse(text: &str) -> Result<EngineConfig, ConfigError> {
        let Some(rest) = text.trim().strip_prefix('[') else {
            return EngineConfig { command: split_words(text)?, ..EngineConfig::default() }
                .checked();
        };
        let (settings, command) = rest
            .split_once(']')
            .ok_or_else(|| wrong(text, ": expected `]` after the settings of the engine"))?;
        let mut table = toml::Table::new();
        for word in split_words(settings)? {
            let (key, value) = word
                .split_once('=')
                .ok_or_else(|| wrong(&word, " is no setting: expected KEY=VALUE"))?;
            table.insert(key.to_string(), setting_value(value));
        }
        table.insert("command".to_string(), command.trim().into());
        let engine: EngineConfig =
            table.try_into().map_err(|error: toml::de::Error| toml_error(&error))?;
        engine.checked()
    }

    /// Reads the engines of a TOML file: `[[engine]]` tables, or one engine at the top level.
    /// Relative folders are relative to `base`, the folder of the file.
    ///
    /// # Errors
    /// [`ConfigError`], with the line at fault.
    pub fn parse_toml(text: &str, base: &Path) -> Result<Vec<EngineConfig>, ConfigError> {
        #[derive(Deserialize)]
        #[serde(deny_unknown_fields)]
        struct EnginesFile {
            engine: Vec<EngineConfig>,
        }
        // The error's own text would quote the whole line, however long.
        let wrong = |error: toml::de::Error| {
            let span = error.span().unwrap_or_default();
            let line = 1 + text.bytes().take(span.start).filter(|&byte| byte == b'\n').count();
            let fault = quote(text.get(span).unwrap_or_default());
            ConfigError(format!("line {line}: `{fault}`: {}", error.message()))
        };
        let table: toml::Table = text.parse().map_err(wrong)?;
        let engines = if table.contains_key("engine") {
            toml::from_str::<EnginesFile>(text).map_err(wrong)?.engine
        } else {
            vec![toml::from_str(text).map_err(wrong)?]
        };
        let in_base = |mut engine: EngineConfig| {
            engine.folder = engine.folder.map(|folder| base.join(folder));
            engine.checked()
        };
        engines.into_iter().map(in_base).collect()
    }

    fn checked(mut self) -> Result<EngineConfig, ConfigError> {
        let program = self
            .command
            .first()
            .ok_or_else(|| ConfigError("an engine without a command".to_string()))?;
        if self.name.is_empty() {
            let stem = Path::new(program).file_stem().unwrap_or_default();
            self.name = stem.to_string_lossy().into_owned();
        }
        // Names go into GGF, where a bracket ends a value.
        let safe = |c: char| if c.is_ascii_graphic() && c != ']' && c != '[' { c } else { '_' };
        self.name = self.name.chars().map(safe).collect();
        Ok(self)
    }

    /// Whether the program's name says that it is umigame, or it is `python -m umigame`.
    pub(crate) fn is_umigame(&self) -> bool {
        self.command.windows(2).any(|words| words == ["-m", "umigame"])
            || self.command.first().is_some_and(|program| {
                let stem = Path::new(program).file_stem().unwrap_or_default();
                stem.to_string_lossy().starts_with("umigame")
            })
    }
}

/// Makes equal names distinct: the second `a` becomes `a-2`.
pub fn distinguish_names(engines: &mut [EngineConfig]) {
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

/// Makes an error that quotes a text, with the reason.
fn wrong(text: &str, why: &str) -> ConfigError {
    ConfigError(format!("`{}`{why}", quote(text)))
}

fn toml_error(error: &toml::de::Error) -> ConfigError {
    ConfigError(error.to_string().trim_end().to_string())
}

fn setting_value(text: &str) -> toml::Value {
    match (text.parse::<i64>(), text) {
        (_, "true") => true.into(),
        (_, "false") => false.into(),
        (Ok(number), _) => number.into(),
        _ => text.into(),
    }
}

/// Splits a command line into words; quotation marks of either kind keep blanks in a word.
///
/// A backslash is an ordinary character, as paths of Windows need it; this is why no crate for
/// shell words is used.
///
/// # Errors
/// A quotation mark stays open.
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
        return Err(wrong(text, ": a quotation mark is not closed"));
    }
    words.extend(word);
    Ok(words)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn quotation_marks_keep_blanks_in_a_word() {
        let words = split_words("  a 'b c' d\"e f\"g '' ").unwrap();
        assert_eq!(words, ["a", "b c", "de fg", ""]);
        let open = split_words("a 'b").unwrap_err();
        assert_eq!(open.to_string(), "`a 'b`: a quotation mark is not closed");
    }

    #[test]
    fn the_short_form_equals_the_toml_table() {
        let short = EngineConfig::parse(
            "[name=old depth=6 move_time=0.1 game_time=1h bank=true] ./bin/engine -x 'a b'",
        )
        .unwrap();
        let table = EngineConfig::parse_toml(
            "name = 'old'\ndepth = 6\nmove_time = 0.1\ngame_time = '60m'\nbank = true\n\
             command = ['./bin/engine', '-x', 'a b']",
            Path::new("/"),
        )
        .unwrap();
        assert_eq!([short].as_slice(), table);
        assert_eq!(EngineConfig::parse("/opt/edax -gtp").unwrap().name, "edax");
    }

    #[test]
    fn an_error_quotes_the_text_at_fault() {
        for (text, part) in [
            ("", "without a command"),
            ("[depth=6", "expected `]`"),
            ("[depth] x", "`depth` is no setting"),
            ("[deep=6] x", "deep"),
            ("[depth=six] x", "invalid type"),
            ("[move_time=soon] x", "`soon`: expected a number"),
            ("[game_time=soon] x", "`soon`: expected a number"),
        ] {
            let message = EngineConfig::parse(text).unwrap_err().to_string();
            assert!(message.contains(part), "{message}");
        }
        let message = EngineConfig::parse_toml("[[engine]]\ncommand = 5", Path::new("/"))
            .unwrap_err()
            .to_string();
        assert!(message.contains("line 2: `5`: expected a command"), "{message}");
        let long = "x".repeat(100_000);
        let message = EngineConfig::parse_toml(&long, Path::new("/")).unwrap_err().to_string();
        assert!(message.contains("line 1: ") && message.len() < 200, "{message}");
    }

    #[test]
    fn a_configuration_survives_a_round_trip_through_json() {
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
    fn equal_names_become_distinct() {
        let engine = EngineConfig::parse("a").unwrap();
        let mut engines = vec![engine.clone(), engine.clone(), engine];
        distinguish_names(&mut engines);
        let names: Vec<&str> = engines.iter().map(|engine| engine.name.as_str()).collect();
        assert_eq!(names, ["a", "a-2", "a-3"]);
    }
}
