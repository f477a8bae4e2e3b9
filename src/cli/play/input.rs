//! Lines typed at the prompt, read by a thread of their own.
//!
//! `quit` and the end of input interrupt a search, which answers with what it
//! has; other lines wait for it. Over a pipe, lines that arrive within
//! [`BATCH_PAUSE`] of each other are a batch, and `quit` does not interrupt the
//! searches of its own batch: a script is obeyed in full.

use std::cell::Cell;
use std::io::{self, BufReader, ErrorKind, IsTerminal, Read, Write};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering::Relaxed};
use std::sync::mpsc::{Receiver, SyncSender, sync_channel};
use std::thread;
use std::time::{Duration, Instant};

use rustyline::error::ReadlineError;
use rustyline::{Config, DefaultEditor, ExternalPrinter};
use umigame_engine::Listener;
use umigame_othello::lines::{LineRead, read_line};

/// Longest pause between two lines of a batch.
const BATCH_PAUSE: Duration = Duration::from_secs(1);
/// Lines that may wait before the reader waits.
const MAX_WAITING_LINES: usize = 1024;
/// The rest of a longer line is dropped.
const MAX_LINE_BYTES: usize = 1 << 16;

/// State that a search looks at.
struct State {
    /// Lines read and not taken yet; the end of input counts as one.
    waiting: AtomicUsize,
    /// First batch with `quit` or the end of input.
    quit_batch: AtomicU64,
}

/// A line, or the error that ended the input, with the number of its batch.
type Typed = (io::Result<String>, u64);

/// Queue of the lines typed.
pub(super) struct Input {
    lines: Receiver<Typed>,
    state: Arc<State>,
    /// Batch of the line taken last.
    batch: Cell<u64>,
}

impl Input {
    /// Starts to read standard input. If it and standard output are a terminal,
    /// lines can be edited; the writer then prints above the line being edited.
    pub fn open(is_quit: fn(&str) -> bool) -> (Input, Option<Box<dyn Write>>) {
        if let Some((editor, printer)) = editor() {
            let writer = AboveLine { printer: Box::new(printer), text: Vec::new() };
            let input = Input::start(move || edited_line(editor), Duration::ZERO, is_quit);
            return (input, Some(Box::new(writer)));
        }
        // A person at a terminal never types a script.
        let pause = if io::stdin().is_terminal() { Duration::ZERO } else { BATCH_PAUSE };
        (Input::start(|| plain_line(io::stdin()), pause, is_quit), None)
    }

    /// Starts a thread that reads lines with a function which `reader` makes.
    fn start<F>(
        reader: impl FnOnce() -> F + Send + 'static,
        pause: Duration,
        is_quit: fn(&str) -> bool,
    ) -> Input
    where
        F: FnMut() -> io::Result<Option<String>>,
    {
        let (sender, lines) = sync_channel(MAX_WAITING_LINES);
        let state = State { waiting: AtomicUsize::new(0), quit_batch: AtomicU64::new(u64::MAX) };
        let state = Arc::new(state);
        let shared = Arc::clone(&state);
        thread::spawn(move || read(reader(), pause, is_quit, &shared, &sender));
        Input { lines, state, batch: Cell::new(0) }
    }

    /// Takes the next line, waiting for it; `None` at the end of input.
    ///
    /// # Errors
    /// The input failed, or was interrupted with Ctrl-C
    /// ([`ErrorKind::Interrupted`]).
    pub fn next(&self) -> io::Result<Option<String>> {
        let Ok((line, batch)) = self.lines.recv() else { return Ok(None) };
        self.state.waiting.fetch_sub(1, Relaxed);
        self.batch.set(batch);
        line.map(Some)
    }

    /// Returns whether `quit` or the end of input has come in a later batch
    /// than the line taken last.
    pub fn is_quitting(&self) -> bool {
        let quit_batch = self.state.quit_batch.load(Relaxed);
        quit_batch != u64::MAX && quit_batch > self.batch.get()
    }

    /// Watches the input for a search that `quit` and the end of input end.
    pub fn until_quit(&self) -> Watch<'_> {
        Watch { state: &self.state, batch: self.batch.get(), start: Instant::now() }
    }

    /// Returns whether no line waits and more may come.
    pub fn is_idle(&self) -> bool {
        self.state.waiting.load(Relaxed) == 0
    }
}

/// Reads lines until `quit`, the end of input or an error.
fn read(
    mut next_line: impl FnMut() -> io::Result<Option<String>>,
    pause: Duration,
    is_quit: fn(&str) -> bool,
    state: &State,
    sender: &SyncSender<Typed>,
) {
    let mut batch = 0;
    loop {
        let start = Instant::now();
        let line = next_line();
        batch += u64::from(start.elapsed() >= pause);
        let ends = !matches!(&line, Ok(Some(line)) if !is_quit(line));
        if ends {
            state.quit_batch.fetch_min(batch, Relaxed);
        }
        state.waiting.fetch_add(1, Relaxed);
        let Some(line) = line.transpose() else { return };
        if sender.send((line, batch)).is_err() || ends {
            return;
        }
    }
}

/// Returns a line editor and a printer beside it; `None` without a terminal
/// that can edit lines.
fn editor() -> Option<(DefaultEditor, impl ExternalPrinter + Send + use<>)> {
    let config = Config::builder().auto_add_history(true).build();
    let mut editor = DefaultEditor::with_config(config).ok()?;
    let printer = editor.create_external_printer().ok()?;
    Some((editor, printer))
}

fn edited_line(mut editor: DefaultEditor) -> impl FnMut() -> io::Result<Option<String>> {
    move || match editor.readline("> ") {
        Ok(line) => Ok(Some(line)),
        Err(ReadlineError::Eof) => Ok(None),
        Err(ReadlineError::Interrupted) => Err(ErrorKind::Interrupted.into()),
        Err(ReadlineError::Io(error)) => Err(error),
        Err(error) => Err(io::Error::other(error)),
    }
}

fn plain_line(input: impl Read) -> impl FnMut() -> io::Result<Option<String>> {
    let mut input = BufReader::new(input);
    let mut line = Vec::new();
    move || match read_line(&mut input, MAX_LINE_BYTES, &mut line)? {
        LineRead::End => Ok(None),
        LineRead::Whole | LineRead::Cut => Ok(Some(String::from_utf8_lossy(&line).into_owned())),
    }
}

/// Prints above the line being edited, one flush at a time.
struct AboveLine {
    printer: Box<dyn ExternalPrinter>,
    text: Vec<u8>,
}

impl Write for AboveLine {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.text.write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        if self.text.is_empty() {
            return Ok(());
        }
        let text = String::from_utf8_lossy(&self.text).into_owned();
        self.text.clear();
        self.printer.print(text).map_err(io::Error::other)
    }
}

/// Watches the input during a search.
pub(super) struct Watch<'a> {
    state: &'a State,
    /// Batch of the command that searches.
    batch: u64,
    start: Instant,
}

impl Listener for Watch<'_> {
    fn go_on(&self) -> bool {
        let quit_batch = self.state.quit_batch.load(Relaxed);
        quit_batch == u64::MAX || quit_batch <= self.batch
    }

    fn elapsed(&self) -> Duration {
        self.start.elapsed()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const ONE_BATCH: Duration = Duration::from_secs(3600);
    const NO_BATCHES: Duration = Duration::ZERO;

    fn open(input: impl Read + Send + 'static, pause: Duration) -> Input {
        Input::start(move || plain_line(input), pause, |line| line == "quit")
    }

    /// An input that has been read to its end.
    fn read_to_end(text: &'static str, pause: Duration) -> Input {
        let input = open(text.as_bytes(), pause);
        while input.state.quit_batch.load(Relaxed) == u64::MAX {
            thread::yield_now();
        }
        input
    }

    #[test]
    fn every_line_comes_in_order_and_then_none() {
        let text: String = (0..200_000).map(|n| format!("{n}\n")).collect();
        let input = open(io::Cursor::new(text), ONE_BATCH);
        for n in 0..200_000 {
            assert_eq!(input.next().unwrap(), Some(n.to_string()));
            assert!(!input.is_quitting());
        }
        assert!(input.next().unwrap().is_none() && input.next().unwrap().is_none());
    }

    #[test]
    fn quit_interrupts_other_batches_but_not_its_own() {
        for text in ["f5\nshow\nquit\n", "f5\nshow\n"] {
            for (pause, interrupts) in [(ONE_BATCH, false), (NO_BATCHES, true)] {
                let input = read_to_end(text, pause);
                for line in ["f5", "show"] {
                    assert_eq!(input.next().unwrap().as_deref(), Some(line));
                    assert_eq!(input.until_quit().go_on(), !interrupts, "{text} {line}");
                    assert_eq!(input.is_quitting(), interrupts);
                }
            }
        }
    }

    #[test]
    fn the_end_of_input_in_a_later_batch_interrupts_a_search_and_a_line_does_not() {
        let (reader, mut writer) = io::pipe().unwrap();
        let pause = Duration::from_millis(200);
        let input = open(reader, pause);
        writer.write_all(b"f5\n").unwrap();
        assert_eq!(input.next().unwrap().as_deref(), Some("f5"));
        let until_quit = input.until_quit();
        thread::sleep(2 * pause);
        assert!(until_quit.go_on() && input.is_idle());
        writer.write_all(b"undo\n").unwrap();
        while input.is_idle() {
            thread::yield_now();
        }
        assert!(until_quit.go_on());
        thread::sleep(2 * pause);
        drop(writer);
        while until_quit.go_on() {
            thread::yield_now();
        }
        assert_eq!(input.next().unwrap().as_deref(), Some("undo"));
        assert!(input.next().unwrap().is_none());
    }

    #[test]
    fn an_input_is_idle_until_a_line_or_its_end() {
        for text in ["show\n", ""] {
            let input = open(text.as_bytes(), ONE_BATCH);
            while input.is_idle() {
                thread::yield_now();
            }
        }
    }
}
