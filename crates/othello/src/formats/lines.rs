//! Lines of a file that nobody vouches for: any bytes, any length.

use std::io::{self, BufRead, Read};

/// The longest line that is kept, in bytes; no format here has longer ones.
pub const LONGEST_LINE: usize = 64 * 1024;

/// Why a line could not be had.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum LineError {
    /// It is too long; the rest of it is skipped.
    #[error("the line is longer than {LONGEST_LINE} bytes")]
    TooLong,
    /// Reading failed; there are no further lines.
    #[error("cannot read on: {0}")]
    Read(String),
}

/// The lines of a reader with their numbers, in bounded memory. What is not
/// UTF-8 reads as the replacement character.
#[derive(Debug)]
pub struct Lines<R> {
    reader: R,
    number: usize,
    over: bool,
}

impl<R: BufRead> Lines<R> {
    /// The lines from where the reader stands.
    pub fn new(reader: R) -> Lines<R> {
        Lines { reader, number: 0, over: false }
    }

    /// One line without its end; `None` at the end of the file.
    fn read(&mut self) -> io::Result<Option<Result<String, LineError>>> {
        let mut bytes = Vec::new();
        let limit = LONGEST_LINE as u64 + 1;
        if (&mut self.reader).take(limit).read_until(b'\n', &mut bytes)? == 0 {
            return Ok(None);
        }
        if bytes.len() > LONGEST_LINE && !bytes.ends_with(b"\n") {
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

impl<R: BufRead> Iterator for Lines<R> {
    type Item = (usize, Result<String, LineError>);

    fn next(&mut self) -> Option<Self::Item> {
        if self.over {
            return None;
        }
        self.number += 1;
        match self.read() {
            Ok(line) => line.map(|line| (self.number, line)),
            Err(error) => {
                self.over = true;
                Some((self.number, Err(LineError::Read(error.to_string()))))
            }
        }
    }
}
