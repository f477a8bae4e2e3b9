//! Engines that go wrong, for the tests of the match runner.
//!
//! A test binary starts itself as such an engine: see `config`. The habits of
//! real engines that the runner has to cope with are here, each under a name.

use std::collections::BTreeMap;
use std::io::{self, BufRead, Write};
use std::process::Stdio;
use std::thread;
use std::time::{Duration, Instant};

use umigame_lab::arena::{EngineConfig, EngineProtocol};
use umigame_othello::game::ggf;
use umigame_othello::{Board, Color, Move, Square};

/// The environment variable with the habits, which makes the binary an engine.
pub const HABITS: &str = "FAULT_ENGINE";
/// The environment variable by which a test finds its processes again.
pub const TOKEN: &str = "FAULT_ENGINE_TOKEN";

/// This test binary as an engine. `habits` begin with the protocol, as in
/// `gtp dies=5`. The binary needs an ignored test `engine` that calls `serve`.
pub fn config(name: &str, habits: &str, token: &str) -> EngineConfig {
    let program = std::env::current_exe().unwrap();
    let env = [(HABITS, habits), (TOKEN, token)];
    EngineConfig {
        name: name.to_string(),
        command: [program.to_str().unwrap(), "engine", "--exact", "--ignored", "--nocapture"]
            .map(str::to_string)
            .to_vec(),
        protocol: if habits.starts_with("gtp") {
            EngineProtocol::Gtp
        } else {
            EngineProtocol::Nboard
        },
        env: BTreeMap::from(env.map(|(key, value)| (key.to_string(), value.to_string()))),
        ..EngineConfig::default()
    }
}

/// Is an engine, where the environment says so.
pub fn serve() {
    let Ok(habits) = std::env::var(HABITS) else { return };
    let words: BTreeMap<String, String> = habits
        .split(' ')
        .map(|word| word.split_once('=').unwrap_or((word, "")))
        .map(|(key, value)| (key.to_string(), value.to_string()))
        .collect();
    let mut engine = Engine { board: Board::start(), answers: 0, habits: words };
    engine.live();
    std::process::exit(0);
}

struct Engine {
    board: Board,
    answers: u64,
    habits: BTreeMap<String, String>,
}

impl Engine {
    fn has(&self, habit: &str) -> bool {
        self.habits.contains_key(habit)
    }

    fn number(&self, habit: &str) -> Option<u64> {
        self.habits.get(habit)?.parse().ok()
    }

    fn live(&mut self) {
        if self.has("child") {
            // A helper that outlives its parent unless the group is killed.
            let sleep = std::process::Command::new("sleep")
                .arg("1000")
                .stdin(Stdio::null())
                .stdout(Stdio::null())
                .stderr(Stdio::null())
                .spawn();
            assert!(sleep.is_ok());
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

    /// Goes wrong where it is time to; otherwise a legal move that depends on
    /// nothing but the position.
    fn choose(&mut self) -> String {
        self.answers += 1;
        let is_time = |habit: &str| self.number(habit) == Some(self.answers);
        if is_time("dies") {
            eprintln!("about to die");
            std::process::exit(3);
        }
        if is_time("hangs") {
            thread::sleep(Duration::from_secs(1000));
        }
        if is_time("late") {
            thread::sleep(Duration::from_millis(400));
        }
        if is_time("resigns") {
            return "resign".to_string();
        }
        if is_time("cheats") {
            return "D4".to_string();
        }
        if is_time("babbles") {
            return "Z9".to_string();
        }
        if is_time("passes") {
            return if self.has("gtp") { "pass" } else { "PA" }.to_string();
        }
        if self.has("floods") {
            let line = "x".repeat(500);
            for _ in 0..2000 {
                eprintln!("{line}");
            }
        }
        if let Some(millis) = self.number("takes") {
            thread::sleep(Duration::from_millis(millis));
        }
        let squares: Vec<Square> = self.board.legal_squares().collect();
        let seed = self.number("seed").unwrap_or(1);
        let index = fastrand::Rng::with_seed(self.board.key() ^ seed).usize(..squares.len().max(1));
        squares.get(index).map_or("pass".to_string(), |square| format!("{square:#}"))
    }

    fn reply(&self, done: bool, text: &str) {
        let mark = if done { '=' } else { '?' };
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
                let done = self.hear(color_of(color), text);
                self.reply(done, if done { "" } else { "illegal move" });
            }
            ["genmove", color] => {
                if !self.give_turn(color_of(color)) {
                    return self.reply(false, "wrong color");
                }
                let text = self.choose();
                if let Ok(played) = text.parse() {
                    let _ = self.board.play(played);
                }
                self.reply(true, &text);
            }
            _ => self.reply(false, "unknown command"),
        }
    }

    /// An engine that speaks of passes implicitly refuses to hear of one, and
    /// passes by itself; a strict one does neither.
    fn hear(&mut self, color: Color, text: &str) -> bool {
        let Ok(played) = text.parse::<Move>() else { return false };
        if played == Move::Pass && self.has("implicit") {
            return false;
        }
        self.give_turn(color) && self.board.play(played).is_ok()
    }

    fn give_turn(&mut self, color: Color) -> bool {
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
            // The old habit of Edax: a pass at the end is overlooked.
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

fn say(text: &str) {
    let mut out = io::stdout().lock();
    let _ = out.write_all(text.as_bytes()).and_then(|()| out.flush());
}

/// How long a killed process may take to be gone: the signal is sent before
/// the match ends, but on a busy machine the process dies when it is next
/// scheduled. One that was not killed would stay for ever.
const DYING: Duration = Duration::from_secs(10);

/// Processes with this token that stay alive; `None` where that cannot be
/// found out.
pub fn left_behind(token: &str) -> Option<usize> {
    let start = Instant::now();
    loop {
        match alive(token)? {
            0 => return Some(0),
            count if start.elapsed() > DYING => return Some(count),
            _ => thread::sleep(Duration::from_millis(20)),
        }
    }
}

fn alive(token: &str) -> Option<usize> {
    let mark = format!("{TOKEN}={token}");
    let processes = std::fs::read_dir("/proc").ok()?.flatten().filter(|entry| {
        let environ = std::fs::read(entry.path().join("environ")).unwrap_or_default();
        environ.split(|&byte| byte == 0).any(|variable| variable == mark.as_bytes())
    });
    Some(processes.count())
}
