//! Every game of a file, whatever its format.

use std::collections::HashMap;
use std::fs::{self, File};
use std::io::BufReader;
use std::path::{Path, PathBuf};

use umigame_othello::game::lines::Lines;
use umigame_othello::game::wthor::{self, NameFiles};
use umigame_othello::game::{Record, ggf, obf, pgn, sgf, transcript};

use super::games::{ConvertError, Format};
use umigame_othello::files::shown;

/// A game that could not be read: the file, which game, where, and why.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{}{}{}: {why}", shown(.file), game_text(*.game), line_text(*.line))]
pub struct GameError {
    /// The file.
    pub file: PathBuf,
    /// Which game of the file, from 1; 0 where it is the whole file.
    pub game: usize,
    /// The line on which it begins, from 1; 0 in a file without lines, where
    /// the reason names the byte.
    pub line: usize,
    /// What is wrong with it.
    pub why: String,
}

impl GameError {
    pub(super) fn of_file(file: PathBuf, why: String) -> GameError {
        GameError { file, game: 0, line: 0, why }
    }
}

fn game_text(game: usize) -> String {
    if game == 0 { String::new() } else { format!(": game {game}") }
}

fn line_text(line: usize) -> String {
    if line == 0 { String::new() } else { format!(", line {line}") }
}

/// Reads files of games; the names that WTHOR files refer to are read once
/// for each folder.
#[derive(Debug, Default)]
pub struct Reader {
    names: HashMap<PathBuf, NameFiles>,
}

/// Takes each game, and says whether to go on.
type Each<'a> = dyn FnMut(Result<Record, GameError>) -> bool + 'a;

impl Reader {
    /// Hands every game of a file to `each`, in order, until there are no
    /// more or it says no.
    ///
    /// # Errors
    /// A file that cannot be opened or read at all; games that are wrong go
    /// to `each`.
    pub fn read(&mut self, path: &Path, each: &mut Each<'_>) -> Result<(), ConvertError> {
        let format = Format::of(path).ok_or_else(|| ConvertError::UnknownFormat(path.into()))?;
        let mut hand = |game: usize, line: usize, record: Result<Record, String>| {
            let file = || path.to_path_buf();
            each(record.map_err(|why| GameError { file: file(), game, line, why }))
        };
        match format {
            Format::Wthor => return self.read_wthor(path, &mut hand),
            Format::Transcript => read_transcripts(path, &mut hand)?,
            Format::Obf => read_obf(path, &mut hand)?,
            Format::Ggf => {
                let text = text_of(path)?;
                ggf::games(&text).all(|e| hand(e.game, e.line, e.record.map_err(message)));
            }
            Format::Sgf => {
                let text = text_of(path)?;
                sgf::games(&text).all(|e| hand(e.game, e.line, e.record.map_err(message)));
            }
            Format::Pgn => {
                let text = text_of(path)?;
                pgn::games(&text).all(|e| hand(e.game, e.line, e.record.map_err(message)));
            }
        }
        Ok(())
    }

    fn read_wthor(&mut self, path: &Path, hand: &mut Hand<'_>) -> Result<(), ConvertError> {
        let folder = match path.parent() {
            Some(folder) if folder != Path::new("") => folder,
            _ => Path::new("."),
        };
        if !self.names.contains_key(folder) {
            let names = NameFiles::beside(folder)
                .map_err(|(path, error)| ConvertError::File { path, why: error.to_string() })?;
            self.names.insert(folder.to_path_buf(), names);
        }
        let names = self.names.get(folder).cloned().unwrap_or_default();
        let mut games = wthor::games(BufReader::new(open(path)?))
            .map_err(|error| ConvertError::File { path: path.into(), why: error.to_string() })?;
        let header = *games.header();
        let mut number = 0;
        games.all(|game| {
            number += 1;
            let record = game.and_then(|game| game.record(&header, &names));
            hand(number, 0, record.map_err(message))
        });
        Ok(())
    }
}

type Hand<'a> = dyn FnMut(usize, usize, Result<Record, String>) -> bool + 'a;

fn message(error: impl std::error::Error) -> String {
    error.to_string()
}

fn open(path: &Path) -> Result<File, ConvertError> {
    File::open(path).map_err(|error| ConvertError::file(path, &error))
}

/// A whole text file: UTF-8, or else Latin-1, in which every byte is a
/// character.
fn text_of(path: &Path) -> Result<String, ConvertError> {
    let bytes = fs::read(path).map_err(|error| ConvertError::file(path, &error))?;
    Ok(String::from_utf8(bytes)
        .unwrap_or_else(|error| error.as_bytes().iter().copied().map(char::from).collect()))
}

/// One game a line; empty lines, and what `#` or `%` begins, are no games.
fn read_transcripts(path: &Path, hand: &mut Hand<'_>) -> Result<(), ConvertError> {
    let mut number = 0;
    for (line, text) in Lines::new(BufReader::new(open(path)?)) {
        if text.as_ref().is_ok_and(|text| is_aside(text)) {
            continue;
        }
        number += 1;
        let record = text.map_err(message);
        let record = record.and_then(|text| transcript::parse(&text).map_err(message));
        if !hand(number, line, record) {
            break;
        }
    }
    Ok(())
}

fn is_aside(line: &str) -> bool {
    matches!(line.trim_start().chars().next(), None | Some('#' | '%'))
}

fn read_obf(path: &Path, hand: &mut Hand<'_>) -> Result<(), ConvertError> {
    let problems = obf::problems(BufReader::new(open(path)?));
    for (index, (line, problem)) in problems.enumerate() {
        let record = problem.map(|problem| Record::from_start(problem.position, problem.side));
        if !hand(index + 1, line, record.map_err(message)) {
            break;
        }
    }
    Ok(())
}
