//! `umigame-lab record`: passes lines between a client and an engine, and writes them down.

use std::ffi::OsString;
use std::fs::File;
use std::io::{self, BufRead, BufReader, Read, Write};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use anyhow::{Context, Result};
use clap::Args;
use umigame_support::exit::{Exit, bad_input, shown};

/// First words of a record; the command of the engine follows.
pub(super) const HEADER: &str = "# umigame-lab record:";

/// Longest piece of a line that is passed on at once.
const MAX_PIECE_BYTES: u64 = 1 << 20;

/// Write down the talk between a client and an engine, for `umigame-lab replay`
///
/// Start it where the client would start the engine. Every line in (>) and out (<) is written with the
/// seconds since the start.
#[derive(Args, Debug)]
#[command(after_help = "\
Example, as the command of an engine in NBoard:
  umigame-lab record talk.txt -- umigame nboard --level 20")]
pub(super) struct RecordArgs {
    /// Record to write; another record is replaced
    file: PathBuf,

    /// Command of the engine
    #[arg(last = true, required = true, value_name = "COMMAND")]
    command: Vec<OsString>,
}

pub(super) fn run(args: &RecordArgs) -> Result<Exit> {
    let unwritable = |error: io::Error| bad_input(format!("{}: {error}", shown(&args.file)));
    refuse_other_files(&args.file)?;
    let mut file = File::create(&args.file).map_err(unwritable)?;
    writeln!(file, "{HEADER} {}", quoted(&args.command)).map_err(unwritable)?;
    let recorder = Recorder::new(file);
    let mut engine = start(&args.command)?;
    let (Some(to_engine), Some(from_engine)) = (engine.stdin.take(), engine.stdout.take()) else {
        anyhow::bail!("the engine has no pipes");
    };
    let of_client = recorder.clone();
    // Ends with the process, if the engine quits before its client does.
    thread::spawn(move || pass_on(io::stdin(), to_engine, Direction::In, &of_client));
    let passed = pass_on(from_engine, io::stdout(), Direction::Out, &recorder);
    let status = engine.wait().context("waiting for the engine")?;
    passed?;
    Ok(if status.success() { Exit::Done } else { Exit::Failed })
}

/// Starts an engine with pipes for its input and output.
fn start(command: &[OsString]) -> Result<std::process::Child> {
    let Some((program, words)) = command.split_first() else {
        return Err(bad_input("expected the command of the engine after --"));
    };
    let mut start = Command::new(program);
    start.args(words).stdin(Stdio::piped()).stdout(Stdio::piped());
    start.spawn().map_err(|error| bad_input(format!("{}: {error}", shown(Path::new(program)))))
}

/// Refuses to replace a file that is not a record.
fn refuse_other_files(path: &Path) -> Result<()> {
    let Ok(file) = File::open(path) else { return Ok(()) };
    let is_device = !file.metadata().is_ok_and(|file| file.is_file());
    let mut begin = Vec::new();
    let read =
        if is_device { Ok(0) } else { file.take(HEADER.len() as u64).read_to_end(&mut begin) };
    if read.is_ok() && (begin.is_empty() || begin == HEADER.as_bytes()) {
        return Ok(());
    }
    Err(bad_input(format!("{}: is no record: expected a new file", shown(path))))
}

/// Returns a command as a line; a word with blanks is quoted.
fn quoted(command: &[OsString]) -> String {
    let quoted = |word: &OsString| {
        let word = word.to_string_lossy().into_owned();
        let is_plain = |c: char| !c.is_whitespace() && c != '"' && c != '\'';
        let mark = if word.contains('"') { '\'' } else { '"' };
        if word.chars().all(is_plain) { word } else { format!("{mark}{word}{mark}") }
    };
    command.iter().map(quoted).collect::<Vec<_>>().join(" ")
}

/// Passes lines on, each recorded first and flushed at once.
fn pass_on(
    from: impl Read,
    mut to: impl Write,
    direction: Direction,
    recorder: &Recorder,
) -> io::Result<()> {
    let mut from = BufReader::new(from);
    let mut line = Vec::new();
    while (&mut from).take(MAX_PIECE_BYTES).read_until(b'\n', &mut line)? > 0 {
        let text = String::from_utf8_lossy(&line);
        recorder.line(direction, text.trim_end_matches(['\r', '\n']));
        to.write_all(&line)?;
        to.flush()?;
        line.clear();
    }
    Ok(())
}

/// Direction of a line.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Direction {
    /// From the client.
    In,
    /// To the client.
    Out,
}

/// Writes lines with their direction and the seconds since the recorder was made:
/// `0.012 > ping 1`, `0.013 < pong 1`. Clones write to the same place.
#[derive(Clone)]
struct Recorder {
    start: Instant,
    output: Arc<Mutex<Box<dyn Write + Send>>>,
}

impl Recorder {
    /// Creates a recorder that writes to `output` and flushes after each line.
    fn new(output: impl Write + Send + 'static) -> Recorder {
        Recorder { start: Instant::now(), output: Arc::new(Mutex::new(Box::new(output))) }
    }

    /// Writes one line. A failure is logged; it does not end the game.
    fn line(&self, direction: Direction, text: &str) {
        let mark = if direction == Direction::In { '>' } else { '<' };
        let mut output = self.output.lock().unwrap_or_else(PoisonError::into_inner);
        let seconds = self.start.elapsed().as_secs_f64();
        let written = writeln!(output, "{seconds:.3} {mark} {text}").and_then(|()| output.flush());
        if let Err(error) = written {
            log::warn!("cannot write the record: {error}");
        }
    }
}

/// One line of a record.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct RecordedLine<'a> {
    /// Time since the recorder was made.
    pub time: Duration,
    /// Direction of the line.
    pub direction: Direction,
    /// The line itself.
    pub text: &'a str,
}

impl RecordedLine<'_> {
    /// Parses a line of a record, `12.345 > text`; `None` if it is not one.
    pub(super) fn parse(line: &str) -> Option<RecordedLine<'_>> {
        let (stamp, rest) = line.split_once(' ')?;
        let time = parse_stamp(stamp)?;
        let (mark, text) = rest.split_once(' ').unwrap_or((rest, ""));
        let direction = match mark {
            ">" => Direction::In,
            "<" => Direction::Out,
            _ => return None,
        };
        Some(RecordedLine { time, direction, text })
    }
}

/// Reads seconds as a recorder writes them: a whole number of at most seven digits, a point, and
/// three digits.
fn parse_stamp(stamp: &str) -> Option<Duration> {
    let (seconds, millis) = stamp.split_once('.')?;
    let is_number = |digits: &str| digits.bytes().all(|digit| digit.is_ascii_digit());
    let is_length = (1..=7).contains(&seconds.len()) && millis.len() == 3;
    let is_stamp = is_length && is_number(seconds) && is_number(millis);
    let millis = Duration::from_millis(millis.parse().ok()?);
    is_stamp.then_some(Duration::from_secs(seconds.parse().ok()?) + millis)
}

#[cfg(test)]
mod tests {
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
    }

    #[test]
    fn a_stamp_is_seconds_with_three_decimals() {
        assert_eq!(parse_stamp("0.037"), Some(Duration::from_millis(37)));
        assert_eq!(parse_stamp("9999999.999"), Some(Duration::from_millis(9_999_999_999)));
        for stamp in ["037", "0.37", ".037", "1e9", "-1.000", "+1.000", "nan", "10000000.000"] {
            assert_eq!(parse_stamp(stamp), None, "{stamp}");
        }
        assert_eq!(RecordedLine::parse("9000000000000000000 < pong 1"), None);
    }
}
