//! Lines typed at the prompt while the engine thinks, over pipes and on a terminal.

use std::time::{Duration, Instant};

use umigame_othello::testing::skip;

use crate::support::*;

const fn ms(millis: u64) -> Duration {
    Duration::from_millis(millis)
}

/// Longer than the pause after which a line over a pipe counts as typed by a person.
const PAUSE: Duration = ms(1300);
/// Depth of a search that takes some tenths of a second.
const DEPTH: &str = "14";

/// Starts a prompt that thinks about its answer to f5.
fn thinking(arguments: &[&str]) -> EngineProcess {
    let mut prompt = EngineProcess::start(&[&["play"], arguments].concat());
    prompt.send("f5");
    until_shown(&mut prompt, 59);
    prompt
}

/// Reads up to the board with this number of empties.
fn until_shown(prompt: &mut EngineProcess, empties: u32) {
    let shown = format!("to move, {empties} empty");
    while !prompt.line().contains(&shown) {}
}

/// Checks that the answer of the engine has the full [`DEPTH`].
#[track_caller]
fn assert_full_depth(answer: &str) {
    let (_, depth) = answer.split_once("depth ").expect("an answer with a depth");
    assert!(depth.starts_with(DEPTH), "{answer}");
}

/// Counts the moves of the engine.
fn plays(lines: &[String]) -> usize {
    lines.iter().filter(|line| line.contains(" plays ")).count()
}

#[test]
fn quit_and_the_end_of_input_end_a_search_that_would_take_hours() {
    for quit in ["quit", "  EXIT ", "q", ""] {
        let mut prompt = thinking(&["--depth", "60"]);
        prompt.lines_within(PAUSE);
        if quit.is_empty() {
            prompt.close_input();
        } else {
            prompt.send(quit);
        }
        let (status, _, rest) = prompt.wait();
        assert_eq!(status.code(), Some(0));
        assert_eq!(plays(&rest), 1, "it plays the best move so far: {rest:?}");
    }
}

#[test]
fn quit_ends_hints_analyses_and_games_of_the_engine_with_itself() {
    for (request, max_plays) in
        [("mode 2", 1), ("mode 3\nhint 3", 0), ("mode 3\nf5d6c3\nanalyze", 0)]
    {
        let mut prompt = EngineProcess::start(&["play", "--depth", "60"]);
        // A slow start would put both lines into one batch.
        until_shown(&mut prompt, 60);
        prompt.send(request);
        prompt.lines_within(PAUSE);
        prompt.send("quit");
        let (status, _, rest) = prompt.wait();
        assert_eq!(status.code(), Some(0));
        assert!(plays(&rest) <= max_plays, "`{request}`: {rest:?}");
    }
}

#[test]
fn other_lines_wait_until_the_engine_has_moved() {
    let mut prompt = thinking(&["--depth", DEPTH]);
    prompt.send("level 7\nundo\nnosuch");
    let lines = prompt.until("`nosuch`");
    let at = |part: &str| {
        let found = lines.iter().position(|line| line.contains(part));
        found.unwrap_or_else(|| panic!("{part}: {lines:?}"))
    };
    assert_eq!(plays(&lines), 1);
    assert_full_depth(&lines[at("White plays ")]);
    assert!(at("White plays ") < at("58 empty") && at("58 empty") < at("level 7"));
    assert!(at("level 7") < at("60 empty"), "{lines:?}");
}

#[test]
fn a_script_written_at_once_gets_full_answers() {
    let script = b"f5\nquit\n";
    for script in [&script[..], &script[..3]] {
        let output = converse(&["play", "--depth", DEPTH], script);
        assert_eq!(output.status.code(), Some(0));
        let text = stdout(&output);
        let answer = text.lines().find(|line| line.starts_with("White plays")).unwrap();
        assert_full_depth(answer);
    }
}

#[test]
fn with_ponder_the_prompt_searches_while_the_person_thinks() {
    let mut prompt = thinking(&["--ponder", "--move-time", "100ms"]);
    until_shown(&mut prompt, 58);
    if prompt.processor_time().is_none() {
        return skip("the system does not report processor times");
    }
    // The rest of the board.
    prompt.lines_within(ms(300));
    let start = Instant::now();
    let mut worked = Duration::ZERO;
    while worked < ms(50) {
        worked += prompt.work_within(ms(300)).expect("a processor time");
        assert!(start.elapsed() < HANG_TIMEOUT, "{worked:?} only");
    }
    prompt.send("level");
    assert_eq!(prompt.line(), "100ms a move");
    prompt.send("undo");
    until_shown(&mut prompt, 60);
    prompt.lines_within(ms(300));
    assert!(prompt.work_within(ms(500)).expect("a processor time") <= ms(30), "it still works");
    prompt.close_input();
    assert_eq!(prompt.wait().0.code(), Some(0));
}

#[cfg(not(unix))]
#[test]
fn on_a_terminal_quit_ctrl_d_and_ctrl_c_end_a_search_that_would_take_hours() {
    skip("pseudo-terminals are those of Unix");
}

#[cfg(unix)]
mod terminal {
    use std::fs::File;
    use std::io::Write;
    use std::process::{Child, Command, ExitStatus, Stdio};
    use std::thread;

    use nix::sys::signal::{Signal, kill};
    use nix::unistd::Pid;

    use super::*;

    /// Starts a prompt on a terminal. Bytes written to the file are typed there.
    fn start_on_terminal() -> (Child, File) {
        let terminal = nix::pty::openpty(None, None).unwrap();
        let prompt = Command::new(env!("CARGO_BIN_EXE_umigame"))
            .args(["play", "--depth", "60"])
            .stdin(Stdio::from(terminal.slave))
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()
            .unwrap();
        (prompt, File::from(terminal.master))
    }

    fn wait(mut prompt: Child) -> ExitStatus {
        let start = Instant::now();
        while start.elapsed() < HANG_TIMEOUT {
            if let Some(status) = prompt.try_wait().unwrap() {
                return status;
            }
            thread::sleep(ms(1));
        }
        let _ = prompt.kill();
        panic!("the prompt does not end");
    }

    /// Returns whether this process and its children ignore interrupts, as commands do that a
    /// shell runs in the background.
    fn interrupts_are_ignored() -> bool {
        let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
        let ignored = status.lines().find_map(|line| line.strip_prefix("SigIgn:"));
        let ignored = ignored.and_then(|mask| u64::from_str_radix(mask.trim(), 16).ok());
        ignored.is_some_and(|mask| mask & 1 << (Signal::SIGINT as i32 - 1) != 0)
    }

    #[test]
    fn on_a_terminal_quit_ctrl_d_and_ctrl_c_end_a_search_that_would_take_hours() {
        for keys in [&b"quit\n"[..], b"level 3\nquit\n", b"\x04", b""] {
            if keys.is_empty() && interrupts_are_ignored() {
                skip("interrupts are ignored here");
                continue;
            }
            let (prompt, mut keyboard) = start_on_terminal();
            keyboard.write_all(b"f5\n").unwrap();
            thread::sleep(ms(300));
            keyboard.write_all(keys).unwrap();
            if keys.is_empty() {
                kill(Pid::from_raw(prompt.id().try_into().unwrap()), Signal::SIGINT).unwrap();
            }
            let status = wait(prompt);
            assert!(status.success() || keys.is_empty(), "{keys:?}: {status}");
        }
    }
}
