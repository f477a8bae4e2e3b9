//! Every game of a file, whatever its format.

use std::collections::HashMap;
use std::fs::File;
use std::io::BufReader;
use std::path::{Path, PathBuf};

use umigame_othello::Record;
use umigame_othello::formats::wthor::{Names, WthorError, WthorNames};
use umigame_othello::formats::{Format, read_games};

use super::games::ConvertError;
use umigame_othello::text::shown_path as shown;

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
    names: HashMap<PathBuf, WthorNames>,
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
        let names = match format {
            Format::Wthor => self.names_beside(path)?,
            _ => WthorNames::default(),
        };
        let file = File::open(path).map_err(|error| ConvertError::file(path, &error))?;
        read_games(format, BufReader::new(file), &names, &mut |entry| {
            let (file, game, line) = (path.to_path_buf(), entry.game, entry.line);
            let failed = |why: String| GameError { file, game, line, why };
            each(entry.record.map_err(|error| failed(error.to_string())))
        })
        .map_err(|error| ConvertError::File { path: path.into(), why: error.to_string() })
    }

    /// Returns the names that a WTHOR file refers to, from the `.jou` and `.trn` files beside it.
    fn names_beside(&mut self, path: &Path) -> Result<WthorNames, ConvertError> {
        let folder = match path.parent() {
            Some(folder) if folder != Path::new("") => folder,
            _ => Path::new("."),
        };
        if let Some(names) = self.names.get(folder) {
            return Ok(names.clone());
        }
        let names = read_names(folder)
            .map_err(|(path, error)| ConvertError::File { path, why: error.to_string() })?;
        self.names.insert(folder.to_path_buf(), names.clone());
        Ok(names)
    }
}

/// Reads the `.jou` and `.trn` files of a folder, in either case of their names; a missing file
/// leaves its names empty.
fn read_names(folder: &Path) -> Result<WthorNames, (PathBuf, WthorError)> {
    let mut names = WthorNames::default();
    let mut paths: Vec<PathBuf> =
        folder.read_dir().into_iter().flatten().flatten().map(|entry| entry.path()).collect();
    paths.sort();
    for path in paths {
        let extension = path.extension().unwrap_or_default().to_ascii_lowercase();
        let (list, read): (_, fn(BufReader<File>) -> _) = match extension.to_str() {
            Some("jou") => (&mut names.players, Names::players),
            Some("trn") => (&mut names.tournaments, Names::tournaments),
            _ => continue,
        };
        let found = File::open(&path)
            .map_err(|error| WthorError::Read { offset: 0, why: error.to_string() })
            .and_then(|file| read(BufReader::new(file)));
        *list = found.map_err(|error| (path, error))?;
    }
    Ok(names)
}
