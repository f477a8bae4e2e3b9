//! `umigame bench` and what is below it, on the real binary.

mod support;

use support::run;

fn bench(args: &[&str]) -> (i32, String, String) {
    run(&[&["bench"], args].concat())
}

#[test]
fn an_ending_of_ffo_is_a_row_or_an_object_with_its_score() {
    let (code, out, err) = bench(&["ffo", "--to", "40"]);
    assert_eq!((code, err.as_str()), (0, ""), "{out}");
    let row = out.lines().find(|line| !line.starts_with('#')).expect("a row");
    let words: Vec<&str> = row.split_whitespace().collect();
    assert_eq!(words[..3], ["40", "20", "+38"], "{out}");
    let (code, out, _) = bench(&["ffo", "--to", "40", "--jsonl"]);
    assert_eq!(code, 0);
    let object: serde_json::Value = serde_json::from_str(out.trim_end()).expect("one object");
    assert_eq!((&object["number"], &object["score"]), (&40.into(), &38.into()));
    assert_eq!(object["right"], true);
    assert_eq!(object["nodes"].to_string(), words[3], "one thread visits the same nodes again");
}

#[test]
fn what_cannot_be_measured_is_named_with_2() {
    for (args, part) in [
        (&["ffo", "--from", "60"][..], "--from 60"),
        (&["ffo", "--from", "45", "--to", "44"], "--to 44"),
        (&["ffo", "--hash", "0"], "hash of 0 MB"),
        (&["scaling", "--threads", "0"], "--threads"),
        (&["kernels", "--runs", "0"], "--runs"),
        (&["--levels", "1", "--runs", "3"], "--runs"),
        (&["--positions", "3"], "--levels"),
        (&["--levels", "1", "--positions", "25"], "--positions"),
        (&["--at-most", "1s"], "--levels"),
        (&["--levels", "1", "--at-most", "0s"], "--at-most"),
        (&["midgame", "--selectivity", "80"], "--selectivity"),
        (&["midgame", "--lines", "0"], "--lines"),
    ] {
        let (code, out, err) = bench(args);
        assert_eq!((code, out.as_str()), (2, ""), "{args:?}");
        assert!(err.contains(part), "{args:?}: {err}");
    }
}

#[test]
fn every_kernel_is_timed_beside_its_portable_twin() {
    let (code, out, err) = bench(&["kernels", "--runs", "1"]);
    assert_eq!((code, err.as_str()), (0, ""), "{out}");
    for kernel in
        ["moves", "flips", "last flips", "potential moves", "stability", "perft 8, a leaf"]
    {
        assert!(out.lines().any(|line| line.starts_with(kernel)), "{kernel}: {out}");
    }
}

#[test]
fn the_middle_game_is_searched_to_the_depth_and_selectivity_that_are_asked_for() {
    let (code, out, err) = bench(&["midgame", "--depth", "8", "--selectivity", "73"]);
    assert_eq!((code, err.as_str()), (0, ""), "{out}");
    let (code, json, _) =
        bench(&["midgame", "--depth", "8", "--selectivity", "73", "--runs", "2", "--jsonl"]);
    assert_eq!(code, 0);
    let rows: Vec<serde_json::Value> =
        json.lines().map(|line| serde_json::from_str(line).expect("an object")).collect();
    assert_eq!(rows.len(), 20);
    assert!(rows.iter().all(|row| row["depth"] == "8@73%"), "{json}");
    let nodes: u64 = rows.iter().filter_map(|row| row["nodes"].as_u64()).sum();
    let total = out.lines().find_map(|line| line.strip_prefix("# all")).expect("a total");
    assert_eq!(total.split_whitespace().next(), Some(nodes.to_string().as_str()), "{out}");
    let (_, four, _) =
        bench(&["midgame", "--depth", "8", "--selectivity", "73", "--lines", "4", "--jsonl"]);
    let of_four = |line: &str| serde_json::from_str::<serde_json::Value>(line).expect("JSON");
    let more: u64 = four.lines().filter_map(|line| of_four(line)["nodes"].as_u64()).sum();
    assert!(more > nodes, "four lines cost {more}, one {nodes}");
}

#[test]
fn levels_are_measured_on_as_many_positions_as_asked_for() {
    let (code, out, err) = bench(&["--levels", "2-3", "--positions", "5"]);
    assert_eq!((code, err.as_str()), (0, ""), "{out}");
    assert!(out.starts_with("# 5 of 24 positions, 64 MB\n"), "{out}");
    let rows = out.lines().skip(2).filter_map(|row| row.split_whitespace().next());
    assert!(rows.eq(["2", "3"]), "{out}");
}

#[test]
fn a_level_that_was_stopped_says_that_it_takes_longer() {
    let (code, out, err) = bench(&["--levels", "25", "--positions", "3", "--at-most", "20ms"]);
    assert_eq!((code, err.as_str()), (0, ""), "{out}");
    let row: Vec<&str> = out.lines().last().unwrap_or_default().split_whitespace().collect();
    let [level, ">", _, ">", longest, ">", _, stopped] = row[..] else { panic!("{out}") };
    assert_eq!(level, "25");
    assert!(longest.parse::<f64>().is_ok_and(|seconds| seconds >= 0.02), "{out}");
    assert!(stopped.parse::<u32>().is_ok_and(|stopped| (1..=3).contains(&stopped)), "{out}");
}

#[test]
fn scaling_has_a_row_for_each_number_of_threads() {
    let (code, out, err) = bench(&["scaling", "--from", "40", "--to", "40", "--threads", "3"]);
    assert_eq!((code, err.as_str()), (0, ""), "{out}");
    let rows = out.lines().filter(|line| !line.starts_with('#'));
    let threads: Vec<_> = rows.filter_map(|row| row.split_whitespace().next()).collect();
    assert_eq!(threads, ["1", "2", "3"], "{out}");
}

/// All twenty: `cargo test --release --test cli_bench -- --ignored`.
#[test]
#[ignore = "the last endings take long"]
fn every_ending_of_ffo_is_right() {
    let (code, out, _) = bench(&["ffo", "--threads", "2", "--hash", "1024"]);
    assert_eq!(code, 0, "{out}");
}

#[test]
fn a_selective_search_is_set_beside_the_full_one() {
    let folder = tempfile::tempdir().expect("a temporary directory");
    let file = folder.path().join("openings.txt");
    std::fs::write(&file, "f5d6c3d3c4f4f6f3\nf5f6e6f4e3c5c4d3\n").expect("a file");
    let path = file.to_str().expect("a plain name");
    let args = ["selectivity", path, "--depth", "8", "--hash", "4"];
    let (code, out, err) = bench(&[&args[..], &["--jsonl"]].concat());
    assert_eq!((code, err.as_str()), (0, ""), "{out}");
    let rows: Vec<serde_json::Value> =
        out.lines().map(|line| serde_json::from_str(line).expect("an object")).collect();
    let percents: Vec<u64> = rows.iter().filter_map(|row| row["percent"].as_u64()).collect();
    assert_eq!(percents, [100, 73, 87, 95, 98, 99]);
    let share = |row: &serde_json::Value| row["share_of_nodes"].as_f64().expect("a number");
    assert_eq!((share(&rows[0]), rows[0]["error"].as_f64()), (1.0, Some(0.0)));
    assert!(share(&rows[1]) < share(&rows[5]) && share(&rows[1]) < 0.9, "{out}");
    assert_eq!(bench(&args).1.lines().count(), 8);
    std::fs::write(&file, "f5d6z9\n").expect("a file");
    let (code, _, err) = bench(&args);
    assert_eq!(code, 2);
    assert!(err.contains("openings.txt: line 1"), "{err}");
}
