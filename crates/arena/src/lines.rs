//! Lines from a process, bounded in length, and a file bounded in size.

use std::io::{self, BufRead, Write};

use umigame_othello::lines::{self, LineRead};

/// Bytes of a line that are kept; the rest of the line is dropped.
pub(super) const MAX_LINE_BYTES: usize = 16 * 1024;

/// Reads one line into `line`, without its end. Returns `None` at the end of the source and after
/// an error.
pub(super) fn read_line(source: &mut impl BufRead, line: &mut Vec<u8>) -> Option<()> {
    match lines::read_line(source, MAX_LINE_BYTES, line) {
        Ok(LineRead::Whole | LineRead::Cut) => Some(()),
        Ok(LineRead::End) | Err(_) => None,
    }
}

/// A writer that drops all bytes beyond a limit.
#[derive(Debug)]
pub(super) struct CappedWriter<W> {
    inner: W,
    bytes_left: usize,
}

impl<W: Write> CappedWriter<W> {
    /// Passes at most `max_bytes` on to `inner`.
    pub(super) fn new(inner: W, max_bytes: usize) -> CappedWriter<W> {
        CappedWriter { inner, bytes_left: max_bytes }
    }
}

impl<W: Write> Write for CappedWriter<W> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let (kept, _) = bytes.split_at(bytes.len().min(self.bytes_left));
        self.bytes_left -= kept.len();
        self.inner.write_all(kept)?;
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        self.inner.flush()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::io::BufReader;

    #[test]
    fn an_endless_line_is_cut_and_the_next_is_read_whole() {
        let mut bytes = vec![b'x'; 5 * MAX_LINE_BYTES];
        bytes.extend_from_slice(b"\r\nnext\n\nlast");
        let mut source = BufReader::new(bytes.as_slice());
        let mut line = Vec::new();
        let mut lengths = Vec::new();
        while read_line(&mut source, &mut line).is_some() {
            lengths.push(line.len());
        }
        assert_eq!(lengths, [MAX_LINE_BYTES, 4, 0, 4]);
    }

    #[test]
    fn a_capped_writer_drops_the_bytes_beyond_its_limit() {
        let mut file = CappedWriter::new(Vec::new(), 5);
        file.write_all(b"abc").unwrap();
        file.write_all(b"defg").unwrap();
        assert_eq!(file.inner, b"abcde");
    }
}
