//! What a person types at the prompt while the engine thinks, over pipes and
//! over a terminal.

mod support;

use std::time::Duration;

use support::*;

const fn ms(millis: u64) -> Duration {
    Duration::from_millis(millis)
}

/// Longer than the pause that parts a script from a person.
const LATER: Duration = ms(1300);
/// Within this the process has ended, on a busy machine too; the searches
/// here would take hours.
const SOON: Duration = ms(2500);

/// A prompt that thinks about its answer to f5.
fn thinking(arguments: &[&str]) -> EngineProcess {
    let mut prompt = EngineProcess::start(&[&["play"], arguments].concat());
    prompt.send("f5");
    until_shown(&mut prompt, 59);
    prompt
}

/// Reads on to the board with so many empties.
fn until_shown(prompt: &mut EngineProcess, empties: u32) {
    let shown = format!("to move, {empties} empty");
    while !prompt.line().contains(&shown) {}
}

/// The time that the engine took for a move: `... 1.50 s`.
fn seconds(answer: &str) -> f64 {
    answer.split_whitespace().rev().nth(1).unwrap().parse().unwrap()
}

fn plays(lines: &[String]) -> usize {
    lines.iter().filter(|line| line.contains(" plays ")).count()
}

#[test]
fn quit_and_the_end_of_the_input_end_a_search_and_the_process() {
    for quit in ["quit", "  EXIT ", "q", ""] {
        let mut prompt = thinking(&["-l", "30"]);
        prompt.lines_within(LATER);
        if quit.is_empty() {
            prompt.close_input()
        } else {
            prompt.send(quit)
        }
        let (status, waited, rest) = prompt.wait();
        assert_eq!(status.code(), Some(0));
        assert!(waited < SOON, "`{quit}`: {waited:?}");
        assert_eq!(plays(&rest), 1, "it answers with what it has: {rest:?}");
    }
}

#[test]
fn quit_ends_hints_analyses_and_games_of_the_engine_against_itself() {
    for (request, most) in [("mode 2", 1), ("mode 3\nhint 3", 0), ("mode 3\nf5d6c3\nanalyze", 0)] {
        let mut prompt = EngineProcess::start(&["play", "-l", "30"]);
        prompt.send(request);
        prompt.lines_within(LATER);
        prompt.send("quit");
        let (status, waited, rest) = prompt.wait();
        assert_eq!(status.code(), Some(0));
        assert!(waited < SOON, "`{request}`: {waited:?}");
        assert!(plays(&rest) <= most, "`{request}`: {rest:?}");
    }
}

#[test]
fn other_lines_are_kept_and_taken_when_the_engine_has_moved() {
    let mut prompt = thinking(&["--move-time", "1500ms"]);
    prompt.lines_within(ms(200));
    prompt.send("level 7\nundo\nnosuch");
    let lines = prompt.until("`nosuch`");
    let at = |part: &str| {
        let found = lines.iter().position(|line| line.contains(part));
        found.unwrap_or_else(|| panic!("{part}: {lines:?}"))
    };
    assert_eq!(plays(&lines), 1);
    assert!(seconds(&lines[at("White plays ")]) > 1.3, "it was not cut short: {lines:?}");
    assert!(at("White plays ") < at("58 empty") && at("58 empty") < at("level 7"));
    assert!(at("level 7") < at("60 empty"), "{lines:?}");
}

#[test]
fn a_script_in_one_piece_gets_its_answers_in_full() {
    let script = b"f5\nquit\n";
    for script in [&script[..], &script[..3]] {
        let output = converse(&["play", "--move-time", "1200ms"], script);
        assert_eq!(output.status.code(), Some(0));
        let text = stdout(&output);
        let answer = text.lines().find(|line| line.starts_with("White plays")).unwrap();
        assert!(seconds(answer) > 1.0, "{answer}");
    }
}

#[test]
fn with_ponder_the_prompt_searches_while_the_person_thinks_and_hears_every_line() {
    let mut prompt = thinking(&["--ponder", "--move-time", "100ms"]);
    until_shown(&mut prompt, 58);
    prompt.lines_within(ms(300));
    let before = prompt.processor_time();
    prompt.lines_within(ms(1000));
    match (before, prompt.processor_time()) {
        (Some(before), Some(after)) => assert!(after - before > ms(50), "{before:?} {after:?}"),
        _ => println!("SKIPPED: the system does not tell processor times"),
    }
    prompt.send("level");
    assert_eq!(prompt.line(), "100ms a move");
    prompt.send("undo");
    until_shown(&mut prompt, 60);
    prompt.lines_within(ms(300));
    let before = prompt.processor_time();
    prompt.lines_within(ms(500));
    assert!(prompt.processor_time() <= before.map(|before| before + ms(30)), "it still works");
    prompt.close_input();
    assert_eq!(prompt.wait().0.code(), Some(0));
}

#[cfg(unix)]
mod terminal {
    use std::fs::File;
    use std::io::Write;
    use std::process::{Child, Command, ExitStatus, Stdio};
    use std::thread;
    use std::time::Instant;

    use nix::sys::signal::{Signal, kill};
    use nix::unistd::Pid;

    use super::*;

    /// A prompt on a terminal, and the keys of that.
    fn at_a_terminal() -> (Child, File) {
        let terminal = nix::pty::openpty(None, None).unwrap();
        let prompt = Command::new(env!("CARGO_BIN_EXE_umigame"))
            .args(["play", "-l", "30"])
            .stdin(Stdio::from(terminal.slave))
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()
            .unwrap();
        (prompt, File::from(terminal.master))
    }

    fn end(mut prompt: Child) -> (ExitStatus, Duration) {
        let start = Instant::now();
        while start.elapsed() < 8 * SOON {
            if let Some(status) = prompt.try_wait().unwrap() {
                return (status, start.elapsed());
            }
            thread::sleep(ms(1));
        }
        let _ = prompt.kill();
        panic!("the prompt does not end");
    }

    /// Whether whoever started this process lets no interrupt through to it
    /// and its children, as shells do with what they run in the background.
    fn interrupts_are_ignored() -> bool {
        let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
        let ignored = status.lines().find_map(|line| line.strip_prefix("SigIgn:"));
        let ignored = ignored.and_then(|mask| u64::from_str_radix(mask.trim(), 16).ok());
        ignored.is_some_and(|mask| mask & 1 << (Signal::SIGINT as i32 - 1) != 0)
    }

    #[test]
    fn on_a_terminal_quit_ctrl_d_and_ctrl_c_act_at_once() {
        for keys in [&b"quit\n"[..], b"level 3\nquit\n", b"\x04", b""] {
            if keys.is_empty() && interrupts_are_ignored() {
                println!("SKIPPED: interrupts are ignored here");
                continue;
            }
            let (prompt, mut keyboard) = at_a_terminal();
            keyboard.write_all(b"f5\n").unwrap();
            thread::sleep(ms(300));
            keyboard.write_all(keys).unwrap();
            if keys.is_empty() {
                kill(Pid::from_raw(prompt.id().try_into().unwrap()), Signal::SIGINT).unwrap();
            }
            let (status, waited) = end(prompt);
            assert!(waited < SOON, "{keys:?}: {waited:?}");
            assert!(status.success() || keys.is_empty(), "{keys:?}: {status}");
        }
    }
}
