//! The log of tuning: JSON Lines, a header and then a line for each iteration and each check.
//!
//! A line counts once it ends: it is written in one piece, and a line cut short by a kill is removed
//! when the log is opened again. The lines hold all that the state of the method follows from.

use std::collections::BTreeMap;
use std::fs::File;
use std::io::{Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

use super::error::{TuneError, log_error};
use super::spsa::{Costs, Parameter};
use umigame_arena::Estimate;
use umigame_support::files;

/// Revision of the log: changes when the same lines come to mean another course.
const REVISION: u32 = 1;

/// What made a log, as far as the program decides on it.
#[derive(Clone, PartialEq, Serialize, Deserialize, Debug)]
struct Origin {
    /// Revision of the log.
    tune_log: u32,
    /// Version of the program.
    version: String,
}

/// First line of a log: all that decides on the lines after it.
#[derive(Clone, PartialEq, Serialize, Deserialize, Debug)]
pub struct Header {
    #[serde(flatten)]
    origin: Origin,
    /// Settings of the method and of the objective, by name.
    pub settings: BTreeMap<String, String>,
    /// The parameters.
    pub parameters: Vec<Parameter>,
}

impl Header {
    /// Makes the header of a log of this program.
    pub fn new(settings: BTreeMap<String, String>, parameters: Vec<Parameter>) -> Header {
        let origin = Origin { tune_log: REVISION, version: env!("CARGO_PKG_VERSION").to_owned() };
        Header { origin, settings, parameters }
    }

    /// Returns how a log with the header `found` differs from this one; `None` if it does not.
    fn difference(&self, found: &Header) -> Option<String> {
        let names = self.settings.keys().chain(found.settings.keys());
        for name in names {
            let [expected, found] = [self, found].map(|it| it.settings.get(name));
            if expected != found {
                let shown = |it: Option<&String>| it.map_or("none".to_owned(), String::clone);
                return Some(format!("{name} is {}: expected {}", shown(found), shown(expected)));
            }
        }
        let names = |it: &Header| -> Vec<String> {
            it.parameters.iter().map(|parameter| parameter.name.clone()).collect()
        };
        if names(self) != names(found) {
            return Some(format!("it tunes {}", names(found).join(", ")));
        }
        let mut pairs = self.parameters.iter().zip(&found.parameters);
        let (parameter, _) = pairs.find(|(expected, found)| expected != found)?;
        Some(format!("{} has another start, range or step", parameter.name))
    }
}

/// A finished iteration.
#[derive(Clone, PartialEq, Serialize, Deserialize, Debug)]
pub struct IterationEntry {
    /// Its number, from 1.
    pub number: u64,
    /// Costs of its trial.
    pub costs: Costs,
    /// Values after it, to four decimals.
    pub values: Vec<f64>,
}

/// The values found compared with the start values on positions that were not tuned on.
#[derive(Clone, PartialEq, Serialize, Deserialize, Debug)]
pub struct CheckEntry {
    /// Iterations that led to the values.
    pub after: u64,
    /// The positions or openings.
    pub set: String,
    /// The values found.
    pub values: Vec<f64>,
    /// The comparison.
    #[serde(flatten)]
    pub result: CheckResult,
}

/// Result of a check with its 95 % interval. Its meaning is that of the objective.
#[derive(Clone, Copy, PartialEq, Serialize, Deserialize, Debug)]
pub struct CheckResult {
    /// Positions, or pairs of games.
    pub count: u64,
    /// Result.
    pub value: f64,
    /// Lower end of the interval.
    pub low: f64,
    /// Upper end of the interval.
    pub high: f64,
}

impl CheckResult {
    /// Returns the result of an estimate from `count` pieces, each end converted by `convert` and
    /// rounded to millionths.
    pub(super) fn of(count: u64, estimate: Estimate, convert: fn(f64) -> f64) -> CheckResult {
        let [value, low, high] = [estimate.value, estimate.low, estimate.high]
            .map(|number| (convert(number) * 1e6).round() / 1e6);
        CheckResult { count, value, low, high }
    }
}

/// A line after the header.
#[derive(Clone, PartialEq, Serialize, Deserialize, Debug)]
#[serde(rename_all = "lowercase")]
pub enum Entry {
    /// A finished iteration.
    Iteration(IterationEntry),
    /// A check.
    Check(CheckEntry),
}

/// A log opened to go on, locked against other writers.
#[derive(Debug)]
pub struct Log {
    file: File,
    path: PathBuf,
}

impl Log {
    /// Opens or creates a log and returns the entries in it.
    ///
    /// # Errors
    /// A file that cannot be opened, is no log, is damaged, was begun with another header, or has
    /// another writer.
    pub fn open(path: &Path, header: &Header) -> Result<(Log, Vec<Entry>), TuneError> {
        let failed = log_error(path);
        let mut file = files::open_locked(path).map_err(&failed)?;
        let mut bytes = Vec::new();
        file.read_to_end(&mut bytes).map_err(&failed)?;
        let text = String::from_utf8_lossy(&bytes);
        let whole = text.rfind('\n').map_or("", |end| &text[..=end]);
        let first = line_of(path, header)?;
        let is_new = whole.is_empty();
        if is_new && !first.starts_with(&*text) {
            return Err(wrong(path, "line 1: no log of umigame-lab tune".to_owned()));
        }
        let entries = if is_new { Vec::new() } else { read(path, whole, header)? };
        let end = whole.len() as u64;
        file.set_len(end).map_err(&failed)?;
        file.seek(SeekFrom::Start(end)).map_err(&failed)?;
        if is_new {
            file.write_all(first.as_bytes()).map_err(&failed)?;
        }
        Ok((Log { file, path: path.to_owned() }, entries))
    }

    /// Appends an entry.
    ///
    /// # Errors
    /// The file cannot be written.
    pub fn write(&mut self, entry: &Entry) -> Result<(), TuneError> {
        let line = line_of(&self.path, entry)?;
        self.file.write_all(line.as_bytes()).map_err(log_error(&self.path))
    }

    /// Returns an error about the line of entry `at`, counted from 0.
    pub(super) fn damaged(&self, at: usize, why: &str) -> TuneError {
        wrong(&self.path, format!("line {}: {why}", at + 2))
    }
}

fn wrong(path: &Path, why: String) -> TuneError {
    TuneError::Log { path: path.to_owned(), why }
}

fn line_of(path: &Path, value: &impl Serialize) -> Result<String, TuneError> {
    let text = serde_json::to_string(value).map_err(|error| wrong(path, error.to_string()))?;
    Ok(text + "\n")
}

/// Reads the header and the entries.
fn read(path: &Path, text: &str, expected: &Header) -> Result<Vec<Entry>, TuneError> {
    let mut lines = text.lines();
    let first = lines.next().unwrap_or_default();
    let wrong = |why: String| wrong(path, why);
    let Origin { tune_log, version } = serde_json::from_str(first)
        .map_err(|error| wrong(format!("line 1: no log of umigame-lab tune: {error}")))?;
    if (tune_log, &version) != (REVISION, &expected.origin.version) {
        return Err(wrong(format!(
            "line 1: a log of umigame-lab {version}, revision {tune_log}: expected {}, revision \
             {REVISION}, or another --log",
            expected.origin.version
        )));
    }
    let header: Header =
        serde_json::from_str(first).map_err(|error| wrong(format!("line 1: {error}")))?;
    if let Some(difference) = expected.difference(&header) {
        return Err(wrong(format!(
            "line 1: the log of other work: {difference}, or another --log"
        )));
    }
    let mut iterations = 0;
    let mut entries = Vec::new();
    for (at, line) in lines.enumerate() {
        let entry = serde_json::from_str(line)
            .map_err(|error| wrong(format!("line {}: {error}", at + 2)))?;
        if let Entry::Iteration(IterationEntry { number, .. }) = entry {
            if number != iterations + 1 {
                return Err(wrong(format!(
                    "line {}: iteration {number}: expected {}",
                    at + 2,
                    iterations + 1
                )));
            }
            iterations = number;
        }
        entries.push(entry);
    }
    Ok(entries)
}
