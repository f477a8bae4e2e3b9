//! `umigame learn` on the real binary: weights from nothing.

use std::process::Stdio;

use crate::support::{folder, run, umigame};

fn read(path: &str) -> Vec<u8> {
    std::fs::read(path).expect("the file")
}

const QUICK: [&str; 8] =
    ["--positions", "3000", "--depth", "2", "--exact-from", "8", "--iterations", "2"];

fn learn(out: &str, more: &[&str]) -> (i32, String, String) {
    run(&[&["learn", "--out", out][..], &QUICK, more].concat())
}

#[test]
fn one_command_makes_weights_that_depend_on_the_seed_alone() {
    let (_folder, file) = folder();
    let (code, out, err) = learn(&file("one"), &["--threads", "1"]);
    assert_eq!((code, err.as_str()), (0, ""), "{out}");
    let lines: Vec<&str> = out.lines().collect();
    assert!(lines[0].starts_with("round  depth  exact") && lines.len() == 4, "{out}");
    let weights = read(&file("one/umigame.weights"));
    // A finished folder is only reported.
    assert_eq!(learn(&file("one"), &[]).1, out);
    let (code, again, _) = learn(&file("two"), &["--threads", "2"]);
    assert_eq!((code, again.lines().take(3).eq(out.lines().take(3))), (0, true), "{again}{out}");
    assert!(read(&file("two/umigame.weights")) == weights);
    assert_eq!(learn(&file("three"), &["--seed", "2"]).0, 0);
    assert!(read(&file("three/umigame.weights")) != weights);

    let record: serde_json::Value =
        serde_json::from_slice(&read(&file("one/record.json"))).expect("JSON");
    assert_eq!(record["plan"]["seed"], 1);
    assert_eq!(record["rounds"].as_array().map(Vec::len), Some(2));
    assert_eq!(record["rounds"][1]["teacher"], record["rounds"][0]["weights"]);
    assert!(record["plies"].as_array().is_some_and(|plies| plies.len() > 10));
    for picture in ["one/learning.svg", "one/errors.svg"] {
        assert!(String::from_utf8_lossy(&read(&file(picture))).contains("<polyline"));
    }
    let weights = file("one/umigame.weights");
    assert_eq!(run(&["--weights", &weights, "hint", "f5d6c3", "--depth", "4"]).0, 0);
}

#[test]
fn a_folder_of_another_plan_or_with_damaged_weights_is_refused() {
    let (_folder, file) = folder();
    assert_eq!(run(&["learn", "--out", &file("none")]).0, 2);
    assert_eq!(learn(&file("all"), &[]).0, 0);
    let (code, out, err) = learn(&file("all"), &["--seed", "7"]);
    assert_eq!((code, out.as_str()), (2, ""));
    assert!(err.contains("record.json: it is the record of another plan"), "{err}");
    std::fs::remove_file(file("all/round-2.weights")).expect("it is there");
    std::fs::write(file("all/round-1.weights"), "something else").expect("a file");
    let (code, _, err) = learn(&file("all"), &[]);
    assert!(code == 2 && err.contains("round-1.weights: not a file of umigame's weights"), "{err}");
}

#[test]
fn an_interrupt_keeps_the_finished_games() {
    use std::time::{Duration, Instant};

    let (_folder, file) = folder();
    let out = file("all");
    let long = ["learn", "--out", &out, "--hours", "1"];
    let mut command = umigame(&long);
    let mut child = crate::console::alone(&mut command)
        .stdout(Stdio::null())
        .spawn()
        .expect("the binary starts");
    let begun = Instant::now();
    while std::fs::metadata(file("all/round-1.umi")).map_or(0, |data| data.len()) < 1000 {
        assert!(begun.elapsed() < Duration::from_secs(60), "no block");
        std::thread::sleep(Duration::from_millis(10));
    }
    crate::console::interrupt(&child);
    assert_eq!(child.wait().expect("the process ends").code(), Some(130));
    assert!(
        umigame_training::data::load(&[file("all/round-1.umi")]).is_ok_and(|it| !it.is_empty())
    );
    let record = String::from_utf8(read(&file("all/record.json"))).expect("text");
    assert!(record.contains("--hours 1"), "{record}");
}

/// Learns from nothing as a user would try it first:
/// `cargo test --release --test cli_learn_all -- --ignored --nocapture`
#[test]
#[ignore = "three minutes on two idle cores"]
fn errors_fall_from_round_to_round() {
    let (_folder, file) = folder();
    let (code, out, err) = run(&["learn", "--hours", "0.05", "--out", &file("all")]);
    println!("{out}");
    assert_eq!((code, err.as_str()), (0, ""), "{out}");
    let record: serde_json::Value =
        serde_json::from_slice(&read(&file("all/record.json"))).expect("JSON");
    let rounds = record["rounds"].as_array().expect("rounds");
    let error = |round: &serde_json::Value| round["error"].as_f64().expect("a number");
    assert!(rounds.len() > 1 && rounds.iter().map(error).is_sorted_by(|a, b| a > b), "{record}");
}
