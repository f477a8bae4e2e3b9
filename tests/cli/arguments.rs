//! The command line of the real binary: options, messages and exit codes.

use std::path::Path;

use umigame_othello::{kernels, testing};

use crate::support::{self, folder, folder_with, run, run_in};

const START: &str = "---------------------------OX------XO---------------------------";

#[test]
fn a_wrong_option_ends_with_2_and_is_named() {
    for (args, part) in [
        (&["--levle", "3"][..], "--levle"),
        (&["hint", "f5", "--level", "99"], "--level"),
        (&["hint", "f5", "--level", "99"], "level `99`: expected 1 to 30, or "),
        (
            &["hint", "f5", "--level", "beginner"],
            "--level beginner: it is for play: expected 1 to 30 here",
        ),
        (&["analyze", "f5", "--level", "beginner"], "--level beginner: it is for play"),
        (&["play", "--level", "beginner", "--error", "3"], "--error: level beginner has its own"),
        (&["play", "--error", "-1"], "--error"),
        (&["play", "--error", "321"], "expected discs, 0 to 320"),
        (
            &["gtp", "--max-error", "3"],
            "--max-error: max_error=3: expected an error, or a level with a name",
        ),
        (&["hint", "f5", "-l", "3", "--depth", "4"], "--depth"),
        (&["-l", "3", "hint", "f5"], "--level <LEVEL>: options follow the command: umigame hint"),
        (&["-l", "3", "explain", "f5"], "options follow the command: umigame explain"),
        (&["--book", "b.sqlite", "book", "show"], "options follow the command: umigame book"),
        (&["hint", "f5", "--move-time", "soon"], "500ms"),
        (&["hint", "f5", "--hash", "0"], "--hash"),
        (&["hint", "f5", "--threads", "0"], "--threads"),
        (&["perft", "many"], "many"),
        (&["perft", "2", "-l", "3"], "-l"),
        (&["perft"], "DEPTH"),
        (&["hint", "f5", "--ponder"], "--ponder"),
        (&["hint", "f5", "--game-time", "5m"], "--game-time"),
        (&["swim"], "swim"),
        (&["hint", "f5", "-q", "-v"], "--quiet"),
        (&["bench", "--levels", "0-3"], "--levels"),
    ] {
        let (code, out, err) = run(args);
        assert_eq!(code, 2, "{args:?}: {err}");
        assert_eq!(out, "", "{args:?}");
        assert!(err.contains(part), "{args:?}: {err}");
    }
}

/// Returns every command of the help text, with the subcommands of `book` and `bench`.
fn commands() -> Vec<Vec<String>> {
    let named = |prefix: &[&str]| -> Vec<String> {
        let (code, out, _) = run(&[prefix, &["--help"]].concat());
        assert_eq!(code, 0, "{prefix:?}");
        // The root's commands stand in groups before the options, those of a command under a heading.
        let lines: Vec<&str> = if prefix.is_empty() {
            let lines = out.lines().skip_while(|line| *line != "Play:");
            lines.take_while(|line| *line != "Common:").collect()
        } else {
            let lines = out.lines().skip_while(|line| *line != "Commands:").skip(1);
            lines.take_while(|line| !line.is_empty()).collect()
        };
        // Continued descriptions stand farther to the right.
        let is_command = |line: &&&str| line.starts_with("  ") && !line.starts_with("   ");
        let names = lines.iter().filter(is_command);
        let names = names.filter_map(|line| line.split_whitespace().next().map(str::to_owned));
        names.filter(|name| name != "help").collect()
    };
    let mut commands = vec![Vec::new()];
    for name in named(&[]) {
        for inner in named(&[&name]) {
            commands.push(vec![name.clone(), inner]);
        }
        commands.push(vec![name]);
    }
    commands
}

#[test]
fn the_help_of_the_root_is_short_and_all_help_has_lines_of_at_most_100() {
    for command in commands() {
        let words: Vec<&str> = command.iter().map(String::as_str).chain(["--help"]).collect();
        let (_, out, _) = run(&words);
        let long = out.lines().find(|line| line.len() > 100 && !line.contains("umigame "));
        assert_eq!(long, None, "{words:?}");
    }
    let (_, out, _) = run(&["--help"]);
    assert!(out.lines().count() < 60 && !out.contains("--threads"), "{out}");
}

#[test]
fn shells_get_completions_of_every_command() {
    for shell in ["bash", "zsh", "fish", "powershell", "elvish"] {
        let (code, out, err) = run(&["completions", shell]);
        assert_eq!((code, err.as_str()), (0, ""), "{shell}");
        for command in ["nboard", "analyze", "--exact-from", "grow"] {
            assert!(out.contains(command.trim_start_matches("--")), "{shell}: {command}");
        }
    }
    let (code, _, err) = run(&["completions", "tcsh"]);
    assert!(code == 2 && err.contains("tcsh"), "{err}");
}

#[test]
fn the_manual_has_a_page_for_umigame_and_for_every_command() {
    let (code, out, err) = run(&["man"]);
    assert_eq!((code, err.as_str()), (0, ""));
    assert!(out.contains(".TH umigame 1") && out.contains("umigame\\-analyze"), "{out}");
    for command in commands().iter().filter(|command| !command.is_empty()) {
        let words: Vec<&str> =
            ["man"].into_iter().chain(command.iter().map(String::as_str)).collect();
        let (code, out, err) = run(&words);
        assert_eq!((code, err.as_str()), (0, ""), "{words:?}");
        let name = format!(".TH umigame-{} 1", command.join("-"));
        assert!(out.contains(&name) && out.contains(".SH SYNOPSIS"), "{words:?}: {out}");
    }
    let (code, _, err) = run(&["man", "hnt"]);
    assert!(code == 2 && err.contains("`hnt` is no command of umigame"), "{err}");
}

#[test]
fn the_help_of_every_command_has_only_the_headings_of_its_options() {
    let commands = commands();
    assert!(commands.len() > 20, "{commands:?}");
    for command in commands {
        let words: Vec<&str> = command.iter().map(String::as_str).chain(["--help"]).collect();
        let (code, out, err) = run(&words);
        assert_eq!((code, err.as_str()), (0, ""), "{words:?}");
        assert!(out.is_ascii() && out.contains("Exit codes:"), "{words:?}: {out}");
        let section = |heading: &str| -> Option<String> {
            let lines = out.lines().skip_while(|line| *line != heading).skip(1);
            let lines: Vec<&str> =
                lines.take_while(|line| line.is_empty() || line.starts_with(' ')).collect();
            (!lines.is_empty()).then(|| lines.join("\n"))
        };
        let common = section("Common:").expect("common options");
        for option in ["--weights <FILE>", "--verbose", "--quiet"] {
            assert!(common.contains(option), "{words:?}: {option}: {out}");
        }
        for (heading, option) in [("Book:", "--book-by"), ("Engine:", "--threads")] {
            if let Some(section) = section(heading) {
                assert!(section.contains(option), "{words:?}: {out}");
                assert!(!section.contains("--weights"), "{words:?}: {out}");
            }
        }
    }
}

#[test]
fn help_has_examples_and_exit_codes_and_version_names_the_build() {
    let (code, out, _) = run(&["--help"]);
    assert_eq!(code, 0);
    assert!(out.contains("Examples:") && out.contains("Exit codes:"), "{out}");
    assert!(out.is_ascii());
    let (code, out, _) = run(&["--version"]);
    let expected = format!("umigame {} ({})\n", env!("CARGO_PKG_VERSION"), kernels::BUILT_FOR);
    assert_eq!((code, out.lines().next()), (0, expected.lines().next()));
    assert_eq!(out.lines().count(), 1 + usize::from(kernels::faster_build().is_some()), "{out}");
}

#[test]
fn an_unreadable_position_ends_with_2_and_its_place() {
    for (args, part) in [
        (&["hint", "f5f5"][..], "f5: there is a disc already"),
        (&["hint", START], "the side to move is missing"),
        (&["hint", &START[1..], "X"], "64"),
        (&["hint", &START.replace('X', "?"), "X"], "column 29: `?`"),
    ] {
        let (code, out, err) = run(args);
        assert_eq!((code, out.as_str()), (2, ""), "{args:?}");
        assert!(err.contains(part), "{args:?}: {err}");
    }
}

#[test]
fn perft_counts_the_known_numbers_in_both_conventions_on_both_boards() {
    // Published counts; the two conventions differ from depth 9.
    let counts = [4, 12, 56, 244, 1396, 8200, 55092, 390_216, 3_005_288];
    let (code, out, err) = run(&["perft", "9"]);
    assert_eq!((code, err.as_str()), (0, ""));
    let lines: Vec<&str> = out.lines().filter(|line| !line.starts_with('#')).collect();
    assert_eq!(lines.len(), 9);
    for (line, count) in lines.iter().zip(counts) {
        assert_eq!(line.split(' ').nth(1), Some(count.to_string().as_str()), "{line}");
    }
    let (_, out, _) = run(&["perft", "9", "--pass-free", "--mailbox"]);
    assert!(out.contains("\n9 3005320 "), "{out}");
}

#[test]
fn a_position_is_squares_with_a_side_in_one_word_or_two_or_moves() {
    let together = format!("{START} X");
    let answers: Vec<String> = [&["hint", START, "X"][..], &["hint", &together], &["hint", "f5d6"]]
        .iter()
        .map(|args| {
            let (code, out, err) = run(&[args, &["--depth", "2"][..]].concat());
            assert_eq!(code, 0, "{args:?}: {err}");
            out.lines().nth(1).expect("a line of play").to_owned()
        })
        .collect();
    assert_eq!(answers[0], answers[1]);
    assert!(answers.iter().all(|line| line.is_ascii()));
}

#[test]
fn hint_and_explain_read_every_form_in_which_a_position_is_printed() {
    let (code, drawn, _) = run_in(Path::new("."), &["play", "-l", "1"], "mode 3\nf5d6\n");
    assert_eq!(code, 0);
    let last_board = drawn.rfind("    a b c").expect("a board");
    let obf = "---------------------------OX------OXX-----O-------------------- X; C4:+2; C3:+1;";
    for words in [&["f5d6"][..], &["f5", "d6"], &[obf], &[&drawn[last_board..]]] {
        for command in [&["hint", "--depth", "1"][..], &["explain"]] {
            let (code, out, err) = run(&[command, words].concat());
            assert_eq!((code, err.as_str()), (0, ""), "{words:?}");
            let expected = if command[0] == "hint" { "OX------OXX-----O" } else { "58 empties" };
            assert!(out.contains(expected), "{words:?}: {out}");
        }
    }
}

#[test]
fn a_dash_and_an_empty_text_are_refused_as_positions() {
    for text in ["", " ", "-"] {
        let (code, out, err) = run(&["hint", text]);
        assert_eq!((code, out.as_str()), (2, ""));
        assert!(err.contains("is no position: expected 64 squares"), "{err}");
    }
}

#[test]
fn hint_of_a_finished_game_prints_its_score() {
    let (code, out, _) = run(&["hint", support::GAME_OVER]);
    assert_eq!(code, 0);
    assert!(out.ends_with("the game is over: Black wins by 60\n"), "{out}");
    let (code, out, _) = run(&["hint", support::GAME_OVER, "--jsonl"]);
    assert_eq!(code, 0);
    let record: serde_json::Value = serde_json::from_str(&out).expect("one JSON object");
    let expected = serde_json::json!({ "game_over": true, "score": 60, "black": 3, "white": 2 });
    assert_eq!(record, expected);
}

#[test]
fn hint_prints_one_json_object_a_line() {
    let (code, out, _) = run(&["hint", "f5", "-n", "9", "--depth", "2", "--jsonl"]);
    assert_eq!(code, 0);
    let moves: Vec<String> = out
        .lines()
        .map(|line| {
            let record: serde_json::Value = serde_json::from_str(line).expect("JSON");
            assert_eq!(record["move"], record["pv"][0], "{line}");
            assert!(record["score"].is_number() && record["nodes"].is_u64(), "{line}");
            record["move"].as_str().expect("a move").to_owned()
        })
        .collect();
    // White has three moves after f5.
    let mut sorted = moves.clone();
    sorted.sort();
    assert_eq!(sorted, ["d6", "f4", "f6"]);
}

#[test]
fn two_runs_of_bench_print_the_same_signature() {
    let signature = || {
        let (code, out, err) = run(&["bench"]);
        assert_eq!(code, 0, "{err}");
        let line = out.lines().find(|line| line.starts_with("signature ")).map(str::to_owned);
        line.expect("a signature")
    };
    assert_eq!(signature(), signature());
}

#[test]
fn a_closed_pipe_ends_with_0() {
    use std::process::Stdio;
    let mut child = support::umigame(&["perft", "10"])
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the binary starts");
    // Closed before the first line is read.
    drop(child.stdout.take());
    let output = child.wait_with_output().expect("it ends");
    assert_eq!(output.status.code(), Some(0));
    assert_eq!(String::from_utf8_lossy(&output.stderr), "");
}

/// Help and results that cannot be written are a failure.
#[test]
fn a_full_device_behind_standard_output_ends_with_1() {
    for args in [&["--help"][..], &["--version"], &["levels"], &["explain", "f5"]] {
        let full = std::fs::File::options().write(true).open("/dev/full");
        let Some(full) = full.ok().filter(|_| cfg!(target_os = "linux")) else {
            return testing::skip("there is no /dev/full");
        };
        let mut command = support::umigame(args);
        let status = command.stdout(full).stderr(std::process::Stdio::null()).status();
        assert_eq!(status.expect("it starts").code(), Some(1), "{args:?}");
    }
}

#[test]
fn the_error_for_a_file_instead_of_a_position_says_so() {
    let folder = folder_with(&[("game.txt", "f5d6c3\n")]);
    let file = folder.path().join("game.txt");
    for path in [file.as_path(), folder.path()] {
        let name = path.to_str().expect("plain");
        for command in ["explain", "hint"] {
            let (code, _, err) = run(&[command, name]);
            assert_eq!(code, 2, "{err}");
            assert!(err.contains("` is a file") || err.contains("` is a folder"), "{err}");
            assert!(err.contains("expected 64 squares"), "{err}");
        }
    }
}

#[test]
fn explain_names_edges_mobility_and_parity() {
    let board = "-XXXXXX---X-X---O-OOOX--OOOOXX--OOOXXXO-OOXXX-O-OXXX-O------O-O- O";
    let (code, out, err) = run(&["explain", board]);
    assert_eq!((code, err.as_str()), (0, ""));
    for part in ["mountain on the north edge", "wing on the west edge", "mobility", "parity"] {
        assert!(out.contains(part), "{part} is not in\n{out}");
    }
    let (code, out, _) = run(&["explain", "f5"]);
    assert_eq!(code, 0);
    assert!(out.contains("White to move, 59 empties"), "{out}");
    let (code, _, err) = run(&["explain", "f5f5"]);
    assert_eq!(code, 2);
    assert!(err.contains("f5: there is a disc already"), "{err}");
}

#[test]
fn a_misspelt_option_is_no_position() {
    for (args, parts) in [
        (&["hint", "--levl", "3", "f5"][..], ["unexpected argument '--levl'", "'--level'"]),
        (&["hint", "--foo"], ["unexpected argument '--foo'", "Usage"]),
        (&["analyze", "--htm", "x.html", "f5"], ["unexpected argument '--htm'", "'--html'"]),
        (&["explain", "--foo"], ["unexpected argument '--foo'", "Usage"]),
    ] {
        let (code, out, err) = run(args);
        assert_eq!((code, out.as_str()), (2, ""), "{args:?}");
        assert!(parts.iter().all(|part| err.contains(part)), "{args:?}: {err}");
    }
    // Boards whose first square is a dash are positions, before options and after them.
    for args in [["hint", START, "X", "--depth", "1"], ["hint", "--depth", "1", START, "X"]] {
        assert_eq!(run(&args).0, 0, "{args:?}");
    }
}

#[test]
fn a_wrong_word_is_quoted_in_ascii() {
    for word in ["\u{ff11}", "1\u{1b}[2J"] {
        let (code, _, err) = run(&["bench", "--runs", word]);
        assert_eq!(code, 2, "{err}");
        assert!(err.contains("--runs"), "{err}");
        assert!(err.chars().all(|letter| letter == '\n' || (' '..='~').contains(&letter)), "{err}");
    }
}

#[test]
fn weights_are_read_up_to_a_bound() {
    let (_folder, at) = folder();
    std::fs::File::create(at("large")).and_then(|file| file.set_len(1 << 27)).expect("room");
    for path in [at("large").as_str(), "/dev/zero"].iter().take(1 + usize::from(cfg!(unix))) {
        let (code, _, err) = run(&["hint", "f5", "--weights", path]);
        assert_eq!(code, 2, "{err}");
        assert!(err.contains(": more than 64 MB"), "{err}");
    }
}

#[cfg(unix)]
#[test]
fn a_named_pipe_is_refused_instead_of_waiting_for_its_writer() {
    let (_folder, at) = folder();
    for name in ["pipe", "pipe.sgf", "pipe.toml"] {
        let made = std::process::Command::new("mkfifo").arg(at(name)).status();
        assert!(made.expect("mkfifo").success());
    }
    for (args, part) in [
        (&["hint", "f5", "--book"][..], "not a book"),
        (&["book", "check", "--book"], "not a book"),
        (&["solve", "-", "--resume"], "not a regular file"),
        (&["solve"], "pipe: a pipe, expected a file"),
        (&["hint", "f5", "--weights"], "pipe: a pipe, expected a file"),
        (&["match", "a", "b", "--openings"], "pipe: a pipe, expected a file"),
    ] {
        let (code, _, err) = run(&[args, &[&at("pipe")]].concat());
        assert_eq!(code, 2, "{err}");
        assert!(err.contains(part), "{err}");
    }
    for (command, name) in [("analyze", "pipe.sgf"), ("match", "pipe.toml")] {
        let (code, _, err) = run(&[command, &at(name)]);
        assert_eq!(code, 2, "{err}");
        assert!(err.contains(&format!("{name}: a pipe, expected a file")), "{err}");
    }
    // A pipe of the shell has its writer.
    let command = "\"$0\" solve <(echo nothing)";
    let shell = ["-c", command, env!("CARGO_BIN_EXE_umigame")];
    let output = std::process::Command::new("bash").args(shell).output().expect("bash starts");
    assert!(String::from_utf8_lossy(&output.stderr).contains("line 1: "), "{output:?}");
}

#[test]
fn hint_draws_the_values_of_all_moves_on_the_board() {
    let (code, out, err) = run(&["hint", "f5d6c3", "--board", "-l", "1"]);
    assert_eq!((code, err.as_str()), (0, ""));
    assert!(out.contains("\n      a      b") && out.is_ascii(), "{out}");
    let cells = out.lines().skip(2).take(8).flat_map(|line| line.split("   Black").take(1));
    let values: Vec<&str> = cells
        .flat_map(str::split_whitespace)
        .filter(|cell| cell.len() > 1 && cell.starts_with(['+', '-']))
        .collect();
    // Four moves: four values, of which one is the best, and four rows below the board.
    assert_eq!(values.len(), 4, "{out}");
    assert!(values.iter().any(|value| value.ends_with('*')), "{out}");
    assert_eq!(out.lines().filter(|line| line.contains("+-")).count(), 4, "{out}");
    let (code, _, err) = run(&["hint", "f5", "--board", "--jsonl"]);
    assert_eq!(code, 2, "{err}");
}
