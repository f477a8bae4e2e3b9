//! The umigame binary behind pipes: run to its end, or talked to line by line.
#![allow(dead_code, reason = "each test binary uses a part")]

mod usage;

use std::io::{BufRead, BufReader, Write};
use std::path::Path;
use std::process::{Child, ChildStdin, Command, ExitStatus, Output, Stdio};
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::thread;
use std::time::{Duration, Instant};

use umigame_othello::{Board, Move};

/// Time after which the engine is taken to hang. It bounds every wait and asserts no speed.
pub const HANG_TIMEOUT: Duration = Duration::from_secs(60);

/// `set game` with the start position, as NBoard sends it.
pub const START: &str = "set game (;GM[Othello]PC[NBoard]DT[2026-11-21 07:40:20 GMT]PB[]PW[]RE[?]\
TI[5:00]TY[8]BO[8 ---------------------------O*------*O--------------------------- *];)";

/// Returns `set game` with the start position, these clock tags and these move tags.
pub fn game(clocks: &str, moves: &str) -> String {
    format!(
        "set game (;GM[Othello]PC[NBoard]PB[a]PW[b]RE[?]{clocks}TY[8]\
         BO[8 ---------------------------O*------*O--------------------------- *]{moves};)"
    )
}

/// Returns `set game` with a position as [`umigame_othello::position_text`] writes it.
pub fn position(text: &str) -> String {
    let (squares, side) = text.split_once(' ').unwrap();
    let side = if side == "X" { '*' } else { 'O' };
    let squares = squares.replace('X', "*");
    format!("set game (;GM[Othello]PC[test]PB[a]PW[b]RE[?]TI[5:00]TY[8]BO[8 {squares} {side}];)")
}

/// A position in which White must pass; Black then takes a1, and the game is over.
pub const WHITE_MUST_PASS: &str =
    "-OXXXXXX-------------------------------------------------------- O";
/// A position in which neither side can move: 3 discs to 2.
pub const GAME_OVER: &str = "XXX----------------------------------------------------------OO- X";

/// Plays `f5 d6 ...` from the start, forced passes included.
pub fn board_after(moves: &str) -> Board {
    let mut board = Board::start();
    for played in moves.split_whitespace() {
        if board.must_pass() {
            board.pass().unwrap();
        }
        board.play(played.parse::<Move>().unwrap()).unwrap();
    }
    board
}

/// Returns a command that runs the binary with these arguments and an empty input.
pub fn umigame(args: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_umigame"));
    command.args(args).env_remove("RUST_LOG").stdin(Stdio::null());
    command
}

/// Runs the binary to its end. Returns exit code, standard output and standard error.
pub fn run(args: &[&str]) -> (i32, String, String) {
    run_in(Path::new("."), args, "")
}

/// Runs the binary in a folder with `input` on standard input, like [`run`].
pub fn run_in(folder: &Path, args: &[&str], input: &str) -> (i32, String, String) {
    let mut command = umigame(args);
    command.current_dir(folder);
    let Output { status, stdout, stderr } = feed(command, input.as_bytes());
    let text = |bytes| String::from_utf8(bytes).expect("all output is text");
    (status.code().expect("no signal"), text(stdout), text(stderr))
}

/// Creates a folder that lives as long as the first value; the second returns the path of a name
/// in it.
pub fn folder() -> (tempfile::TempDir, impl Fn(&str) -> String) {
    let folder = tempfile::tempdir().expect("a temporary directory");
    let path = folder.path().to_owned();
    (folder, move |name: &str| path.join(name).to_str().expect("a plain name").to_owned())
}

/// Creates a folder with these files: name and text.
pub fn folder_with(files: &[(&str, &str)]) -> tempfile::TempDir {
    let folder = tempfile::tempdir().expect("a temporary directory");
    for (name, text) in files {
        let path = folder.path().join(name);
        std::fs::create_dir_all(path.parent().expect("a name in it")).expect("room");
        std::fs::write(path, text).expect("room");
    }
    folder
}

/// A running engine: lines go to its standard input and come from its standard output.
pub struct EngineProcess {
    child: Child,
    input: Option<ChildStdin>,
    lines: Receiver<(Instant, String)>,
    pings: u32,
}

impl EngineProcess {
    /// Starts the binary with these arguments. Standard error is dropped.
    pub fn start(args: &[&str]) -> EngineProcess {
        EngineProcess::start_in(Path::new("."), args)
    }

    /// Starts the binary in a folder, like [`EngineProcess::start`].
    pub fn start_in(folder: &Path, args: &[&str]) -> EngineProcess {
        let mut command = umigame(args);
        command.current_dir(folder).stderr(Stdio::null());
        EngineProcess::spawn(command)
    }

    /// Starts a command. Its standard error is as the command says.
    pub fn spawn(mut command: Command) -> EngineProcess {
        let mut child = command.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().unwrap();
        let input = child.stdin.take();
        let output = BufReader::new(child.stdout.take().unwrap());
        let (sender, lines) = channel();
        thread::spawn(move || {
            for line in output.split(b'\n') {
                let line = String::from_utf8(line.unwrap()).unwrap();
                if sender.send((Instant::now(), line)).is_err() {
                    break;
                }
            }
        });
        EngineProcess { child, input, lines, pings: 7000 }
    }

    /// Starts `umigame nboard`.
    pub fn nboard() -> EngineProcess {
        EngineProcess::start(&["nboard"])
    }

    /// Starts `umigame gtp`.
    pub fn gtp() -> EngineProcess {
        EngineProcess::start(&["gtp"])
    }

    /// Writes bytes.
    pub fn write(&mut self, bytes: &[u8]) {
        let input = self.input.as_mut().unwrap();
        input.write_all(bytes).unwrap();
        input.flush().unwrap();
    }

    /// Writes lines in one piece, with a line feed at the end.
    pub fn send(&mut self, lines: &str) {
        self.write(format!("{lines}\n").as_bytes());
    }

    /// Returns the next line and the moment it came.
    pub fn timed_line(&mut self) -> (Instant, String) {
        match self.lines.recv_timeout(HANG_TIMEOUT) {
            Ok(line) => line,
            Err(RecvTimeoutError::Timeout) => panic!("no line within {HANG_TIMEOUT:?}"),
            Err(RecvTimeoutError::Disconnected) => panic!("the output has ended"),
        }
    }

    /// Returns the next line.
    pub fn line(&mut self) -> String {
        self.timed_line().1
    }

    /// Returns the lines that come within `time`.
    pub fn lines_within(&mut self, time: Duration) -> Vec<String> {
        let end = Instant::now() + time;
        let mut found = Vec::new();
        while let Ok((_, line)) =
            self.lines.recv_timeout(end.saturating_duration_since(Instant::now()))
        {
            found.push(line);
        }
        found
    }

    /// Returns the lines up to and including the first one with this beginning.
    pub fn until(&mut self, beginning: &str) -> Vec<String> {
        let mut found = vec![self.line()];
        while !found.last().unwrap().starts_with(beginning) {
            let line = self.line();
            found.push(line);
        }
        found
    }

    /// Sends a ping with a number of its own and returns the lines before its pong.
    pub fn before_pong(&mut self) -> Vec<String> {
        self.pings += 1;
        let number = self.pings;
        self.send(&format!("ping {number}"));
        let mut found = self.until("pong");
        assert_eq!(found.pop(), Some(format!("pong {number}")));
        found
    }

    /// Sends a hint request and returns its lines up to the status that ends it.
    pub fn hint(&mut self, request: &str) -> Vec<String> {
        self.send(request);
        let mut found = Vec::new();
        loop {
            let line = self.line();
            if line == "status" || line.starts_with("status The game is over") {
                return found;
            }
            found.push(line);
        }
    }

    /// Sends `go` and returns the line that begins with `===`.
    pub fn go(&mut self) -> String {
        self.send("go");
        self.until("===").pop().unwrap()
    }

    /// Sends `go` and returns the move of the answer.
    pub fn go_move(&mut self) -> Move {
        nboard_move(&self.go())
    }

    /// Sends a GTP command and returns the text of its response: `Ok` after `=`, `Err` after `?`.
    pub fn ask(&mut self, command: &str) -> Result<String, String> {
        self.send(command);
        self.response()
    }

    /// Returns the next GTP response, like [`EngineProcess::ask`].
    pub fn response(&mut self) -> Result<String, String> {
        let mut text = self.line();
        loop {
            let line = self.line();
            if line.is_empty() {
                break;
            }
            text.push('\n');
            text.push_str(&line);
        }
        match (text.strip_prefix('='), text.strip_prefix('?')) {
            (Some(text), _) => Ok(text.strip_prefix(' ').unwrap_or(text).to_string()),
            (_, Some(text)) => Err(text.strip_prefix(' ').unwrap_or(text).to_string()),
            _ => panic!("`{text}` is no GTP response"),
        }
    }

    /// Sends a GTP command that must succeed and returns the text of its response.
    pub fn done(&mut self, command: &str) -> String {
        match self.ask(command) {
            Ok(text) => text,
            Err(error) => panic!("{command}: {error}"),
        }
    }

    /// Closes the input.
    pub fn close_input(&mut self) {
        self.input = None;
    }

    /// Waits for the end of the process. Returns its status, the time waited and the lines left.
    pub fn wait(&mut self) -> (ExitStatus, Duration, Vec<String>) {
        let start = Instant::now();
        let status = loop {
            match self.child.try_wait().unwrap() {
                Some(status) => break status,
                None if start.elapsed() > HANG_TIMEOUT => panic!("the engine does not end"),
                None => thread::sleep(Duration::from_millis(1)),
            }
        };
        let waited = start.elapsed();
        // The reader of its output ends with the process.
        (status, waited, self.lines.iter().map(|(_, line)| line).collect())
    }

    /// Returns the processor time of all threads so far, in steps of 10 ms; `None` if the system
    /// does not report it.
    pub fn processor_time(&self) -> Option<Duration> {
        usage::processor_time(self.child.id())
    }

    /// Returns the processor time used during `time`, in which the engine must say nothing.
    pub fn work_within(&mut self, time: Duration) -> Option<Duration> {
        let before = self.processor_time()?;
        assert_eq!(self.lines_within(time), [""; 0], "nothing was requested");
        Some(self.processor_time()?.saturating_sub(before))
    }

    /// Returns the resident memory in kB; `None` if the system does not report it.
    pub fn memory(&self) -> Option<u64> {
        usage::memory(self.child.id())
    }

    /// Returns the number of threads; `None` if the system does not report it.
    pub fn threads(&self) -> Option<u64> {
        usage::threads(self.child.id())
    }
}

impl Drop for EngineProcess {
    fn drop(&mut self) {
        // Both fail if the process has ended.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// Runs the binary with all of `input` at once. Returns its output.
pub fn converse(args: &[&str], input: &[u8]) -> Output {
    feed(umigame(args), input)
}

fn feed(mut command: Command, input: &[u8]) -> Output {
    command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = command.spawn().expect("the binary starts");
    let mut pipe = child.stdin.take().unwrap();
    let input = input.to_vec();
    let writer = thread::spawn(move || {
        // The engine may have quit before the last byte.
        let _ = pipe.write_all(&input);
    });
    let output = child.wait_with_output().unwrap();
    writer.join().unwrap();
    output
}

/// Returns standard output as text.
pub fn stdout(output: &Output) -> String {
    String::from_utf8(output.stdout.clone()).unwrap()
}

/// Returns the move in columns 5 and 6 of an answer to `go`.
pub fn nboard_move(line: &str) -> Move {
    assert!(line.starts_with("=== "), "`{line}`");
    line[4..6].parse().unwrap()
}

/// A parsed `search` line.
#[derive(Clone, Debug, PartialEq)]
pub struct Hint {
    pub first: Move,
    pub eval: f64,
    pub depth: String,
}

/// Parses the `search` lines among `lines`, checking each against the grammar of NBoard's parser.
pub fn hints(lines: &[String]) -> Vec<Hint> {
    let searched = lines.iter().filter(|line| line.starts_with("search"));
    searched.map(|line| hint(line)).collect()
}

fn hint(line: &str) -> Hint {
    let words: Vec<&str> = line.split(' ').collect();
    let [_, pv, eval, count, depth, ..] = words[..] else { panic!("`{line}` is too short") };
    assert!(pv.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'-'), "`{line}`");
    assert!(!eval.contains(['e', 'E']) && eval.len() < 8, "`{line}`");
    assert!(count.parse::<u32>().is_ok_and(|count| count <= i32::MAX as u32), "`{line}`");
    let digits = depth.bytes().take_while(u8::is_ascii_digit).count();
    assert!(digits > 0, "`{line}`: the depth begins with a number");
    Hint { first: pv[..2].parse().unwrap(), eval: eval.parse().unwrap(), depth: depth.to_string() }
}

/// Returns whether NBoard's parser accepts or ignores a line.
pub fn is_nboard_reply(line: &str) -> bool {
    let words: Vec<&str> = line.split(' ').collect();
    let number = |text: &str| text.parse::<f64>().is_ok() && !text.contains(['e', 'E', 'N', 'i']);
    match words[..] {
        ["pong", n] => n.parse::<i64>().is_ok(),
        ["status", ..] | ["learned"] => true,
        ["set", "myname", name] => !name.contains(']'),
        ["nodestats", n, t] => n.parse::<u64>().is_ok() && number(t),
        ["search", ..] => {
            hint(line);
            true
        }
        ["===", reply] => {
            let mut fields = reply.split('/');
            fields.next().is_some_and(|m| m.len() == 2 && m.parse::<Move>().is_ok())
                && fields.all(number)
        }
        ["analysis", k, e] => k.parse::<u32>().is_ok() && number(e),
        _ => false,
    }
}
