//! `umigame solve` on the real binary: scores, comparison, exit codes.

use std::fs;

use assert_cmd::Command;

/// Two endings with the exact score of every move.
const PROBLEMS: &str = "\
--XXXXX--OOOXX-O-OOOXXOX-OXOXOXXOXXXOXXX--XOXOXX-XXXOOO--OOOOO-- X; G8:+18; H1:+12; H7:+6; A2:+6; A3:+4; B1:-4; A4:-22; G2:-24;
-OOOOO----OXXO-XXXOXOXX-XXOXOXXOXXOOXOOOXXXXOO-OX-XOOO---XXXXX-- X; G8:+32; G2:+12; B2:-20; G6:-26; G1:-32; G7:-34; % the second
";

fn solve(args: &[&str], input: &str) -> (i32, String, String) {
    let output = Command::cargo_bin("umigame")
        .expect("the binary is built for the tests")
        .arg("solve")
        .args(args)
        .env_remove("RUST_LOG")
        .write_stdin(input)
        .output()
        .expect("the binary starts");
    let text = |bytes| String::from_utf8(bytes).expect("all output is text");
    (output.status.code().expect("no signal"), text(output.stdout), text(output.stderr))
}

/// The first three columns of every record: line, score, move.
fn records(out: &str) -> Vec<[&str; 3]> {
    out.lines()
        .filter(|line| !line.starts_with('#'))
        .filter_map(|line| line.split_whitespace().take(3).collect::<Vec<_>>().try_into().ok())
        .collect()
}

#[test]
fn right_scores_are_confirmed_with_0() {
    let (code, out, err) = solve(&["-"], PROBLEMS);
    assert_eq!((code, err.as_str()), (0, ""), "{out}");
    assert_eq!(records(&out), [["1", "+18", "g8"], ["2", "+32", "g8"]]);
    assert!(out.contains("# 2 positions: 2 right, 0 wrong"), "{out}");
}

#[test]
fn a_file_reads_like_standard_input_and_one_that_is_not_there_is_named() {
    let directory = tempfile::tempdir().expect("a temporary directory");
    let path = directory.path().join("two.obf");
    fs::write(&path, PROBLEMS).expect("a file");
    let path = path.to_str().expect("a plain name");
    let (code, out, _) = solve(&[path], "");
    assert_eq!((code, records(&out).len()), (0, 2));
    let (code, out, err) = solve(&[&format!("{path}.gone")], "");
    assert_eq!((code, out.as_str()), (2, ""));
    assert!(err.contains("two.obf.gone"), "{err}");
    let (code, _, err) = solve(&[directory.path().to_str().expect("a plain name")], "");
    assert_eq!(code, 2, "{err}");
}

#[test]
fn a_score_that_differs_ends_with_1_and_is_marked() {
    let (code, out, _) = solve(&["-"], &PROBLEMS.replace("+18", "+20"));
    assert_eq!(code, 1);
    assert!(out.contains("WRONG: expected +20"), "{out}");
    assert!(out.contains("1 right, 1 wrong"), "{out}");
    // A move other than the best counts where all moves are asked for.
    let worse = PROBLEMS.replace("H1:+12", "H1:+10");
    assert_eq!(solve(&["-"], &worse).0, 0);
    let (code, out, _) = solve(&["-", "--all-moves"], &worse);
    assert_eq!(code, 1);
    assert!(out.contains("WRONG: expected h1 +10"), "{out}");
}

#[test]
fn a_line_that_cannot_be_read_ends_with_2_is_named_and_loses_no_other() {
    let bad = format!("XXX\n{PROBLEMS}\n% only a comment\n{} X; Z9:+3;\n", "-".repeat(64));
    let (code, out, err) = solve(&["-"], &bad);
    assert_eq!(code, 2);
    assert_eq!(records(&out), [["2", "+18", "g8"], ["3", "+32", "g8"]]);
    let lines: Vec<&str> = err.lines().collect();
    assert_eq!(lines.len(), 2, "{err}");
    assert!(lines[0].contains("line 1: the board has 3 squares of 64"), "{err}");
    assert!(lines[1].contains("line 6: ") && lines[1].contains("`Z9:+3`"), "{err}");
    let (code, _, err) = solve(&["-"], "\0\u{6d77}\n");
    assert_eq!(code, 2);
    assert!(err.is_ascii(), "{err}");
}

#[test]
fn json_has_every_move_where_asked_and_null_where_nothing_was_expected() {
    let bare = PROBLEMS.lines().next().and_then(|line| line.split(';').next()).expect("a board");
    let (code, out, err) = solve(&["-", "--jsonl", "--all-moves"], bare);
    assert_eq!((code, err.as_str()), (0, ""));
    let record: serde_json::Value = serde_json::from_str(out.trim_end()).expect("JSON");
    assert_eq!(record["score"], 18.0);
    assert_eq!(record["move"], "g8");
    assert_eq!(record["depth"], "100%");
    assert_eq!(record["expected"], serde_json::Value::Null);
    let moves = record["moves"].as_array().expect("a list");
    let scores: Vec<f64> = moves.iter().filter_map(|entry| entry["score"].as_f64()).collect();
    assert_eq!(scores, [18.0, 12.0, 6.0, 6.0, 4.0, -4.0, -22.0, -24.0]);
}

#[test]
fn win_loss_draw_compares_only_who_wins() {
    let (code, out, _) = solve(&["-", "--wld"], &PROBLEMS.replace("+18", "+20"));
    assert_eq!(code, 0, "{out}");
    assert_eq!(records(&out), [["1", "win", "g8"], ["2", "win", "g8"]]);
    let lost = PROBLEMS.replace("G8:+18", "G8:-18").replace("H1:+12; H7:+6; A2:+6; A3:+4;", "");
    assert_eq!(solve(&["-", "--wld"], &lost).0, 1);
}

#[test]
fn a_search_that_was_stopped_is_no_proof() {
    let (code, out, _) = solve(&["-", "--nodes", "100"], PROBLEMS);
    assert_eq!(code, 1);
    assert!(out.contains("2 not proven"), "{out}");
    let (code, _, err) = solve(&["-", "--level", "3"], PROBLEMS);
    assert_eq!(code, 2);
    assert!(err.contains("--level"), "{err}");
}
