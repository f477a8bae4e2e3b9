//! An engine's process: lines in, lines out with the time of arrival, stderr kept.
//!
//! Two threads per engine read its output and pass lines on by channel, so that nothing polls.
//! The channel is bounded: an engine that floods its output blocks on its own pipe. All that an
//! engine starts is killed with it. An engine has ended when its process has, even if another process
//! holds its output open.

use std::collections::{HashMap, VecDeque};
use std::fmt::Debug;
use std::io::{BufReader, Read, Write};
use std::path::{Path, PathBuf};
use std::process::{ChildStdin, Command, ExitStatus, Stdio};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, RecvTimeoutError, SyncSender, sync_channel};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use super::config::EngineConfig;
use super::lines::read_line;
use super::process_tree::ProcessTree;

/// Lines that the channel from an engine holds.
const LINE_CHANNEL_CAPACITY: usize = 1024;
/// Last lines of the protocol kept for the record of a fault.
const PROTOCOL_TAIL_LINES: usize = 24;
/// Last lines of stderr kept for the record of a fault.
const STDERR_TAIL_LINES: usize = 12;
/// Characters kept of each of these lines.
const TAIL_LINE_CHARS: usize = 300;
/// Wait for the rest of stderr after an engine has ended.
const STDERR_WAIT: Duration = Duration::from_millis(200);
/// Wait for an engine to end after `quit`, before it is killed.
const QUIT_WAIT: Duration = Duration::from_secs(1);
/// Wait for the exit status after the output has closed.
const EXIT_STATUS_WAIT: Duration = Duration::from_millis(20);
/// Pause between looks at the process of an engine that says nothing.
const ALIVE_CHECK_PAUSE: Duration = Duration::from_millis(50);
/// Wait for the last lines of an engine whose process has ended.
const LAST_LINES_WAIT: Duration = Duration::from_millis(200);

/// The running engines of a match, so that all can be killed at once.
#[derive(Debug, Default)]
pub struct ProcessRegistry {
    stopping: AtomicBool,
    trees: Mutex<HashMap<u32, Arc<ProcessTree>>>,
}

impl ProcessRegistry {
    /// Whether [`ProcessRegistry::stop`] has been called.
    pub fn is_stopping(&self) -> bool {
        self.stopping.load(Ordering::SeqCst)
    }

    /// Aborts the match: kills all engines, including those that start later.
    pub fn stop(&self) {
        self.stopping.store(true, Ordering::SeqCst);
        for tree in lock(&self.trees).values() {
            tree.kill();
        }
    }

    fn insert(&self, tree: &Arc<ProcessTree>) {
        lock(&self.trees).insert(tree.id(), Arc::clone(tree));
        if self.is_stopping() {
            tree.kill();
        }
    }

    /// Removes a tree, whose number the system may give to another from now on.
    fn remove(&self, tree: &ProcessTree) {
        lock(&self.trees).remove(&tree.id());
    }
}

/// Locks a mutex whose data is valid even if a thread has panicked while holding it.
fn lock<T: ?Sized>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// A line and the time of its arrival.
#[derive(Debug)]
pub struct TimedLine {
    /// The line without its end.
    pub line: String,
    /// Time at which its last byte was read.
    pub at: Instant,
}

/// No line could be read or written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ReadError {
    /// None came in time.
    Timeout,
    /// The pipe is closed: the process has ended or is about to.
    Closed,
}

/// A writer that takes the stderr of engines.
pub trait StderrSink: Write + Send + Debug {}

impl<W: Write + Send + Debug> StderrSink for W {}

/// A writer that engines share.
pub type StderrLog = Arc<Mutex<dyn StderrSink>>;

/// A running engine.
#[derive(Debug)]
pub struct EngineProcess {
    tree: Arc<ProcessTree>,
    stdin: Option<ChildStdin>,
    lines: Receiver<TimedLine>,
    protocol_tail: VecDeque<String>,
    stderr_tail: Arc<Mutex<VecDeque<String>>>,
    /// Disconnected when stderr closes.
    stderr_end: Receiver<()>,
    registry: Arc<ProcessRegistry>,
    /// Whether the child has been waited for, which frees its number.
    reaped: bool,
    /// Whether it shares a core with its opponent.
    is_pinned: bool,
}

impl EngineProcess {
    /// Starts an engine with `extra` arguments after those of its command.
    ///
    /// # Errors
    /// The program does not start; the message names it.
    pub fn start(
        engine: &EngineConfig,
        extra: &[String],
        registry: &Arc<ProcessRegistry>,
        log: Option<StderrLog>,
    ) -> Result<EngineProcess, String> {
        let (program, arguments) =
            engine.command.split_first().ok_or_else(|| "no command".to_string())?;
        let mut command = Command::new(resolve(program, engine.folder.as_deref()));
        command.args(arguments).args(extra).envs(&engine.env);
        if let Some(folder) = &engine.folder {
            command.current_dir(folder);
        }
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        let (tree, (stdin, stdout, stderr)) =
            ProcessTree::spawn(command).map_err(|error| format!("{program}: {error}"))?;
        let tree = Arc::new(tree);
        registry.insert(&tree);
        let (sender, lines) = sync_channel(LINE_CHANNEL_CAPACITY);
        let stderr_tail = Arc::new(Mutex::new(VecDeque::new()));
        let (stderr_open, stderr_end) = sync_channel(0);
        if let Some(stdout) = stdout {
            thread::spawn(move || forward_lines(stdout, &sender));
        }
        if let Some(source) = stderr {
            let tail = Arc::clone(&stderr_tail);
            thread::spawn(move || {
                keep_stderr(source, &tail, log);
                drop(stderr_open);
            });
        }
        Ok(EngineProcess {
            tree,
            stdin,
            lines,
            protocol_tail: VecDeque::new(),
            stderr_tail,
            stderr_end,
            registry: Arc::clone(registry),
            reaped: false,
            is_pinned: false,
        })
    }

    /// Binds the engine to one core (Linux only).
    #[cfg(target_os = "linux")]
    pub(super) fn pin_to_core(&mut self, core: usize) {
        use nix::sched::{CpuSet, sched_setaffinity};
        use nix::unistd::Pid;
        let mut cores = CpuSet::new();
        if let (Ok(()), Ok(pid)) = (cores.set(core), i32::try_from(self.tree.id())) {
            // An error means that the engine has ended.
            self.is_pinned = sched_setaffinity(Pid::from_raw(pid), &cores).is_ok();
        }
    }

    /// Does nothing: only Linux binds a process.
    #[cfg(not(target_os = "linux"))]
    pub(super) fn pin_to_core(&mut self, _core: usize) {}

    /// Stops a pinned engine until the next line to it: what it computed on the opponent's time would
    /// take the opponent's core.
    pub(super) fn pause(&self) {
        if self.is_pinned && !self.reaped {
            self.tree.pause();
        }
    }

    /// Lets a pinned engine go on.
    fn resume(&self) {
        if self.is_pinned && !self.reaped {
            self.tree.resume();
        }
    }

    /// Sends a line.
    ///
    /// # Errors
    /// The engine has closed its input.
    pub fn send(&mut self, line: &str) -> Result<(), ReadError> {
        self.resume();
        self.note("> ", line);
        let stdin = self.stdin.as_mut().ok_or(ReadError::Closed)?;
        stdin
            .write_all(format!("{line}\n").as_bytes())
            .and_then(|()| stdin.flush())
            .map_err(|_| ReadError::Closed)
    }

    /// Ends the input of the engine.
    pub fn close_input(&mut self) {
        self.stdin = None;
    }

    /// Waits for the next line until a moment.
    ///
    /// # Errors
    /// None came in time, or none will come.
    pub fn receive(&mut self, until: Instant) -> Result<TimedLine, ReadError> {
        let mut has_ended = false;
        loop {
            let left = until.saturating_duration_since(Instant::now());
            let wait = if has_ended { LAST_LINES_WAIT } else { left.min(ALIVE_CHECK_PAUSE) };
            match self.lines.recv_timeout(wait) {
                Ok(line) => {
                    self.note("< ", &line.line);
                    return Ok(line);
                }
                Err(RecvTimeoutError::Disconnected) => return Err(ReadError::Closed),
                Err(RecvTimeoutError::Timeout) if has_ended => return Err(ReadError::Closed),
                Err(RecvTimeoutError::Timeout) => {
                    has_ended = self.reap().is_some();
                    if !has_ended && left <= ALIVE_CHECK_PAUSE {
                        return Err(ReadError::Timeout);
                    }
                }
            }
        }
    }

    /// Returns the exit status if the process has ended, and kills what it has started.
    fn reap(&mut self) -> Option<ExitStatus> {
        let status = self.tree.try_wait()?;
        if !self.reaped {
            self.tree.kill();
            self.reaped = true;
        }
        Some(status)
    }

    /// Drops the lines that have arrived.
    pub(super) fn drain(&mut self) {
        while let Ok(line) = self.lines.try_recv() {
            self.note("< ", &line.line);
        }
    }

    fn note(&mut self, mark: &str, line: &str) {
        push_bounded(
            &mut self.protocol_tail,
            format!("{mark}{}", shorten(line)),
            PROTOCOL_TAIL_LINES,
        );
    }

    /// Returns the last lines of the protocol, `> ` before those sent and `< ` before those
    /// received.
    pub(super) fn protocol_tail(&mut self) -> Vec<String> {
        self.drain();
        self.protocol_tail.iter().cloned().collect()
    }

    /// Returns the last lines of stderr, up to its end if the engine has ended.
    pub(super) fn stderr_tail(&self) -> Vec<String> {
        if self.reaped {
            let _ = self.stderr_end.recv_timeout(STDERR_WAIT);
        }
        lock(&self.stderr_tail).iter().cloned().collect()
    }

    /// Returns the exit status if the process has ended.
    pub(super) fn exit_status(&mut self) -> Option<String> {
        let until = Instant::now() + EXIT_STATUS_WAIT;
        // The output closes a moment before the status is known.
        loop {
            if let Some(status) = self.reap() {
                // The same words on all systems.
                return Some(status.to_string().replace("exit code", "exit status"));
            }
            if Instant::now() >= until {
                return None;
            }
            thread::sleep(Duration::from_millis(1));
        }
    }

    /// Asks the engine to quit, waits a second, then kills it.
    pub(super) fn quit(mut self) {
        let _ = self.send("quit");
        self.close_input();
        let until = Instant::now() + QUIT_WAIT;
        while self.receive(until).is_ok() {}
    }
}

/// Kills the engine and all that it has started.
impl Drop for EngineProcess {
    fn drop(&mut self) {
        // Until the child is waited for, no other group can have its number.
        if !self.reaped {
            self.tree.kill();
        }
        self.registry.remove(&self.tree);
        self.tree.wait();
    }
}

/// Returns the path of a program: a relative path is looked up in the engine's folder first, then
/// in the current one.
fn resolve(program: &str, folder: Option<&Path>) -> PathBuf {
    let path = Path::new(program);
    if path.components().count() < 2 || path.is_absolute() {
        return path.to_path_buf();
    }
    let inside = folder.map(|folder| folder.join(path)).filter(|path| is_program(path));
    let found = inside.unwrap_or_else(|| path.to_path_buf());
    // Absolute, because the program starts in another folder.
    std::path::absolute(&found).unwrap_or(found)
}

/// Whether a file has this name, or this name and the system's extension of programs.
fn is_program(path: &Path) -> bool {
    let mut extended = path.as_os_str().to_owned();
    extended.push(std::env::consts::EXE_SUFFIX);
    path.exists() || Path::new(&extended).exists()
}

/// Returns a line in ASCII, cut to [`TAIL_LINE_CHARS`].
fn shorten(line: &str) -> String {
    let ascii = |c: char| if c.is_ascii_graphic() || c == ' ' { c } else { '?' };
    let mut text: String = line.chars().take(TAIL_LINE_CHARS).map(ascii).collect();
    if line.len() > text.len() {
        text.push_str("...");
    }
    text
}

/// Appends a line and drops the oldest beyond `max_lines`.
fn push_bounded(lines: &mut VecDeque<String>, line: String, max_lines: usize) {
    if lines.len() == max_lines {
        lines.pop_front();
    }
    lines.push_back(line);
}

fn forward_lines(stdout: impl Read, sender: &SyncSender<TimedLine>) {
    let mut source = BufReader::new(stdout);
    let mut bytes = Vec::new();
    while read_line(&mut source, &mut bytes).is_some() {
        let at = Instant::now();
        let line = String::from_utf8_lossy(&bytes).into_owned();
        if sender.send(TimedLine { line, at }).is_err() {
            return;
        }
    }
}

fn keep_stderr(stderr: impl Read, tail: &Mutex<VecDeque<String>>, log: Option<StderrLog>) {
    let mut source = BufReader::new(stderr);
    let mut bytes = Vec::new();
    while read_line(&mut source, &mut bytes).is_some() {
        if let Some(log) = &log {
            // Reading goes on when the disk is full: the engine must not block.
            let mut log = lock(log);
            let _ = log.write_all(&bytes).and_then(|()| log.write_all(b"\n"));
        }
        let line = shorten(&String::from_utf8_lossy(&bytes));
        push_bounded(&mut lock(tail), line, STDERR_TAIL_LINES);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_for_the_record_is_ascii_and_short() {
        assert_eq!(shorten("a\u{2192}\tb"), "a??b...");
        assert_eq!(shorten(&"y".repeat(1000)).len(), TAIL_LINE_CHARS + 3);
    }
}
