//! `umigame convert` on the real binary.

use std::fs;
use std::path::Path;

use umigame_othello::testing;

use crate::support::{folder_with, run_in};

/// Runs `umigame convert` in a folder; returns the exit code, standard output and standard error.
fn convert(folder: &Path, args: &[&str]) -> (i32, String, String) {
    convert_input(folder, args, "")
}

/// Runs `umigame convert` with a text on standard input.
fn convert_input(folder: &Path, args: &[&str], input: &str) -> (i32, String, String) {
    run_in(folder, &[&["convert"], args].concat(), input)
}

#[test]
fn games_are_converted_into_a_file_or_a_folder() {
    let folder = folder_with(&[("a.txt", "f5d6c3\nf5f6\n")]);
    let at = |name: &str| folder.path().join(name);
    let (code, out, err) = convert(folder.path(), &["a.txt", "a.ggf"]);
    assert_eq!((code, err.as_str()), (0, ""));
    assert_eq!(out, "# files 1, games 2, not converted 0\n");
    let (code, ..) = convert(folder.path(), &[".", "out", "--to", "pgn"]);
    assert_eq!(code, 0);
    let pgn = fs::read_to_string(at("out/a.pgn")).expect("written");
    assert!(pgn.contains("\n1. f5 d6 2. c3 *\n"), "{pgn}");
}

#[test]
fn games_are_converted_from_standard_input_to_standard_output() {
    let folder = folder_with(&[("a.txt", "f5d6c3\nf5f6\n")]);
    let here = folder.path();
    let (code, ggf, err) = convert(here, &["a.txt", "-", "--to", "ggf"]);
    assert_eq!((code, err.as_str()), (0, "# files 1, games 2, not converted 0\n"));
    assert_eq!(ggf.lines().count(), 2, "{ggf}");
    // Every format is detected, and may be named.
    for format in ["ggf", "sgf", "pgn", "txt"] {
        let (_, text, _) = convert_input(here, &["-", "-", "--to", format], &ggf);
        for more in [&[][..], &["--from", format]] {
            let args = [&["-", "-", "--to", "txt"], more].concat();
            let (code, out, _) = convert_input(here, &args, &text);
            assert_eq!((code, out.as_str()), (0, "f5d6c3\nf5f6\n"), "{format}: {text}");
        }
    }
    let problem = "---------------------------OX------XO--------------------------- X; F5:+0;\n";
    let (code, out, _) = convert_input(here, &["-", "-", "--to", "obf"], problem);
    assert_eq!((code, &out[..66]), (0, &problem[..66]));
    let (code, out, err) = convert_input(here, &["-", "b.ggf"], "f5d6\nf5f5\n");
    assert_eq!((code, out.as_str()), (2, "# files 1, games 1, not converted 1\n"));
    assert!(err.contains("standard input: game 2, line 2: "), "{err}");
    assert!(here.join("b.ggf").exists());
}

#[test]
fn bad_input_ends_with_2_and_is_named() {
    let folder = folder_with(&[("a.txt", "f5d6c3\nf5a1\n"), ("empty.wtb", "")]);
    let at = |name: &str| folder.path().join(name);
    for (args, part) in [
        (&["a.txt", "b.ggf"][..], "a.txt: game 2, line 2: character 3: move 2 is illegal"),
        (&["none.txt", "b.ggf"], "none.txt: no such file or folder"),
        (&["a.txt", "b.wtb"], "a.txt: game 1: WTHOR holds only games with a result in discs"),
        (&["a.txt", "-", "--to", "wtb"], "--to wtb: WTHOR is three files"),
        (&["-", "c.ggf", "--from", "wtb"], "expected ggf, sgf, pgn, txt or obf"),
        (&["a.txt", "-"], "-: standard output needs its format: add --to"),
        (&["-", "b", "--to", "ggf"], "--to: standard input goes into one file"),
        (&["a.txt", "b.ggf", "--from", "txt"], "--from: the name of a file is its format"),
        (&["empty.wtb", "b.ggf"], "empty.wtb: byte 0: the file ends in the header"),
        (&["a.txt", "b"], "b: expected a name in .ggf"),
        (&["a.txt", "b", "--to", "wtf"], "expected ggf, sgf, pgn, txt, obf or wtb"),
    ] {
        let (code, _, err) = convert(folder.path(), args);
        assert_eq!(code, 2, "{args:?}: {err}");
        assert!(err.contains(part) && err.is_ascii(), "{args:?}: {err}");
    }
    assert!(fs::read_to_string(at("b.ggf")).expect("the good game is written").contains("B[C3]"));
}

#[test]
fn an_output_that_cannot_be_written_ends_with_1_and_nothing_is_left_of_it() {
    let folder = folder_with(&[("a.txt", "f5d6c3\n")]);
    let at = |name: &str| folder.path().join(name);
    fs::create_dir(at("dir.ggf")).expect("writable");
    for (output, part) in [
        ("dir.ggf", "dir.ggf: cannot be written: "),
        ("none/b.ggf", "none/b.ggf: cannot be written: "),
    ] {
        let (code, _, err) = convert(folder.path(), &["a.txt", output]);
        assert_eq!(code, 1, "{err}");
        assert!(err.contains(part) && !err.contains(".new") && err.is_ascii(), "{err}");
    }
    assert_eq!(fs::read_dir(folder.path()).expect("a folder").count(), 2);
}

#[cfg(target_os = "linux")]
#[test]
fn a_full_disk_ends_with_1_and_a_device_stays_a_device() {
    use std::os::unix::fs::{FileTypeExt, symlink};

    let folder = tempfile::tempdir().expect("a folder for the test");
    let is_device = || fs::metadata("/dev/full").is_ok_and(|m| m.file_type().is_char_device());
    if !is_device() {
        return testing::skip("there is no /dev/full");
    }
    fs::write(folder.path().join("a.txt"), "f5d6c3\n").expect("writable");
    symlink("/dev/full", folder.path().join("full.ggf")).expect("linked");
    let (code, _, err) = convert(folder.path(), &["a.txt", "full.ggf"]);
    assert_eq!(code, 1, "{err}");
    assert!(err.contains("full.ggf: cannot be written: No space left"), "{err}");
    assert!(is_device());
}

#[test]
fn in_a_folder_files_are_replaced_only_with_force() {
    let folder =
        folder_with(&[("games/a.txt", "f5d6\n"), ("games/b.txt", "f5f6\n"), ("out/b.sgf", "mine")]);
    let read = |name: &str| fs::read_to_string(folder.path().join(name)).expect("a file");
    let (code, out, err) = convert(folder.path(), &["games", "out", "--to", "sgf"]);
    assert_eq!((code, out.as_str()), (2, ""));
    assert!(err.contains("b.sgf: exists already: expected a new folder, or --force"), "{err}");
    assert_eq!(read("out/b.sgf"), "mine");
    assert!(!folder.path().join("out/a.sgf").exists(), "nothing is written");
    let (code, ..) = convert(folder.path(), &["games", "out", "--to", "sgf", "--force"]);
    assert_eq!(code, 0);
    assert!(read("out/b.sgf").contains("W[f6]") && read("out/a.sgf").contains("W[d6]"));
}
