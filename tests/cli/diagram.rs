//! `umigame diagram` with the real binary.

use std::fs;
use std::path::Path;

use crate::support::{folder_with, run_in};

const START: &str = "---------------------------OX------XO---------------------------X";

/// Runs in a folder; returns exit code, standard output and standard error.
fn diagram(folder: &Path, args: &[&str]) -> (i32, String, String) {
    run_in(folder, &[&["diagram"], args].concat(), "")
}

fn discs(svg: &str) -> usize {
    svg.matches("r=\"17\"").count()
}

#[test]
fn positions_and_games_are_drawn_with_the_requested_marks() {
    let folder = tempfile::tempdir().expect("a folder for the test");
    for (args, discs_drawn, numbers, dots) in [
        (&[START, "-"][..], 4, 0, 0),
        (&[START, "-", "--legal"], 4, 0, 4),
        (&["f5d6c3", "-"], 7, 3, 0),
        (&["f5d6c3", "-", "--position"], 7, 0, 0),
        (&["f5d6c3", "-", "--position", "--last", "--legal"], 7, 0, 5),
        (&["f5d6c3", "-", "--after", "1", "--last"], 5, 0, 1),
        (&["f5d6c3", "-", "--after", "0"], 4, 0, 0),
    ] {
        let (code, svg, err) = diagram(folder.path(), args);
        assert_eq!((code, err.as_str()), (0, ""), "{args:?}");
        assert!(svg.starts_with("<svg ") && svg.ends_with("</svg>\n") && svg.is_ascii());
        assert_eq!(discs(&svg), discs_drawn, "{args:?}");
        // Sixteen texts name the files and ranks.
        assert_eq!(svg.matches("</text>").count(), 16 + numbers, "{args:?}");
        assert_eq!(svg.matches("r=\"5\"").count(), dots, "{args:?}");
    }
}

#[test]
fn values_are_searched_and_stand_on_the_legal_squares() {
    let folder = tempfile::tempdir().expect("a folder for the test");
    let args = ["f5d6c3", "-", "--position", "--values", "--legal", "--level", "2"];
    let (code, svg, err) = diagram(folder.path(), &args);
    assert_eq!((code, err.as_str()), (0, ""));
    // White has four moves after f5 d6 c3: a value and its deviation each, the best on white, no dots.
    assert_eq!(svg.matches("&#177;").count(), 4, "{svg}");
    assert_eq!(svg.matches("</text>").count(), 16 + 2 * 4);
    assert_eq!((svg.matches("rx=\"6\"").count(), svg.matches("r=\"5\"").count()), (1, 0));
    assert!(svg.is_ascii());
    let (_, proven, _) = diagram(
        folder.path(),
        &["XXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXO- X", "-", "--values"],
    );
    assert!(proven.contains(">+64</text>") && proven.contains(">exact</text>"), "{proven}");
}

#[test]
fn a_drawing_in_a_file_is_the_one_on_standard_output() {
    let folder = folder_with(&[("a.txt", "f5\nf5d6c3\n")]);
    let (code, out, err) =
        diagram(folder.path(), &["a.txt", "out.svg", "--number", "2", "--size", "300"]);
    assert_eq!((code, out.as_str(), err.as_str()), (0, "", "wrote out.svg\n"));
    let svg = fs::read_to_string(folder.path().join("out.svg")).expect("written");
    assert_eq!(svg, diagram(folder.path(), &["f5d6c3", "-", "--size", "300"]).1);
}

#[test]
fn bad_arguments_and_games_end_with_an_exit_code_and_a_reason() {
    let folder = folder_with(&[("a.txt", "f5\nf5a1\n")]);
    fs::create_dir(folder.path().join("folder.svg")).expect("writable");
    for (args, part) in [
        (&["f5f5", "-"][..], "there is a disc already"),
        (&["none.txt", "-"], "none.txt: no such file or folder"),
        (&["a.txt", "-", "--number", "2"], "a.txt: game 2"),
        (&["a.txt", "-", "--number", "3"], "there are only 2 games"),
        (&["f5d6", "-", "--after", "3"], "--after 3: the game has 2 moves"),
        (&["f5d6", "-", "--legal"], "add --position or --after"),
        (&["f5d6", "-", "--values"], "add --position or --after"),
        (&["f5d6", "-", "--hash", "3"], "--hash: nothing is searched: add --values"),
        (&["f5d6", "-", "--values", "--level", "beginner"], "expected 1 to 30"),
        (&["f5", "-", "--size", "1"], "--size"),
        (&["f5", "none/out.svg"], "none/out.svg"),
        (&["f5", "folder.svg"], "folder.svg: "),
        (&["f5", "out.png", "--legal"], "out.png: expected a name in .svg, or -"),
    ] {
        let (code, _, err) = diagram(folder.path(), args);
        let expected = if args[1].ends_with(".svg") { 1 } else { 2 };
        assert_eq!(code, expected, "{args:?}: {err}");
        assert!(err.contains(part) && err.is_ascii(), "{args:?}: {err}");
    }
}
