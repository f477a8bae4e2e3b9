//! The line editor of the prompt, on a pseudo-terminal.

#![cfg(unix)]

use std::fs::File;
use std::io::{Read, Write};
use std::os::unix::fs::PermissionsExt;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::sync::mpsc::{Receiver, channel};
use std::thread;
use std::time::{Duration, Instant};

use umigame_othello::{Board, Color, Move};

use crate::support::folder_with;

/// Longest wait for any output, and for the end of the process.
const MAX_WAIT: Duration = Duration::from_secs(60);

/// A prompt on a terminal.
struct Terminal {
    prompt: Child,
    keyboard: File,
    screen: Receiver<Vec<u8>>,
    /// Shown after the text that was waited for last.
    shown: Vec<u8>,
}

impl Terminal {
    fn start(args: &[&str]) -> Terminal {
        Terminal::start_in(Path::new("."), args)
    }

    /// Starts in a folder. Programs in its folder `bin` come before others.
    fn start_in(folder: &Path, args: &[&str]) -> Terminal {
        let mut programs = folder.join("bin").into_os_string();
        programs.push(":");
        programs.push(std::env::var_os("PATH").unwrap_or_default());
        let pair = nix::pty::openpty(None, None).expect("a pseudo-terminal");
        let prompt = Command::new(env!("CARGO_BIN_EXE_umigame"))
            .arg("play")
            .args(args)
            .current_dir(folder)
            .env("PATH", programs)
            .env("TERM", "xterm")
            .env("NO_COLOR", "1")
            .env_remove("RUST_LOG")
            .stdin(pair.slave.try_clone().expect("a second end"))
            .stdout(pair.slave)
            .stderr(Stdio::null())
            .spawn()
            .expect("the binary starts");
        let keyboard = File::from(pair.master);
        let mut output = keyboard.try_clone().expect("a second end");
        let (sender, screen) = channel();
        thread::spawn(move || {
            let mut bytes = [0; 4096];
            // Linux reports an error once the other end is closed.
            while let Ok(count @ 1..) = output.read(&mut bytes) {
                if sender.send(bytes[..count].to_vec()).is_err() {
                    break;
                }
            }
        });
        Terminal { prompt, keyboard, screen, shown: Vec::new() }
    }

    fn press(&mut self, keys: &str) {
        self.keyboard.write_all(keys.as_bytes()).expect("a terminal");
    }

    /// Reads up to a text.
    fn until(&mut self, text: &str) {
        self.until_one_of(&[text]);
    }

    /// Reads up to the first of these texts. Returns what was shown, that text included.
    fn until_one_of(&mut self, texts: &[&str]) -> String {
        let end_of = |shown: &[u8], text: &str| {
            let at = shown.windows(text.len()).position(|part| part == text.as_bytes())?;
            Some(at + text.len())
        };
        loop {
            if let Some(end) = texts.iter().filter_map(|text| end_of(&self.shown, text)).min() {
                let read: Vec<u8> = self.shown.drain(..end).collect();
                return String::from_utf8_lossy(&read).into_owned();
            }
            match self.screen.recv_timeout(MAX_WAIT) {
                Ok(bytes) => self.shown.extend(bytes),
                Err(_) => {
                    panic!("{texts:?} are not shown: {}", String::from_utf8_lossy(&self.shown))
                }
            }
        }
    }

    /// Reads up to a text and the prompt after it: from then on keys are edited.
    fn until_prompt_after(&mut self, text: &str) {
        self.until(text);
        self.until("> ");
    }

    /// Waits for the end of the process; returns its exit code.
    fn end(mut self) -> Option<i32> {
        let start = Instant::now();
        while start.elapsed() < MAX_WAIT {
            if let Some(status) = self.prompt.try_wait().expect("a child") {
                return status.code();
            }
            thread::sleep(Duration::from_millis(5));
        }
        let _ = self.prompt.kill();
        panic!("the prompt does not end");
    }
}

const START: &str = "Black (X) to move, 60 empty";

#[test]
fn a_line_can_be_edited_and_called_back() {
    let mut terminal = Terminal::start(&["-l", "1"]);
    terminal.until_prompt_after(START);
    terminal.press("mode 3\r");
    terminal.until_prompt_after("mode 3: you play both sides");
    // Ctrl-A goes to the beginning of the line, Ctrl-E to its end.
    terminal.press("5\x01f\x05\r");
    terminal.until_prompt_after("White (O) to move, 59 empty");
    terminal.press("undo\r");
    terminal.until_prompt_after(START);
    // Twice up: the line before the last.
    terminal.press("\x1b[A\x1b[A\r");
    terminal.until_prompt_after("White (O) to move, 59 empty");
    terminal.press("\x04");
    assert_eq!(terminal.end(), Some(0));
}

#[test]
fn a_search_is_announced_and_quit_ctrl_d_and_ctrl_c_end_it() {
    for (keys, code) in [("quit\r", 0), ("\x04", 0), ("\x03", 130)] {
        let mut terminal = Terminal::start(&["--depth", "60"]);
        terminal.until_prompt_after(START);
        terminal.press("f5\r");
        terminal.until_prompt_after("White is thinking");
        terminal.press(keys);
        terminal.until("White plays ");
        terminal.until("the game was not saved");
        terminal.until("setboard f5");
        assert_eq!(terminal.end(), Some(code), "{keys:?}");
    }
}

/// What opens a page on Linux: it notes which.
const OPENER: &str = "#!/bin/sh\nprintf '%s' \"$1\" > \"$(dirname \"$0\")/opened\"\n";

#[test]
fn a_game_against_the_weakest_level_is_played_saved_loaded_analysed_and_its_page_opened() {
    let folder = folder_with(&[]);
    let bin = folder.path().join("bin");
    std::fs::create_dir(&bin).expect("writable");
    for name in ["xdg-open", "open", "wslview"] {
        let opener = bin.join(name);
        std::fs::write(&opener, OPENER).expect("writable");
        std::fs::set_permissions(&opener, std::fs::Permissions::from_mode(0o755)).expect("owned");
    }
    let args = ["--level", "starter", "--seed", "7"];
    let mut terminal = Terminal::start_in(folder.path(), &args);
    terminal.until_prompt_after(START);
    // The engine's moves are read off the screen, and the game is followed here.
    let mut board = Board::start();
    while !board.is_over() {
        if board.must_pass() {
            board.pass().expect("forced");
            continue;
        }
        if board.side_to_move() == Color::Black {
            let own = board.legal_squares().last().expect("Black may move");
            board.play(own).expect("legal");
            terminal.press(&format!("{own}\r"));
        }
        let shown = terminal.until_one_of(&["Black (X) to move", "the game is over: "]);
        for (at, said) in shown.match_indices("White plays ") {
            let reply = shown.get(at + said.len()..).and_then(|rest| rest.get(..2));
            let reply: Move = reply.expect("a square").parse().expect("a square");
            if board.must_pass() {
                board.pass().expect("forced");
            }
            board.play(reply).expect("legal");
        }
    }
    let squares = board.history().filter_map(Move::square);
    let moves: String = squares.map(|square| square.to_string()).collect();
    terminal.until_prompt_after(&format!("moves: {moves}"));
    for (line, answer) in [
        ("save game.ggf", "saved"),
        ("new", START),
        ("load game.ggf", "the game is over: "),
        ("moves", moves.as_str()),
        ("analyze --html game.html --open", "wrote game.html"),
    ] {
        terminal.press(&format!("{line}\r"));
        terminal.until_prompt_after(answer);
    }
    let start = Instant::now();
    let opened = || std::fs::read_to_string(bin.join("opened")).unwrap_or_default();
    while !opened().ends_with("/game.html") && start.elapsed() < MAX_WAIT {
        thread::sleep(Duration::from_millis(5));
    }
    assert!(opened().ends_with("/game.html"), "{}", opened());
    let page = std::fs::read_to_string(folder.path().join("game.html")).expect("a page");
    assert!(page.contains(&moves) && page.contains("<bdi>umigame</bdi>"));
    terminal.press("quit\r");
    assert_eq!(terminal.end(), Some(0));
}
