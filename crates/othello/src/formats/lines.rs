//! Lines of a text of any bytes and any length, in bounded memory.

use std::io::{self, BufRead, Read};

/// Longest line that is read, in bytes. No format has longer ones.
pub const MAX_LINE_BYTES: usize = 64 * 1024;

/// The reason why a line cannot be read.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
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
    number: usize,
    failed: bool,
}

impl<R: BufRead> TextLines<R> {
    /// Returns the lines from the reader's current place on.
    pub fn new(reader: R) -> TextLines<R> {
        TextLines { reader, number: 0, failed: false }
    }

    /// Reads a line without its end; `None` at the end of the text.
    fn read(&mut self) -> io::Result<Option<Result<String, LineError>>> {
        let mut bytes = Vec::new();
        let limit = MAX_LINE_BYTES as u64 + 1;
        if (&mut self.reader).take(limit).read_until(b'\n', &mut bytes)? == 0 {
            return Ok(None);
        }
        if bytes.len() > MAX_LINE_BYTES && !bytes.ends_with(b"\n") {
            self.skip_line()?;
            return Ok(Some(Err(LineError::TooLong)));
        }
        let text = String::from_utf8_lossy(&bytes);
        Ok(Some(Ok(text.trim_start_matches('\u{feff}').trim_end_matches(['\r', '\n']).to_string())))
    }

    fn skip_line(&mut self) -> io::Result<()> {
        loop {
            let buffer = self.reader.fill_buf()?;
            let end = buffer.iter().position(|&byte| byte == b'\n');
            let (used, done) =
                (end.map_or(buffer.len(), |at| at + 1), end.is_some() || buffer.is_empty());
            self.reader.consume(used);
            if done {
                return Ok(());
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
