//! `umigame analyze` with the real binary.

use std::fs;
use std::path::{MAIN_SEPARATOR, Path};
use std::process::Child;

use serde_json::Value;

use crate::console;
use crate::support::{folder_with, run_in, umigame};

/// White has no disc left after the ninth move.
const WIPE_OUT: &str = "f5d6c5f4e7f6g5e6e3";

/// Runs in a folder; returns exit code, standard output and standard error.
fn analyze(folder: &Path, args: &[&str], input: &str) -> (i32, String, String) {
    run_in(folder, &[&["analyze"], args].concat(), input)
}

fn here() -> &'static Path {
    Path::new(".")
}

#[test]
fn a_game_on_the_command_line_is_judged_as_text() {
    let (code, out, err) = analyze(here(), &[WIPE_OUT, "--level", "4"], "");
    assert_eq!((code, err.as_str()), (0, ""));
    assert!(out.is_ascii(), "{out}");
    assert!(out.starts_with("# Black - White, +64 for Black\n"), "{out}");
    let last = out.lines().find(|line| line.starts_with("  9 X  e3")).expect("the ninth move");
    assert_eq!(last.split_whitespace().collect::<Vec<_>>(), ["9", "X", "e3", "+64", "exact"]);
    let first = out.lines().find(|line| line.starts_with("  1 X  f5")).expect("the first move");
    assert!(first.contains(" +-") && first.contains(", win ") && first.contains(" %"), "{out}");
    assert!(out.contains("# Black, Black: lost ") && out.contains("# White, White: lost "));
    assert!(out.lines().any(|line| line.starts_with("  8 O  e6") && line.ends_with("??")), "{out}");
}

#[test]
fn json_has_one_object_for_each_game_with_consistent_numbers() {
    let input = format!("{WIPE_OUT}\n# no game\nf5f6e6f4\n");
    let (code, out, _) = analyze(here(), &["-", "--level", "3", "--jsonl"], &input);
    assert_eq!(code, 0);
    let games: Vec<Value> = out.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert_eq!(games.len(), 2);
    assert_eq!(games[0]["score_for_black"], 64);
    assert_eq!((games[1]["over"].as_bool(), games[1]["game"].as_u64()), (Some(false), Some(2)));
    for game in &games {
        let mut lost = [0.0, 0.0];
        for played in game["moves"].as_array().unwrap() {
            let number = |value: &Value| value.as_f64().unwrap();
            let difference = number(&played["best"]["score"]) - number(&played["played"]["score"]);
            assert!((number(&played["loss"]) - difference).abs() < 1e-9 && difference >= 0.0);
            lost[usize::from(played["color"] == "white")] += difference;
        }
        for (color, lost) in [("black", lost[0]), ("white", lost[1])] {
            let total = game["totals"][color]["loss"].as_f64().unwrap();
            assert!((total - lost).abs() < 1e-6, "{color}: {total} {lost}");
        }
    }
}

#[test]
fn every_format_of_file_is_read_and_games_are_chosen_by_number() {
    let folder = folder_with(&[("a.txt", &format!("{WIPE_OUT}\nf5d6\nf5f4\n"))]);
    let at = |name: &str| folder.path().join(name);
    for name in ["a.ggf", "a.sgf", "a.pgn"] {
        assert_eq!(run_in(folder.path(), &["convert", "a.txt", name], "").0, 0);
    }
    for name in ["a.txt", "a.ggf", "a.sgf", "a.pgn"] {
        let args = [name, "--level", "1", "--jsonl", "--games", "2-3"];
        let (code, out, err) = analyze(folder.path(), &args, "");
        assert_eq!((code, err.as_str()), (0, ""), "{name}");
        let transcripts: Vec<String> = out
            .lines()
            .map(|line| serde_json::from_str::<Value>(line).unwrap())
            .map(|game| game["transcript"].as_str().unwrap().to_owned())
            .collect();
        assert_eq!(transcripts, ["f5d6", "f5f4"], "{name}");
        let text = fs::read_to_string(at(name)).expect("readable");
        let (code, out, _) = analyze(folder.path(), &["-", "--level", "1", "--jsonl"], &text);
        assert_eq!((code, out.lines().count()), (0, 3), "{name} on standard input");
    }
}

#[test]
fn results_do_not_depend_on_threads_or_other_games() {
    let games = format!("{WIPE_OUT}\nf5d6c3d3c4f4\nf5f6e6f4e3\n");
    let folder = folder_with(&[("a.txt", &games)]);
    let lines = |threads: &str| {
        let args = ["a.txt", "--level", "5", "--jsonl", "--threads", threads, "--hash", "8"];
        let (code, out, _) = analyze(folder.path(), &args, "");
        assert_eq!(code, 0);
        out
    };
    assert_eq!(lines("1"), lines("3"));
}

#[test]
fn unreadable_games_end_with_exit_code_2_and_a_reason() {
    let folder = folder_with(&[("bad.txt", "f5d6\nf5a1\n"), ("none.txt", "# nothing\n")]);
    for (args, part) in [
        (&["f5a1"][..], "`f5a1` is no file, and as a game: character 3: move 2 is illegal"),
        (&["nowhere.ggf"], "nowhere.ggf: no such file or folder"),
        (&["none.txt"], "none.txt: no game in it"),
        (&["bad.txt", "--level", "1"], "bad.txt: game 2, line 2: character 3: move 2 is illegal"),
        (&["bad.txt", "--games", "7"], "there are only 2 games"),
        (&["f5", "--games", "3-2"], "expected a number from 1, or two such as 10-19"),
        (&[""], "the game is an empty text: expected a file"),
        (&["f5", "--game-time", "5s"], "unexpected argument '--game-time'"),
        (&["f5", "--exact-from", "3", "--exact-from", "4"], "cannot be used"),
        (&["."], "no file of games in it"),
    ] {
        let folder = if args == ["."] { &folder.path().join("empty") } else { folder.path() };
        fs::create_dir_all(folder).expect("a folder");
        let (code, _, err) = analyze(folder, args, "");
        assert_eq!(code, 2, "{args:?}: {err}");
        assert!(err.contains(part) && err.is_ascii(), "{args:?}: {err}");
    }
    let (code, out, _) = analyze(folder.path(), &["bad.txt", "--level", "1", "--jsonl"], "");
    assert_eq!((code, out.lines().count()), (2, 1), "the readable game is judged");
}

#[test]
fn one_game_has_a_page_and_many_have_a_folder_with_an_index() {
    let folder = tempfile::tempdir().expect("a folder for the test");
    let at = |name: &str| folder.path().join(name);
    let read = |name: &str| fs::read_to_string(at(name)).expect("written");
    let args = [WIPE_OUT, "--level", "2", "--html", "one.html"];
    let (code, _, err) = analyze(folder.path(), &args, "");
    assert_eq!((code, err.as_str()), (0, "wrote one.html\n"));
    let (code, _, err) = analyze(folder.path(), &[&args[..], &["--quiet"]].concat(), "");
    assert_eq!((code, err.as_str()), (0, ""));
    let one = read("one.html");
    assert!(one.starts_with("<!DOCTYPE html>") && one.ends_with("</html>\n"));
    assert!(one.contains("64\u{2013}0") && !one.contains("index.html"));

    let games = "(;GM[Othello]PB[<b>&]PW[\"x'>]TY[8]BO[8 ---------------------------O*------*O\
                 --------------------------- *]B[f5]W[d6];)\n";
    fs::create_dir(at("games")).expect("a folder");
    fs::write(at("games/a.ggf"), games).expect("writable");
    fs::write(at("games/b.txt"), format!("{WIPE_OUT}\nf5f6\n")).expect("writable");
    let (code, out, err) =
        analyze(folder.path(), &["games", "--level", "1", "--html", "report", "--jsonl"], "");
    assert_eq!((code, out.lines().count()), (0, 3));
    assert_eq!(err, format!("wrote report{MAIN_SEPARATOR}index.html\n"));
    let index = read("report/index.html");
    for number in 1..=3 {
        assert!(index.contains(&format!("href=\"000{number}.html\"")));
        assert!(read(&format!("report/000{number}.html")).contains("href=\"index.html\""));
    }
    assert!(index.contains("<bdi>&lt;b&gt;&amp;</bdi>") && !index.contains("<b>&]"));

    let (code, _, err) =
        analyze(folder.path(), &["games", "--level", "1", "--html", "one.html"], "");
    assert_eq!(code, 2, "{err}");
    assert!(err.contains("one.html: 3 games need a folder"), "{err}");
    let args = ["f5", "--level", "1", "--html", "games/b.txt"];
    let (code, _, err) = analyze(folder.path(), &args, "");
    assert_eq!(code, 2, "{err}");
    assert!(err.contains("games/b.txt: this is a file"), "{err}");
    let (code, ..) = analyze(folder.path(), &["f5", "--level", "1", "--html", "single"], "");
    assert_eq!(code, 0);
    assert!(read("single/index.html").contains("href=\"0001.html\""));
    let (code, _, err) =
        analyze(folder.path(), &["f5", "--level", "1", "--html", "none/one.html"], "");
    assert_eq!(code, 1, "{err}");
    assert!(err.contains("none/one.html"), "{err}");
}

#[test]
fn unreadable_games_of_a_folder_do_not_stop_the_others() {
    let folder = folder_with(&[("a.txt", "f5d6\n"), ("b.wtb", ""), ("c.txt", "f5f6\nf5a1\n")]);
    let at = |name: &str| folder.path().join(name);
    let args = [".", "--level", "1", "--jsonl"];
    let (code, out, err) = analyze(folder.path(), &args, "");
    assert_eq!((code, out.lines().count(), err.lines().count()), (2, 2, 2), "{err}");
    assert!(err.contains("b.wtb: byte 0: the file ends in the header"), "{err}");
    let (code, out, err) = analyze(folder.path(), &["b.wtb", "--html", "b.html"], "");
    assert_eq!((code, out.as_str()), (2, ""), "{err}");
    assert!(!at("b.html").exists());
}

/// Text shows an ASCII form of the name.
#[test]
fn json_has_the_exact_file_name() {
    // No name on Windows has quotation marks.
    let mark = if cfg!(windows) { '\'' } else { '"' };
    let name = &format!("\u{6d77}\u{4e80} {mark}1{mark}.txt");
    let folder = folder_with(&[(name, "f5d6\n")]);
    let (code, out, _) = analyze(folder.path(), &[name, "--level", "1", "--jsonl"], "");
    let game: Value = serde_json::from_str(&out).expect("JSON");
    assert_eq!((code, game["file"].as_str(), out.is_ascii()), (0, Some(name.as_str()), true));
    let (_, out, _) = analyze(folder.path(), &[name, "--level", "1"], "");
    assert!(out.starts_with(&format!("# ?? {mark}1{mark}.txt, game 1\n")), "{out}");
}

/// File names are bytes and need not be UTF-8.
#[cfg(target_os = "linux")]
#[test]
fn file_names_may_have_any_bytes() {
    use std::ffi::OsStr;
    use std::os::unix::ffi::OsStrExt;

    let folder = tempfile::tempdir().expect("a folder for the test");
    let name = OsStr::from_bytes(b"f\xf5.txt");
    fs::write(folder.path().join(name), "f5d6\n").expect("writable");
    for (command, more) in [("analyze", &["--level", "1"][..]), ("diagram", &["-"])] {
        let mut command = umigame(&[command]);
        command.arg(name).args(more).current_dir(folder.path());
        let output = command.output().expect("the binary starts");
        assert_eq!(output.status.code(), Some(0), "{output:?}");
    }
    let mut command = umigame(&["analyze"]);
    let output = command.arg(OsStr::from_bytes(b"\xf5.txt")).output().expect("the binary starts");
    let said = String::from_utf8(output.stderr).expect("text");
    assert_eq!(output.status.code(), Some(2), "{said}");
    assert!(said.contains("?.txt: no such file or folder") && said.is_ascii(), "{said}");
}

#[test]
fn a_page_that_cannot_be_written_is_refused_before_any_search() {
    let folder = folder_with(&[("file", "")]);
    fs::create_dir_all(folder.path().join("report/index.html")).expect("writable");
    for (page, expected) in [("none/a.html", 1), ("file/a.html", 1), ("file", 2), ("report", 1)] {
        // The search would never end.
        let (code, out, err) =
            analyze(folder.path(), &["f5d6", "--exact-from", "60", "--html", page], "");
        assert_eq!((code, out.as_str()), (expected, ""), "{err}");
        assert!(err.contains(page), "{err}");
    }
}

/// A whole game; no machine solves its first positions.
const LONG: &str = "e6d6c3f4d7c5g4g3c4g5b5c7f5a5a6d8a4f7f6d3h4c2e7e3g6f8b4b3e2h5b6f3h6g7c6a7d2d1c1b1\
                    c8b2h7h8h2a3h3h1f2g2f1g1e8g8a2a1b7b8a8e1";

/// Starts an analysis that never ends: it solves every position exactly.
fn start_endless(folder: &Path, args: &[&str]) -> Child {
    use std::process::Stdio;

    console::alone(&mut umigame(&[args, &["--exact-from", "60", "--threads", "1"]].concat()))
        .current_dir(folder)
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the binary starts")
}

/// Tested for both signals and all formats.
#[test]
fn an_interrupt_prints_the_moves_judged_so_far_as_incomplete() {
    use std::io::{BufRead, BufReader, Read};

    let folder = tempfile::tempdir().expect("a folder for the test");
    let signals: [fn(&Child); 2] = [console::interrupt_twice, console::terminate_twice];
    for (send, args) in signals.into_iter().zip([&["--html", "page.html"][..], &["--jsonl"]]) {
        let mut child = start_endless(folder.path(), &[&["-v", "analyze", LONG], args].concat());
        // The signal comes after five moves, however slow the machine.
        let log = BufReader::new(child.stderr.take().expect("piped"));
        let judged = log.lines().map_while(Result::ok).filter(|line| line.contains("judged: "));
        assert_eq!(judged.take(5).count(), 5);
        // Two signals in quick succession, as `timeout` sends them, count as one.
        send(&child);
        let mut out = String::new();
        child.stdout.take().expect("piped").read_to_string(&mut out).expect("text");
        assert_eq!(child.wait().expect("it ends").code(), Some(130));
        if args == ["--jsonl"] {
            let game: Value = serde_json::from_str(&out).expect("one object");
            assert_eq!(game["complete"], false);
            let moves = game["moves"].as_array().expect("moves");
            assert!((4..60).contains(&moves.len()), "{out}");
            assert_eq!(moves.last().expect("one")["ply"], 59);
        } else {
            let rest = out.split_once("# incomplete: only moves ").expect("it says so").1;
            assert!(rest.contains(" to 60 were judged\n"), "{out}");
            assert!(out.lines().any(|line| line.starts_with(" 60 O  ")), "{out}");
            assert!(!out.lines().any(|line| line.starts_with("  1 X  ")), "{out}");
            let page = fs::read_to_string(folder.path().join("page.html")).expect("written");
            assert!(page.contains("Incomplete: only moves ") && page.ends_with("</html>\n"));
        }
    }
}

/// Games left out are counted in the output.
#[test]
fn an_interrupt_among_many_games_says_how_many_were_left_out() {
    use std::io::{BufRead, BufReader, Read};

    // The first game is judged at once, the others never.
    let short = format!("-OXXXXXX{} O; a1", "-".repeat(56));
    let folder = folder_with(&[("a.txt", &format!("{short}\n{LONG}\n{LONG}\n{LONG}\n"))]);
    for (args, marked) in [(&["--html", "report"][..], "# incomplete: "), (&["--jsonl"], "")] {
        let mut child = start_endless(folder.path(), &[&["analyze", "a.txt"], args].concat());
        let mut out = BufReader::new(child.stdout.take().expect("piped"));
        let mut text = String::new();
        out.read_line(&mut text).expect("text");
        console::interrupt(&child);
        out.read_to_string(&mut text).expect("text");
        let mut said = String::new();
        child.stderr.take().expect("piped").read_to_string(&mut said).expect("text");
        assert_eq!(child.wait().expect("it ends").code(), Some(130));
        // The second game may have begun.
        let says = |text: &str, end: &str| {
            [2, 3].iter().any(|left| text.contains(&format!("{left} more games were not {end}")))
        };
        assert!(says(if marked.is_empty() { &said } else { &text }, "begun"), "{text} {said}");
        assert!(text.contains(marked), "{text}");
        if args == ["--html", "report"] {
            let index = fs::read_to_string(folder.path().join("report/index.html"));
            let index = index.expect("written");
            assert!(says(&index, "judged") && index.contains("Incomplete: "), "{index}");
        }
    }
}

/// Nothing is judged yet.
#[test]
fn an_interrupt_ends_an_endless_analysis() {
    use std::time::Duration;

    for seconds in [1, 4, 16] {
        let child = start_endless(here(), &["analyze", "f5d6c3"]);
        std::thread::sleep(Duration::from_secs(seconds));
        console::interrupt(&child);
        let ended = child.wait_with_output().expect("it ends");
        // Before the process handles signals, an interrupt kills it: wait longer.
        if console::was_killed(ended.status) {
            continue;
        }
        assert_eq!(ended.status.code(), Some(130));
        let text = String::from_utf8_lossy(&ended.stdout);
        assert!(text.contains("# incomplete: nothing was judged\n"), "{text}");
        return;
    }
    panic!("the process never handled the signal");
}

#[test]
fn in_a_folder_only_pages_of_umigame_are_replaced() {
    let folder = folder_with(&[("report/0001.html", "<html>mine</html>")]);
    let read = |name: &str| fs::read_to_string(folder.path().join(name)).expect("a file");
    let args = ["f5d6", "--level", "1", "--html", "report", "-q"];
    let (code, out, err) = analyze(folder.path(), &args, "");
    assert_eq!((code, out.as_str()), (2, ""));
    assert!(
        err.contains("0001.html: no page of umigame: expected another folder, or --force"),
        "{err}"
    );
    assert_eq!(read("report/0001.html"), "<html>mine</html>");
    assert_eq!(analyze(folder.path(), &[&args[..], &["--force"]].concat(), "").0, 0);
    assert!(read("report/0001.html").contains("umigame"));
    assert_eq!(analyze(folder.path(), &args, "").0, 0, "its own pages");
}
