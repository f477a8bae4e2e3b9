//! Reads the games to judge.

use std::ffi::OsStr;
use std::ops::RangeInclusive;
use std::path::Path;

use anyhow::Result;
use umigame_othello::formats::ggf;
use umigame_othello::formats::transcript::read_position;
use umigame_othello::text::quote;
use umigame_othello::{Record, text};

use crate::cli::convert::{Format, GameError, GameReader, files_of};
use umigame_support::exit::{bad_input, complain, is_dash, shown};

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
    /// Numbers of the wanted games; all if there is none.
    wanted: Option<RangeInclusive<usize>>,
    seen: usize,
}

impl Sources {
    /// Takes the next game; returns false after the last wanted one.
    fn take(&mut self, file: &str, record: Result<Record, String>) -> bool {
        self.seen += 1;
        if self.wanted.as_ref().is_none_or(|wanted| wanted.contains(&self.seen)) {
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
        self.wanted.as_ref().is_none_or(|wanted| self.seen < *wanted.end())
    }

    fn complain(&mut self, error: &dyn std::fmt::Display) {
        self.failed += 1;
        complain(error);
    }
}

/// Reads the games of an argument: a file, a folder, a text, or standard input. Unreadable ones are
/// named on standard error.
pub(in crate::cli) fn read(
    given: &OsStr,
    wanted: Option<RangeInclusive<usize>>,
) -> Result<Sources> {
    let mut sources = Sources { wanted, ..Sources::default() };
    let (path, text) = (Path::new(given), &*given.to_string_lossy());
    if text.trim().is_empty() {
        return Err(bad_input(
            "the game is an empty text: expected a file, or moves such as f5d6c3",
        ));
    }
    if is_dash(path) || path.exists() {
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

/// Reads the games of a file, of the files in a folder, or of standard input.
fn read_files(path: &Path, sources: &mut Sources) -> Result<()> {
    let mut reader = GameReader::default();
    for file in files_of(path).map_err(bad_input)? {
        let name = if is_dash(&file) { shown(&file).into() } else { file.to_string_lossy() };
        let mut more = true;
        let mut each = |game: Result<Record, _>| {
            more = sources.take(&name, game.map_err(|error: GameError| error.to_string()));
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
