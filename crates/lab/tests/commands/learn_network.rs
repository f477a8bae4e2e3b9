//! `umigame-lab learn network` on the real binary.

use crate::support::{folder, run};
use umigame_eval::Evaluation;
use umigame_eval::file::{self, FittedModels};
use umigame_eval::patterns::PHASES;
use umigame_eval::patterns::layout::PACKING;

#[test]
fn a_network_is_stored_in_the_weights_and_depends_on_the_seed_alone() {
    let (_folder, file) = folder();
    let (games, weights) = (file("games"), file("weights"));
    let play = ["learn", "play", "--depth", "1", "--exact-from", "8"];
    let (code, _, err) = run(&[&play[..], &["--games", "120", "--out", &games]].concat());
    assert_eq!(code, 0, "{err}");
    let (code, _, err) = run(&["learn", "fit", &games, "--out", &weights, "--iterations", "3"]);
    assert_eq!(code, 0, "{err}");
    let train = |more: &[&str]| {
        let args = ["learn", "network", &games, "--into", &weights, "--passes", "2"];
        let (code, out, err) = run(&[&args[..], more].concat());
        assert_eq!((code, err.as_str()), (0, ""), "{out}");
        let weights = std::fs::read(&weights).expect("the file");
        (out, file::from_bytes(&weights).expect("complete"))
    };
    let fitted = std::fs::read(&weights).expect("the file");
    let (out, first) = train(&[]);
    let network = first.network.as_ref().expect("a network");
    assert!(network.embeddings.iter().flatten().any(|&value| value != 0));
    assert!(Evaluation::from_weights(&first).is_some());
    let checksum = format!("weights {:08x}", first.checksum());
    assert!(out.lines().next().is_some_and(|line| line.ends_with(&checksum)), "{out}");
    assert!(out.contains("# patterns alone:\n") && out.contains("# with the network:\n"));
    std::fs::write(&weights, &fitted).expect("a file");
    let (_, again) = train(&[]);
    assert!(again == first, "another network");
    std::fs::write(&weights, &fitted).expect("a file");
    let (lines, other) = train(&["--seed", "2", "--jsonl"]);
    assert!(other.network != first.network, "the seed does not matter");
    let (_, on) = train(&["--continue"]);
    assert!(
        on.network != first.network && on.network != other.network,
        "--continue did not continue"
    );
    for line in lines.lines() {
        let row: serde_json::Value = serde_json::from_str(line).expect("JSON");
        assert!(row["held_out"].is_u64() && row["mean_squared"].is_f64(), "{line}");
    }
}

#[test]
fn bad_files_and_options_are_named() {
    let (_folder, file) = folder();
    std::fs::write(file("text"), "no weights\n").expect("a file");
    let refused = |args: &[&str], expected: &[&str]| {
        let (code, out, err) = run(&[&["learn", "network"], args].concat());
        assert_eq!((code, out.as_str()), (2, ""), "{err}");
        for expected in expected {
            assert!(err.contains(expected), "{expected}: {err}");
        }
    };
    let (text, none) = (file("text"), file("none"));
    let bare = file("bare");
    let patterns = vec![0; PHASES * PACKING.len];
    let bytes = file::to_bytes(&patterns.into(), &FittedModels::DEFAULT);
    std::fs::write(&bare, bytes).expect("a file");
    refused(&[&text, "--into", &bare, "--continue"], &["--continue", "has no network"]);
    refused(&[&text, "--into", &text], &["--into", "not a file of umigame's weights"]);
    refused(&[&text, "--into", &none], &["--into", "none"]);
    refused(&[&text], &["--into"]);
    for (option, bad) in [
        ("--passes", "0"),
        ("--rate", "0"),
        ("--rate", "x"),
        ("--blend", "2"),
        ("--half", "0"),
        ("--half", "inf"),
    ] {
        refused(&[&text, "--into", &text, option, bad], &[option, bad]);
    }
    let embedded = file("embedded");
    let own = concat!(env!("CARGO_MANIFEST_DIR"), "/../eval/weights/umigame.weights");
    std::fs::copy(own, &embedded).expect("a copy");
    refused(&[&text, "--into", &embedded], &["text"]);
    let untouched = std::fs::read(&embedded).expect("the file");
    assert!(untouched == std::fs::read(own).expect("the file"), "something was written");
}
