//! Reads the games to judge.

use std::ffi::OsStr;
use std::io::Read;
use std::path::Path;

use crate::cli::convert::{Format, GameReader, files_of};
use anyhow::{Context, Result};
use umigame_othello::Record;
use umigame_othello::formats::transcript::read_position;
use umigame_othello::formats::{ggf, pgn, sgf, transcript};
use umigame_othello::text;
use umigame_othello::text::quote;

use crate::cli::exit::{bad_input, complain, shown};

/// Bytes read from standard input, at most.
const MAX_INPUT_BYTES: u64 = 64 << 20;

/// A game and its source.
#[derive(Debug)]
pub(in crate::cli) struct Source {
    /// Name of the file, empty for a game on the command line.
    pub file: String,
    /// Number of the game over all files, from 1.
    pub number: usize,
    pub record: Record,
}

/// The games found, and the number of unreadable ones.
#[derive(Debug, Default)]
pub(in crate::cli) struct Sources {
    pub games: Vec<Source>,
    pub failed: usize,
    /// First and last number of the wanted games.
    wanted: Option<(usize, usize)>,
    seen: usize,
}

impl Sources {
    /// Takes the next game; returns false after the last wanted one.
    fn take(&mut self, file: &str, record: Result<Record, String>) -> bool {
        self.seen += 1;
        let (first, last) = self.wanted.unwrap_or((1, usize::MAX));
        if (first..=last).contains(&self.seen) {
            // Some formats do not check that moves are legal.
            match record.and_then(|record| match record.board() {
                Ok(_) => Ok(record),
                Err(error) => Err(format!("{}: game {}: {error}", text::shown(file), self.seen)),
            }) {
                Ok(record) => {
                    self.games.push(Source { file: file.to_owned(), number: self.seen, record });
                }
                Err(error) => self.complain(&error),
            }
        }
        self.seen < last
    }

    fn complain(&mut self, error: &dyn std::fmt::Display) {
        self.failed += 1;
        complain(error);
    }
}

/// Reads the games of an argument: a file, a folder, a text, or standard input. Unreadable ones are
/// named on standard error.
pub(in crate::cli) fn read(given: &OsStr, wanted: Option<(usize, usize)>) -> Result<Sources> {
    let mut sources = Sources { wanted, ..Sources::default() };
    let (path, text) = (Path::new(given), &*given.to_string_lossy());
    if text == "-" {
        read_input(&mut sources)?;
    } else if path.exists() {
        read_files(path, &mut sources)?;
    } else {
        let looks_like_a_file = Format::of(path).is_some() || text.contains(['/', '\\']);
        if looks_like_a_file && !text.starts_with("(;") {
            return Err(bad_input(format!("{}: no such file or folder", shown(path))));
        }
        let board = read_position(text).map_err(|error| {
            bad_input(format!("`{}` is no file, and as a game: {error}", quote(text)))
        })?;
        // GGF on the command line has names and a result, too.
        let record = match ggf::parse(text) {
            Ok(record) if text.trim_start().starts_with("(;") => record,
            _ => Record::from_board(&board),
        };
        sources.take("", Ok(record));
    }
    match (sources.games.len(), sources.seen) {
        (0, 0) if sources.failed > 0 => Ok(sources),
        (0, 0) => Err(bad_input(format!("{}: no game in it", shown(path)))),
        (0, seen) if sources.failed == 0 => {
            let games =
                if seen == 1 { "is only 1 game".into() } else { format!("are only {seen} games") };
            Err(bad_input(format!("no such game: there {games}")))
        }
        _ => Ok(sources),
    }
}

fn read_files(path: &Path, sources: &mut Sources) -> Result<()> {
    let mut reader = GameReader::default();
    for file in files_of(path).map_err(bad_input)? {
        let name = file.to_string_lossy();
        let mut more = true;
        let mut each = |game: Result<Record, _>| {
            more = sources.take(
                &name,
                game.map_err(|error: crate::cli::convert::GameError| error.to_string()),
            );
            more
        };
        match reader.read(&file, &mut each) {
            // The other files of a folder are read all the same.
            Err(error) if path.is_dir() => sources.complain(&error),
            read => read.map_err(bad_input)?,
        }
        if !more {
            break;
        }
    }
    Ok(())
}

/// Reads games from standard input: GGF and SGF begin with `(`, PGN with `[`; else each line is a
/// transcript.
fn read_input(sources: &mut Sources) -> Result<()> {
    let mut bytes = Vec::new();
    std::io::stdin()
        .lock()
        .take(MAX_INPUT_BYTES)
        .read_to_end(&mut bytes)
        .context("reading standard input")?;
    if bytes.len() as u64 == MAX_INPUT_BYTES {
        return Err(bad_input("standard input: more than 64 MB: expected games; name their file"));
    }
    let text = String::from_utf8_lossy(&bytes);
    let text = text.trim_start_matches('\u{feff}').trim_start();
    let name = "standard input";
    let message = |game: usize, why: String| format!("{name}: game {game}: {why}");
    if text.starts_with('[') {
        pgn::games(text).all(|e| {
            let record = e.record.map_err(|why| message(e.game, why.to_string()));
            sources.take(name, record)
        });
    } else if text.starts_with("(;") && text.contains("GM[Othello]") {
        ggf::games(text).all(|e| {
            let record = e.record.map_err(|why| message(e.game, why.to_string()));
            sources.take(name, record)
        });
    } else if text.starts_with('(') {
        sgf::games(text).all(|e| {
            let record = e.record.map_err(|why| message(e.game, why.to_string()));
            sources.take(name, record)
        });
    } else {
        let lines = text.lines().map(str::trim);
        let games = lines.filter(|line| !line.is_empty() && !line.starts_with(['#', '%']));
        for (index, line) in games.enumerate() {
            let record = transcript::parse(line).map_err(|why| message(index + 1, why.to_string()));
            if !sources.take(name, record) {
                break;
            }
        }
    }
    Ok(())
}
