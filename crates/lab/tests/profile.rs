//! `umigame-lab profile`, with the real binary: `cargo test -p umigame-lab --features profile`.
#![cfg(feature = "profile")]

use std::process::Command;

use serde_json::Value;

#[test]
fn every_visit_ends_in_one_way_and_shares_add_up() {
    let mut command = Command::new(env!("CARGO_BIN_EXE_umigame-lab"));
    command.args(["profile", "--from", "40", "--to", "40", "--jsonl"]).env_remove("RUST_LOG");
    let output = command.output().expect("the binary starts");
    assert!(output.status.success(), "{output:?}");
    let text = String::from_utf8(output.stdout).expect("all output is text");
    let rows: Vec<Value> =
        text.lines().map(|line| serde_json::from_str(line).expect("JSON")).collect();
    assert!(rows.len() > 10, "{text}");
    for row in &rows {
        let count = |name: &str| row[name].as_u64().expect("a count");
        let cut = count("stability_cuts") + count("cache_cuts") + count("etc_cuts");
        let moved = count("fail_high") + count("fail_low");
        // The others pass, or are over; of four empties no moves are counted.
        assert!(cut + count("probcut_cuts") + moved <= count("visits"), "{row}");
        assert!(count("first_move_cuts") <= count("fail_high"), "{row}");
        if count("empties") > 4 {
            assert!(10 * (cut + count("probcut_cuts") + moved) > 9 * count("visits"), "{row}");
        }
    }
    let total: f64 = rows.iter().map(|row| row["time_share"].as_f64().expect("a share")).sum();
    assert!(total <= 1.0 + 1e-9, "{total}");
}
