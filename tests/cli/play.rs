//! The prompt for people, driven over pipes.

use std::path::Path;

use crate::support::{folder_with, run_in};

/// Returns the output of the prompt for these lines; its exit code is 0.
fn play(args: &[&str], lines: &str) -> String {
    let (code, text, errors) = run_in(Path::new("."), &[&["play"], args].concat(), lines);
    assert_eq!((code, errors.as_str()), (0, ""), "{lines}");
    let ascii = text.is_ascii();
    assert!(ascii && !text.contains('\x1b'), "colours and ASCII art are for terminals");
    text
}

fn count(text: &str, part: &str) -> usize {
    text.matches(part).count()
}

#[test]
fn the_engine_replies_to_a_move_with_a_move_its_score_depth_and_time() {
    let text = play(&["-l", "2"], "f5\n");
    assert_eq!(count(&text, "White plays "), 1, "{text}");
    let line = text.lines().find(|line| line.starts_with("White plays ")).expect("a move");
    for part in ["score for White ", "depth ", " s"] {
        assert!(line.contains(part), "{line}");
    }
    assert!(text.contains("X[X]"), "{text}");
    assert!(text.trim_end().ends_with('-'), "the board comes last: {text}");
}

#[test]
fn an_illegal_move_is_refused_with_the_reason_and_changes_nothing() {
    let text = play(&["-l", "1"], "a1\nd4\npass\nf5d6d6\nz9\nswim\nshow\n");
    for reason in [
        "illegal: a1: flips nothing for Black",
        "illegal: d4: there is a disc already",
        "illegal: pass: Black has a legal move",
        "illegal: d6: there is a disc already",
        "`z9` is no move and no command",
        "`swim` is no move and no command",
    ] {
        assert!(text.contains(reason), "{reason}: {text}");
    }
    assert_eq!(count(&text, "plays"), 0, "{text}");
    assert_eq!(count(&text, "Black (X) to move, 60 empty"), 2);
}

#[test]
fn undo_goes_back_to_the_last_turn_of_the_user_and_redo_to_the_next() {
    let text = play(&["-l", "1"], "f5\nundo\nredo\nundo\nundo\nredo\nredo\n");
    let turns: Vec<&str> = text.lines().filter(|line| line.contains("to move, ")).collect();
    let empties: Vec<&str> =
        turns.iter().filter_map(|line| line.split("to move, ").nth(1)).collect();
    // After the start, f5, the reply, undo, redo, undo, redo.
    assert_eq!(
        empties,
        ["60 empty", "59 empty", "58 empty", "60 empty", "58 empty", "60 empty", "58 empty"]
    );
    assert_eq!(count(&text, "there is nothing to undo"), 1);
    assert_eq!(count(&text, "there is nothing to redo"), 1);
}

#[test]
fn the_mode_decides_who_plays() {
    let text = play(&["-l", "1"], "mode 1\nmode\nmode 7\nquit\n");
    assert_eq!(count(&text, "Black plays "), 1, "{text}");
    assert_eq!(count(&text, "mode 1: the engine has Black"), 2);
    assert_eq!(count(&text, "mode: expected 0, 1, 2 or 3"), 1);
    let text = play(&["-l", "1"], "mode 3\nf5\nd6\ngo\n");
    assert_eq!(count(&text, "Black plays "), 1, "only go makes it move: {text}");
    assert_eq!(count(&text, "White plays "), 0);
}

#[test]
fn in_mode_2_the_engine_plays_itself_to_the_end() {
    let text = play(&["-l", "1"], "mode 2\ngo\n");
    assert!(text.contains("the game is over: "), "{text}");
    let end = text.trim_end().lines().last().expect("output");
    assert!(end.starts_with("the game is over: "), "go after the end: {end}");
}

#[test]
fn a_forced_pass_is_made_and_reported() {
    // Black has no move; White can play c1.
    let board = format!("OX{} X", "-".repeat(62));
    let text = play(&[], &format!("mode 3\nsetboard {board}\n"));
    assert!(text.contains("Black has no move and passes"), "{text}");
    assert!(text.contains("White (O) to move, 62 empty"), "{text}");
}

#[test]
fn hints_and_analysis_come_with_scores() {
    let text = play(&["-l", "1"], "mode 3\nf5d6c3\nhint 2\nhint none\nanalyze\n");
    assert_eq!(count(&text, "scores for White"), 1, "{text}");
    assert_eq!(count(&text, "hint: expected a number of moves"), 1);
    let rows: Vec<&str> =
        text.lines().skip_while(|line| !line.starts_with(" no ")).skip(1).collect();
    assert_eq!(rows.len(), 3, "{text}");
    assert!(rows[0].starts_with("  1 X  f5") && rows[1].starts_with("  2 O  d6"), "{rows:?}");
}

#[test]
fn commands_are_read_in_either_case_and_lines_of_any_bytes() {
    let text = play(&["-l", "1"], "MODE 3\r\nF5\r\n\r\nLevel 0\r\nlevel 4\r\nhelp\nQUIT\nf5\n");
    assert!(text.contains("White (O) to move, 59 empty"), "{text}");
    assert!(text.contains("level `0`: expected 1 to 30, or "));
    assert!(text.contains("\nlevel 4\n") && text.contains("setboard P"));
    let junk = format!("{}\n\0\u{e9}\u{6d77}\n", "x".repeat(200_000));
    let text = play(&["-l", "1"], &junk);
    assert_eq!(count(&text, "is no move and no command"), 2, "{text}");
}

#[test]
fn the_board_names_the_opening_after_a_transposition_too() {
    let text = play(&["-l", "1"], "mode 3\nf5d6\nnew\nc4e3\n");
    assert_eq!(count(&text, "   Perpendicular"), 2, "{text}");
}

#[test]
fn games_are_saved_loaded_and_kept_and_no_file_is_replaced_in_silence() {
    let folder = folder_with(&[("mine.txt", "mine"), ("old.sgf", "mine")]);
    let play = |args: &[&str], lines: &str| {
        run_in(folder.path(), &[&["play", "-l", "1"], args].concat(), lines)
    };
    let read = |name: &str| std::fs::read_to_string(folder.path().join(name)).expect("a file");
    let lines = "mode 3\nmoves\nf5d6\nsave one.ggf\nc3\nmoves\nsave one.ggf\nsave mine.txt\n\
                 save x.obf\nsave! old.sgf\nsave\n";
    let (code, out, err) = play(&[], lines);
    assert_eq!((code, err.as_str()), (0, ""));
    for part in [
        "no moves yet",
        "\nf5d6c3\n",
        "save: mine.txt: exists already: `save! mine.txt` replaces it",
        "save: x.obf: expected a name in .ggf, .sgf, .pgn or .txt",
        "save: expected a file",
    ] {
        assert!(out.contains(part), "{part}: {out}");
    }
    assert_eq!((count(&out, "saved\n"), read("mine.txt").as_str()), (3, "mine"));
    assert!(read("one.ggf").contains("B[C3]") && read("old.sgf").contains("B[c3]"));
    let lines = "mode 3\nload one.ggf\nmoves\nload none.ggf\nload mine.txt\nnew\nf5\n";
    let (_, out, _) = play(&["--save", "all.txt"], lines);
    for part in ["\nf5d6c3\n", "load: none.ggf: no such file", "load: mine.txt: game 1"] {
        assert!(out.contains(part), "{part}: {out}");
    }
    assert_eq!(read("all.txt"), "f5d6c3\nf5\n");
    let (code, _, err) = play(&["--save", "mine.txt"], "");
    assert_eq!(code, 2);
    assert!(err.contains("--save mine.txt: exists already: expected a new file"), "{err}");
}

#[test]
fn values_stand_on_the_board_once_or_at_every_turn() {
    let text = play(&["-l", "1"], "mode 3\nf5\nvalues\nvalues on\nd6\nvalues off\nvalues some\n");
    // After f5: asked for once, then at the turn; after d6 at the turn.
    let drawn: Vec<&str> = text.lines().filter(|line| line.starts_with("      a      b")).collect();
    assert_eq!(drawn.len(), 3, "{text}");
    assert_eq!(count(&text, "# scores for White, depth "), 2);
    assert_eq!(count(&text, "# scores for Black, depth "), 1);
    assert_eq!(count(&text, "values: expected nothing, on or off"), 1);
    let first = text.split("      a      b").nth(1).expect("a board");
    let cells: Vec<&str> = first.lines().skip(1).take(8).flat_map(str::split_whitespace).collect();
    let values = cells.iter().filter(|cell| cell.starts_with(['+', '-']) && cell.len() > 1);
    assert_eq!(values.count(), 3, "{first}");
    assert!(first.contains('*') && !first.contains(" . "), "{first}");
}

#[test]
fn the_first_selective_depth_is_explained_and_no_other() {
    let text = play(&["--depth", "9", "--exact-from", "0"], "mode 3\nf5\nhint\nvalues\nanalyze\n");
    let explained = "# 9@73%: searched 9 moves deep; each branch left out is irrelevant with a probability of 73 %";
    assert_eq!(count(&text, explained), 1, "{text}");
    assert_eq!(count(&text, "irrelevant"), 1, "{text}");
}

#[test]
fn a_resigned_game_is_over_until_undo_and_the_moves_of_a_finished_one_are_printed() {
    let folder = folder_with(&[]);
    let lines = "f5\nresign\ngo\nsave r.ggf\nundo\nresign\nresign\nnew\nmode 2\ngo\n";
    let (code, text, errors) =
        run_in(folder.path(), &["play", "--level", "beginner", "--seed", "1"], lines);
    assert_eq!((code, errors.as_str()), (0, ""));
    assert_eq!(count(&text, "Black resigned, White wins; undo goes on"), 4, "{text}");
    let saved = std::fs::read_to_string(folder.path().join("r.ggf")).expect("a file");
    assert!(saved.contains("RE[-64:r]"), "{saved}");
    let end: Vec<&str> = text.lines().filter(|line| line.starts_with("moves: ")).collect();
    assert_eq!(end.len(), 3, "{text}");
    assert!(end[2].len() > 100, "{end:?}");
}

#[test]
fn the_page_of_the_game_is_written_and_no_other_file_is_replaced() {
    let folder = folder_with(&[("mine.html", "mine")]);
    let lines = "mode 3\nf5d6c3\nanalyze --html mine.html\nanalyze --html my game.html\n\
                 analyze --html=my game.html\nanalyze --html\nanalyze --html a.txt\nanalyze all\n";
    let (code, text, errors) = run_in(folder.path(), &["play", "-l", "1"], lines);
    assert_eq!((code, errors.as_str()), (0, ""));
    for (part, times) in [
        ("analyze: mine.html: exists already and is no page of umigame", 1),
        ("wrote my game.html", 2),
        ("analyze: expected nothing, or --html FILE, or --html FILE --open", 2),
        ("analyze: a.txt: expected a name in .html", 1),
        (" no    move", 2),
    ] {
        assert_eq!(count(&text, part), times, "{part}: {text}");
    }
    let read = |name: &str| std::fs::read_to_string(folder.path().join(name)).expect("a file");
    assert!(read("my game.html").contains("f5d6c3") && read("mine.html") == "mine");
}
