//! Reads the games of files, folders and standard input, in any format.

use std::collections::HashMap;
use std::io::{self, BufRead, BufReader};
use std::path::{Path, PathBuf};

use umigame_othello::Record;
use umigame_othello::formats::wthor::WthorNames;
use umigame_othello::formats::{Format, read_games};
use umigame_training::wthor::NameFiles;

use super::error::{ConvertError, GameError};
use umigame_support::exit::{bad_input, is_dash, must_exist, shown};
use umigame_support::files;

/// Returns the files of games that a path stands for: itself, or all files of
/// games in a folder and its subfolders, sorted. Links are not followed.
///
/// # Errors
/// A folder that cannot be read or has no file of games, or a file whose
/// extension is no format.
pub fn files_of(path: &Path) -> Result<Vec<PathBuf>, ConvertError> {
    if !path.is_dir() {
        return match Format::of(path) {
            None if !is_dash(path) => Err(ConvertError::unknown_format(path)),
            _ => Ok(vec![path.to_path_buf()]),
        };
    }
    let files = files::below(path, |path| Format::of(path).is_some())
        .map_err(|(folder, error)| ConvertError::input(&folder, error))?;
    if files.is_empty() {
        let why = "no file of games in it: expected .ggf, .sgf, .pgn, .txt, .obf or .wtb";
        return Err(ConvertError::input(path, why));
    }
    Ok(files)
}

/// Returns the files of games that a path stands for, as [`files_of`], without files of positions.
///
/// # Errors
/// As [`files_of`]; or a path that does not exist, or standard input, which `command` does not read.
pub fn files_of_games(path: &Path, command: &str) -> anyhow::Result<Vec<PathBuf>> {
    must_exist(path, command)?;
    let mut paths = files_of(path).map_err(bad_input)?;
    paths.retain(|path| Format::of(path) != Some(Format::Obf));
    if paths.is_empty() {
        return Err(bad_input(format!("{}: .obf files hold positions, not games", shown(path))));
    }
    Ok(paths)
}

/// Reads files of games. The names that WTHOR files refer to are read once.
#[derive(Debug, Default)]
pub struct GameReader {
    stdin_format: Option<Format>,
    names: HashMap<NameFiles, WthorNames>,
}

/// Takes each game, and returns whether to go on.
type Each<'a> = dyn FnMut(Result<Record, GameError>) -> bool + 'a;

impl GameReader {
    /// Creates a reader. `stdin_format` is the format of standard input;
    /// `None` detects it.
    pub fn new(stdin_format: Option<Format>) -> GameReader {
        GameReader { stdin_format, names: HashMap::new() }
    }

    /// Passes every game of a file, or of standard input for `-`, to `each`,
    /// in order, until it returns false.
    ///
    /// # Errors
    /// A file that cannot be read at all; faults of single games go to `each`.
    pub fn read(&mut self, path: &Path, each: &mut Each<'_>) -> Result<(), ConvertError> {
        if is_dash(path) {
            let mut input = BufReader::new(io::stdin());
            let format = match self.stdin_format {
                Some(format) => format,
                None => {
                    let bytes =
                        input.fill_buf().map_err(|error| ConvertError::input(path, error))?;
                    Format::detect(&String::from_utf8_lossy(bytes))
                }
            };
            return read_all(shown_name(path), format, input, &WthorNames::default(), each);
        }
        let format = Format::of(path).ok_or_else(|| ConvertError::unknown_format(path))?;
        let names = match format {
            Format::Wthor => self.names_beside(path)?,
            _ => WthorNames::default(),
        };
        let file = files::open(path).map_err(|error| ConvertError::input(path, error))?;
        read_all(path, format, BufReader::new(file), &names, each)
    }

    /// Returns the names that a WTHOR file refers to, from the `.jou` and `.trn` files beside it.
    fn names_beside(&mut self, path: &Path) -> Result<WthorNames, ConvertError> {
        let files = NameFiles::beside(path);
        if let Some(names) = self.names.get(&files) {
            return Ok(names.clone());
        }
        let names = files.read(|path, error| Err(ConvertError::input(path, error)))?;
        self.names.insert(files, names.clone());
        Ok(names)
    }
}

/// Returns the name of an input in messages.
pub(super) fn shown_name(path: &Path) -> &Path {
    if is_dash(path) { Path::new("standard input") } else { path }
}

fn read_all(
    path: &Path,
    format: Format,
    reader: impl BufRead,
    names: &WthorNames,
    each: &mut Each<'_>,
) -> Result<(), ConvertError> {
    read_games(format, reader, names, &mut |entry| {
        let (file, game, line) = (path.to_path_buf(), entry.game, entry.line);
        let failed = |why: String| GameError { file, game, line, why };
        each(entry.record.map_err(|error| failed(error.to_string())))
    })
    .map_err(|error| ConvertError::input(path, error))
}
