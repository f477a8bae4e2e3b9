//! The file of `--resume`: one record a line, written when its search is complete. A last line
//! without a line end was cut off by the end of the process; its position is searched again.
//!
//! A file is locked while it is in use, and is not changed before all of its records were found to
//! answer the problems.

use std::fs::File;
use std::io::{self, BufRead, BufReader, BufWriter, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

use anyhow::Result;
use umigame_othello::{formats::obf::Problem, position_text, text::quote};

use super::record::SolveRecord;
use umigame_support::exit::{bad_input, shown};
use umigame_support::files;

/// Bytes read of a line: a record of every move of a position has at most some 10 kB.
const MAX_LINE_BYTES: u64 = 1 << 20;

/// The records of earlier runs, read in step with the problems.
pub(super) struct SavedRecords {
    /// `None` after the last record.
    reader: Option<BufReader<File>>,
    path: PathBuf,
    task: String,
    number: usize,
    /// Bytes of the records read.
    bytes: u64,
}

/// Opens a file, which need not exist, for this process alone: the records in it, and a writer that
/// may be used after the last of them was read.
///
/// # Errors
/// The file is no regular one, another process uses it, or it cannot be read and written.
pub(super) fn open(path: &Path, task: &str) -> Result<(SavedRecords, impl Write + use<>)> {
    let unusable = |error: io::Error| wrong(path, &error);
    // A pipe would wait for its other end.
    if path.exists() && !path.is_file() {
        return Err(wrong(path, &"not a regular file"));
    }
    let file = files::open_locked(path).map_err(unusable)?;
    // Reader and writer share their place in the file.
    let reader = Some(BufReader::new(file.try_clone().map_err(unusable)?));
    let (path, task) = (path.to_owned(), task.to_owned());
    let saved = SavedRecords { reader, path, task, number: 0, bytes: 0 };
    // The buffer is flushed after every record: a killed process leaves whole records.
    Ok((saved, BufWriter::new(file)))
}

impl SavedRecords {
    /// Reads the record of a problem. After the last record, cuts off an incomplete one and
    /// returns `None`.
    ///
    /// # Errors
    /// The next record is of another line, position or task, or is none.
    pub(super) fn record_of(
        &mut self,
        number: usize,
        problem: &Problem,
    ) -> Result<Option<SolveRecord>> {
        let Some(reader) = &mut self.reader else { return Ok(None) };
        let mut line = Vec::new();
        reader
            .take(MAX_LINE_BYTES)
            .read_until(b'\n', &mut line)
            .map_err(|error| wrong(&self.path, &error))?;
        self.number += 1;
        let refused = |what: String| {
            Err(bad_input(format!("--resume {}, line {}: {what}", shown(&self.path), self.number)))
        };
        if !line.ends_with(b"\n") && begins_as_record(&line) {
            self.cut().map_err(|error| wrong(&self.path, &error))?;
            return Ok(None);
        }
        let Ok(record) = serde_json::from_slice::<SolveRecord>(&line) else {
            return refused("is no record of umigame solve".to_owned());
        };
        if record.task != self.task {
            return refused(format!("answers `{}`, not `{}`", quote(&record.task), self.task));
        }
        if record.line != number || record.position != position_text(problem.position, problem.side)
        {
            return refused(format!("answers another position than line {number} of the problems"));
        }
        self.bytes += line.len() as u64;
        Ok(Some(record))
    }

    /// Ends the file after the records read.
    fn cut(&mut self) -> io::Result<()> {
        let Some(reader) = self.reader.take() else { return Ok(()) };
        let mut file = reader.into_inner();
        file.set_len(self.bytes)?;
        file.seek(SeekFrom::Start(self.bytes))?;
        Ok(())
    }
}

/// Returns whether a text, empty perhaps, may be the beginning of a record.
fn begins_as_record(text: &[u8]) -> bool {
    let (field, next) = (br#"{"line":"#, br#","position":""#);
    let Some(rest) = text.strip_prefix(field) else { return field.starts_with(text) };
    let digits = rest.iter().take_while(|byte| byte.is_ascii_digit()).count();
    let rest = rest.get(digits..).unwrap_or_default();
    rest.starts_with(next) || next.starts_with(rest)
}

fn wrong(path: &Path, why: &dyn std::fmt::Display) -> anyhow::Error {
    bad_input(format!("--resume {}: {why}", shown(path)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_the_beginning_of_a_record_is_one() {
        let record = br#"{"line":12,"position":"---","task":"score""#;
        for length in 0..record.len() {
            assert!(begins_as_record(&record[..length]), "{length}");
        }
        for text in
            ["one line, no line end", "{\"name\"", "{\"line\":\"x\"}", "{\"line\":1,\"move\""]
        {
            assert!(!begins_as_record(text.as_bytes()), "{text}");
        }
    }
}
