//! The records of a match on disk: `match.json` (what is played),
//! `games.jsonl` (one line a game, the truth), `games.ggf` (the same for
//! other programs), stderr of the engines.
//!
//! A game counts once its whole line is in `games.jsonl`. A line is written
//! in one piece; what a kill leaves of one is cut off when the match is taken
//! up again, and that game is played anew.

use std::collections::{HashMap, HashSet};
use std::fs::{self, File, OpenOptions};
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use umigame_othello::game::ggf;
use umigame_othello::text::shown_path;

use crate::files;

use super::clock::TimeLimit;
use super::record::GameLine;
use super::runner::{Match, MatchError};

/// The folder of a match, open for more games.
#[derive(Debug)]
pub struct Folder {
    path: PathBuf,
    games: File,
    ggf: File,
    limits: HashMap<String, TimeLimit>,
}

fn failed(path: &Path) -> impl FnOnce(io::Error) -> MatchError + '_ {
    move |error| MatchError::Records { path: shown_path(path), error }
}

fn replace(path: &Path, bytes: &[u8]) -> Result<(), MatchError> {
    files::replace(path, bytes).map_err(failed(path))
}

impl Folder {
    /// Begins the records of a match in a folder of their own.
    ///
    /// # Errors
    /// The folder holds a match already, or cannot be written.
    pub fn create(path: &Path, plan: &Match) -> Result<Folder, MatchError> {
        fs::create_dir_all(path).map_err(failed(path))?;
        let plan_path = path.join("match.json");
        if plan_path.exists() || path.join("games.jsonl").exists() {
            let why = "there is a match already: choose another folder, or --resume it";
            return Err(failed(path)(io::Error::new(io::ErrorKind::AlreadyExists, why)));
        }
        let text = serde_json::to_vec_pretty(plan)
            .map_err(|error| failed(&plan_path)(io::Error::other(error)))?;
        replace(&plan_path, &text)?;
        Folder::open(path, plan, &[])
    }

    /// Takes up a match: what is played, and the games done.
    ///
    /// # Errors
    /// There is no match, or a line that no match wrote.
    pub fn resume(path: &Path) -> Result<(Folder, Match, Vec<GameLine>), MatchError> {
        let plan_path = path.join("match.json");
        let text = fs::read_to_string(&plan_path).map_err(failed(&plan_path))?;
        let plan: Match = serde_json::from_str(&text).map_err(|error| MatchError::BadRecord {
            path: shown_path(&plan_path),
            line: error.line(),
            why: error.to_string(),
        })?;
        let lines = whole_lines(&path.join("games.jsonl"))?;
        let folder = Folder::open(path, &plan, &lines)?;
        Ok((folder, plan, lines))
    }

    fn open(path: &Path, plan: &Match, lines: &[GameLine]) -> Result<Folder, MatchError> {
        let append = |name: &str| {
            let path = path.join(name);
            OpenOptions::new().create(true).append(true).open(&path).map_err(failed(&path))
        };
        let limit = |engine: &super::config::EngineConfig| {
            (engine.name.clone(), TimeLimit::of(engine, false, 0))
        };
        let limits: HashMap<_, _> = plan.engines.iter().map(limit).collect();
        // GGF follows from the lines, whatever a kill has left of it.
        let mut text = String::new();
        for line in lines {
            text.push_str(&ggf_line(&limits, line)?);
        }
        replace(&path.join("games.ggf"), text.as_bytes())?;
        Ok(Folder {
            path: path.to_path_buf(),
            games: append("games.jsonl")?,
            ggf: append("games.ggf")?,
            limits,
        })
    }

    /// The folder itself.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Keeps a game.
    ///
    /// # Errors
    /// The disk does not take it.
    pub fn add(&mut self, line: &GameLine) -> Result<(), MatchError> {
        let path = self.path.join("games.jsonl");
        let mut text =
            serde_json::to_string(line).map_err(|error| failed(&path)(io::Error::other(error)))?;
        text.push('\n');
        self.games.write_all(text.as_bytes()).map_err(failed(&path))?;
        let text = ggf_line(&self.limits, line)?;
        self.ggf.write_all(text.as_bytes()).map_err(failed(&self.path.join("games.ggf")))
    }

    /// Writes another file into the folder.
    ///
    /// # Errors
    /// The disk does not take it.
    pub fn write(&self, name: &str, text: &str) -> Result<(), MatchError> {
        replace(&self.path.join(name), text.as_bytes())
    }
}

fn ggf_line(limits: &HashMap<String, TimeLimit>, line: &GameLine) -> Result<String, MatchError> {
    let limit = |name: &String| limits.get(name).copied().unwrap_or(TimeLimit::None);
    let record = line
        .to_record([limit(&line.black), limit(&line.white)])
        .map_err(|why| bad_line("games.jsonl", line.game + 1, why))?;
    let mut text = ggf::text(&record);
    text.push('\n');
    Ok(text)
}

fn bad_line(path: impl Into<String>, line: usize, why: impl Into<String>) -> MatchError {
    MatchError::BadRecord { path: path.into(), line, why: why.into() }
}

/// The games of a file; what follows the last whole line is cut off. A game
/// counts once.
fn whole_lines(path: &Path) -> Result<Vec<GameLine>, MatchError> {
    let bytes = match fs::read(path) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => Vec::new(),
        other => other.map_err(failed(path))?,
    };
    let whole = bytes.iter().rposition(|&byte| byte == b'\n').map_or(0, |end| end + 1);
    if whole < bytes.len() {
        let file = OpenOptions::new().write(true).open(path).map_err(failed(path))?;
        file.set_len(whole as u64).map_err(failed(path))?;
    }
    let (kept, _) = bytes.split_at(whole);
    let mut seen = HashSet::new();
    let mut lines = Vec::new();
    for (index, bytes) in kept.split(|&byte| byte == b'\n').enumerate() {
        if bytes.is_empty() {
            continue;
        }
        let line: GameLine = serde_json::from_slice(bytes)
            .map_err(|error| bad_line(shown_path(path), index + 1, error.to_string()))?;
        if seen.insert(line.game) {
            lines.push(line);
        }
    }
    Ok(lines)
}
