//! Where the games to judge come from.

use std::ffi::OsStr;
use std::io::Read;
use std::path::Path;

use crate::cli::convert::{Format, GameReader, files_of};
use anyhow::{Context, Result};
use umigame_othello::game::{Record, ggf, pgn, read_position, sgf, transcript};
use umigame_othello::text;
use umigame_othello::text::quote;

use crate::cli::{bad_input, complain, shown};

/// More than this on standard input is no game.
const MOST_INPUT: u64 = 64 << 20;

/// A game and the name of the file that it is from.
#[derive(Debug)]
pub(in crate::cli) struct Source {
    pub file: String,
    /// Counted from 1 over all files.
    pub number: usize,
    pub record: Record,
}

/// The games found, and how many could not be read.
#[derive(Debug, Default)]
pub(in crate::cli) struct Sources {
    pub games: Vec<Source>,
    pub failed: usize,
    wanted: Option<(usize, usize)>,
    seen: usize,
}

impl Sources {
    /// Whether there may be more to come.
    fn take(&mut self, file: &str, record: Result<Record, String>) -> bool {
        self.seen += 1;
        let (first, last) = self.wanted.unwrap_or((1, usize::MAX));
        if (first..=last).contains(&self.seen) {
            // A record whose moves are illegal is not a game either.
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

/// Reads the games that an argument stands for: a file, a folder, a text, or
/// standard input. Each that cannot be read is named on standard error.
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
        // The GGF of a game on the command line has names and a result too.
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
            Err(bad_input(format!("no such game: there are only {seen} games")))
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
            // One bad file of a folder does not spoil the others.
            Err(error) if path.is_dir() => sources.complain(&error),
            read => read.map_err(bad_input)?,
        }
        if !more {
            break;
        }
    }
    Ok(())
}

/// GGF and SGF begin with `(`, PGN with `[`; the rest is transcripts, one a
/// line.
fn read_input(sources: &mut Sources) -> Result<()> {
    let mut bytes = Vec::new();
    std::io::stdin()
        .lock()
        .take(MOST_INPUT)
        .read_to_end(&mut bytes)
        .context("reading standard input")?;
    if bytes.len() as u64 == MOST_INPUT {
        return Err(bad_input("standard input: more than 64 MB: expected games; name their file"));
    }
    let text = String::from_utf8_lossy(&bytes);
    let text = text.trim_start_matches('\u{feff}').trim_start();
    let name = "standard input";
    let say = |game: usize, why: String| format!("{name}: game {game}: {why}");
    if text.starts_with('[') {
        pgn::games(text).all(|e| {
            let record = e.record.map_err(|why| say(e.game, why.to_string()));
            sources.take(name, record)
        });
    } else if text.starts_with("(;") && text.contains("GM[Othello]") {
        ggf::games(text).all(|e| {
            let record = e.record.map_err(|why| say(e.game, why.to_string()));
            sources.take(name, record)
        });
    } else if text.starts_with('(') {
        sgf::games(text).all(|e| {
            let record = e.record.map_err(|why| say(e.game, why.to_string()));
            sources.take(name, record)
        });
    } else {
        let lines = text.lines().map(str::trim);
        let games = lines.filter(|line| !line.is_empty() && !line.starts_with(['#', '%']));
        for (index, line) in games.enumerate() {
            let record = transcript::parse(line).map_err(|why| say(index + 1, why.to_string()));
            if !sources.take(name, record) {
                break;
            }
        }
    }
    Ok(())
}
