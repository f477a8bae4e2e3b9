//! Text for a terminal, which would obey the control characters of a file.

use std::io::{self, Write};

/// Writes question marks for control characters; line ends and tabs stay.
pub(super) struct VisibleText<'a>(pub &'a mut dyn Write);

impl Write for VisibleText<'_> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.write_all(bytes).map(|()| bytes.len())
    }

    /// Each write of a game is whole, so that no character is divided.
    fn write_all(&mut self, bytes: &[u8]) -> io::Result<()> {
        let visible = |letter: char| {
            let is_hidden = letter.is_control() && !matches!(letter, '\n' | '\t');
            if is_hidden { '?' } else { letter }
        };
        let text: String = String::from_utf8_lossy(bytes).chars().map(visible).collect();
        self.0.write_all(text.as_bytes())
    }

    fn flush(&mut self) -> io::Result<()> {
        self.0.flush()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_terminal_gets_no_control_characters() {
        let mut out = Vec::new();
        VisibleText(&mut out)
            .write_all("a\x1b]0;title\x07\tb\u{9b}31m\r\n\u{6d77}\n".as_bytes())
            .expect("memory can be written");
        assert_eq!(out, "a?]0;title?\tb?31m?\n\u{6d77}\n".as_bytes());
    }
}
