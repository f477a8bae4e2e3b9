//! `umigame replay`: feeds the lines of a record to the engine again and
//! compares what it says with what it said then.

use std::io::{self, Read, Write};
use std::path::PathBuf;
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::thread;
use std::time::{Duration, Instant};

use crate::protocol::record::{Way, read_line};
use crate::protocol::{self, Protocol, Recorder};
use anyhow::{Context, Result};
use clap::Parser;

use umigame_engine::eval::SharedEvaluation;

use super::args::{Cli, Command, ReplayArgs, ServeArgs, typed};
use super::{Outcome, bad_input, settings, shown, weights};

/// How a record begins, before the arguments it was made with.
pub(super) const HEADER: &str = "# umigame ";

/// How long the engine may take for a line beyond what it took then.
const PATIENCE: Duration = Duration::from_secs(10);

/// A line that came in, and what went out until the next one came.
#[derive(Debug, Default, PartialEq, Eq)]
struct Exchange {
    input: Option<String>,
    output: Vec<String>,
    /// Since the line before, of either way.
    pause: Duration,
    /// From the line to the last of its output.
    taken: Duration,
}

/// Replays with the weights in `evaluation`, if the command line chose any, or else with those that
/// the record was made with.
pub(super) fn run(
    evaluation: Option<&SharedEvaluation>,
    args: &ReplayArgs,
    out: &mut dyn Write,
) -> Result<Outcome> {
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
    Ok(if same { Outcome::Done } else { Outcome::Failed })
}

/// What the record was made with.
struct Header {
    protocol: Option<Protocol>,
    serve: ServeArgs,
    weights: Option<PathBuf>,
}

fn header(text: &str) -> Result<Header> {
    let line = text.lines().next().and_then(|line| line.strip_prefix(HEADER.trim_end()));
    let Some(line) = line else {
        return Err(bad_input(format!(
            "line 1: expected a record, which begins with `{}`",
            HEADER.trim_end()
        )));
    };
    let words = ["umigame"].into_iter().chain(line.split_whitespace()).map(Into::into);
    let cli = Cli::try_parse_from(typed(words))
        .map_err(|error| bad_input(format!("line 1: {}", error.kind())))?;
    let (protocol, serve) = match cli.command {
        None => (None, cli.serve),
        Some(Command::Nboard(args)) => (Some(Protocol::NBoard), args.or(cli.serve)?),
        Some(Command::Gtp(args)) => (Some(Protocol::Gtp), args.or(cli.serve)?),
        Some(_) => return Err(bad_input("line 1: expected the record of a protocol")),
    };
    Ok(Header { protocol, serve, weights: cli.weights })
}

fn exchanges(text: &str) -> Result<Vec<Exchange>> {
    let mut exchanges = vec![Exchange::default()];
    let mut last = Duration::ZERO;
    for (index, line) in text.lines().enumerate().skip(1) {
        let (at, way, text) = read_line(line).ok_or_else(|| {
            let found = umigame_othello::text::quote(line);
            bad_input(format!("line {}: `{found}`: expected seconds, > or <, a line", index + 1))
        })?;
        let since = at.saturating_sub(last);
        last = at;
        match (way, exchanges.last_mut()) {
            (Way::Out, Some(exchange)) => {
                exchange.output.push(text.to_owned());
                exchange.taken += since;
            }
            _ => exchanges.push(Exchange {
                input: Some(text.to_owned()),
                pause: since,
                ..Exchange::default()
            }),
        }
    }
    Ok(exchanges)
}

/// Sends each line once the engine has said as much as it had said then;
/// whether all of it was the same.
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
            // An engine that has quit hears no more.
            let _ = to_engine.send(format!("{input}\n").into_bytes());
        }
        if index + 1 == exchanges.len() {
            break;
        }
        let deadline = Instant::now() + exchange.taken * 3 + PATIENCE;
        let said = listen(from_engine, exchange.output.len(), deadline);
        same &= show(&exchange.output, &said, out)?;
        out.flush()?;
    }
    let Some(last) = exchanges.last() else { return Ok(same) };
    let deadline = Instant::now() + last.taken * 3 + PATIENCE;
    let mut said = listen(from_engine, last.output.len(), deadline);
    // The end of input; what is still said belongs to the last line.
    drop(to_engine);
    said.extend(from_engine.iter());
    Ok(same & show(&last.output, &said, out)?)
}

/// Up to so many lines, until they are there or the time is up.
fn listen(from_engine: &Receiver<String>, count: usize, deadline: Instant) -> Vec<String> {
    let mut said = Vec::new();
    while said.len() < count {
        let left = deadline.saturating_duration_since(Instant::now());
        match from_engine.recv_timeout(left) {
            Ok(line) => said.push(line),
            Err(RecvTimeoutError::Timeout | RecvTimeoutError::Disconnected) => break,
        }
    }
    said
}

/// Writes what was said, and beside it what was said then where that is
/// something else; whether it is the same.
fn show(then: &[String], now: &[String], out: &mut dyn Write) -> Result<bool> {
    let mut all_same = true;
    for index in 0..then.len().max(now.len()) {
        let (then, now) = (then.get(index), now.get(index));
        let same = then.map(|line| timeless(line)) == now.map(|line| timeless(line));
        if let (Some(now), true) = (now, same) {
            writeln!(out, "< {now}")?;
            continue;
        }
        all_same = false;
        for (mark, line) in [('-', then), ('+', now)] {
            if let Some(line) = line {
                writeln!(out, "{mark} {line}")?;
            }
        }
    }
    Ok(all_same)
}

/// A line of output without the seconds that differ from run to run: those
/// of `=== move/eval/seconds` and of `nodestats nodes seconds`.
fn timeless(line: &str) -> String {
    if let Some(answer) = line.strip_prefix("=== ") {
        return answer.split('/').take(2).collect::<Vec<_>>().join("/");
    }
    match line.strip_prefix("nodestats ") {
        Some(numbers) => numbers.split(' ').take(1).collect(),
        None => line.to_owned(),
    }
}

/// Reads lines from a channel until it is closed.
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

/// Writes whole lines to a channel.
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
