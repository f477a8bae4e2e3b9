//! `umigame-lab record` and `replay` around an engine of the shell.

use std::fs;
use std::io::Write;
use std::process::Stdio;
use std::time::{Duration, Instant};

use crate::support::{folder, lab, run};

/// An engine that answers pings, and ends at `quit`.
const ENGINE: [&str; 4] = [
    "--",
    "sh",
    "-c",
    "while read word number; do case $word in ping) echo pong $number;; quit) exit;; esac; done",
];

/// Returns the arguments of a command around the engine.
fn around<'a>(words: &[&'a str]) -> Vec<&'a str> {
    [words, &ENGINE].concat()
}

/// Records a conversation. Returns what the client read.
fn record(file: &str, input: &str) -> String {
    let mut command = lab(&around(&["record", file]));
    let mut child = command.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().unwrap();
    child.stdin.take().unwrap().write_all(input.as_bytes()).unwrap();
    let output = child.wait_with_output().unwrap();
    assert_eq!(output.status.code(), Some(0));
    String::from_utf8(output.stdout).unwrap()
}

#[test]
fn a_record_has_every_line_with_its_time_and_replays_the_same() {
    let (_folder, file) = folder();
    let talk = file("\u{6d77}\u{4e80}.txt");
    for end in ["", "quit\n"] {
        assert_eq!(record(&talk, &format!("ping 1\nping 2\n{end}")), "pong 1\npong 2\n");
        let text = fs::read_to_string(&talk).unwrap();
        assert!(text.starts_with("# umigame-lab record: sh -c \"while "), "{text}");
        for line in [" > ping 1\n", " < pong 1\n", " > ping 2\n", " < pong 2\n"] {
            assert!(text.contains(line), "{text}");
        }
        let (code, out, err) = run(&around(&["replay", &talk]));
        assert_eq!((code, err.as_str()), (0, ""), "{out}");
        assert!(out.ends_with("# as recorded\n"), "{out}");
    }
}

#[test]
fn a_replay_that_differs_shows_both_lines_with_control_characters_escaped() {
    let (_folder, file) = folder();
    let talk = file("talk.txt");
    record(&talk, "ping 1\n");
    let text = fs::read_to_string(&talk).unwrap().replace("pong 1", "\u{1b}[31mpong");
    fs::write(&talk, text).unwrap();
    let (code, out, _) = run(&around(&["replay", &talk, "--at-most", "100ms"]));
    assert_eq!(code, 1, "{out}");
    assert!(out.contains("- \\u{1b}[31mpong\n+ pong 1\n"), "{out}");
}

#[test]
fn a_record_runs_nothing_and_strange_ones_are_refused_at_once() {
    let (_folder, file) = folder();
    let (talk, trap) = (file("talk.txt"), file("trap"));
    let header = format!("# umigame-lab record: touch {trap}\n");
    let begun = Instant::now();
    for (text, part) in [
        (header.clone(), "expected the command of the engine after --"),
        (String::new(), "line 1: expected a record"),
        ("# umigame nboard --book victim.sqlite\n".to_owned(), "line 1: expected a record"),
        (format!("{header}0.1 > ping\n"), "line 2: `0.1 > ping`"),
        (format!("{header}037 > ping 1\n"), "line 2: `037 > ping 1`"),
        (format!("{header}9000000000000000000 < pong 1\n"), "line 2: `9000000000000000000 < po"),
    ] {
        fs::write(&talk, text).unwrap();
        let (code, _, err) = run(&["replay", &talk]);
        assert!(code == 2 && err.contains(part), "{part}: {err}");
    }
    assert!(begun.elapsed() < Duration::from_secs(30));
    assert!(!fs::exists(&trap).unwrap());
    let (code, _, err) = run(&around(&["replay", "/dev/zero"]));
    assert!(code == 2 && err.contains("more than 256 MB"), "{err}");
}

#[test]
fn other_files_are_not_replaced_by_a_record() {
    let (_folder, file) = folder();
    fs::write(file("diary.txt"), "dear diary").unwrap();
    let (code, _, err) = run(&around(&["record", &file("diary.txt")]));
    assert!(code == 2 && err.contains("diary.txt: is no record"), "{err}");
    assert_eq!(fs::read_to_string(file("diary.txt")).unwrap(), "dear diary");
    let (code, _, err) = run(&around(&["record", &file("none/talk.txt")]));
    assert!(code == 2 && err.contains("none/talk.txt"), "{err}");
    let (code, _, err) = run(&["record", &file("talk.txt"), "--", "/no/such/engine"]);
    assert!(code == 2 && err.contains("/no/such/engine"), "{err}");
}
