//! An engine as a process: lines in, lines out with the moment they came,
//! stderr kept, and nothing left behind.
//!
//! Two threads read for each engine and hand lines over by channel, so that
//! nothing polls. The channel is bounded: an engine that floods its output
//! waits at its own pipe. Each engine leads a process group of its own, which
//! is killed with it.

use std::collections::{HashSet, VecDeque};
use std::io::{BufRead, BufReader, Read, Write};
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdin, Command, Stdio};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, RecvTimeoutError, SyncSender, sync_channel};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use umigame_othello::lines::{LineRead, read_line};

use super::config::EngineConfig;

/// Bytes of a line that are kept; the rest of it is dropped.
const LONGEST_LINE: usize = 16 * 1024;
/// Lines that may wait between an engine and the runner.
const LINES_WAITING: usize = 1024;
/// Lines of the protocol kept for the record of a fault.
const TAIL: usize = 24;
/// Lines of stderr kept for the record of a fault.
const STDERR_TAIL: usize = 12;
/// Characters of a line that go into the record of a fault.
const TAIL_WIDTH: usize = 300;
/// How long the stderr of an engine that is gone is waited for.
const LAST_WORDS: Duration = Duration::from_millis(200);
/// How long an engine may take to leave after `quit` before it is killed.
const LEAVE: Duration = Duration::from_secs(1);

/// The engines that are alive, so that an interrupt can end them all.
#[derive(Debug, Default)]
pub struct Registry {
    stopping: AtomicBool,
    groups: Mutex<HashSet<u32>>,
}

impl Registry {
    /// Whether the match is being broken off.
    pub fn stopping(&self) -> bool {
        self.stopping.load(Ordering::SeqCst)
    }

    /// Breaks the match off: kills every engine, now and those to come.
    pub fn stop(&self) {
        self.stopping.store(true, Ordering::SeqCst);
        for &group in lock(&self.groups).iter() {
            kill_group(group);
        }
    }

    fn enter(&self, group: u32) {
        lock(&self.groups).insert(group);
        if self.stopping() {
            kill_group(group);
        }
    }

    /// Forgets a group; after that its number may be another's.
    fn leave(&self, group: u32) {
        lock(&self.groups).remove(&group);
    }
}

/// A poisoned lock holds nothing that could be half done here.
fn lock<T: ?Sized>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

#[cfg(unix)]
fn kill_group(group: u32) {
    use nix::sys::signal::{Signal, killpg};
    use nix::unistd::Pid;
    if let Ok(group) = i32::try_from(group) {
        // It may be gone already, which is what is wanted.
        let _ = killpg(Pid::from_raw(group), Signal::SIGKILL);
    }
}

#[cfg(not(unix))]
fn kill_group(_group: u32) {}

/// A line and when it came.
#[derive(Debug)]
pub struct Arrival {
    /// The line without its end.
    pub line: String,
    /// When its last byte was read.
    pub at: Instant,
}

/// Why no line came.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NoLine {
    /// The time is up.
    Late,
    /// The output is closed: the engine is gone.
    Gone,
}

/// A running engine.
#[derive(Debug)]
pub struct Process {
    child: Child,
    stdin: Option<ChildStdin>,
    lines: Receiver<Arrival>,
    tail: VecDeque<String>,
    stderr: Arc<Mutex<VecDeque<String>>>,
    /// Closed when stderr is.
    stderr_end: Receiver<()>,
    registry: Arc<Registry>,
    /// Whether the child has been waited for, so that its number is free.
    reaped: bool,
}

/// Where stderr of an engine goes beside its record, if anywhere.
pub type StderrLog = Arc<Mutex<dyn Write + Send>>;

impl Process {
    /// Starts an engine; `extra` are arguments after those of its command.
    ///
    /// # Errors
    /// A sentence that names the program.
    pub fn start(
        engine: &EngineConfig,
        extra: &[String],
        registry: &Arc<Registry>,
        log: Option<StderrLog>,
    ) -> Result<Process, String> {
        let (program, arguments) =
            engine.command.split_first().ok_or_else(|| "no command".to_string())?;
        let mut command = Command::new(resolve(program, engine.folder.as_deref()));
        command.args(arguments).args(extra).envs(&engine.env);
        if let Some(folder) = &engine.folder {
            command.current_dir(folder);
        }
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        #[cfg(unix)]
        std::os::unix::process::CommandExt::process_group(&mut command, 0);
        let mut child = command.spawn().map_err(|error| format!("{program}: {error}"))?;
        registry.enter(child.id());
        let (sender, lines) = sync_channel(LINES_WAITING);
        let stderr = Arc::new(Mutex::new(VecDeque::new()));
        let (stderr_open, stderr_end) = sync_channel(0);
        let stdin = child.stdin.take();
        if let Some(stdout) = child.stdout.take() {
            thread::spawn(move || forward_lines(stdout, &sender));
        }
        if let Some(source) = child.stderr.take() {
            let kept = Arc::clone(&stderr);
            thread::spawn(move || {
                keep_stderr(source, &kept, log);
                drop(stderr_open);
            });
        }
        let registry = Arc::clone(registry);
        Ok(Process {
            child,
            stdin,
            lines,
            tail: VecDeque::new(),
            stderr,
            stderr_end,
            registry,
            reaped: false,
        })
    }

    /// Binds the engine to one core, where the system can.
    pub fn pin(&self, core: usize) {
        #[cfg(target_os = "linux")]
        {
            use nix::sched::{CpuSet, sched_setaffinity};
            use nix::unistd::Pid;
            let mut cores = CpuSet::new();
            if let (Ok(()), Ok(pid)) = (cores.set(core), i32::try_from(self.child.id())) {
                // An engine that has gone cannot be bound, and need not be.
                let _ = sched_setaffinity(Pid::from_raw(pid), &cores);
            }
        }
        #[cfg(not(target_os = "linux"))]
        let _ = core;
    }

    /// Sends a line.
    ///
    /// # Errors
    /// The engine does not read any more.
    pub fn send(&mut self, line: &str) -> Result<(), NoLine> {
        self.note("> ", line);
        let stdin = self.stdin.as_mut().ok_or(NoLine::Gone)?;
        let mut bytes = Vec::with_capacity(line.len() + 1);
        bytes.extend_from_slice(line.as_bytes());
        bytes.push(b'\n');
        stdin.write_all(&bytes).and_then(|()| stdin.flush()).map_err(|_| NoLine::Gone)
    }

    /// Waits for the next line until a moment.
    ///
    /// # Errors
    /// None came in time, or none will come.
    pub fn receive(&mut self, until: Instant) -> Result<Arrival, NoLine> {
        let patience = until.saturating_duration_since(Instant::now());
        let arrival = self.lines.recv_timeout(patience).map_err(|error| match error {
            RecvTimeoutError::Timeout => NoLine::Late,
            RecvTimeoutError::Disconnected => NoLine::Gone,
        })?;
        self.note("< ", &arrival.line);
        Ok(arrival)
    }

    /// Drops the lines that wait.
    pub fn drain(&mut self) {
        while let Ok(arrival) = self.lines.try_recv() {
            self.note("< ", &arrival.line);
        }
    }

    fn note(&mut self, mark: &str, line: &str) {
        if self.tail.len() == TAIL {
            self.tail.pop_front();
        }
        self.tail.push_back(format!("{mark}{}", shortened(line)));
    }

    /// The last lines of the protocol, `> ` what was sent and `< ` what came.
    pub fn protocol_tail(&mut self) -> Vec<String> {
        self.drain();
        self.tail.iter().cloned().collect()
    }

    /// The last lines of stderr; all of them, where the engine is gone.
    pub fn stderr_tail(&self) -> Vec<String> {
        if self.reaped {
            let _ = self.stderr_end.recv_timeout(LAST_WORDS);
        }
        lock(&self.stderr).iter().cloned().collect()
    }

    /// How the process ended, if it has.
    pub fn exit(&mut self) -> Option<String> {
        // The output may close a moment before the status is known.
        for _ in 0..20 {
            if let Ok(Some(status)) = self.child.try_wait() {
                if !self.reaped {
                    // What it started may have outlived it.
                    kill_group(self.child.id());
                    self.reaped = true;
                }
                return Some(status.to_string());
            }
            thread::sleep(Duration::from_millis(1));
        }
        None
    }

    /// Asks the engine to leave and makes it.
    pub fn close(mut self) {
        let _ = self.send("quit");
        self.stdin = None;
        let until = Instant::now() + LEAVE;
        while self.receive(until).is_ok() {}
    }
}

/// Whatever the engine was doing, it and what it started end here.
impl Drop for Process {
    fn drop(&mut self) {
        // The group is named after the child, which holds its number until
        // it is waited for: nobody else can be meant.
        if !self.reaped {
            kill_group(self.child.id());
            let _ = self.child.kill();
        }
        self.registry.leave(self.child.id());
        let _ = self.child.wait();
    }
}

/// A program named by a path is looked for in its folder first, then where
/// the runner is.
fn resolve(program: &str, folder: Option<&Path>) -> PathBuf {
    let path = Path::new(program);
    if path.components().count() < 2 || path.is_absolute() {
        return path.to_path_buf();
    }
    let inside = folder.map(|folder| folder.join(path)).filter(|path| path.exists());
    let found = inside.unwrap_or_else(|| path.to_path_buf());
    // Absolute, because the folder changes before the program is started.
    std::path::absolute(&found).unwrap_or(found)
}

/// ASCII, and not longer than a record wants it.
fn shortened(line: &str) -> String {
    let ascii = |c: char| if c.is_ascii_graphic() || c == ' ' { c } else { '?' };
    let mut text: String = line.chars().take(TAIL_WIDTH).map(ascii).collect();
    if line.len() > text.len() {
        text.push_str("...");
    }
    text
}

/// Reads one line without its end; false at the end of the output.
fn next_line(source: &mut impl BufRead, line: &mut Vec<u8>) -> bool {
    read_line(source, LONGEST_LINE, line).is_ok_and(|read| read != LineRead::End)
}

fn forward_lines(stdout: impl Read, sender: &SyncSender<Arrival>) {
    let mut source = BufReader::new(stdout);
    let mut line = Vec::new();
    while next_line(&mut source, &mut line) {
        let arrival =
            Arrival { at: Instant::now(), line: String::from_utf8_lossy(&line).into_owned() };
        if sender.send(arrival).is_err() {
            return;
        }
    }
}

fn keep_stderr(stderr: impl Read, kept: &Mutex<VecDeque<String>>, log: Option<StderrLog>) {
    let mut source = BufReader::new(stderr);
    let mut line = Vec::new();
    while next_line(&mut source, &mut line) {
        if let Some(log) = &log {
            // A full disk is no reason to stop reading.
            let mut log = lock(log);
            let _ = log.write_all(&line).and_then(|()| log.write_all(b"\n"));
        }
        let mut kept = lock(kept);
        if kept.len() == STDERR_TAIL {
            kept.pop_front();
        }
        kept.push_back(shortened(&String::from_utf8_lossy(&line)));
    }
}

/// A file that takes only so many bytes: a flood of stderr fills no disk.
#[derive(Debug)]
pub struct Capped<W> {
    inner: W,
    left: usize,
}

impl<W: Write> Capped<W> {
    /// Lets this many bytes through.
    pub fn new(inner: W, limit: usize) -> Capped<W> {
        Capped { inner, left: limit }
    }
}

impl<W: Write> Write for Capped<W> {
    fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
        let (fitting, _) = bytes.split_at(bytes.len().min(self.left));
        self.left -= fitting.len();
        self.inner.write_all(fitting)?;
        Ok(bytes.len())
    }

    fn flush(&mut self) -> std::io::Result<()> {
        self.inner.flush()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_without_end_takes_no_memory() {
        let mut bytes = vec![b'x'; 5 * LONGEST_LINE];
        bytes.extend_from_slice(b"\r\nnext\n\nlast");
        let mut source = BufReader::new(bytes.as_slice());
        let mut line = Vec::new();
        let mut lengths = Vec::new();
        while next_line(&mut source, &mut line) {
            lengths.push(line.len());
        }
        assert_eq!(lengths, [LONGEST_LINE, 4, 0, 4]);
    }

    #[test]
    fn a_capped_file_takes_its_share_and_no_more() {
        let mut file = Capped::new(Vec::new(), 5);
        file.write_all(b"abc").unwrap();
        file.write_all(b"defg").unwrap();
        assert_eq!(file.inner, b"abcde");
    }

    #[test]
    fn what_goes_into_a_record_is_ascii_and_short() {
        assert_eq!(shortened("a\u{2192}\tb"), "a??b...");
        assert_eq!(shortened(&"y".repeat(1000)).len(), TAIL_WIDTH + 3);
    }
}
