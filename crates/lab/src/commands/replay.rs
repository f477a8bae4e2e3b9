//! `umigame-lab replay`: sends the recorded input to an engine again and compares its replies with
//! the recorded ones.

use std::io::{self, Write};
use std::path::PathBuf;
use std::sync::{Arc, Mutex};
use std::thread;
use std::time::{Duration, Instant};

use anyhow::{Context, Result};
use clap::Args;
use umigame_arena::{EngineConfig, EngineProcess};
use umigame_othello::text::quote;
use umigame_support::exit::{Exit, bad_input, shown};
use umigame_support::{files, time};

use super::record::{Direction, HEADER, RecordedLine};

/// Largest record that is read, in bytes.
const MAX_RECORD_BYTES: u64 = 256 << 20;
/// Time allowed for the replies to a line beyond three times the recorded time.
const EXTRA_REPLY_TIME: Duration = Duration::from_secs(10);

/// Send the input of a record to an engine and compare its replies
///
/// The engine is the command after `--`; a record runs nothing. Times are not compared. Replies are
/// marked < if they are as recorded, - if they are missing, and + if they are new. Each line waits for
/// its replies three times as long as recorded and ten seconds more.
#[derive(Args, Debug)]
#[command(after_help = "\
Example:
  umigame-lab replay talk.txt -- umigame nboard --level 20

Exit codes: 0 as recorded, 1 the replies differ, 2 the file is no record")]
pub(super) struct ReplayArgs {
    /// File that `umigame-lab record` wrote
    file: PathBuf,

    /// Keep the pauses of the record
    #[arg(long)]
    timed: bool,

    /// Longest wait for the replies to a line, and longest pause
    #[arg(long, value_name = "TIME", default_value = "10m", value_parser = time::parse_positive)]
    at_most: Duration,

    /// Command of the engine
    #[arg(last = true, value_name = "COMMAND")]
    command: Vec<String>,
}

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

pub(super) fn run(args: &ReplayArgs, out: &mut dyn Write) -> Result<Exit> {
    let name = shown(&args.file);
    let bytes = files::read_at_most(&args.file, MAX_RECORD_BYTES)
        .map_err(|error| bad_input(format!("{name}: {error}")))?;
    let text = String::from_utf8_lossy(&bytes);
    let Some(recorded) = text.lines().next().and_then(|line| line.strip_prefix(HEADER)) else {
        let why = format!("line 1: expected a record, which begins with `{HEADER}`");
        return Err(bad_input(format!("{name}: {why}")));
    };
    let exchanges = exchanges(&text).with_context(|| name)?;
    if args.command.is_empty() {
        let recorded = printable(recorded.trim());
        return Err(bad_input(format!(
            "expected the command of the engine after --; that of the record was: {recorded}"
        )));
    }
    let same = compare(&mut start(&args.command)?, &exchanges, args, out)?;
    writeln!(out, "# {}", if same { "as recorded" } else { "differs from the record" })?;
    Ok(if same { Exit::Done } else { Exit::Failed })
}

fn exchanges(text: &str) -> Result<Vec<Exchange>> {
    let mut exchanges = vec![Exchange::default()];
    let mut last = Duration::ZERO;
    for (index, line) in text.lines().enumerate().skip(1) {
        let Some(RecordedLine { time, direction, text }) = RecordedLine::parse(line) else {
            let found = format!("line {}: `{}`", index + 1, quote(line));
            return Err(bad_input(format!(
                "{found}: expected seconds such as 1.234, > or <, a line"
            )));
        };
        let pause = time.saturating_sub(last);
        last = time;
        match (direction, exchanges.last_mut()) {
            (Direction::Out, Some(exchange)) => {
                exchange.output.push(text.to_owned());
                exchange.taken = exchange.taken.saturating_add(pause);
            }
            _ => {
                let input = Some(text.to_owned());
                exchanges.push(Exchange { input, pause, ..Exchange::default() });
            }
        }
    }
    Ok(exchanges)
}

impl Exchange {
    /// Time by which the replies must have come.
    fn deadline(&self, at_most: Duration) -> Instant {
        let patience = self.taken.saturating_mul(3).saturating_add(EXTRA_REPLY_TIME);
        Instant::now() + patience.min(at_most)
    }
}

/// Starts the engine; its stderr is that of this program.
fn start(command: &[String]) -> Result<EngineProcess> {
    let engine = EngineConfig { command: command.to_vec(), ..EngineConfig::default() };
    let log = Arc::new(Mutex::new(io::stderr()));
    EngineProcess::start(&engine, &[], &Arc::default(), Some(log)).map_err(bad_input)
}

/// Sends each line once the replies to the previous one have come. Returns whether all replies were
/// as recorded.
fn compare(
    engine: &mut EngineProcess,
    exchanges: &[Exchange],
    args: &ReplayArgs,
    out: &mut dyn Write,
) -> Result<bool> {
    let mut same = true;
    for (index, exchange) in exchanges.iter().enumerate() {
        if let Some(input) = &exchange.input {
            if args.timed {
                thread::sleep(exchange.pause.min(args.at_most));
            }
            writeln!(out, "> {}", printable(input))?;
            // An engine that has quit reads no more.
            let _ = engine.send(input);
        }
        let mut replies = receive(engine, exchange.output.len(), exchange.deadline(args.at_most));
        if index + 1 == exchanges.len() {
            // Replies after the end of input belong to the last line.
            engine.close_input();
            replies.extend(receive(engine, usize::MAX, exchange.deadline(args.at_most)));
        }
        same &= write_replies(&exchange.output, &replies, out)?;
        out.flush()?;
    }
    Ok(same)
}

/// Receives up to `count` lines before the deadline.
fn receive(engine: &mut EngineProcess, count: usize, deadline: Instant) -> Vec<String> {
    let lines = std::iter::from_fn(|| Some(engine.receive(deadline).ok()?.line));
    lines.take(count).collect()
}

/// Writes the replies, as `-` and `+` lines where they differ from the recorded ones. Returns
/// whether all are the same.
fn write_replies(recorded: &[String], replies: &[String], out: &mut dyn Write) -> Result<bool> {
    let mut all_same = true;
    for index in 0..recorded.len().max(replies.len()) {
        let (recorded, reply) = (recorded.get(index), replies.get(index));
        let same = recorded.map(|line| without_time(line)) == reply.map(|line| without_time(line));
        if let (Some(reply), true) = (reply, same) {
            writeln!(out, "< {}", printable(reply))?;
            continue;
        }
        all_same = false;
        for (mark, line) in [('-', recorded), ('+', reply)] {
            if let Some(line) = line {
                writeln!(out, "{mark} {}", printable(line))?;
            }
        }
    }
    Ok(all_same)
}

/// Returns a line with everything escaped that is not printable ASCII.
fn printable(line: &str) -> String {
    let escaped = |letter: char| match letter {
        ' '..='~' => letter.to_string(),
        _ => letter.escape_default().to_string(),
    };
    line.chars().map(escaped).collect()
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
