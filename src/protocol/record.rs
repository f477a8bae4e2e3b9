//! The record of a conversation: every line in and out with its time.

use std::io::Write;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

/// Direction of a line.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Direction {
    /// From the client.
    In,
    /// To the client.
    Out,
}

/// Writes lines with their direction and the seconds since the recorder was made:
/// `0.012 > ping 1`, `0.013 < pong 1`.
///
/// The default writes nothing. Clones write to the same place.
#[derive(Clone, Default)]
pub struct Recorder(Option<Arc<Sink>>);

struct Sink {
    start: Instant,
    output: Mutex<Box<dyn Write + Send>>,
}

impl std::fmt::Debug for Recorder {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_tuple("Recorder").field(&self.0.is_some()).finish()
    }
}

impl Recorder {
    /// Creates a recorder that writes to `output` and flushes after each line.
    pub fn new(output: impl Write + Send + 'static) -> Recorder {
        let sink = Sink { start: Instant::now(), output: Mutex::new(Box::new(output)) };
        Recorder(Some(Arc::new(sink)))
    }

    /// Writes one line. A failure is logged; it does not end the game.
    pub fn line(&self, direction: Direction, text: &str) {
        let Some(sink) = &self.0 else { return };
        let seconds = sink.start.elapsed().as_secs_f64();
        let mark = match direction {
            Direction::In => '>',
            Direction::Out => '<',
        };
        let mut output = sink.output.lock().unwrap_or_else(PoisonError::into_inner);
        let written = writeln!(output, "{seconds:.3} {mark} {text}").and_then(|()| output.flush());
        if let Err(error) = written {
            log::warn!("cannot write the record: {error}");
        }
    }
}

/// One line of a record.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct RecordedLine<'a> {
    /// Time since the recorder was made.
    pub time: Duration,
    /// Direction of the line.
    pub direction: Direction,
    /// The line itself.
    pub text: &'a str,
}

impl RecordedLine<'_> {
    /// Parses a line of a record; `None` if it is not one.
    pub fn parse(line: &str) -> Option<RecordedLine<'_>> {
        let (seconds, rest) = line.split_once(' ')?;
        let time = Duration::try_from_secs_f64(seconds.parse().ok()?).ok()?;
        let (mark, text) = rest.split_once(' ').unwrap_or((rest, ""));
        let direction = match mark {
            ">" => Direction::In,
            "<" => Direction::Out,
            _ => return None,
        };
        Some(RecordedLine { time, direction, text })
    }
}

#[cfg(test)]
mod tests {
    use std::io;
    use std::sync::mpsc;

    use super::*;

    struct Channel(mpsc::Sender<u8>);

    impl Write for Channel {
        fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
            for byte in bytes {
                self.0.send(*byte).map_err(io::Error::other)?;
            }
            Ok(bytes.len())
        }

        fn flush(&mut self) -> io::Result<()> {
            Ok(())
        }
    }

    #[test]
    fn recorded_lines_can_be_read_back() {
        let (sender, receiver) = mpsc::channel();
        let recorder = Recorder::new(Channel(sender));
        recorder.line(Direction::In, "ping  1");
        recorder.clone().line(Direction::Out, "pong 1");
        recorder.line(Direction::Out, "");
        drop(recorder);
        let text = String::from_utf8(receiver.iter().collect()).unwrap();
        let read: Vec<_> = text
            .lines()
            .map(|line| RecordedLine::parse(line).map(|line| (line.direction, line.text)))
            .collect();
        let expected =
            [(Direction::In, "ping  1"), (Direction::Out, "pong 1"), (Direction::Out, "")];
        assert_eq!(read, expected.map(Some));
        assert_eq!(RecordedLine::parse("nonsense"), None);
    }
}
