//! `umigame-lab learn scores` and the reliability tables of `umigame-lab learn test` on the real binary.

use crate::support::{folder, learn, run};
use serde_json::Value;
use umigame_eval::Evaluation;
use umigame_eval::file::{self, FittedModels, WeightsFile};

/// Writes quick games, and weights fitted to them.
fn setup(games: &str, weights: &str) {
    let play = ["play", "--depth", "1", "--exact-from", "9", "--games", "150", "--out", games];
    let (code, _, err) = learn(&play);
    assert_eq!(code, 0, "{err}");
    let (code, _, err) = learn(&["fit", games, "--out", weights, "--iterations", "4"]);
    assert_eq!(code, 0, "{err}");
}

const QUICK: [&str; 8] =
    ["--depth", "3", "--sample", "400", "--min-empties", "4", "--max-exact", "20"];

#[test]
fn the_fit_is_stored_and_makes_estimates_truer() {
    let (_folder, file) = folder();
    let (games, weights) = (file("games"), file("weights"));
    setup(&games, &weights);
    let exact = file("exact");
    let label = ["label", &games, "--empties", "11-12", "--exact-from", "12", "--out", &exact];
    let (code, _, err) = learn(&label);
    assert_eq!(code, 0, "{err}");
    let before = std::fs::read(&weights).expect("the file");
    let observations = file("observations");
    let fit = |threads: &str| {
        let args = ["--weights", &weights, "learn", "scores", &games, &exact, "--into", &weights];
        let more = ["--threads", threads, "--observations", &observations];
        let (code, out, err) = run(&[&args[..], &QUICK, &more].concat());
        assert_eq!(code, 0, "{err}");
        (out, std::fs::read(&weights).expect("the file"))
    };
    let (out, after) = fit("1");
    assert!(out.contains("depth 2 ") && out.contains("ending "), "{out}");
    let table = std::fs::read_to_string(&observations).expect("the table");
    assert!(table.lines().all(|line| line.split(',').count() == 10), "{table}");
    assert!(table.lines().any(|line| line.starts_with("ending,")));
    // Nothing but the score model changes.
    assert!(file::from_bytes(&after) == file::from_bytes(&before));
    let models = |bytes| WeightsFile::new(bytes).expect("a complete file").models();
    let (was, is): (FittedModels, FittedModels) = (models(&before), models(&after));
    assert_eq!((is.error, is.noise), (was.error, was.noise));
    assert_ne!(is.score, was.score);
    let evaluation = Evaluation::from_bytes(&after).expect("complete");
    assert_eq!(*evaluation.score_calibration(), is.score);
    // The fit does not depend on the number of threads.
    assert_eq!(fit("2"), (out, after));
    let error = |bytes: &[u8]| {
        std::fs::write(file("tested"), bytes).expect("a file");
        let tested = file("tested");
        let args = ["--weights", &tested, "learn", "test", &games, "--depth", "2", "--json"];
        let (code, out, err) = run(&[&args[..], &["--empties", "10-30"]].concat());
        assert_eq!(code, 0, "{err}");
        let report: Value = serde_json::from_str(&out).expect("JSON");
        report["all"]["mean_square"].as_f64().expect("a number")
    };
    let after = std::fs::read(&weights).expect("the file");
    assert!(error(&after) <= error(&before), "a fit to the same positions");
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
    for part in ["slope", "|estimate|", "within sigma: ", "happened", "\nwin ", "\nloss "] {
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
    assert!(report["within_sigma"].as_f64().is_some_and(|share| (0.0..=1.0).contains(&share)));
    // Without a search there is a slope, but no sigma.
    let (code, out, _) = learn(&["test", &games, "--json"]);
    let report: Value = serde_json::from_str(&out).expect("JSON");
    assert_eq!((code, &report["within_sigma"]), (0, &Value::Null));
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
fn bad_files_and_too_few_positions_are_named() {
    let (_folder, file) = folder();
    let problem = "--XXXXX--OOOXX-O-OOOXXOX-OXOXOXXOXXXOXXX--XOXOXX-XXXOOO--OOOOO-- X; +18;\n";
    std::fs::write(file("obf"), problem).expect("a file");
    std::fs::write(file("text"), "no weights\n").expect("a file");
    for (args, part) in [
        (&["scores", &file("missing")][..], "missing"),
        (&["scores", &file("obf"), "--into", &file("text")], "not a file of umigame's weights"),
        (&["scores", &file("obf"), "--depth", "2"], "too few positions"),
        (&["scores", &file("obf"), "--min-empties", "30"], "no position with a known score"),
        (&["test", &file("obf"), "--empties", "30-40"], "no position with such a score"),
        (&["test", &file("obf"), "--confidence", "80"], "expected 73, 87, 95, 98, 99 or 100"),
        (&["label", &file("obf"), "--part", "3/2", "--out", &file("out")], "such as 1/2"),
    ] {
        let (code, _, err) = learn(args);
        assert_eq!(code, 2, "{args:?}: {err}");
        assert!(err.contains(part), "{args:?}: {err}");
    }
}

#[test]
fn results_of_games_do_not_count_without_exact_scores_of_the_same_games() {
    let (_folder, file) = folder();
    let (games, observations) = (file("games"), file("observations"));
    let play = ["play", "--depth", "1", "--exact-from", "9", "--games", "100", "--out", &games];
    assert_eq!(learn(&play).0, 0);
    let args = ["scores", &games, "--observations", &observations];
    let (code, _, err) = learn(&[&args[..], &QUICK].concat());
    assert_eq!(code, 0, "{err}");
    assert!(err.contains("results of games do not count"), "{err}");
    let table = std::fs::read_to_string(&observations).expect("the table");
    let empties =
        table.lines().skip(1).filter_map(|line| line.split(',').nth(1)?.parse::<u32>().ok());
    let empties: Vec<_> = empties.collect();
    assert!(empties.len() >= 500 && empties.iter().all(|&empties| empties <= 9), "{table}");
}
