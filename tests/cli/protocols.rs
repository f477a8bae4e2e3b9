//! How the protocols are started, recorded and replayed.

use std::fs;
use std::path::Path;

use crate::support::{EngineProcess, run_in};

const NBOARD: &str = "nboard 2\nset depth 3\nping 1\ngo\n";
/// Weights named on the command line are unpacked before the first line is read.
const WEIGHTS: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/crates/eval/weights/umigame.weights");
const GTP: &str = "7 name\nplay b f5\ngenmove w\nquit\n";

#[test]
fn without_a_command_the_first_line_decides_the_protocol() {
    let here = Path::new(".");
    let (code, out, err) = run_in(here, &[], NBOARD);
    assert_eq!((code, err.as_str()), (0, ""));
    assert!(out.contains("\npong 1\n") && out.contains("\n=== "), "{out}");
    let (code, out, err) = run_in(here, &[], GTP);
    assert_eq!((code, err.as_str()), (0, ""));
    assert!(out.starts_with("=7 umigame\n\n=\n\n= "), "{out}");
    assert_eq!(run_in(here, &[], ""), (0, String::new(), String::new()));
}

/// Runs a recorded conversation. `quit` and the end of input come after the line that begins with
/// `last_reply`, so that no search is cut short. Returns the lines of output.
fn record(folder: &Path, args: &[&str], input: &str, last_reply: &str) -> Vec<String> {
    let mut engine = EngineProcess::start_in(folder, args);
    let requests = input.trim_end().trim_end_matches("\nquit");
    engine.send(requests);
    let mut output = engine.until(last_reply);
    if input.contains("quit") {
        output.push(engine.line());
        engine.send("quit");
    }
    engine.close_input();
    let (status, _, rest) = engine.wait();
    assert_eq!(status.code(), Some(0));
    output.extend(rest);
    output
}

#[test]
fn a_record_has_every_line_with_its_time_and_replays_the_same() {
    let directory = tempfile::tempdir().expect("a temporary directory");
    let here = directory.path();
    for (args, input, last_reply) in [
        (&["nboard", "--record", "talk.txt"][..], NBOARD, "==="),
        (&["gtp", "-l", "2", "--record", "talk.txt"], GTP, "= "),
        (&["-level", "2", "--record", "talk.txt"], GTP, "= "),
    ] {
        let output = record(here, args, input, last_reply);
        let record = fs::read_to_string(here.join("talk.txt")).expect("the record");
        assert_eq!(record.lines().next(), Some(format!("# umigame {}", args.join(" ")).as_str()));
        let recorded = |mark: &str| -> Vec<String> {
            let text = |line: &str| {
                let (seconds, rest) = line.split_once(' ')?;
                seconds.parse::<f64>().ok()?;
                rest.strip_prefix(mark).map(str::to_owned)
            };
            record.lines().filter_map(text).collect()
        };
        assert_eq!(recorded("> "), input.lines().collect::<Vec<_>>(), "{record}");
        assert_eq!(recorded("< "), output, "{record}");
        let (code, replayed, err) = run_in(here, &["replay", "talk.txt"], "");
        assert_eq!((code, err.as_str()), (0, ""), "{replayed}");
        assert!(replayed.ends_with("# as recorded\n"), "{replayed}");
    }
}

#[test]
fn a_replay_that_differs_shows_both_lines_and_exits_with_1() {
    let directory = tempfile::tempdir().expect("a temporary directory");
    let here = directory.path();
    record(here, &["nboard", "--record", "talk.txt"], NBOARD, "===");
    let record = fs::read_to_string(here.join("talk.txt")).expect("the record");
    let other = record.replace("< pong 1", "< pong 2");
    fs::write(here.join("talk.txt"), other).expect("a file");
    let (code, out, _) = run_in(here, &["replay", "talk.txt"], "");
    assert_eq!(code, 1, "{out}");
    assert!(out.contains("- pong 2\n+ pong 1\n"), "{out}");
    for (text, part) in [
        ("", "line 1: expected a record"),
        ("# umigame nboard --levle\n", "line 1: "),
        ("# umigame perft 3\n", "line 1: expected the record of a protocol"),
        ("# umigame nboard\n0.1 ping\n", "line 2: `0.1 ping`"),
    ] {
        fs::write(here.join("bad.txt"), text).expect("a file");
        let (code, _, err) = run_in(here, &["replay", "bad.txt"], "");
        assert_eq!(code, 2, "{err}");
        assert!(err.contains(part) && err.contains("bad.txt"), "{part}: {err}");
    }
}

#[test]
fn a_table_larger_than_the_memory_is_refused_with_the_option_named() {
    for command in ["nboard", "gtp", "play"] {
        let (code, out, err) = run_in(Path::new("."), &[command, "--hash", "1048576"], "");
        assert_eq!((code, out.as_str()), (2, ""), "{err}");
        assert!(err.contains("--hash") && err.contains("not enough memory"), "{err}");
    }
}

#[test]
fn a_replay_uses_the_weights_of_the_record() {
    let directory = tempfile::tempdir().expect("a temporary directory");
    let here = directory.path();
    fs::write(here.join("talk.txt"), "# umigame nboard --weights gone\n").expect("a file");
    let (code, _, err) = run_in(here, &["replay", "talk.txt"], "");
    assert!(code == 2 && err.contains("talk.txt: line 1: --weights: gone: "), "{err}");
    fs::write(here.join("talk.txt"), format!("# umigame nboard --weights {WEIGHTS}\n"))
        .expect("a file");
    assert_eq!(run_in(here, &["replay", "talk.txt"], "").0, 0);
    assert_eq!(run_in(here, &["--weights", WEIGHTS, "replay", "talk.txt"], "").0, 0);
}

#[test]
fn a_record_that_cannot_be_written_is_refused_with_the_option_named() {
    let (code, _, err) =
        run_in(Path::new("."), &["gtp", "--record", "no/such/place.txt"], "quit\n");
    assert_eq!(code, 2, "{err}");
    assert!(err.contains("--record") && err.contains("no/such/place.txt"), "{err}");
}
