//! Lines to the client: printable ASCII, whole, flushed at once.

use std::io::{self, Write};

use umigame_othello::text::shown;

/// The stream of replies.
pub(super) struct Output<W> {
    writer: W,
}

impl<W: Write> Output<W> {
    /// Sends replies to `writer`.
    pub fn new(writer: W) -> Output<W> {
        Output { writer }
    }

    /// Writes lines in one piece and flushes them.
    ///
    /// Characters other than printable ASCII become `?`: one character beyond Latin-1 ends
    /// NBoard's reader, and a control character could end a line early.
    ///
    /// # Errors
    /// The client cannot be reached.
    pub fn send(&mut self, lines: &str) -> io::Result<()> {
        let mut text = String::with_capacity(lines.len() + 1);
        for line in lines.split('\n').map(shown) {
            text.push_str(&line);
            text.push('\n');
        }
        self.writer.write_all(text.as_bytes())?;
        self.writer.flush()
    }
}
