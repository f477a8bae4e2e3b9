//! The folder of a match: `match.json` (the plan), `games.jsonl` (one line per game, the source of
//! truth), `games.ggf` (the same for other programs), and the engines' stderr.
//!
//! A game counts once its whole line is in `games.jsonl`. A line is written in one piece; a line
//! cut short by a kill is removed when the match is resumed, and that game is played again.

use std::collections::{HashMap, HashSet};
use std::fs::{self, File, OpenOptions, TryLockError};
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use umigame_othello::{formats::ggf, text::shown_path};

use super::clock::TimeLimit;
use super::plan::{MatchError, MatchPlan};
use super::record::GameLine;
use umigame_support::files;

/// The open folder of a match.
#[derive(Debug)]
pub struct MatchFolder {
    path: PathBuf,
    games: File,
    ggf: File,
    /// Locked while the match is played.
    _lock: File,
    /// Time limits of the engines, by name.
    limits: HashMap<String, TimeLimit>,
}

/// A match taken up again from its folder.
#[derive(Debug)]
pub struct ResumedMatch {
    /// The folder.
    pub folder: MatchFolder,
    /// The plan.
    pub plan: MatchPlan,
    /// Games played so far.
    pub games: Vec<GameLine>,
}

impl MatchFolder {
    /// Creates the folder of a new match.
    ///
    /// # Errors
    /// The folder already holds a match, or cannot be written.
    pub fn create(path: &Path, plan: &MatchPlan) -> Result<MatchFolder, MatchError> {
        fs::create_dir_all(path).map_err(records_error(path))?;
        let plan_path = path.join("match.json");
        if plan_path.exists() || path.join("games.jsonl").exists() {
            let why = "there is a match already: choose another folder, or --resume it";
            return Err(records_error(path)(io::Error::new(io::ErrorKind::AlreadyExists, why)));
        }
        let lock = lock(path)?;
        let text = serde_json::to_vec_pretty(plan)
            .map_err(|error| records_error(&plan_path)(io::Error::other(error)))?;
        replace(&plan_path, &text)?;
        MatchFolder::open(path, lock, plan, &[])
    }

    /// Opens the folder of a match that is to go on.
    ///
    /// # Errors
    /// There is no match, or a line in it was not written by a match.
    pub fn resume(path: &Path) -> Result<ResumedMatch, MatchError> {
        let plan_path = path.join("match.json");
        let text = fs::read_to_string(&plan_path).map_err(records_error(&plan_path))?;
        let plan: MatchPlan = serde_json::from_str(&text)
            .map_err(|error| bad_line(shown_path(&plan_path), error.line(), error.to_string()))?;
        plan.check()?;
        let lock = lock(path)?;
        let games = read_games(&path.join("games.jsonl"))?;
        let folder = MatchFolder::open(path, lock, &plan, &games)?;
        Ok(ResumedMatch { folder, plan, games })
    }

    fn open(
        path: &Path,
        lock: File,
        plan: &MatchPlan,
        games: &[GameLine],
    ) -> Result<MatchFolder, MatchError> {
        let append = |name: &str| {
            let path = path.join(name);
            OpenOptions::new().create(true).append(true).open(&path).map_err(records_error(&path))
        };
        let limits: HashMap<_, _> = plan
            .engines
            .iter()
            .map(|engine| (engine.name.clone(), TimeLimit::of(engine, false, 0)))
            .collect();
        // Rewritten from the lines, since a kill may have cut it short.
        let mut text = String::new();
        for game in games {
            text.push_str(&ggf_line(&limits, game)?);
        }
        replace(&path.join("games.ggf"), text.as_bytes())?;
        Ok(MatchFolder {
            path: path.to_path_buf(),
            games: append("games.jsonl")?,
            ggf: append("games.ggf")?,
            _lock: lock,
            limits,
        })
    }

    /// Returns the path of the folder.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Appends a game.
    ///
    /// # Errors
    /// A file cannot be written.
    pub fn add(&mut self, game: &GameLine) -> Result<(), MatchError> {
        let path = self.path.join("games.jsonl");
        let mut text = serde_json::to_string(game)
            .map_err(|error| records_error(&path)(io::Error::other(error)))?;
        text.push('\n');
        self.games.write_all(text.as_bytes()).map_err(records_error(&path))?;
        let text = ggf_line(&self.limits, game)?;
        self.ggf.write_all(text.as_bytes()).map_err(records_error(&self.path.join("games.ggf")))
    }

    /// Writes another file into the folder.
    ///
    /// # Errors
    /// The file cannot be written.
    pub fn write(&self, name: &str, text: &str) -> Result<(), MatchError> {
        replace(&self.path.join(name), text.as_bytes())
    }
}

/// Locks a folder, so that one match at a time is played in it. A file system without locks locks
/// nothing.
fn lock(folder: &Path) -> Result<File, MatchError> {
    let path = folder.join("match.lock");
    let file = OpenOptions::new().create(true).append(true).open(&path);
    let file = file.map_err(records_error(&path))?;
    if let Err(TryLockError::WouldBlock) = file.try_lock() {
        let why = "a match is being played in this folder: wait for its end, or choose another one";
        return Err(records_error(folder)(io::Error::new(io::ErrorKind::ResourceBusy, why)));
    }
    Ok(file)
}

fn records_error(path: &Path) -> impl FnOnce(io::Error) -> MatchError + '_ {
    move |error| MatchError::Records { path: shown_path(path), error }
}

fn bad_line(path: impl Into<String>, line: usize, why: impl Into<String>) -> MatchError {
    MatchError::BadRecord { path: path.into(), line, why: why.into() }
}

fn replace(path: &Path, bytes: &[u8]) -> Result<(), MatchError> {
    files::replace(path, bytes).map_err(records_error(path))
}

fn ggf_line(limits: &HashMap<String, TimeLimit>, game: &GameLine) -> Result<String, MatchError> {
    let limit = |name: &String| limits.get(name).copied().unwrap_or(TimeLimit::None);
    let record = game
        .to_record([limit(&game.black), limit(&game.white)])
        .map_err(|why| bad_line("games.jsonl", game.game + 1, why))?;
    Ok(ggf::text(&record) + "\n")
}

/// Reads the games of a file, each number once, and cuts off an incomplete last line.
fn read_games(path: &Path) -> Result<Vec<GameLine>, MatchError> {
    let bytes = match fs::read(path) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => Vec::new(),
        other => other.map_err(records_error(path))?,
    };
    let whole = bytes.iter().rposition(|&byte| byte == b'\n').map_or(0, |end| end + 1);
    if whole < bytes.len() {
        let file = OpenOptions::new().write(true).open(path).map_err(records_error(path))?;
        file.set_len(whole as u64).map_err(records_error(path))?;
    }
    let (kept, _) = bytes.split_at(whole);
    let mut seen = HashSet::new();
    let mut games = Vec::new();
    for (index, bytes) in kept.split(|&byte| byte == b'\n').enumerate() {
        if bytes.is_empty() {
            continue;
        }
        let game: GameLine = serde_json::from_slice(bytes)
            .map_err(|error| bad_line(shown_path(path), index + 1, error.to_string()))?;
        if seen.insert(game.game) {
            games.push(game);
        }
    }
    Ok(games)
}
