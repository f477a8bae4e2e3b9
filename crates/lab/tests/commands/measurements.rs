//! Measurements on the real binary.

use serde_json::Value;

use crate::support::run;

fn objects(json_lines: &str) -> Vec<Value> {
    json_lines.lines().map(|line| serde_json::from_str(line).expect("an object")).collect()
}

#[test]
fn a_wrong_argument_is_named_and_exits_with_2() {
    for (args, part) in [
        (&["scaling", "--threads", "0"][..], "--threads"),
        (&["scaling", "--from", "39"], "--from 39"),
        (&["midgame", "--hash", "0"], "hash of 0 MB"),
        (&["kernels", "--runs", "0"], "--runs"),
        (&["levels", "0-3"], "0-3"),
        (&["levels", "1", "--positions", "25"], "--positions"),
        (&["levels", "1", "--at-most", "0s"], "--at-most"),
        (&["midgame", "--confidence", "80"], "--confidence"),
        (&["midgame", "--lines", "0"], "--lines"),
        (&["levels", "--weights", "/no/such/file"], "--weights: /no/such/file"),
        (&["selectivity", "/no/such/file"], "/no/such/file"),
        (&["ffo"], "ffo"),
    ] {
        let (code, out, err) = run(args);
        assert_eq!((code, out.as_str()), (2, ""), "{args:?}");
        assert!(err.contains(part) && err.is_ascii(), "{args:?}: {err}");
    }
}

#[test]
fn every_command_is_listed_with_a_sentence() {
    let (code, out, _) = run(&["--help"]);
    assert_eq!(code, 0);
    for command in [
        "kernels",
        "learn",
        "levels",
        "midgame",
        "record",
        "replay",
        "scaling",
        "selectivity",
        "tune",
    ] {
        let line = out.lines().find(|line| line.trim_start().starts_with(command));
        assert!(line.is_some_and(|line| line.split_whitespace().count() > 5), "{command}: {out}");
    }
}

#[cfg(not(feature = "tune"))]
#[test]
fn a_build_with_fixed_constants_says_how_to_tune() {
    let (code, out, err) = run(&["tune", "nodes", "--exact"]);
    assert_eq!((code, out.as_str()), (2, ""));
    assert!(err.contains("--features tune -- tune nodes --exact"), "{err}");
}

#[test]
fn every_kernel_is_timed_against_its_portable_twin() {
    let (code, out, err) = run(&["kernels", "--runs", "1"]);
    assert_eq!((code, err.as_str()), (0, ""), "{out}");
    for kernel in
        ["moves", "flips", "last flips", "potential moves", "stability", "perft 8, a leaf"]
    {
        assert!(out.lines().any(|line| line.starts_with(kernel)), "{kernel}: {out}");
    }
}

#[test]
fn midgame_positions_are_searched_to_the_depth_and_confidence_asked_for() {
    let args = ["midgame", "--depth", "8", "--confidence", "73"];
    let (code, out, err) = run(&args);
    assert_eq!((code, err.as_str()), (0, ""), "{out}");
    let (code, json, _) = run(&[&args[..], &["--runs", "2", "--jsonl"]].concat());
    assert_eq!(code, 0);
    let rows = objects(&json);
    assert_eq!(rows.len(), 20);
    assert!(rows.iter().all(|row| row["depth"] == "8@73%"), "{json}");
    let total = |rows: &[Value]| rows.iter().filter_map(|row| row["nodes"].as_u64()).sum::<u64>();
    let nodes = total(&rows);
    let all = out.lines().find_map(|line| line.strip_prefix("# all")).expect("a total");
    assert_eq!(all.split_whitespace().next(), Some(nodes.to_string().as_str()), "{out}");
    let (_, four_lines, _) = run(&[&args[..], &["--lines", "4", "--jsonl"]].concat());
    let more = total(&objects(&four_lines));
    assert!(more > nodes, "four lines cost {more}, one {nodes}");
}

#[test]
fn levels_are_measured_on_the_number_of_positions_asked_for() {
    let (code, out, err) = run(&["levels", "2-3", "--positions", "5"]);
    assert_eq!((code, err.as_str()), (0, ""), "{out}");
    assert!(out.starts_with("# 5 of 24 positions, 64 MB\n"), "{out}");
    let rows = out.lines().skip(2).filter_map(|row| row.split_whitespace().next());
    assert!(rows.eq(["2", "3"]), "{out}");
}

#[test]
fn figures_of_stopped_searches_are_marked_as_lower_bounds() {
    let (code, out, err) = run(&["levels", "25", "--positions", "3", "--at-most", "20ms"]);
    assert_eq!((code, err.as_str()), (0, ""), "{out}");
    let row: Vec<&str> = out.lines().last().unwrap_or_default().split_whitespace().collect();
    let [level, ">", _, ">", longest, ">", _, stopped] = row[..] else { panic!("{out}") };
    assert_eq!(level, "25");
    assert!(longest.parse::<f64>().is_ok_and(|seconds| seconds >= 0.02), "{out}");
    assert!(stopped.parse::<u32>().is_ok_and(|stopped| (1..=3).contains(&stopped)), "{out}");
}

#[test]
fn scaling_has_a_row_for_each_number_of_threads() {
    let folder = tempfile::tempdir().expect("a temporary directory");
    let svg = folder.path().join("scaling.svg");
    let path = svg.to_str().expect("a plain name");
    let args = ["scaling", "--from", "40", "--to", "40", "--depth", "8", "--threads", "3"];
    let (code, out, err) = run(&[&args[..], &["--svg", path]].concat());
    assert_eq!((code, err.as_str()), (0, ""), "{out}");
    let rows = out.lines().filter(|line| !line.starts_with('#'));
    let threads: Vec<_> = rows.filter_map(|row| row.split_whitespace().next()).collect();
    assert_eq!(threads, ["1", "2", "3", "1", "2", "3"], "{out}");
    let svg = std::fs::read_to_string(&svg).expect("the picture");
    assert!(svg.contains("FFO 40 to 40") && svg.contains("midgame 8@73%"), "{svg}");
    let rows = objects(&run(&[&args[..], &["--jsonl"]].concat()).1);
    assert_eq!((rows.len(), rows[0]["speedup"].as_f64()), (6, Some(1.0)));
}

#[test]
fn selective_searches_are_compared_with_the_full_search() {
    let folder = tempfile::tempdir().expect("a temporary directory");
    let file = folder.path().join("openings.txt");
    std::fs::write(&file, "f5d6c3d3c4f4f6f3\nf5f6e6f4e3c5c4d3\n").expect("a file");
    let path = file.to_str().expect("a plain name");
    let args = ["selectivity", path, "--depth", "8", "--hash", "4"];
    let (code, out, err) = run(&[&args[..], &["--jsonl"]].concat());
    assert_eq!((code, err.as_str()), (0, ""), "{out}");
    let rows = objects(&out);
    let percents: Vec<u64> = rows.iter().filter_map(|row| row["percent"].as_u64()).collect();
    assert_eq!(percents, [100, 73, 87, 95, 98, 99]);
    let share = |row: &Value| row["share_of_nodes"].as_f64().expect("a number");
    assert_eq!((share(&rows[0]), rows[0]["error"].as_f64()), (1.0, Some(0.0)));
    assert!(share(&rows[1]) < share(&rows[5]) && share(&rows[1]) < 0.9, "{out}");
    assert_eq!(run(&args).1.lines().count(), 8);
    std::fs::write(&file, "f5d6z9\n").expect("a file");
    let (code, _, err) = run(&args);
    assert_eq!(code, 2);
    assert!(err.contains("openings.txt: line 1"), "{err}");
}

#[cfg(target_os = "linux")]
#[test]
fn a_closed_pipe_exits_with_0_and_a_full_device_with_1() {
    let lab = env!("CARGO_BIN_EXE_umigame-lab");
    let shell = |script: &str| {
        std::process::Command::new("sh").args(["-c", script, lab]).output().expect("a shell")
    };
    let closed = shell("{ \"$0\" levels 1-3; echo $? >&2; } | true");
    assert_eq!(String::from_utf8_lossy(&closed.stderr).trim(), "0");
    let full = shell("\"$0\" levels 1 >/dev/full; echo $?");
    assert_eq!(String::from_utf8_lossy(&full.stdout).trim(), "1");
    assert_eq!(String::from_utf8_lossy(&full.stderr).lines().count(), 1);
}
