//! Folders and files with names beyond ASCII, for everything that is read or written. Output stays
//! ASCII.

use std::fs;

use crate::support::{EngineProcess, run};

const GAMES: &str = "f5d6c3d3c4f4c5b3c2e3d2c6b4b5f2e6f3e2\nf5f6e6f4e3\n";
const ENDING: &str =
    "--XXXXX--OOOXX-O-OOOXXOX-OXOXOXXOXXXOXXX--XOXOXX-XXXOOO--OOOOO-- X; G8:+18;\n";

/// A folder with such a name, and the path of a name in it.
fn folder() -> (tempfile::TempDir, impl Fn(&str) -> String) {
    let parent = tempfile::tempdir().expect("a temporary directory");
    let folder = parent.path().join("\u{6d77}\u{4e80} \u{fc}");
    fs::create_dir(&folder).expect("made");
    (parent, move |name: &str| folder.join(name).to_str().expect("text").to_owned())
}

/// Runs a command that must succeed and returns its output, which must be ASCII.
fn done(args: &[&str]) -> String {
    let (code, out, err) = run(args);
    assert_eq!(code, 0, "{args:?}: {err}");
    assert!(out.is_ascii() && err.is_ascii(), "{args:?}: {out}{err}");
    out
}

fn size(path: &str) -> u64 {
    fs::metadata(path).unwrap_or_else(|error| panic!("{path}: {error}")).len()
}

#[test]
fn books_are_imported_exported_merged_and_played_from() {
    let (_parent, file) = folder();
    fs::write(file("\u{68cb}\u{8b5c}.txt"), GAMES).expect("written");
    let book = file("\u{5b9a}\u{77f3}.sqlite");
    let out = done(&["book", "import", &file("\u{68cb}\u{8b5c}.txt"), "--book", &book]);
    assert!(out.contains("new games 2"), "{out}");
    let other = file("\u{fc}.sqlite");
    done(&["book", "import", &file("\u{68cb}\u{8b5c}.txt"), "--book", &other]);
    done(&["book", "merge", &other, "--book", &book]);
    done(&["book", "check", "--book", &book]);
    assert!(done(&["book", "show", "f5", "--book", &book]).contains("d6"));
    done(&["book", "export", &file("\u{fc}.csv"), "--book", &book]);
    assert!(size(&file("\u{fc}.csv")) > 100);
    let mut engine = EngineProcess::start(&["nboard", "--book", &book]);
    engine.go_move();
}

#[test]
fn games_are_converted_analysed_and_drawn() {
    let (_parent, file) = folder();
    fs::write(file("\u{68cb}\u{8b5c}.txt"), GAMES).expect("written");
    done(&["convert", &file("\u{68cb}\u{8b5c}.txt"), &file("\u{fc}.ggf")]);
    assert!(size(&file("\u{fc}.ggf")) > 100);
    done(&["analyze", &file("\u{fc}.ggf"), "--level", "1", "--html", &file("\u{fc}")]);
    assert!(size(&file("\u{fc}/index.html")) > 1000);
    done(&["diagram", "f5d6", &file("\u{fc}.svg")]);
    assert!(size(&file("\u{fc}.svg")) > 1000);
    fs::write(file("\u{fc}.obf"), ENDING).expect("written");
    let solved = done(&["solve", &file("\u{fc}.obf"), "--resume", &file("\u{fc}.jsonl")]);
    assert!(solved.contains(": 1 right"), "{solved}");
    assert!(size(&file("\u{fc}.jsonl")) > 10);
    fs::write(file("\u{fc}.sgf"), "(;GM[2]FF[4]SZ[8];B[f5];W[d6])").expect("written");
    let mut engine = EngineProcess::gtp();
    engine.done(&format!("loadsgf {}", file("\u{fc}.sgf")));
    assert!(engine.done("showboard").contains("Black to move"));
}

#[test]
fn weights_are_trained_and_used() {
    let (_parent, file) = folder();
    let quick = ["--positions", "2000", "--depth", "1", "--exact-from", "8", "--iterations", "1"];
    done(&[&["learn", "--out", &file("\u{91cd}")][..], &quick].concat());
    let weights = file("\u{91cd}/umigame.weights");
    assert!(size(&weights) > 1000);
    done(&["--weights", &weights, "hint", "f5", "--depth", "2"]);
}

#[test]
fn matches_are_kept() {
    let (_parent, file) = folder();
    // The engine lies there too.
    let binary = file(&format!("\u{6d77}\u{4e80}{}", std::env::consts::EXE_SUFFIX));
    fs::copy(env!("CARGO_BIN_EXE_umigame"), &binary).expect("copied");
    let engines = ["a", "b"].map(|name| format!("[name={name}] '{binary}' nboard --depth 1"));
    let out = file("\u{5bfe}\u{5c40}");
    let args = ["--games", "2", "--random-plies", "20", "--out", &out];
    done(&[&["match", &engines[0], &engines[1]], &args[..]].concat());
    let lines = fs::read_to_string(file("\u{5bfe}\u{5c40}/games.jsonl")).expect("games");
    assert_eq!(lines.lines().count(), 2, "{lines}");
    assert!(!lines.contains("forfeit\":{"), "{lines}");
    done(&["match", "--resume", &out]);
}

#[test]
fn an_error_names_the_file_in_ascii() {
    let (_parent, file) = folder();
    for args in [
        &["analyze", &file("\u{fc}.txt")][..],
        &["convert", &file("\u{fc}.txt"), &file("\u{fc}.ggf")],
        &["book", "check", "--book", &file("\u{fc}.sqlite")],
        &["--weights", &file("\u{fc}.weights"), "hint", "f5"],
    ] {
        let (code, _, err) = run(args);
        assert_ne!(code, 0, "{args:?}");
        assert!(err.is_ascii() && err.contains("?? ?"), "{args:?}: {err}");
    }
}
