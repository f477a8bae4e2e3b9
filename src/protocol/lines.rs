//! Lines of bounded length out of any bytes.

use std::io::{BufRead, BufReader, ErrorKind, Read};

/// The longest line that is read, in bytes; the rest of a longer one is
/// thrown away. A GGF game of 60 moves with times takes about 2 kB.
const LONGEST: usize = 1 << 16;

/// A line as the protocols see it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct InputLine {
    /// Without its end, without control characters, tabs made blanks; bytes
    /// that are no UTF-8 are replaced.
    pub text: String,
    /// Whether all of it is here.
    pub whole: bool,
}

/// Cuts a stream of bytes into lines.
pub(super) struct Lines<R> {
    input: BufReader<R>,
    bytes: Vec<u8>,
}

impl<R: Read> Lines<R> {
    pub fn new(input: R) -> Lines<R> {
        Lines { input: BufReader::new(input), bytes: Vec::new() }
    }

    /// The next line, or `None` at the end of the input. A last line without
    /// a line feed counts. An input that cannot be read any more has ended.
    pub fn next_line(&mut self) -> Option<InputLine> {
        self.bytes.clear();
        let (mut seen, mut whole) = (false, true);
        loop {
            let chunk = match self.input.fill_buf() {
                Ok(chunk) => chunk,
                Err(error) if error.kind() == ErrorKind::Interrupted => continue,
                Err(error) => {
                    log::warn!("input cannot be read: {error}");
                    &[]
                }
            };
            if chunk.is_empty() {
                return seen.then(|| self.take(whole));
            }
            seen = true;
            let end = chunk.iter().position(|byte| *byte == b'\n');
            let part = chunk.get(..end.unwrap_or(chunk.len())).unwrap_or(chunk);
            let room = LONGEST - self.bytes.len().min(LONGEST);
            whole &= part.len() <= room;
            self.bytes.extend(part.iter().take(room));
            let used = part.len() + usize::from(end.is_some());
            self.input.consume(used);
            if end.is_some() {
                return Some(self.take(whole));
            }
        }
    }

    fn take(&self, whole: bool) -> InputLine {
        let text = String::from_utf8_lossy(&self.bytes)
            .chars()
            .filter(|c| *c == '\t' || !c.is_control())
            .map(|c| if c == '\t' { ' ' } else { c })
            .collect();
        InputLine { text, whole }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn all(input: &[u8]) -> Vec<(String, bool)> {
        let mut lines = Lines::new(input);
        std::iter::from_fn(|| lines.next_line()).map(|line| (line.text, line.whole)).collect()
    }

    #[test]
    fn line_ends_control_characters_and_bad_utf8_are_smoothed() {
        let found = all(b"ping 7\r\nna\0me\t\x01x\n\n\xff\xfe set\nlast");
        let texts: Vec<&str> = found.iter().map(|(text, _)| text.as_str()).collect();
        assert_eq!(texts, ["ping 7", "name x", "", "\u{fffd}\u{fffd} set", "last"]);
        assert_eq!(all(b""), []);
    }

    #[test]
    fn a_line_that_is_too_long_is_cut_and_the_next_one_is_read() {
        let mut input = vec![b'x'; LONGEST * 3];
        input.extend_from_slice(b"\nping 1\n");
        let found = all(&input);
        assert_eq!(found.len(), 2);
        assert_eq!((found[0].0.len(), found[0].1), (LONGEST, false));
        assert_eq!(found[1], ("ping 1".to_string(), true));
        let mut exact = vec![b'x'; LONGEST];
        exact.push(b'\n');
        assert!(all(&exact)[0].1, "{LONGEST} bytes are not too long");
    }
}
