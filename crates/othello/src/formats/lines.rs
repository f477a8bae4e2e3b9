//! Lines of a text of any bytes and any length, in bounded memory.

use std::io::{self, BufRead};

use crate::lines::{LineRead, read_line};

/// Longest line that is read, in bytes. No format has longer ones.
pub const MAX_LINE_BYTES: usize = 64 * 1024;

/// The reason why a line cannot be read.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum LineError {
    /// The line is too long; the rest of it is skipped.
    #[error("the line is longer than {MAX_LINE_BYTES} bytes")]
    TooLong,
    /// Reading failed; no further lines follow.
    #[error("cannot read on: {0}")]
    Read(String),
}

/// The lines of a reader with their numbers, from 1. Bytes that are not UTF-8 become the replacement
/// character.
#[derive(Debug)]
pub struct TextLines<R> {
    reader: R,
    bytes: Vec<u8>,
    number: usize,
    failed: bool,
}

impl<R: BufRead> TextLines<R> {
    /// Returns the lines from the reader's current place on.
    pub fn new(reader: R) -> TextLines<R> {
        TextLines { reader, bytes: Vec::new(), number: 0, failed: false }
    }

    /// Reads a line without its end; `None` at the end of the text.
    fn read(&mut self) -> io::Result<Option<Result<String, LineError>>> {
        match read_line(&mut self.reader, MAX_LINE_BYTES, &mut self.bytes)? {
            LineRead::End => Ok(None),
            LineRead::Cut => Ok(Some(Err(LineError::TooLong))),
            LineRead::Whole => {
                let text = String::from_utf8_lossy(&self.bytes);
                Ok(Some(Ok(text.trim_start_matches('\u{feff}').to_string())))
            }
        }
    }
}

impl<R: BufRead> Iterator for TextLines<R> {
    type Item = (usize, Result<String, LineError>);

    fn next(&mut self) -> Option<Self::Item> {
        if self.failed {
            return None;
        }
        self.number += 1;
        match self.read() {
            Ok(line) => line.map(|line| (self.number, line)),
            Err(error) => {
                self.failed = true;
                Some((self.number, Err(LineError::Read(error.to_string()))))
            }
        }
    }
}
