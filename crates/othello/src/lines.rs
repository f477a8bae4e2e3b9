//! Lines of bounded length from input of any bytes.

use std::io::{self, BufRead, ErrorKind};

/// Outcome of [`read_line`].
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum LineRead {
    /// The input has ended; there is no line.
    End,
    /// The buffer holds the whole line.
    Whole,
    /// The buffer holds the beginning of a line longer than the limit; the rest was skipped.
    Cut,
}

/// Reads one line into `line`, replacing its contents.
///
/// Keeps at most `max_bytes` bytes and never holds more of the line in memory. The line feed and
/// carriage returns before it are left out. A last line without a line feed counts.
///
/// # Errors
/// The reader fails; `line` holds what was read of the line.
pub fn read_line(
    reader: &mut (impl BufRead + ?Sized),
    max_bytes: usize,
    line: &mut Vec<u8>,
) -> io::Result<LineRead> {
    line.clear();
    let mut read = LineRead::End;
    loop {
        let chunk = match reader.fill_buf() {
            Ok(chunk) => chunk,
            Err(error) if error.kind() == ErrorKind::Interrupted => continue,
            Err(error) => return Err(error),
        };
        let line_feed = chunk.iter().position(|&byte| byte == b'\n');
        let part = chunk.get(..line_feed.unwrap_or(chunk.len())).unwrap_or(chunk);
        let room = max_bytes.saturating_sub(line.len());
        line.extend(part.iter().take(room));
        if part.len() > room {
            read = LineRead::Cut;
        } else if !chunk.is_empty() && read == LineRead::End {
            read = LineRead::Whole;
        }
        let (ended, used) = (chunk.is_empty(), part.len() + usize::from(line_feed.is_some()));
        reader.consume(used);
        if ended || line_feed.is_some() {
            break;
        }
    }
    if read == LineRead::Whole {
        let end = line.iter().rposition(|&byte| byte != b'\r').map_or(0, |last| last + 1);
        line.truncate(end);
    }
    Ok(read)
}

#[cfg(test)]
mod tests {
    use std::io::BufReader;

    use super::*;

    const LIMIT: usize = 1000;

    /// Lines of `input`, read through a buffer of `buffer` bytes.
    fn lines(input: &[u8], buffer: usize) -> Vec<(LineRead, Vec<u8>)> {
        let mut reader = BufReader::with_capacity(buffer, input);
        let (mut line, mut found) = (Vec::new(), Vec::new());
        loop {
            match read_line(&mut reader, LIMIT, &mut line).unwrap() {
                LineRead::End => return found,
                read => found.push((read, line.clone())),
            }
        }
    }

    #[test]
    fn lines_end_in_lf_crlf_or_the_end_of_input() {
        for buffer in [1, 2, 7, 4096] {
            let found = lines(b"one\r\n\ntw\xFFo\nthree\r\r\nf\rour", buffer);
            let texts: Vec<&[u8]> = found.iter().map(|(_, line)| line.as_slice()).collect();
            assert_eq!(texts, [&b"one"[..], b"", b"tw\xFFo", b"three", b"f\rour"]);
            assert!(found.iter().all(|(read, _)| *read == LineRead::Whole));
            assert_eq!(lines(b"", buffer), []);
        }
    }

    #[test]
    fn a_line_over_the_limit_is_cut_and_the_next_one_is_whole() {
        let mut input = vec![b'x'; LIMIT];
        input.extend(b"\n");
        input.extend(vec![b'y'; 3 * LIMIT]);
        input.extend(b"\nlast");
        for buffer in [1, 64, LIMIT, 8 * LIMIT] {
            let found = lines(&input, buffer);
            let lengths: Vec<_> = found.iter().map(|(read, line)| (*read, line.len())).collect();
            let expected =
                [(LineRead::Whole, LIMIT), (LineRead::Cut, LIMIT), (LineRead::Whole, "last".len())];
            assert_eq!(lengths, expected);
        }
    }

    #[test]
    fn a_failing_reader_is_an_error() {
        struct Failing;
        impl io::Read for Failing {
            fn read(&mut self, _: &mut [u8]) -> io::Result<usize> {
                Err(io::Error::other("no such luck"))
            }
        }
        let mut line = Vec::new();
        assert!(read_line(&mut BufReader::new(Failing), LIMIT, &mut line).is_err());
    }
}
