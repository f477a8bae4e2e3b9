//! `umigame replay`: sends the recorded input to the engine again and compares its replies with
//! the recorded ones.

use std::ffi::OsString;
use std::io::{self, Read, Write};
use std::path::PathBuf;
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::thread;
use std::time::{Duration, Instant};

use anyhow::{Context, Result};
use umigame_arena::split_words;
use umigame_engine::SharedEvaluation;
use umigame_othello::text::quote;

use crate::protocol::record::{Direction, RecordedLine};
use crate::protocol::{self, Protocol, Recorder};

use super::args::{Cli, Command, ReplayArgs, ServeArgs};
use super::exit::{Exit, bad_input, shown};
use super::{settings, weights};

/// First words of a record; the arguments of the recorded command follow.
const HEADER: &str = "# umigame ";

/// Time allowed for the replies to a line beyond three times the recorded time.
const EXTRA_REPLY_TIME: Duration = Duration::from_secs(10);

/// A line of input and the replies before the next one.
#[derive(Debug, Default, PartialEq, Eq)]
struct Exchange {
    input: Option<String>,
    output: Vec<String>,
    /// Time since the previous line, in or out.
    pause: Duration,
    /// Time from the input to its last reply.
    taken: Duration,
}

/// Replays with `evaluation`, or with the weights of the record if it is `None`.
pub(super) fn run(
    evaluation: Option<&SharedEvaluation>,
    args: &ReplayArgs,
    out: &mut dyn Write,
) -> Result<Exit> {
    let name = shown(&args.file);
    let text = std::fs::read(&args.file).map_err(|error| bad_input(format!("{name}: {error}")))?;
    let text = String::from_utf8_lossy(&text);
    let Header { protocol, serve, weights } = header(&text).with_context(|| name.clone())?;
    let exchanges = exchanges(&text).with_context(|| name.clone())?;
    let evaluation = match evaluation {
        Some(chosen) => chosen.clone(),
        None => weights::evaluation(weights.as_deref()).context("line 1").context(name)?,
    };
    let session = settings::session(&evaluation, &serve.game)?;

    let (to_engine, engine_input) = channel();
    let (engine_output, from_engine) = channel();
    let engine = thread::spawn(move || {
        let input = ChannelReader { lines: engine_input, line: Vec::new() };
        let output = ChannelWriter { lines: engine_output, line: Vec::new() };
        protocol::run(protocol, input, output, session, Recorder::default())
    });
    let same = compare(&exchanges, args.timed, to_engine, &from_engine, out)?;
    match engine.join() {
        Ok(ended) => ended?,
        Err(_) => anyhow::bail!("the engine failed"),
    }
    writeln!(out, "# {}", if same { "as recorded" } else { "differs from the record" })?;
    Ok(if same { Exit::Done } else { Exit::Failed })
}

/// Protocol and options of the recorded command.
struct Header {
    protocol: Option<Protocol>,
    serve: ServeArgs,
    weights: Option<PathBuf>,
}

/// Returns the first line of the record of a command line. A word with blanks is quoted.
pub(super) fn header_line(command_line: impl Iterator<Item = OsString>) -> String {
    let quoted = |word: OsString| {
        let word = word.to_string_lossy().into_owned();
        let is_plain = |c: char| !c.is_whitespace() && c != '"' && c != '\'';
        let mark = if word.contains('"') { '\'' } else { '"' };
        if word.chars().all(is_plain) { word } else { format!("{mark}{word}{mark}") }
    };
    HEADER.to_owned() + &command_line.skip(1).map(quoted).collect::<Vec<_>>().join(" ")
}

fn header(text: &str) -> Result<Header> {
    let mark = HEADER.trim_end();
    let Some(line) = text.lines().next().and_then(|line| line.strip_prefix(mark)) else {
        return Err(bad_input(format!("line 1: expected a record, which begins with `{mark}`")));
    };
    let words = split_words(line).map_err(|error| bad_input(format!("line 1: {error}")))?;
    let words = ["umigame".to_owned()].into_iter().chain(words).map(Into::into);
    let cli = Cli::read(words).map_err(|error| bad_input(format!("line 1: {}", error.kind())))?;
    let (protocol, serve) = match cli.command {
        None => (None, cli.serve),
        Some(Command::Nboard(args)) => (Some(Protocol::NBoard), args),
        Some(Command::Gtp(args)) => (Some(Protocol::Gtp), args),
        Some(_) => return Err(bad_input("line 1: expected the record of a protocol")),
    };
    Ok(Header { protocol, serve, weights: cli.weights })
}

fn exchanges(text: &str) -> Result<Vec<Exchange>> {
    let mut exchanges = vec![Exchange::default()];
    let mut last = Duration::ZERO;
    for (index, line) in text.lines().enumerate().skip(1) {
        let RecordedLine { time, direction, text } =
            RecordedLine::parse(line).ok_or_else(|| {
                let (number, found) = (index + 1, quote(line));
                bad_input(format!("line {number}: `{found}`: expected seconds, > or <, a line"))
            })?;
        let pause = time.saturating_sub(last);
        last = time;
        match (direction, exchanges.last_mut()) {
            (Direction::Out, Some(exchange)) => {
                exchange.output.push(text.to_owned());
                exchange.taken += pause;
            }
            _ => exchanges.push(Exchange {
                input: Some(text.to_owned()),
                pause,
                ..Exchange::default()
            }),
        }
    }
    Ok(exchanges)
}

impl Exchange {
    /// Time by which the replies must have come.
    fn deadline(&self) -> Instant {
        Instant::now() + self.taken * 3 + EXTRA_REPLY_TIME
    }
}

/// Sends each line once the replies to the previous one have come. Returns whether all replies
/// were as recorded.
fn compare(
    exchanges: &[Exchange],
    timed: bool,
    to_engine: Sender<Vec<u8>>,
    from_engine: &Receiver<String>,
    out: &mut dyn Write,
) -> Result<bool> {
    let mut same = true;
    for (index, exchange) in exchanges.iter().enumerate() {
        if let Some(input) = &exchange.input {
            if timed {
                thread::sleep(exchange.pause);
            }
            writeln!(out, "> {input}")?;
            // An engine that has quit reads no more.
            let _ = to_engine.send(format!("{input}\n").into_bytes());
        }
        if index + 1 == exchanges.len() {
            break;
        }
        let replies = receive(from_engine, exchange.output.len(), exchange.deadline());
        same &= write_replies(&exchange.output, &replies, out)?;
        out.flush()?;
    }
    let Some(last) = exchanges.last() else { return Ok(same) };
    let mut replies = receive(from_engine, last.output.len(), last.deadline());
    // Replies after the end of input belong to the last line.
    drop(to_engine);
    replies.extend(from_engine.iter());
    Ok(same & write_replies(&last.output, &replies, out)?)
}

/// Receives up to `count` lines before the deadline.
fn receive(from_engine: &Receiver<String>, count: usize, deadline: Instant) -> Vec<String> {
    let mut lines = Vec::new();
    while lines.len() < count {
        let left = deadline.saturating_duration_since(Instant::now());
        match from_engine.recv_timeout(left) {
            Ok(line) => lines.push(line),
            Err(RecvTimeoutError::Timeout | RecvTimeoutError::Disconnected) => break,
        }
    }
    lines
}

/// Writes the replies, as `-` and `+` lines where they differ from the recorded ones. Returns
/// whether all are the same.
fn write_replies(recorded: &[String], replies: &[String], out: &mut dyn Write) -> Result<bool> {
    let mut all_same = true;
    for index in 0..recorded.len().max(replies.len()) {
        let (recorded, reply) = (recorded.get(index), replies.get(index));
        let same = recorded.map(|line| without_time(line)) == reply.map(|line| without_time(line));
        if let (Some(reply), true) = (reply, same) {
            writeln!(out, "< {reply}")?;
            continue;
        }
        all_same = false;
        for (mark, line) in [('-', recorded), ('+', reply)] {
            if let Some(line) = line {
                writeln!(out, "{mark} {line}")?;
            }
        }
    }
    Ok(all_same)
}

/// Removes the seconds of `=== move/eval/seconds` and `nodestats nodes seconds`, which differ
/// from run to run.
fn without_time(line: &str) -> String {
    if let Some(answer) = line.strip_prefix("=== ") {
        return answer.split('/').take(2).collect::<Vec<_>>().join("/");
    }
    match line.strip_prefix("nodestats ") {
        Some(numbers) => numbers.split(' ').take(1).collect(),
        None => line.to_owned(),
    }
}

/// Reads the lines of a channel as bytes until the channel is closed.
struct ChannelReader {
    lines: Receiver<Vec<u8>>,
    line: Vec<u8>,
}

impl Read for ChannelReader {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        if self.line.is_empty() {
            self.line = self.lines.recv().unwrap_or_default();
        }
        let count = self.line.len().min(buffer.len());
        let rest = self.line.split_off(count);
        buffer.iter_mut().zip(&self.line).for_each(|(to, from)| *to = *from);
        self.line = rest;
        Ok(count)
    }
}

/// Sends each line written to it over a channel.
struct ChannelWriter {
    lines: Sender<String>,
    line: Vec<u8>,
}

impl Write for ChannelWriter {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        for &byte in bytes {
            if byte == b'\n' {
                let line = String::from_utf8_lossy(&std::mem::take(&mut self.line)).into_owned();
                self.lines.send(line).map_err(|_| io::ErrorKind::BrokenPipe)?;
            } else {
                self.line.push(byte);
            }
        }
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}
