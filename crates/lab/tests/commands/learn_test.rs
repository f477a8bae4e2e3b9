//! `umigame-lab learn test` and the parts of `umigame-lab learn label` on the real binary.

use crate::support::{folder, learn};
use serde_json::Value;

/// Writes quick games, and weights fitted to them.
fn setup(games: &str, weights: &str) {
    let play = ["play", "--depth", "1", "--exact-from", "9", "--games", "150", "--out", games];
    let (code, _, err) = learn(&play);
    assert_eq!(code, 0, "{err}");
    let (code, _, err) = learn(&["fit", games, "--out", weights, "--iterations", "4"]);
    assert_eq!(code, 0, "{err}");
}

#[test]
fn reported_estimates_are_compared_with_scores() {
    let (_folder, file) = folder();
    let (games, weights) = (file("games"), file("weights"));
    setup(&games, &weights);
    let picture = file("picture.svg");
    let test = ["test", &games, "--depth", "2", "--confidence", "87", "--sample", "900"];
    let (code, out, err) = learn(&[&test[..], &["--reliability", &picture]].concat());
    assert_eq!(code, 0, "{err}");
    for part in
        ["slope", "|estimate|", "within the standard deviation: ", "happened", "\nwin ", "\nloss "]
    {
        assert!(out.contains(part), "{part}: {out}");
    }
    let svg = std::fs::read_to_string(&picture).expect("the picture");
    assert!(svg.starts_with("<svg") && svg.contains("predicted"));
    let (code, out, _) = learn(&[&test[..], &["--json"]].concat());
    assert_eq!(code, 0);
    let report: Value = serde_json::from_str(&out).expect("JSON");
    assert_eq!(report["thirds"].as_array().expect("thirds").len(), 3);
    let counts = |list: &Value| -> i64 {
        let parts = list.as_array().expect("a list").iter();
        parts.map(|part| part["positions"].as_i64().expect("a count")).sum()
    };
    let all = report["all"]["positions"].as_i64().expect("a count");
    assert_eq!([&report["thirds"], &report["win"], &report["loss"]].map(counts), [all; 3]);
    assert!(report["within"].as_f64().is_some_and(|share| (0.0..=1.0).contains(&share)));
    // Without a search there is a slope, but no sigma.
    let (code, out, _) = learn(&["test", &games, "--json"]);
    let report: Value = serde_json::from_str(&out).expect("JSON");
    assert_eq!((code, &report["within"]), (0, &Value::Null));
    assert!(report["all"]["slope"].is_number());
}

#[test]
fn parts_of_a_source_have_no_position_in_common() {
    let (_folder, file) = folder();
    let games = file("games");
    let play = ["play", "--depth", "1", "--exact-from", "6", "--games", "20", "--out", &games];
    assert_eq!(learn(&play).0, 0);
    let label = |part: &str, out: &str| {
        let args = ["label", &games, "--depth", "1", "--exact-from", "0", "--out", out];
        let (code, _, err) = learn(&[&args[..], &["--empties", "20-24", "--part", part]].concat());
        assert_eq!(code, 0, "{err}");
        let samples = umigame_training::sources::read(out.as_ref()).expect("readable");
        samples.iter().map(|sample| sample.position).collect::<Vec<_>>()
    };
    let [one, two, all] =
        [("1/2", "one"), ("2/2", "two"), ("1/1", "all")].map(|(part, out)| label(part, &file(out)));
    assert_eq!(one.len() + two.len(), all.len());
    assert!(one.len() > 20 && two.len() > 20);
    assert!(!one.iter().any(|position| two.contains(position)));
}

#[test]
fn bad_values_are_named() {
    let (_folder, file) = folder();
    let problem = "--XXXXX--OOOXX-O-OOOXXOX-OXOXOXXOXXXOXXX--XOXOXX-XXXOOO--OOOOO-- X; +18;\n";
    std::fs::write(file("obf"), problem).expect("a file");
    for (args, part) in [
        (&["test", &file("obf"), "--empties", "30-40"][..], "no position with such a score"),
        (&["test", &file("obf"), "--confidence", "80"], "expected 73, 87, 95, 98, 99 or 100"),
        (&["label", &file("obf"), "--part", "3/2", "--out", &file("out")], "such as 1/2"),
    ] {
        let (code, _, err) = learn(args);
        assert_eq!(code, 2, "{args:?}: {err}");
        assert!(err.contains(part), "{args:?}: {err}");
    }
}
