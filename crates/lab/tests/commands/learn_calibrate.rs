//! `umigame-lab learn calibrate` on the real binary.

use crate::support::{folder, run};
use umigame_eval::file::{self, FittedModels, WeightsFile};
use umigame_eval::patterns::PHASES;
use umigame_eval::patterns::layout::PACKING;

/// Writes quick games, and weights fitted to them and halved. Returns the halved weights.
fn setup(games: &str, weights: &str) -> Vec<i16> {
    let play = ["learn", "play", "--depth", "1", "--exact-from", "8"];
    let (code, _, err) = run(&[&play[..], &["--games", "300", "--out", games]].concat());
    assert_eq!(code, 0, "{err}");
    let fitted = format!("{weights}.fitted");
    let (code, _, err) = run(&["learn", "fit", games, "--out", &fitted, "--iterations", "4"]);
    assert_eq!(code, 0, "{err}");
    let packed = file::from_bytes(&std::fs::read(fitted).expect("the file")).expect("weights");
    let half: Vec<i16> = packed.patterns.iter().map(|weight| weight / 2).collect();
    std::fs::write(weights, file::to_bytes(&half.clone().into(), &FittedModels::DEFAULT))
        .expect("a file");
    half
}

/// Returns the two errors in the last line of a table: before and after calibration.
fn errors(table: &str) -> [f64; 2] {
    let words = table.lines().last().unwrap_or_default().split([' ', ',']);
    let numbers: Vec<f64> = words.filter_map(|word| word.parse().ok()).collect();
    let [_, was, is] = numbers[..] else { panic!("three numbers: {table}") };
    [was, is]
}

#[test]
fn halved_weights_are_doubled() {
    let (_folder, file) = folder();
    let (games, weights) = (file("games"), file("weights"));
    let before = setup(&games, &weights);
    let calibrate = |more: &[&str]| {
        let args = ["--weights", &weights, "learn", "calibrate", &games, "--depth", "0"];
        let (code, out, err) = run(&[&args[..], more].concat());
        assert_eq!((code, err.as_str()), (0, ""), "{out}");
        out
    };
    let out = calibrate(&["--into", &weights]);
    assert_eq!(out.lines().count(), PHASES + 2, "{out}");
    let [was, is] = errors(&out);
    assert!(is < 0.7 * was, "{out}");
    let after = std::fs::read(&weights).expect("the file");
    assert_eq!(WeightsFile::new(&after).expect("complete").models(), FittedModels::DEFAULT);
    let after = file::from_bytes(&after).expect("weights");
    let sum = |weights: &[i16]| -> f64 {
        let last = &weights[(PHASES - 2) * PACKING.len..];
        last.iter().map(|&weight| f64::from(weight).abs()).sum()
    };
    assert!(sum(&after.patterns) > 1.3 * sum(&before));
    // Calibrated weights hardly change.
    let again = calibrate(&["--threads", "1"]);
    let [now, then] = errors(&again);
    assert!((now - is).abs() < 0.05 * is && (0.95 * now..1.01 * now).contains(&then), "{again}");
    for line in calibrate(&["--jsonl"]).lines() {
        let line: serde_json::Value = serde_json::from_str(line).expect("JSON");
        assert!(line["scale"].as_f64().is_some_and(|scale| scale > 0.5), "{line}");
    }
}

#[test]
fn positions_without_a_score_are_an_error_that_names_the_file() {
    let (_folder, file) = folder();
    let bare = "--XXXXX--OOOXX-O-OOOXXOX-OXOXOXXOXXXOXXX--XOXOXX-XXXOOO--OOOOO-- X;\n";
    std::fs::write(file("bare.obf"), bare).expect("a file");
    let (code, out, err) = run(&["learn", "calibrate", &file("bare.obf")]);
    assert_eq!((code, out.as_str()), (2, ""));
    assert!(err.contains("bare.obf: no position with such a score"), "{err}");
    let (code, _, err) = run(&["learn", "calibrate", &file("bare.obf"), "--into", &file("none")]);
    assert_eq!(code, 2);
    assert!(err.contains("--into") && err.contains("none"), "{err}");
}
