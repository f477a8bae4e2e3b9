//! Lines on their way to the client: ASCII, whole, flushed at once.

use std::io::{self, Write};

use super::record::{Recorder, Way};

/// Where replies go.
pub(super) struct Output<W> {
    writer: W,
    recorder: Recorder,
}

impl<W: Write> Output<W> {
    pub fn new(writer: W, recorder: Recorder) -> Output<W> {
        Output { writer, recorder }
    }

    /// Writes lines in one piece. One character beyond Latin-1 kills NBoard's
    /// reader, and a stray control character could end a line early.
    ///
    /// # Errors
    /// The client cannot be reached any more.
    pub fn send(&mut self, lines: &str) -> io::Result<()> {
        let mut text: String = lines
            .chars()
            .map(|c| if c == '\n' || c == ' ' || c.is_ascii_graphic() { c } else { '?' })
            .collect();
        for line in text.split('\n') {
            self.recorder.line(Way::Out, line);
        }
        text.push('\n');
        self.writer.write_all(text.as_bytes())?;
        self.writer.flush()
    }
}
