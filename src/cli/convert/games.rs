//! Files of games from one format into another, whole folders at once.
//!
//! The extension says what a file is. Every game that can be read is written;
//! each one that cannot is reported with its file, its number and its place,
//! and the others go on; so do those of other files where a whole file cannot.
//! An output file appears whole or not at all, so that it may even be one of
//! the inputs.

use std::collections::HashSet;
use std::fs;
use std::io::{self, Write};
use std::path::{Path, PathBuf};

pub use super::read::{GameError, Reader};
use umigame_lab::files;
pub use umigame_othello::formats::Format;
use umigame_othello::text::shown_path as shown;

/// Why nothing, or nothing more, was converted.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ConvertError {
    /// A file or folder that cannot be read.
    #[error("{}: {why}", shown(path))]
    File {
        /// The file.
        path: PathBuf,
        /// What the system said, or what is wrong with all of it.
        why: String,
    },
    /// A file or folder that cannot be written.
    #[error("{}: cannot be written: {why}", shown(path))]
    NotWritable {
        /// The file.
        path: PathBuf,
        /// What the system said.
        why: String,
    },
    /// A file whose name does not say what it is.
    #[error("{}: expected a name in .ggf, .sgf, .pgn, .txt, .obf or .wtb", shown(.0))]
    UnknownFormat(PathBuf),
    /// A format that is only read.
    #[error("{}: .wtb files are read but not written", shown(.0))]
    NotWritten(PathBuf),
    /// A folder without a file of games.
    #[error("{}: no file of games in it: expected .ggf, .sgf, .pgn, .txt, .obf or .wtb", shown(.0))]
    NoGames(PathBuf),
}

impl ConvertError {
    pub(super) fn file(path: &Path, error: &io::Error) -> ConvertError {
        ConvertError::File { path: path.to_path_buf(), why: error.to_string() }
    }

    fn not_writable(path: &Path, error: &io::Error) -> ConvertError {
        ConvertError::NotWritable { path: path.to_path_buf(), why: error.to_string() }
    }
}

/// What came of a conversion.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Summary {
    /// Files read.
    pub files: usize,
    /// Games written.
    pub games: usize,
    /// Games, and whole files among others, that could not be read, each of
    /// them reported.
    pub failed: usize,
}

/// The files of games that a path stands for: itself, or all those in a
/// folder and the folders within, sorted. Links are not followed.
///
/// # Errors
/// A folder that cannot be read or has no file of games, or a file whose name
/// does not say what it is.
pub fn files_of(path: &Path) -> Result<Vec<PathBuf>, ConvertError> {
    if !path.is_dir() {
        return match Format::of(path) {
            Some(_) => Ok(vec![path.to_path_buf()]),
            None => Err(ConvertError::UnknownFormat(path.to_path_buf())),
        };
    }
    let (mut folders, mut files) = (vec![path.to_path_buf()], Vec::new());
    while let Some(folder) = folders.pop() {
        let failed = |error: io::Error| ConvertError::file(&folder, &error);
        for entry in fs::read_dir(&folder).map_err(failed)? {
            let entry = entry.map_err(failed)?;
            let kind = entry.file_type().map_err(failed)?;
            if kind.is_dir() {
                folders.push(entry.path());
            } else if kind.is_file() && Format::of(&entry.path()).is_some() {
                files.push(entry.path());
            }
        }
    }
    files.sort();
    if files.is_empty() { Err(ConvertError::NoGames(path.to_path_buf())) } else { Ok(files) }
}

/// Converts a file or a folder into one file, whose name says its format;
/// `report` hears of each game that cannot be read.
///
/// # Errors
/// [`ConvertError`]; the output is then as it was before.
pub fn convert(
    input: &Path,
    output: &Path,
    report: &mut dyn FnMut(&GameError),
) -> Result<Summary, ConvertError> {
    let format =
        Format::of(output).ok_or_else(|| ConvertError::UnknownFormat(output.to_path_buf()))?;
    write_all(&files_of(input)?, output, format, &mut Reader::default(), report)
}

/// Converts a file or each file of a folder into a file of its own in the
/// output folder, which is made where it is missing; the folders within are
/// kept. `report` hears of each game that cannot be read.
///
/// # Errors
/// [`ConvertError`]; the files converted until then are there.
pub fn convert_folder(
    input: &Path,
    output: &Path,
    format: Format,
    report: &mut dyn FnMut(&GameError),
) -> Result<Summary, ConvertError> {
    let root = if input.is_dir() { input } else { input.parent().unwrap_or(input) };
    let mut total = Summary::default();
    let mut written = HashSet::new();
    let mut reader = Reader::default();
    for file in files_of(input)? {
        let inside = file.strip_prefix(root).unwrap_or(&file);
        let mut target = output.join(inside).with_extension(format.extension());
        if !written.insert(target.clone()) {
            // Two inputs that differ in the extension only.
            target = output.join(inside);
            target.as_mut_os_string().push(format!(".{}", format.extension()));
        }
        if let Some(folder) = target.parent() {
            fs::create_dir_all(folder)
                .map_err(|error| ConvertError::not_writable(folder, &error))?;
        }
        let one = write_all(std::slice::from_ref(&file), &target, format, &mut reader, report);
        let one = match one {
            Err(ConvertError::File { path, why }) if input.is_dir() => {
                report(&GameError::of_file(path, why));
                Summary { files: 1, games: 0, failed: 1 }
            }
            one => one?,
        };
        total.files += one.files;
        total.games += one.games;
        total.failed += one.failed;
    }
    Ok(total)
}

/// Writes the games of all these files into one.
fn write_all(
    inputs: &[PathBuf],
    output: &Path,
    format: Format,
    reader: &mut Reader,
    report: &mut dyn FnMut(&GameError),
) -> Result<Summary, ConvertError> {
    if format == Format::Wthor {
        return Err(ConvertError::NotWritten(output.to_path_buf()));
    }
    let failed = |error| ConvertError::not_writable(output, &error);
    files::replace_with(output, failed, |out| {
        let mut summary = Summary { files: inputs.len(), ..Summary::default() };
        for path in inputs {
            match write_one(path, out, format, reader, report, &mut summary) {
                Err(ConvertError::File { path, why }) if inputs.len() > 1 => {
                    summary.failed += 1;
                    report(&GameError::of_file(path, why));
                }
                written => written?.map_err(failed)?,
            }
        }
        Ok(summary)
    })
}

/// Writes the games of one file: an error where it cannot be read; within,
/// whether they could be written.
fn write_one(
    path: &Path,
    out: &mut dyn Write,
    format: Format,
    reader: &mut Reader,
    report: &mut dyn FnMut(&GameError),
    summary: &mut Summary,
) -> Result<io::Result<()>, ConvertError> {
    let mut written = Ok(());
    reader.read(path, &mut |game| match game {
        Ok(record) => {
            let text = format.text(&record).unwrap_or_default();
            summary.games += 1;
            written = out.write_all(text.as_bytes());
            written.is_ok()
        }
        Err(error) => {
            summary.failed += 1;
            report(&error);
            true
        }
    })?;
    Ok(written)
}
