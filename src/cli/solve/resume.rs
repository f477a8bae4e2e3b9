//! The file of `--resume`: one record a line, written when its search is complete. A last line
//! without a line end was cut off by the end of the process; its position is searched again.

use std::fs::{File, OpenOptions};
use std::io::{BufRead, BufReader, ErrorKind, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

use anyhow::{Context, Result};
use umigame_othello::formats::obf::Problem;
use umigame_othello::position_text;
use umigame_othello::text::quote;

use super::record::SolveRecord;
use umigame_support::exit::{bad_input, shown};

/// The records of earlier runs, read in step with the problems.
pub(super) struct SavedRecords {
    reader: Option<BufReader<File>>,
    path: PathBuf,
    task: String,
    number: usize,
}

impl SavedRecords {
    /// Opens a file, which need not exist, and cuts off an incomplete last line.
    pub(super) fn open(path: &Path, task: &str) -> Result<SavedRecords> {
        let reader = match OpenOptions::new().read(true).write(true).open(path) {
            Ok(mut file) => {
                let whole = length_of_whole_lines(&mut file).and_then(|bytes| {
                    file.set_len(bytes)?;
                    file.seek(SeekFrom::Start(0))
                });
                whole.map_err(|error| unusable(path, &error))?;
                Some(BufReader::new(file))
            }
            Err(error) if error.kind() == ErrorKind::NotFound => None,
            Err(error) => return Err(unusable(path, &error)),
        };
        Ok(SavedRecords { reader, path: path.to_owned(), task: task.to_owned(), number: 0 })
    }

    /// Reads the record of a problem; `None` after the last record.
    ///
    /// # Errors
    /// The next record is of another line, position or task, or is none.
    pub(super) fn record_of(
        &mut self,
        number: usize,
        problem: &Problem,
    ) -> Result<Option<SolveRecord>> {
        let Some(reader) = &mut self.reader else { return Ok(None) };
        let mut line = String::new();
        let read = reader.read_line(&mut line).with_context(|| shown(&self.path))?;
        if read == 0 {
            self.reader = None;
            return Ok(None);
        }
        self.number += 1;
        let wrong = |what: String| {
            Err(bad_input(format!("{}, line {}: {what}", shown(&self.path), self.number)))
        };
        let Ok(record) = serde_json::from_str::<SolveRecord>(&line) else {
            return wrong("is no record of umigame solve".to_owned());
        };
        if record.task != self.task {
            return wrong(format!("answers `{}`, not `{}`", quote(&record.task), self.task));
        }
        if record.line != number || record.position != position_text(problem.position, problem.side)
        {
            return wrong(format!("answers another position than line {number} of the problems"));
        }
        Ok(Some(record))
    }
}

fn unusable(path: &Path, error: &std::io::Error) -> anyhow::Error {
    bad_input(format!("--resume {}: {error}", shown(path)))
}

/// Returns the bytes up to and including the last line end.
fn length_of_whole_lines(file: &mut File) -> std::io::Result<u64> {
    let mut end = file.seek(SeekFrom::End(0))?;
    let mut block = [0; 4096];
    while end > 0 {
        let start = end.saturating_sub(block.len() as u64);
        let part = &mut block[..(end - start) as usize];
        file.seek(SeekFrom::Start(start))?;
        file.read_exact(part)?;
        if let Some(at) = part.iter().rposition(|&byte| byte == b'\n') {
            return Ok(start + at as u64 + 1);
        }
        end = start;
    }
    Ok(0)
}

/// Opens a file to append records to.
pub(super) fn open_to_append(path: &Path) -> Result<impl Write + use<>> {
    let file = OpenOptions::new().create(true).append(true).open(path);
    // The buffer is flushed after every record: a killed process leaves whole records.
    file.map(std::io::BufWriter::new).map_err(|error| unusable(path, &error))
}
