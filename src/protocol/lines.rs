//! Lines as the protocols read them: bounded, printable, UTF-8.

use std::io::{BufRead, BufReader, Read};

use umigame_othello::lines::{LineRead, read_line};

/// Bytes kept of one line. A GGF game of 60 moves with times takes about 2 kB.
const MAX_LINE_BYTES: usize = 1 << 16;

/// One line of input.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct InputLine {
    /// The line without its end and without control characters. Tabs are blanks; bytes that are
    /// not UTF-8 are replacement characters.
    pub text: String,
    /// Whether the line fitted into [`MAX_LINE_BYTES`].
    pub whole: bool,
}

/// Splits a stream of bytes into lines.
pub(super) struct InputLines<R> {
    reader: BufReader<R>,
    bytes: Vec<u8>,
}

impl<R: Read> InputLines<R> {
    /// Reads from `input`.
    pub fn new(input: R) -> InputLines<R> {
        InputLines { reader: BufReader::new(input), bytes: Vec::new() }
    }

    /// Returns the next line, or `None` at the end of input. An input that fails has ended.
    pub fn next_line(&mut self) -> Option<InputLine> {
        let InputLines { reader, bytes } = self;
        next_line(reader, bytes)
    }
}

fn next_line(reader: &mut impl BufRead, bytes: &mut Vec<u8>) -> Option<InputLine> {
    let read = read_line(reader, MAX_LINE_BYTES, bytes).unwrap_or_else(|error| {
        log::warn!("cannot read the input: {error}");
        LineRead::End
    });
    let text = String::from_utf8_lossy(bytes)
        .chars()
        .map(|c| if c == '\t' { ' ' } else { c })
        .filter(|c| !c.is_control())
        .collect();
    match read {
        LineRead::End => None,
        LineRead::Whole => Some(InputLine { text, whole: true }),
        LineRead::Cut => Some(InputLine { text, whole: false }),
    }
}

/// Splits off the first word.
pub(super) fn split_word(text: &str) -> (&str, &str) {
    let text = text.trim();
    text.split_once(' ').map_or((text, ""), |(word, rest)| (word, rest.trim_start()))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn all(input: &[u8]) -> Vec<(String, bool)> {
        let mut lines = InputLines::new(input);
        std::iter::from_fn(|| lines.next_line()).map(|line| (line.text, line.whole)).collect()
    }

    #[test]
    fn control_characters_are_dropped_and_bad_utf8_is_replaced() {
        let found = all(b"ping 7\r\nna\0me\t\x01x\n\n\xff\xfe set\nlast");
        let texts: Vec<&str> = found.iter().map(|(text, _)| text.as_str()).collect();
        assert_eq!(texts, ["ping 7", "name x", "", "\u{fffd}\u{fffd} set", "last"]);
        assert_eq!(all(b""), []);
    }

    #[test]
    fn a_line_of_exactly_the_limit_is_whole_and_a_longer_one_is_cut() {
        let mut input = vec![b'x'; MAX_LINE_BYTES];
        input.push(b'\n');
        input.extend(vec![b'x'; MAX_LINE_BYTES * 3]);
        input.extend_from_slice(b"\nping 1\n");
        let found = all(&input);
        let lengths: Vec<_> = found.iter().map(|(text, whole)| (text.len(), *whole)).collect();
        assert_eq!(lengths, [(MAX_LINE_BYTES, true), (MAX_LINE_BYTES, false), (6, true)]);
    }
}
