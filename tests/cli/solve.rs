//! `umigame solve` on the real binary: scores, comparison, exit codes.

use std::fs;
use std::io::{BufRead, BufReader};
use std::path::Path;
use std::process::{Command, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use crate::console;
use crate::support::{HANG_TIMEOUT, folder, run, run_in};

/// Two endings with the exact score of every move.
const PROBLEMS: &str = "\
--XXXXX--OOOXX-O-OOOXXOX-OXOXOXXOXXXOXXX--XOXOXX-XXXOOO--OOOOO-- X; G8:+18; H1:+12; H7:+6; A2:+6; A3:+4; B1:-4; A4:-22; G2:-24;
-OOOOO----OXXO-XXXOXOXX-XXOXOXXOXXOOXOOOXXXXOO-OX-XOOO---XXXXX-- X; G8:+32; G2:+12; B2:-20; G6:-26; G1:-32; G7:-34; % the second
";

fn solve(args: &[&str], input: &str) -> (i32, String, String) {
    run_in(Path::new("."), &[&["solve"], args].concat(), input)
}

/// Returns the first three columns of every record: line, score, move.
fn records(out: &str) -> Vec<[&str; 3]> {
    out.lines()
        .filter(|line| !line.starts_with('#'))
        .filter_map(|line| line.split_whitespace().take(3).collect::<Vec<_>>().try_into().ok())
        .collect()
}

#[test]
fn right_scores_end_with_0() {
    let (code, out, err) = solve(&["-"], PROBLEMS);
    assert_eq!((code, err.as_str()), (0, ""), "{out}");
    assert_eq!(records(&out), [["1", "+18", "g8"], ["2", "+32", "g8"]]);
    assert!(out.contains("# 2 positions: 2 right, 0 wrong"), "{out}");
}

#[test]
fn a_file_is_solved_like_standard_input_and_a_missing_one_is_named() {
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
    // With --all-moves the scores of all moves are compared.
    let worse = PROBLEMS.replace("H1:+12", "H1:+10");
    assert_eq!(solve(&["-"], &worse).0, 0);
    let (code, out, _) = solve(&["-", "--all-moves"], &worse);
    assert_eq!(code, 1);
    assert!(out.contains("WRONG: expected h1 +10"), "{out}");
}

#[test]
fn an_unreadable_line_ends_with_2_and_is_named_and_the_others_are_solved() {
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
fn comments_are_skipped_without_a_message() {
    let commented = format!("# two endings\n  % more\n{PROBLEMS}#\n");
    let (code, out, err) = solve(&["-"], &commented);
    assert_eq!((code, err.as_str()), (0, ""), "{out}");
    assert!(out.contains("2 right, 0 wrong") && out.contains(" 0 lines not read"), "{out}");
}

#[test]
fn json_has_every_move_with_all_moves_and_null_for_no_expected_score() {
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
fn wld_compares_the_winner_alone() {
    let (code, out, _) = solve(&["-", "--wld"], &PROBLEMS.replace("+18", "+20"));
    assert_eq!(code, 0, "{out}");
    // Any move that wins may be found first.
    let winning = [&["g8", "h1", "h7", "a2", "a6", "a3"][..], &["g8", "g2"]];
    let records = records(&out);
    assert_eq!(records.len(), 2, "{out}");
    for (record, winning) in records.iter().zip(winning) {
        assert!(record[1] == "win" && winning.contains(&record[2]), "{out}");
    }
    let lost = PROBLEMS.replace("G8:+18", "G8:-18").replace("H1:+12; H7:+6; A2:+6; A3:+4;", "");
    assert_eq!(solve(&["-", "--wld"], &lost).0, 1);
}

#[test]
fn a_search_stopped_at_its_nodes_is_not_proven() {
    let (code, out, _) = solve(&["-", "--nodes", "100"], PROBLEMS);
    assert_eq!(code, 1);
    assert!(out.contains("2 not proven"), "{out}");
    let (code, _, err) = solve(&["-", "--level", "3"], PROBLEMS);
    assert_eq!(code, 2);
    assert!(err.contains("--level"), "{err}");
}

#[test]
fn the_help_lists_the_options_that_are_taken_and_no_others() {
    let (code, out, _) = solve(&["--help"], "");
    assert_eq!(code, 0);
    let named = |option: &str| out.lines().any(|line| line.trim_start().starts_with(option));
    for option in ["--threads", "--hash", "--nodes", "--depth"] {
        assert!(named(option), "{option}: {out}");
        assert_eq!(solve(&["-", option, "60"], "").0, 0, "{option}");
    }
    for option in ["--level", "--exact-from", "--move-time", "--game-time"] {
        assert!(!named(option) && !named(&format!("-l, {option}")), "{option}: {out}");
        assert_eq!(solve(&["-", option, "3"], "").0, 2, "{option}");
        // Options follow the command.
        assert_eq!(run(&[option, "3", "solve", "-"]).0, 2, "{option}");
    }
    for other in [&["--wld"][..], &["--window", "0", "2"]] {
        let arguments = [&["-", "--depth", "3"], other].concat();
        assert_eq!(solve(&arguments, PROBLEMS).0, 2, "{other:?}");
    }
}

#[test]
fn the_last_line_has_wall_clock_time_and_not_the_sum_of_the_searches() {
    let many = PROBLEMS.repeat(20);
    let start = std::time::Instant::now();
    let (code, out, _) = solve(&["-", "--threads", "4"], &many);
    let passed = start.elapsed().as_secs_f64();
    assert_eq!(code, 0, "{out}");
    let last = out.lines().next_back().expect("a closing line");
    let words: Vec<&str> = last.split([' ', ',']).filter(|word| !word.is_empty()).collect();
    assert_eq!(
        (words[2], words[4], words[6], &words[7..]),
        ("nodes", "s", "nodes/s", &["4", "threads"][..])
    );
    let number = |at: usize| words[at].parse::<f64>().expect("a number");
    let (nodes, seconds, speed) = (number(1), number(3), number(5));
    assert!(seconds <= passed, "{seconds} s of {passed} s");
    assert!((speed * seconds / nodes - 1.0).abs() < 0.05, "{last}");
}

/// Returns records without their seconds, which differ from run to run.
fn timeless(out: &str) -> Vec<serde_json::Value> {
    let record = |line: &str| {
        let mut record: serde_json::Value = serde_json::from_str(line).expect("JSON");
        record["seconds"] = serde_json::Value::Null;
        record
    };
    out.lines().map(record).collect()
}

#[test]
fn two_threads_give_the_same_answers_in_the_same_order_as_one() {
    let many = PROBLEMS.repeat(20);
    let (code, one, _) = solve(&["-", "--jsonl", "--threads", "1"], &many);
    assert_eq!(code, 0, "{one}");
    let lines: Vec<u64> = timeless(&one).iter().filter_map(|r| r["line"].as_u64()).collect();
    assert_eq!(lines, (1..=40).collect::<Vec<_>>());
    let (code, two, _) = solve(&["-", "--jsonl", "--threads", "2"], &many);
    assert_eq!(code, 0, "{two}");
    assert_eq!(timeless(&one), timeless(&two));
}

#[test]
fn a_score_outside_the_window_is_a_bound() {
    let (code, out, _) = solve(&["-", "--window", "20", "40"], PROBLEMS);
    assert_eq!(code, 0, "{out}");
    assert_eq!(records(&out).map_scores(), ["<=+20", "+32"]);
    let (code, out, _) = solve(&["-", "--window", "-10", "20"], PROBLEMS);
    assert_eq!(code, 0, "{out}");
    assert_eq!(records(&out).map_scores(), ["+18", ">=+20"]);
    // The score, +18, is above the window; an expected score inside it is wrong.
    let (code, out, _) = solve(&["-", "--window", "10", "14"], &PROBLEMS.replace("+18", "+12"));
    assert_eq!(code, 1, "{out}");
    for bad in [["20", "20"], ["40", "20"], ["0", "65"]] {
        let (code, _, err) = solve(&["-", "--window", bad[0], bad[1]], PROBLEMS);
        assert_eq!(code, 2);
        assert!(err.contains(&format!("--window {} {}", bad[0], bad[1])), "{err}");
    }
}

trait Scores {
    fn map_scores(&self) -> Vec<&str>;
}

impl Scores for Vec<[&str; 3]> {
    fn map_scores(&self) -> Vec<&str> {
        self.iter().map(|[_, score, _]| *score).collect()
    }
}

#[test]
fn resume_continues_a_file_cut_off_anywhere_without_repeating_a_record() {
    let directory = tempfile::tempdir().expect("a temporary directory");
    let path = directory.path().join("answers.jsonl");
    let name = path.to_str().expect("a plain name");
    let many = format!("{PROBLEMS}no position\n{PROBLEMS}");
    let (code, out, _) = solve(&["-", "--resume", name], &many);
    assert_eq!(code, 2, "one line is no position");
    assert!(out.contains("# 4 positions: 4 right"), "{out}");
    let whole = fs::read_to_string(&path).expect("records");
    assert_eq!(whole.lines().count(), 4);
    // Cuts at the end, after a line, inside a line, before a line end, near the start, at the start.
    let second = whole.find('\n').expect("a line") + 1;
    for cut in [whole.len(), second, second + 40, whole.len() - 1, 3, 0] {
        fs::write(&path, &whole.as_bytes()[..cut]).expect("a file cut off");
        let kept = whole[..cut].rfind('\n').map_or(0, |at| at + 1);
        let (code, out, _) = solve(&["-", "--resume", name, "--threads", "2"], &many);
        assert_eq!(code, 2);
        assert!(out.contains("# 4 positions: 4 right"), "{out}");
        let again = fs::read_to_string(&path).expect("records");
        assert_eq!(again[..kept], whole[..kept], "what was there stays");
        assert_eq!(timeless(&again), timeless(&whole));
    }
}

#[test]
fn resume_refuses_records_of_another_task_or_file() {
    let directory = tempfile::tempdir().expect("a temporary directory");
    let path = directory.path().join("answers.jsonl");
    let name = path.to_str().expect("a plain name");
    assert_eq!(solve(&["-", "--resume", name], PROBLEMS).0, 0);
    let (code, _, err) = solve(&["-", "--resume", name, "--wld"], PROBLEMS);
    assert_eq!(code, 2);
    assert!(err.contains("line 1: answers `score`, not `wld`"), "{err}");
    let (_, second) = PROBLEMS.split_once('\n').expect("two lines");
    let (code, _, err) = solve(&["-", "--resume", name], second);
    assert_eq!(code, 2);
    assert!(err.contains("another position than line 1"), "{err}");
    fs::write(&path, "{}\n").expect("a file");
    let (code, _, err) = solve(&["-", "--resume", name], PROBLEMS);
    assert_eq!(code, 2);
    assert!(err.contains("answers.jsonl, line 1: is no record"), "{err}");
}

#[test]
fn searches_with_a_depth_are_summed_up_by_their_errors() {
    // Every move wins all discs; the file gives other scores.
    let one = format!("{}O- X;", "X".repeat(62));
    let two = format!("-O{}O- X;", "X".repeat(60));
    let claims = format!(
        "{one} H8:+64;\n{one} +60;\n{one} +50;\n{two} A1:+64; H8:+62;\n{two} A1:+62; H8:+64;\n{one}\n"
    );
    let (code, out, err) = solve(&["-", "--depth", "2", "--confidence", "73"], &claims);
    assert_eq!((code, err.as_str()), (0, ""), "{out}");
    for part in [
        "# 6 positions, 5 compared, 0 lines not read",
        "# mean absolute error 3.600 discs",
        "# best move found     66.7 %",
        "# lost a move         0.667 discs",
        "# within 3 discs      60.0 %",
        "# within 6 discs      80.0 %",
    ] {
        assert!(out.contains(part), "{part}: {out}");
    }
    let (code, out, _) = solve(&["-", "--depth", "2", "--jsonl"], &claims);
    assert_eq!(code, 0);
    let errors: serde_json::Value =
        serde_json::from_str(out.lines().next_back().expect("a last line")).expect("JSON");
    assert_eq!(errors["mean_absolute_error"], 3.6);
    assert_eq!(errors["within_6_discs"], 0.8);
    assert_eq!(errors["mean_loss"], 2.0 / 3.0);
    for bad in [&["--confidence", "73"][..], &["--depth", "2", "--confidence", "80"]] {
        let arguments: Vec<&str> = [&["-"], bad].concat();
        assert_eq!(solve(&arguments, &claims).0, 2, "{bad:?}");
    }
}

#[test]
fn an_interrupt_keeps_finished_results_and_ends_with_130() {
    use std::io::{Read, Write};

    let mut child = console::alone(&mut Command::new(env!("CARGO_BIN_EXE_umigame")))
        .args(["solve", "-", "--threads", "2"])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .expect("the binary starts");
    let start = "---------------------------OX------XO--------------------------- X;\n";
    let mut input = child.stdin.take().expect("a pipe");
    input.write_all(format!("{PROBLEMS}{start}{PROBLEMS}").as_bytes()).expect("it reads");
    drop(input);
    let mut out = BufReader::new(child.stdout.take().expect("a pipe"));
    let mut seen = String::new();
    while seen.lines().count() < 3 {
        out.read_line(&mut seen).expect("it writes");
    }
    console::interrupt(&child);
    out.read_to_string(&mut seen).expect("it writes");
    assert_eq!(child.wait().expect("it ends").code(), Some(130));
    assert_eq!(records(&seen).map_scores(), ["+18", "+32"]);
    assert!(seen.contains("# 2 positions: 2 right"), "{seen}");
}

/// A device such as /dev/zero, or a program that writes for ever.
#[test]
fn an_interrupt_ends_an_input_without_an_end() {
    use std::io::Write;

    let mut command = Command::new(env!("CARGO_BIN_EXE_umigame"));
    console::alone(&mut command).args(["solve", "-"]).stdin(Stdio::piped()).stdout(Stdio::piped());
    let mut child = command.spawn().expect("the binary starts");
    let mut input = child.stdin.take().expect("a pipe");
    let writer = thread::spawn(move || {
        let mut text = input.write_all(PROBLEMS.as_bytes());
        while text.is_ok() {
            text = input.write_all(&[0; 4096]);
        }
    });
    let mut out = BufReader::new(child.stdout.take().expect("a pipe"));
    let mut seen = String::new();
    while seen.lines().count() < 3 {
        out.read_line(&mut seen).expect("it writes");
    }
    console::interrupt(&child);
    let end = Instant::now() + HANG_TIMEOUT;
    while child.try_wait().expect("a child").is_none() {
        if Instant::now() > end {
            child.kill().expect("it runs");
        }
        thread::sleep(Duration::from_millis(10));
    }
    assert_eq!(child.wait().expect("it has ended").code(), Some(130));
    writer.join().expect("the pipe is closed");
}

#[test]
fn resume_leaves_a_foreign_file_as_it_is() {
    let (_folder, at) = folder();
    let records = "{\"line\":1,\"position\":\"-\",\"task\":\"wld\"}\n{\"line\":2,\"posit";
    for text in ["one line, no line end", "two\nlines", "{\"a\":1}\n{\"b\"", records] {
        fs::write(at("file"), text).expect("a file");
        let (code, out, err) = solve(&["-", "--resume", &at("file")], PROBLEMS);
        assert_eq!((code, out.as_str()), (2, ""), "{text}");
        assert!(err.contains("file, line 1: is no record of umigame solve"), "{err}");
        assert_eq!(fs::read_to_string(at("file")).expect("the file"), text);
    }
}

#[test]
fn a_file_to_resume_has_one_process() {
    let (_folder, at) = folder();
    let file = fs::File::create(at("file")).expect("a file");
    file.lock().expect("a lock");
    let (code, _, err) = solve(&["-", "--resume", &at("file")], PROBLEMS);
    assert_eq!(code, 2);
    assert!(err.contains("another process is writing to it"), "{err}");
    file.unlock().expect("no lock");
    assert_eq!(solve(&["-", "--resume", &at("file")], PROBLEMS).0, 0);
}

#[test]
fn a_board_with_more_empties_than_the_start_is_solved_and_no_estimate_is_called_exact() {
    let board = "----------------------X--------O-------------------X------------ O; +62";
    let (code, out, err) = solve(&["-", "--jsonl"], board);
    assert_eq!((code, err.as_str()), (0, ""), "{out}");
    assert!(out.contains("\"bound\":\"exact\"") && out.contains("\"proven\":true"), "{out}");
    let start = "---------------------------OX------XO--------------------------- X;";
    let (code, out, _) = solve(&["-", "--jsonl", "--nodes", "1000"], start);
    assert_eq!(code, 1);
    assert!(out.contains("\"bound\":\"estimate\"") && !out.contains("exact"), "{out}");
}
