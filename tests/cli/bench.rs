//! `umigame bench` and `umigame bench ffo`, with the real binary.

use crate::support::run;

fn bench(args: &[&str]) -> (i32, String, String) {
    run(&[&["bench"], args].concat())
}

#[test]
fn an_ffo_ending_is_a_row_or_an_object_with_its_score() {
    let (code, out, err) = bench(&["ffo", "--to", "40"]);
    assert_eq!((code, err.as_str()), (0, ""), "{out}");
    let row = out.lines().find(|line| !line.starts_with('#')).expect("a row");
    let words: Vec<&str> = row.split_whitespace().collect();
    assert_eq!(words[..3], ["40", "20", "+38"], "{out}");
    let (code, out, _) = bench(&["ffo", "--to", "40", "--jsonl"]);
    assert_eq!(code, 0);
    let object: serde_json::Value = serde_json::from_str(out.trim_end()).expect("one object");
    assert_eq!((&object["number"], &object["score"]), (&40.into(), &38.into()));
    assert_eq!(object["right"], true);
    assert_eq!(object["nodes"].to_string(), words[3], "one thread visits the same nodes again");
}

#[test]
fn a_wrong_argument_is_named_and_exits_with_2() {
    for (args, part) in [
        (&["ffo", "--from", "60"][..], "--from 60"),
        (&["ffo", "--from", "45", "--to", "44"], "--to 44"),
        (&["ffo", "--hash", "0"], "hash of 0 MB"),
        (&["ffo", "--runs", "0"], "--runs"),
        (&["--runs", "1001"], "--runs"),
        (&["kernels"], "kernels"),
    ] {
        let (code, out, err) = bench(args);
        assert_eq!((code, out.as_str()), (2, ""), "{args:?}");
        assert!(err.contains(part), "{args:?}: {err}");
    }
}

/// All twenty: `cargo test --release --test cli -- --ignored bench`.
#[test]
#[ignore = "the last endings take minutes"]
fn every_ffo_ending_is_solved_to_its_score() {
    let (code, out, _) = bench(&["ffo", "--threads", "2", "--hash", "1024"]);
    assert_eq!(code, 0, "{out}");
}
