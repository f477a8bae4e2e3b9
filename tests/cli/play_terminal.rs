//! The line editor of the prompt, on a pseudo-terminal.

#![cfg(unix)]

use std::fs::File;
use std::io::{Read, Write};
use std::process::{Child, Command, Stdio};
use std::sync::mpsc::{Receiver, channel};
use std::thread;
use std::time::{Duration, Instant};

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
        let pair = nix::pty::openpty(None, None).expect("a pseudo-terminal");
        let prompt = Command::new(env!("CARGO_BIN_EXE_umigame"))
            .arg("play")
            .args(args)
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
        loop {
            let found = self.shown.windows(text.len()).position(|part| part == text.as_bytes());
            if let Some(at) = found {
                self.shown.drain(..at + text.len());
                return;
            }
            match self.screen.recv_timeout(MAX_WAIT) {
                Ok(bytes) => self.shown.extend(bytes),
                Err(_) => {
                    panic!("`{text}` is not shown: {}", String::from_utf8_lossy(&self.shown))
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
