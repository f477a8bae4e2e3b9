//! Writes games in another format: into a file, a folder of files or a stream.
//!
//! A game that cannot be read is reported with its file, number and line; the
//! others are written. Of several files, one that cannot be read at all is
//! reported too. An output file appears whole or not at all, so that it may be
//! one of the inputs.

use std::collections::HashSet;
use std::fs;
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use umigame_othello::Record;
use umigame_othello::formats::Format;
use umigame_othello::formats::wthor::{Archive, NotStorable};
use umigame_support::files;
use umigame_training::wthor;

use super::error::{ConvertError, GameError};
use super::read::{GameReader, files_of, shown_name};

/// Counts of a conversion.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Summary {
    /// Files read.
    pub files: usize,
    /// Games written.
    pub games: usize,
    /// Games that could not be read, or that the output cannot hold, and files of several that could
    /// not be read.
    pub failed: usize,
}

/// Returns the files of games that a path stands for, each with the file of the output folder that
/// its games go to.
fn targets(
    input: &Path,
    output: &Path,
    format: Format,
) -> Result<Vec<(PathBuf, PathBuf)>, ConvertError> {
    let root = if input.is_dir() { input } else { input.parent().unwrap_or(input) };
    let mut taken = HashSet::new();
    let target = |file: PathBuf| {
        let inside = file.strip_prefix(root).unwrap_or(&file);
        let mut target = output.join(inside).with_extension(format.extension());
        if !taken.insert(target.clone()) {
            // Two inputs differ in the extension alone.
            target = output.join(inside);
            target.as_mut_os_string().push(format!(".{}", format.extension()));
        }
        (file, target)
    };
    Ok(files_of(input)?.into_iter().map(target).collect())
}

/// Returns the files that are written where games go to this one: WTHOR keeps names in two others.
fn written_with(target: &Path, format: Format) -> Vec<PathBuf> {
    let beside: &[&str] = if format == Format::Wthor { &["jou", "trn"] } else { &[] };
    let others = beside.iter().map(|extension| target.with_extension(extension));
    std::iter::once(target.to_path_buf()).chain(others).collect()
}

/// Where games are written to.
enum Sink<'a> {
    /// A text in a format other than WTHOR.
    Text(&'a mut dyn Write, Format),
    /// An archive, which is written when it is complete.
    Archive(&'a mut Archive),
}

impl Sink<'_> {
    fn add(&mut self, record: &Record) -> io::Result<Result<(), NotStorable>> {
        match self {
            Sink::Text(out, format) => {
                let text = format.text(record).unwrap_or_default();
                out.write_all(text.as_bytes()).map(Ok)
            }
            Sink::Archive(archive) => Ok(archive.add(record)),
        }
    }
}

/// Converts files of games, and counts games and errors.
pub struct Converter<'a> {
    reader: GameReader,
    report: &'a mut dyn FnMut(&GameError),
    summary: Summary,
}

impl<'a> Converter<'a> {
    /// Creates a converter that passes each game it cannot convert to `report`.
    /// `stdin_format` is the format of standard input; `None` detects it.
    pub fn new(
        stdin_format: Option<Format>,
        report: &'a mut dyn FnMut(&GameError),
    ) -> Converter<'a> {
        Converter { reader: GameReader::new(stdin_format), report, summary: Summary::default() }
    }

    /// Returns the counts so far.
    pub fn summary(&self) -> Summary {
        self.summary
    }

    /// Converts a file or a folder into one file; its extension is the format.
    ///
    /// # Errors
    /// [`ConvertError`]; the output is as it was before.
    pub fn convert_to_file(&mut self, input: &Path, output: &Path) -> Result<(), ConvertError> {
        let format = Format::of(output).ok_or_else(|| ConvertError::unknown_format(output))?;
        self.write_file(&files_of(input)?, output, format)
    }

    /// Converts a file or each file of a folder into a file of its own in the
    /// output folder, which is created if it is missing. Subfolders are kept. Existing files are
    /// replaced with `force` only.
    ///
    /// # Errors
    /// [`ConvertError`]; the files converted before it are kept. None is where one exists already.
    pub fn convert_to_folder(
        &mut self,
        input: &Path,
        output: &Path,
        format: Format,
        force: bool,
    ) -> Result<(), ConvertError> {
        let files = targets(input, output, format)?;
        let mut existing = files.iter().flat_map(|(_, target)| written_with(target, format));
        if !force && let Some(path) = existing.find(|path| path.exists()) {
            let why = "exists already: expected a new folder, or --force to replace files";
            return Err(ConvertError::input(&path, why));
        }
        for (file, target) in files {
            if let Some(folder) = target.parent() {
                fs::create_dir_all(folder).map_err(ConvertError::output(folder))?;
            }
            match self.write_file(std::slice::from_ref(&file), &target, format) {
                Err(ConvertError::Input { path, why }) if input.is_dir() => {
                    self.report_file(path, why);
                }
                converted => converted?,
            }
        }
        Ok(())
    }

    /// Converts a file or a folder into a stream.
    ///
    /// # Errors
    /// [`ConvertError`]; games written before it are in the stream.
    pub fn convert_to_stream(
        &mut self,
        input: &Path,
        out: &mut dyn Write,
        format: Format,
    ) -> Result<(), ConvertError> {
        self.write_games(&files_of(input)?, &mut Sink::Text(out, format))
    }

    /// Writes the games of all inputs into one file.
    fn write_file(
        &mut self,
        inputs: &[PathBuf],
        output: &Path,
        format: Format,
    ) -> Result<(), ConvertError> {
        let failed = ConvertError::output(output);
        if format == Format::Wthor {
            let mut archive = Archive::default();
            self.write_games(inputs, &mut Sink::Archive(&mut archive))?;
            return wthor::write(output, &archive)
                .map_err(|(path, error)| ConvertError::Output { path, error });
        }
        files::replace_with(output, &failed, |out| {
            let written = self.write_games(inputs, &mut Sink::Text(out, format));
            written.map_err(|error| match error {
                ConvertError::Stream(error) => failed(error),
                error => error,
            })
        })
    }

    /// Writes the games of all inputs. Of several inputs, one that cannot be
    /// read at all is reported.
    fn write_games(&mut self, inputs: &[PathBuf], out: &mut Sink<'_>) -> Result<(), ConvertError> {
        for path in inputs {
            match self.write_games_of(path, out) {
                Err(ConvertError::Input { path, why }) if inputs.len() > 1 => {
                    self.report_file(path, why);
                }
                written => {
                    written?;
                    self.summary.files += 1;
                }
            }
        }
        Ok(())
    }

    fn write_games_of(&mut self, path: &Path, out: &mut Sink<'_>) -> Result<(), ConvertError> {
        let Converter { reader, report, summary } = self;
        let (mut written, mut number) = (Ok(()), 0);
        let read = reader.read(path, &mut |game| {
            number += 1;
            let added = game.and_then(|record| match out.add(&record) {
                Ok(added) => added.map_err(|why| GameError {
                    file: shown_name(path).to_path_buf(),
                    game: number,
                    line: 0,
                    why: why.to_string(),
                }),
                Err(error) => {
                    written = Err(error);
                    Ok(())
                }
            });
            match added {
                Ok(()) => summary.games += 1,
                Err(error) => {
                    summary.failed += 1;
                    report(&error);
                }
            }
            written.is_ok()
        });
        read?;
        written.map_err(ConvertError::Stream)
    }

    fn report_file(&mut self, path: PathBuf, why: String) {
        self.summary.files += 1;
        self.summary.failed += 1;
        (self.report)(&GameError::of_file(path, why));
    }
}
