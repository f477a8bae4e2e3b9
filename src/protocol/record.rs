//! Every line in and out, with the time, for whoever wants to see what was
//! said.

use std::io::Write;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

/// Which way a line went.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Way {
    /// From the client.
    In,
    /// To the client.
    Out,
}

/// Writes down every line with the seconds since the recorder was made and
/// its way: `0.012 > ping 1`, `0.013 < pong 1`. The default writes nothing.
/// Clones write to the same place.
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
    /// A recorder that writes here, and flushes after each line.
    pub fn new(output: impl Write + Send + 'static) -> Recorder {
        let sink = Sink { start: Instant::now(), output: Mutex::new(Box::new(output)) };
        Recorder(Some(Arc::new(sink)))
    }

    /// Writes one line down. A record that cannot be written is no reason to
    /// lose the game: the failure is logged.
    pub fn line(&self, way: Way, text: &str) {
        let Some(sink) = &self.0 else { return };
        let seconds = sink.start.elapsed().as_secs_f64();
        let mark = match way {
            Way::In => '>',
            Way::Out => '<',
        };
        let mut output = sink.output.lock().unwrap_or_else(PoisonError::into_inner);
        if let Err(error) =
            writeln!(output, "{seconds:.3} {mark} {text}").and_then(|()| output.flush())
        {
            log::warn!("the record cannot be written: {error}");
        }
    }
}

/// Reads a line of a record: when, which way, what; `None` where it is none.
pub fn read_line(line: &str) -> Option<(Duration, Way, &str)> {
    let (seconds, rest) = line.split_once(' ')?;
    let seconds = Duration::try_from_secs_f64(seconds.parse().ok()?).ok()?;
    let (mark, text) = rest.split_once(' ').unwrap_or((rest, ""));
    match mark {
        ">" => Some((seconds, Way::In, text)),
        "<" => Some((seconds, Way::Out, text)),
        _ => None,
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
    fn what_is_recorded_can_be_read_back() {
        let (sender, receiver) = mpsc::channel();
        let recorder = Recorder::new(Channel(sender));
        recorder.line(Way::In, "ping  1");
        recorder.clone().line(Way::Out, "pong 1");
        recorder.line(Way::Out, "");
        drop(recorder);
        let text = String::from_utf8(receiver.iter().collect()).unwrap();
        let read: Vec<_> =
            text.lines().map(|line| read_line(line).map(|(_, way, text)| (way, text))).collect();
        let expected = [(Way::In, "ping  1"), (Way::Out, "pong 1"), (Way::Out, "")];
        assert_eq!(read, expected.map(Some));
        assert_eq!(read_line("nonsense"), None);
    }
}
