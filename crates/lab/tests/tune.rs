//! `umigame-lab tune`, with the real binary, and the constants that it sets:
//! `cargo test -p umigame-lab --features tune`.
#![cfg(feature = "tune")]

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Output, Stdio};
use std::time::Duration;

use umigame::bench::{FFO_ENDINGS, SignatureBench, signature_positions};
use umigame_engine::{Confidence, Engine, EngineOptions, Evaluation, Limits, constants};
use umigame_othello::testing::random_positions;
use umigame_othello::{Color, Position};

fn command(args: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_umigame-lab"));
    command.arg("tune").args(args).env_remove("RUST_LOG").stdin(Stdio::null());
    command
}

fn tune(args: &[&str]) -> (i32, String, String) {
    let Output { status, stdout, stderr } = command(args).output().expect("the binary starts");
    let text = |bytes| String::from_utf8(bytes).expect("all output is text");
    (status.code().expect("no signal"), text(stdout), text(stderr))
}

fn path_text(path: &Path) -> &str {
    path.to_str().expect("a plain name")
}

/// Sets every constant of this thread to its default.
fn set_defaults() {
    constants().for_each(|constant| constant.set(constant.default));
}

fn signature() -> u64 {
    let mut bench = SignatureBench::new(&Evaluation::embedded()).expect("16 MB of memory");
    bench.run().map(|search| search.nodes).sum()
}

fn engine() -> Engine {
    Engine::new(Evaluation::embedded(), EngineOptions::default()).expect("64 MB of memory")
}

#[test]
fn the_signature_is_that_of_a_normal_build() {
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../bench.signature");
    let expected = fs::read_to_string(file).expect("bench.signature");
    assert_eq!(signature().to_string(), expected.trim());
}

#[test]
fn every_constant_changes_the_search_of_its_thread_and_of_no_other() {
    let default = signature();
    // Some matter only above 18 empties, which the bench does not solve from.
    let ffo_42 = || {
        let limits = Limits::depth(60).with_exact_from(0);
        let limits = limits.with_confidence(Confidence::P73);
        engine().search(FFO_ENDINGS[2].position, &limits, &()).nodes
    };
    let default_42 = ffo_42();
    for constant in constants() {
        let changes = [constant.min, constant.max].into_iter().any(|value| {
            constant.set(value);
            signature() != default || ffo_42() != default_42
        });
        assert!(changes, "{}", constant.name());
        if constant.name() == "midgame::null_window::LMR_MIN_DEPTH" {
            let elsewhere = std::thread::spawn(signature).join().expect("a signature");
            assert_eq!(elsewhere, default);
        }
        set_defaults();
    }
    assert_eq!(signature(), default);
}

#[test]
fn exact_scores_are_the_same_at_both_ends_of_every_range() {
    let positions = signature_positions().into_iter().filter(|position| position.empties() <= 18);
    let positions: Vec<_> = positions.collect();
    assert!(positions.len() >= 6);
    let scores = || -> Vec<_> {
        let mut engine = engine();
        let score = |position: &_| {
            engine.clear();
            engine.search(*position, &Limits::exact(), &()).best().map(|best| best.eval())
        };
        positions.iter().map(score).collect()
    };
    let expected = scores();
    constants().for_each(|constant| constant.set(f64::NEG_INFINITY));
    assert_eq!(scores(), expected);
    constants().for_each(|constant| constant.set(f64::INFINITY));
    assert_eq!(scores(), expected);
    set_defaults();
}

#[test]
fn names_are_distinct_and_values_begin_in_their_ranges() {
    let mut names: Vec<_> = constants().map(|constant| constant.name()).collect();
    assert!(names.len() >= 12 && names.iter().all(|name| name.contains("::")), "{names:?}");
    names.sort();
    let (_, list, _) = tune(&["list"]);
    assert!(names.iter().all(|name| list.contains(name)), "{list}");
    names.dedup();
    assert_eq!(names.len(), constants().count());
    for constant in constants() {
        assert!(constant.min <= constant.default && constant.default <= constant.max);
        assert!(constant.step > 0.0 && constant.min + constant.step <= constant.max);
        assert!(!constant.is_whole || constant.step >= 1.0, "{}", constant.name());
    }
}

const NODES: [&str; 8] =
    ["nodes", "--depth", "7", "--batch", "4", "--constants", "midgame,ordering", "--log"];

/// Runs [`NODES`] to a number of iterations and returns the log.
fn nodes_log(log: &Path, iterations: usize, more: &[&str]) -> String {
    let iterations = iterations.to_string();
    let args = [&NODES[..], &[path_text(log), "--iterations", &iterations], more].concat();
    let (code, out, err) = tune(&args);
    assert_eq!((code, err.as_str()), (0, ""), "{out}");
    fs::read_to_string(log).expect("the log")
}

#[test]
fn the_same_seed_makes_the_same_log_on_any_number_of_threads() {
    let folder = tempfile::tempdir().expect("a folder");
    let log = |name: &str| folder.path().join(name);
    let one = nodes_log(&log("one"), 8, &["--threads", "1"]);
    assert_eq!(one.lines().count(), 1 + 8 + 1, "{one}");
    assert_eq!(nodes_log(&log("two"), 8, &["--threads", "2"]), one);
    assert_ne!(nodes_log(&log("seed"), 8, &["--seed", "2"]), one);
}

/// Starts [`NODES`] and returns once the log has lines.
fn start_nodes(log: &Path) -> Child {
    let args = [&NODES[..], &[path_text(log), "--iterations", "100000"]].concat();
    let child = command(&args).stdout(Stdio::piped()).spawn().expect("the binary starts");
    while fs::read_to_string(log).unwrap_or_default().lines().count() < 4 {
        std::thread::sleep(Duration::from_millis(2));
    }
    child
}

#[test]
fn a_killed_run_goes_on_to_the_same_end() {
    let folder = tempfile::tempdir().expect("a folder");
    let [whole, killed] = ["whole", "killed"].map(|name| folder.path().join(name));
    let mut child = start_nodes(&killed);
    child.kill().expect("killed");
    child.wait().expect("ended");
    let before = fs::read_to_string(&killed).expect("the log");
    let iterations = before.lines().count() + 5;
    let after = nodes_log(&killed, iterations, &[]);
    assert!(after.lines().count() > before.lines().count());
    assert_eq!(nodes_log(&whole, iterations, &[]), after);
}

#[cfg(unix)]
#[test]
fn an_interrupt_ends_with_130_and_the_summary_so_far() {
    use nix::sys::signal::{Signal, kill};
    use nix::unistd::Pid;
    let folder = tempfile::tempdir().expect("a folder");
    let log = folder.path().join("log");
    let child = start_nodes(&log);
    kill(Pid::from_raw(child.id() as i32), Signal::SIGINT).expect("sent");
    let output = child.wait_with_output().expect("ended");
    assert_eq!(output.status.code(), Some(130));
    let text = String::from_utf8_lossy(&output.stdout);
    assert!(text.contains("null_window::LMR") || text.contains("null_window::MOBILITY"), "{text}");
    assert!(text.contains("# interrupted"), "{text}");
    let lines = fs::read_to_string(&log).expect("the log");
    assert!(lines.ends_with('\n') && lines.lines().count() >= 4);
}

/// Writes a file of twelve openings.
fn openings(folder: &Path) -> PathBuf {
    let path = folder.join("openings.txt");
    let moves = umigame_arena::openings::random(10, 12, 3).expect("openings");
    let line = |opening: &umigame_arena::openings::Opening| {
        let board = opening.board();
        umigame_othello::position_text(board.position(), umigame_othello::Color::Black) + "\n"
    };
    fs::write(&path, moves.iter().map(line).collect::<String>()).expect("written");
    path
}

#[test]
fn games_tune_what_is_cut_and_end_with_a_match() {
    let folder = tempfile::tempdir().expect("a folder");
    let file = openings(folder.path());
    let run = |name: &str, threads: &str| {
        let log = folder.path().join(name);
        let (code, out, err) = tune(&[
            "games",
            path_text(&file),
            "--nodes",
            "500",
            "--pairs",
            "2",
            "--iterations",
            "3",
            "--constants",
            "probcut,LMR_MIN_DEPTH=3..8",
            "--threads",
            threads,
            "--log",
            path_text(&log),
        ]);
        assert_eq!((code, err.as_str()), (0, ""), "{out}");
        assert!(out.contains("probcut::NEAR_SIGMAS") && out.contains(" 3 to 8"), "{out}");
        assert!(out.contains("2 pairs, Elo "), "{out}");
        fs::read_to_string(&log).expect("the log")
    };
    assert_eq!(run("one", "1"), run("two", "2"));
}

#[test]
fn compare_plays_values_against_the_defaults() {
    let folder = tempfile::tempdir().expect("a folder");
    let file = openings(folder.path());
    let file = path_text(&file);
    let run = |budget: [&str; 2]| {
        let args = ["compare", file, "LMR_MIN_DEPTH=4", "NEAR_SIGMAS=0.5", "--pairs", "2"];
        let (code, out, err) = tune(&[&args[..], &budget].concat());
        assert_eq!((code, err.as_str()), (0, ""), "{out}");
        assert!(out.contains("# midgame::null_window::LMR_MIN_DEPTH: 4 against "), "{out}");
        assert!(out.lines().last().is_some_and(|line| line.contains(" %, discs ")), "{out}");
        out
    };
    assert_eq!(run(["--nodes", "500"]), run(["--nodes", "500"]));
    assert!(run(["--move-time", "1ms"]).contains("# 1 ms a move"));
    for (values, part) in [
        (&["LMR"][..], "LMR: no constant"),
        (&["LMR_MIN_DEPTH"], "LMR_MIN_DEPTH: expected NAME=VALUE with a whole number from 2 to 12"),
        (&["LMR_MIN_DEPTH=2.5"], "LMR_MIN_DEPTH=2.5: expected"),
        (&["LMR_MIN_DEPTH=99"], "LMR_MIN_DEPTH=99: expected"),
        (&["NEAR_SIGMAS=nan"], "a number from 0 to 3"),
        (&["midgame=1"], "midgame=1: expected the name of one constant"),
        (&["NEAR_SIGMAS=1", "NEAR_SIGMAS=1"], "named twice"),
        (&[], "NAME=VALUE"),
    ] {
        let (code, _, err) = tune(&[&["compare", file], values].concat());
        assert_eq!(code, 2, "{values:?}: {err}");
        assert!(err.contains(part) && err.is_ascii(), "{values:?}: {err}");
    }
}

/// Writes a file of the FFO endings with their scores.
fn scored(folder: &Path) -> PathBuf {
    write_scored(folder, FFO_ENDINGS.iter().map(|ending| (ending.position, ending.score)))
}

/// Writes positions with their scores, a line each.
fn write_scored(folder: &Path, positions: impl Iterator<Item = (Position, i32)>) -> PathBuf {
    let path = folder.join("scored.obf");
    let line = |(position, score)| {
        format!("{}; {score:+};\n", umigame_othello::position_text(position, Color::Black))
    };
    fs::write(&path, positions.map(line).collect::<String>()).expect("written");
    path
}

#[test]
fn accuracy_tunes_what_is_cut_and_ends_with_a_check() {
    let folder = tempfile::tempdir().expect("a folder");
    let file = scored(folder.path());
    let run = |name: &str, threads: &str| {
        let log = folder.path().join(name);
        let (file, log) = (path_text(&file), path_text(&log));
        let args = ["accuracy", file, "--depth", "5", "--batch", "8", "--iterations", "3"];
        let more = ["--constants", "futility,LMR_MIN_DEPTH", "--threads", threads, "--log", log];
        let (code, out, err) = tune(&[&args[..], &more].concat());
        assert_eq!((code, err.as_str()), (0, ""), "{out}");
        assert!(out.contains("futility::FACTOR_1") && out.contains("held out, 4 pos"), "{out}");
        assert!(out.contains("squared error and nodes "), "{out}");
        fs::read_to_string(log).expect("the log")
    };
    assert_eq!(run("one", "1"), run("two", "2"));
}

/// Writes 200 positions whose scores are the values of searches to `depth` that cut nothing.
fn searched(folder: &Path, depth: u32) -> PathBuf {
    let mut positions = Vec::new();
    random_positions(5, 4_000, |position| {
        if (28..=40).contains(&position.empties()) {
            positions.push(position);
        }
    });
    let mut engine = engine();
    let limits = Limits::depth(depth).with_exact_from(0);
    let searched = positions.into_iter().take(800).map(|position| {
        (position, engine.search(position, &limits, &()).lines[0].raw.round().discs())
    });
    write_scored(folder, searched)
}

#[test]
fn measure_shows_error_and_nodes() {
    let folder = tempfile::tempdir().expect("a folder");
    let file = searched(folder.path(), 6);
    let file = path_text(&file);
    let numbers = |line: &str| -> Vec<f64> {
        line.split_whitespace().filter_map(|word| word.parse().ok()).collect()
    };
    let (code, out, err) = tune(&["measure", file, "--depth", "6"]);
    assert_eq!((code, err.as_str()), (0, ""), "{out}");
    let rows: Vec<_> = out.lines().skip(1).map(numbers).collect();
    assert_eq!(rows.len(), 3, "{out}");
    let nodes: Vec<_> = rows.iter().map(|row| row.last().copied().expect("nodes")).collect();
    assert!(nodes[0] < nodes[1] && nodes[1] < nodes[2], "{out}");

    // The default is no change, and cutting everything has fewer nodes and a larger error.
    let measured = |value: &str| {
        let (code, out, err) = tune(&["measure", file, value, "--depth", "6"]);
        assert_eq!((code, err.as_str()), (0, ""), "{out}");
        let [defaults, values] = [1, 2].map(|at| numbers(out.lines().nth(at).expect("a row")));
        assert!(out.lines().last().is_some_and(|line| line.contains("1.6 a doubling: ")), "{out}");
        (defaults, values)
    };
    let default =
        constants().find(|it| it.name() == "midgame::futility::FACTOR_2").expect("a name").default;
    let (defaults, values) = measured(&format!("FACTOR_2={default}"));
    assert_eq!(defaults, values);
    let (defaults, values) = measured("FACTOR_2=0.3");
    assert!(values[0] > defaults[0] && values.last() < defaults.last(), "{defaults:?} {values:?}");

    let two = folder.path().join("bad.obf");
    fs::write(&two, "f5d6\n").expect("written");
    for (args, part) in [
        (&[path_text(&two), "--depth", "6"][..], "bad.obf: line 1: "),
        (&["/no/such", "--depth", "6"], "/no/such: "),
        (&[file, "LMR", "--depth", "6"], "LMR: no constant"),
        (&[file, "--depth", "6", "--positions", "1"], "--positions"),
        (&[file, "--depth", "6", "--trade", "x"], "square discs"),
        (&[file], "--depth"),
    ] {
        let (code, _, err) = tune(&[&["measure"], args].concat());
        assert_eq!(code, 2, "{args:?}: {err}");
        assert!(err.contains(part) && err.is_ascii(), "{args:?}: {err}");
    }
}

#[test]
fn wrong_arguments_are_named_and_exit_with_2() {
    let folder = tempfile::tempdir().expect("a folder");
    let log = folder.path().join("log");
    nodes_log(&log, 1, &[]);
    let other = folder.path().join("other");
    fs::write(&other, "f5d6\n").expect("written");
    let (log, other) = (path_text(&log), path_text(&other));
    for (args, part) in [
        (&["--depth", "7", "--log", log, "--constants", "LMR"][..], "LMR: no constant"),
        (&["--depth", "7", "--log", log, "--constants", "LMR_MIN_DEPTH"], "tune games"),
        (&["--depth", "7", "--log", log, "--constants", "HELD_BONUS=20..30"], "20..30: expected"),
        (&["--depth", "7", "--log", log, "--constants", "HELD_BONUS=0..1e9"], "0 <= MIN"),
        (&["--depth", "7", "--log", log, "--constants", "HELD_BONUS=x"], "=x: expected"),
        (&["--depth", "7", "--log", log, "--constants", "HELD_BONUS=0..20.5"], "whole numbers"),
        (&["--depth", "7", "--log", log, "--constants", "midgame=0..9"], "one constant"),
        (&["--depth", "7", "--log", log, "--constants", "ordering,MOBILITY_WEIGHT"], "twice"),
        (&["--depth", "7", "--log", log, "--gain", "0"], "--gain"),
        (&["--depth", "7", "--log", log, "--batch", "0"], "--batch"),
        (&["--depth", "7", "--log", log, "--check-file", "/no/such"], "/no/such"),
        (&["--depth", "7", "--log", other], "other: line 1: no log"),
        (&["--depth", "7", "--log", "/no/such/log"], "/no/such/log"),
        (
            &["--depth", "7", "--log", log, "--batch", "4"],
            "line 1: the log of other work: it tunes",
        ),
        (&["--depth", "8", "--log", log, "--batch", "4"], "search is depth 7"),
        (&["--depth", "7"], "--log"),
        (&["--log", log], "--exact"),
        (&["--depth", "7", "--exact", "--log", log], "--exact"),
        (&[other, "--depth", "7", "--log", log], "1 positions"),
        (&["/no/such/file", "--depth", "7", "--log", log], "/no/such/file"),
    ] {
        let (code, _, err) = tune(&[&["nodes"], args].concat());
        assert_eq!(code, 2, "{args:?}: {err}");
        assert!(err.contains(part) && err.is_ascii(), "{args:?}: {err}");
    }
}
