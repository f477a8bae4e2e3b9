//! Engines with faults, for the tests of the match runner, and the `main` of these tests.
//!
//! A test binary starts itself as such an engine. Its `main` looks for the engine's environment
//! variable before any test harness prints to standard output; hence `harness = false`.

use std::collections::BTreeMap;
use std::io::{self, BufRead, Write};
use std::process::{ExitCode, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use libtest_mimic::{Arguments, Trial};
use umigame_arena::{EngineConfig, EngineProtocol};
use umigame_othello::{Board, Color, Move, Square, formats::ggf};

/// Environment variable with the engine's habits; if set, the binary is an engine.
const HABITS: &str = "FAULT_ENGINE";
/// Environment variable by which a test finds its processes.
const TOKEN: &str = "FAULT_ENGINE_TOKEN";

/// Makes a list of trials out of test functions.
macro_rules! trials {
    ($($name:ident),* $(,)?) => {
        vec![$(libtest_mimic::Trial::test(stringify!($name), || {
            $name();
            Ok(())
        })),*]
    };
}
pub(crate) use trials;

/// Is an engine if the environment says so; otherwise runs the tests.
pub fn main(tests: Vec<Trial>) -> ExitCode {
    match std::env::var(HABITS) {
        Ok(habits) => {
            #[cfg(not(target_os = "linux"))]
            let _alive = alive::mark(&std::env::var(TOKEN).unwrap());
            Engine::new(&habits).serve();
            ExitCode::SUCCESS
        }
        Err(_) => {
            let mut arguments = Arguments::from_args();
            let threads = || std::env::var("RUST_TEST_THREADS").ok()?.parse().ok();
            arguments.test_threads = arguments.test_threads.or_else(threads);
            libtest_mimic::run(&arguments, tests).exit_code()
        }
    }
}

/// Returns what marks the processes of a test: its name, which no other test of this binary has.
pub fn token(name: &str) -> String {
    format!("{name}-{}", std::process::id())
}

/// Returns the configuration of an engine with faults: this test binary. `habits` begin with the
/// protocol, as in `gtp dies=5`.
pub fn config(name: &str, habits: &str, token: &str) -> EngineConfig {
    let program = std::env::current_exe().unwrap();
    let env = [(HABITS, habits), (TOKEN, token)];
    EngineConfig {
        name: name.to_string(),
        command: vec![program.to_str().unwrap().to_string()],
        protocol: match habits.starts_with("gtp") {
            true => EngineProtocol::Gtp,
            false => EngineProtocol::Nboard,
        },
        env: BTreeMap::from(env.map(|(key, value)| (key.to_string(), value.to_string()))),
        ..EngineConfig::default()
    }
}

struct Engine {
    board: Board,
    /// Moves requested so far.
    requests: u64,
    /// Habits with their values: a number of requests or of milliseconds, or nothing.
    habits: BTreeMap<String, String>,
}

impl Engine {
    fn new(habits: &str) -> Engine {
        let habits = habits
            .split(' ')
            .map(|word| word.split_once('=').unwrap_or((word, "")))
            .map(|(key, value)| (key.to_string(), value.to_string()))
            .collect();
        Engine { board: Board::start(), requests: 0, habits }
    }

    fn has(&self, habit: &str) -> bool {
        self.habits.contains_key(habit)
    }

    fn number(&self, habit: &str) -> Option<u64> {
        self.habits.get(habit)?.parse().ok()
    }

    fn serve(&mut self) {
        if self.has("child") {
            // A child that outlives the engine unless it is killed with it.
            let sleep = std::process::Command::new(std::env::current_exe().unwrap())
                .env(HABITS, "sleeps")
                .stdin(Stdio::null())
                .stdout(Stdio::null())
                .stderr(Stdio::null())
                .spawn();
            assert!(sleep.is_ok());
        }
        #[cfg(unix)]
        if self.has("orphan") {
            // A child in a session of its own that holds the engine's output open.
            let sleep = std::process::Command::new(std::env::current_exe().unwrap())
                .env(HABITS, "leaves sleeps")
                .stdin(Stdio::null())
                .spawn();
            assert!(sleep.is_ok());
        }
        #[cfg(unix)]
        if self.has("leaves") {
            nix::unistd::setsid().unwrap();
        }
        if self.has("sleeps") {
            thread::sleep(Duration::from_secs(60));
        }
        if self.has("refuses") {
            eprintln!("no licence");
            std::process::exit(9);
        }
        if let Some(millis) = self.number("loads") {
            thread::sleep(Duration::from_millis(millis));
        }
        for line in io::stdin().lock().lines() {
            let Ok(line) = line else { break };
            if line == "quit" && !self.has("stays") {
                if self.has("gtp") {
                    say("= \n");
                }
                break;
            }
            if self.has("gtp") {
                self.gtp(&line);
            } else {
                self.nboard(&line);
            }
        }
        if self.has("stays") {
            thread::sleep(Duration::from_secs(1000));
        }
    }

    /// Commits the fault that is due at this request; otherwise returns a legal move that depends on
    /// the position and the seed only.
    fn choose(&mut self) -> String {
        self.requests += 1;
        let is_due = |habit: &str| self.number(habit) == Some(self.requests);
        if is_due("dies") {
            eprintln!("about to die");
            std::process::exit(3);
        }
        if is_due("hangs") {
            thread::sleep(Duration::from_secs(1000));
        }
        if is_due("late") {
            thread::sleep(Duration::from_millis(400));
        }
        if is_due("resigns") {
            return "resign".to_string();
        }
        if is_due("cheats") {
            return "D4".to_string();
        }
        if is_due("babbles") {
            return "Z9".to_string();
        }
        if is_due("passes") {
            return if self.has("gtp") { "pass" } else { "PA" }.to_string();
        }
        if self.has("floods") {
            let line = "x".repeat(500) + "\n";
            let _ = io::stderr().write_all(line.repeat(2000).as_bytes());
        }
        if let Some(millis) = self.number("takes") {
            thread::sleep(Duration::from_millis(millis));
        }
        #[cfg(target_os = "linux")]
        if let Some(millis) = self.number("computes") {
            let begun = processor_time();
            while processor_time() < begun + Duration::from_millis(millis) {}
        }
        if let Some(threads) = self.number("burns").filter(|_| self.requests == 1) {
            for _ in 0..threads {
                thread::spawn(|| while std::hint::black_box(true) {});
            }
        }
        let squares: Vec<Square> = self.board.legal_squares().collect();
        let seed = self.number("seed").unwrap_or(1);
        let index = fastrand::Rng::with_seed(self.board.key() ^ seed).usize(..squares.len().max(1));
        squares.get(index).map_or("pass".to_string(), |square| format!("{square:#}"))
    }

    fn reply(&self, success: bool, text: &str) {
        let mark = if success { '=' } else { '?' };
        let id = if self.has("ids") { " 5" } else { "" };
        let end = if self.has("unterminated") { "" } else { "\n" };
        say(&format!("{mark}{id} {text}\n{end}"));
    }

    fn gtp(&mut self, line: &str) {
        let words: Vec<&str> = line.split_whitespace().collect();
        match words.as_slice() {
            ["protocol_version"] => self.reply(true, "2"),
            ["list_commands"] => {
                let mut names = "play\ngenmove\nclear_board".to_string();
                if self.has("timed") || self.has("whole") {
                    names.push_str("\ntime_settings\ntime_left");
                }
                self.reply(true, &names);
            }
            ["clear_board"] => {
                self.board = Board::start();
                self.reply(true, "");
            }
            ["time_settings" | "time_left", rest @ ..] => {
                let whole = rest.iter().all(|word| !word.contains('.'));
                self.reply(whole || !self.has("whole"), "syntax error");
            }
            ["play", color, text] => {
                let success = self.play(color_of(color), text);
                self.reply(success, if success { "" } else { "illegal move" });
            }
            ["genmove", color] => {
                if !self.set_turn(color_of(color)) {
                    return self.reply(false, "wrong color");
                }
                let text = self.choose();
                if let Ok(played) = text.parse::<Move>() {
                    let _ = self.board.play(played);
                }
                self.reply(true, &text);
            }
            _ => self.reply(false, "unknown command"),
        }
    }

    /// Plays a move of the opponent. With implicit passes, an explicit one is refused and a missing
    /// one is added.
    fn play(&mut self, color: Color, text: &str) -> bool {
        let Ok(played) = text.parse::<Move>() else { return false };
        if played == Move::Pass && self.has("implicit") {
            return false;
        }
        self.set_turn(color) && self.board.play(played).is_ok()
    }

    fn set_turn(&mut self, color: Color) -> bool {
        if self.board.side_to_move() != color && self.has("implicit") {
            return self.board.pass().is_ok();
        }
        self.board.side_to_move() == color
    }

    fn nboard(&mut self, line: &str) {
        if let Some(number) = line.strip_prefix("ping ") {
            say(&format!("pong {number}\n"));
        } else if let Some(game) = line.strip_prefix("set game ") {
            let mut record = ggf::parse(game).unwrap();
            // As Edax once did: a pass at the end is overlooked.
            while self.has("deaf") && record.turns.last().is_some_and(|t| t.played == Move::Pass) {
                record.turns.pop();
            }
            self.board = record.board().unwrap();
        } else if line == "go" {
            if self.has("noisy") {
                say("\n=\nsearch F5       -0.86 0   7\nnodestats 1250 0.00\nstatus x\n");
            }
            let text = self.choose();
            if self.has("old") {
                say(&format!("=== {} 0.50 0.0\n", text.to_ascii_lowercase()));
            } else {
                say(&format!("=== {text}/1.25/0.01\n"));
            }
            if self.has("noisy") {
                say("search A1 +64.00 0 60\n=== A1\n");
            }
        }
    }
}

fn color_of(word: &str) -> Color {
    if word.starts_with(['b', 'B']) { Color::Black } else { Color::White }
}

/// Returns the processor time of this thread.
#[cfg(target_os = "linux")]
fn processor_time() -> Duration {
    nix::time::clock_gettime(nix::time::ClockId::CLOCK_THREAD_CPUTIME_ID).unwrap().into()
}

fn say(text: &str) {
    let mut out = io::stdout().lock();
    let _ = out.write_all(text.as_bytes()).and_then(|()| out.flush());
}

/// Wait for killed processes to end. One that was not killed stays for ever.
const MAX_EXIT_WAIT: Duration = Duration::from_secs(10);

/// Returns the number of processes with this token that stay alive.
fn left_behind(token: &str) -> usize {
    let start = Instant::now();
    loop {
        match alive::count(token) {
            0 => return 0,
            count if start.elapsed() > MAX_EXIT_WAIT => return count,
            _ => thread::sleep(Duration::from_millis(20)),
        }
    }
}

/// Returns whether a process with this token has begun.
pub fn has_begun(token: &str) -> bool {
    alive::has_begun(token)
}

/// Asserts that no process with this token is left.
pub fn assert_none_left(token: &str) {
    assert_eq!(left_behind(token), 0, "processes are left");
}

/// Processes are found by the token in their environment.
#[cfg(target_os = "linux")]
mod alive {
    pub(super) fn count(token: &str) -> usize {
        let mark = format!("{}={token}", super::TOKEN);
        let processes = std::fs::read_dir("/proc").expect("/proc").flatten().filter(|entry| {
            let environ = std::fs::read(entry.path().join("environ")).unwrap_or_default();
            environ.split(|&byte| byte == 0).any(|variable| variable == mark.as_bytes())
        });
        processes.count()
    }

    pub(super) fn has_begun(token: &str) -> bool {
        count(token) > 0
    }
}

/// Each process holds the lock of a file, which the system frees when the process ends.
#[cfg(not(target_os = "linux"))]
mod alive {
    use std::fs::{self, File};
    use std::path::PathBuf;

    fn folder(token: &str) -> PathBuf {
        std::env::temp_dir().join(format!("umigame-alive-{token}"))
    }

    /// Marks this process as alive as long as the file is open.
    pub(super) fn mark(token: &str) -> File {
        fs::create_dir_all(folder(token)).expect("a folder for marks");
        let path = folder(token).join(std::process::id().to_string());
        let file = File::create(path).expect("a mark");
        file.lock().expect("a mark of its own");
        file
    }

    pub(super) fn count(token: &str) -> usize {
        let marks = fs::read_dir(folder(token)).expect("at least one engine has left its mark");
        let is_held = |path: PathBuf| File::open(path).is_ok_and(|file| file.try_lock().is_err());
        let count = marks.flatten().filter(|mark| is_held(mark.path())).count();
        if count == 0 {
            let _ = fs::remove_dir_all(folder(token));
        }
        count
    }

    pub(super) fn has_begun(token: &str) -> bool {
        fs::read_dir(folder(token)).is_ok_and(|mut marks| marks.next().is_some())
    }
}
