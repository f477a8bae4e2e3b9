//! `umigame-lab learn fit-models` on the real binary.

use crate::support::{folder, learn, run};
use serde_json::Value;
use umigame_eval::file::{self, FittedModels, Weights, WeightsFile};
use umigame_eval::patterns::PHASES;
use umigame_eval::patterns::layout::PACKING;
use umigame_eval::{Evaluation, PositionNoiseModel};

/// Writes quick games.
fn play(games: &str, count: &str, exact_from: &str) {
    let args = ["play", "--depth", "1", "--exact-from", exact_from, "--games", count];
    let (code, _, err) = learn(&[&args[..], &["--out", games]].concat());
    assert_eq!(code, 0, "{err}");
}

/// Writes weights fitted to games.
fn fit(games: &str, weights: &str) {
    let (code, _, err) = learn(&["fit", games, "--out", weights, "--iterations", "4"]);
    assert_eq!(code, 0, "{err}");
}

/// Fits models. Returns standard output and standard error.
fn fit_models(args: &[&str]) -> (String, String) {
    let (code, out, err) = learn(&[&["fit-models"], args].concat());
    assert_eq!(code, 0, "{args:?}: {out}{err}");
    (out, err)
}

/// Reads the weights and the models of a file.
fn read(path: &str) -> (Weights, FittedModels) {
    let bytes = std::fs::read(path).expect("the file");
    let models = WeightsFile::new(&bytes).expect("a complete file").models();
    (file::from_bytes(&bytes).expect("weights"), models)
}

/// Returns the two errors in the last line of a table: before and after calibration.
fn errors(table: &str) -> [f64; 2] {
    let words = table.lines().last().unwrap_or_default().split([' ', ',']);
    let numbers: Vec<f64> = words.filter_map(|word| word.parse().ok()).collect();
    let [_, was, is] = numbers[..] else { panic!("three numbers: {table}") };
    [was, is]
}

#[test]
fn calibration_doubles_halved_weights() {
    let (_folder, file) = folder();
    let (games, weights) = (file("games"), file("weights"));
    play(&games, "300", "8");
    fit(&games, &weights);
    let half: Vec<i16> = read(&weights).0.patterns.iter().map(|weight| weight / 2).collect();
    let bytes = file::to_bytes(&half.clone().into(), &FittedModels::DEFAULT);
    std::fs::write(&weights, bytes).expect("a file");
    let calibrate = |more: &[&str]| {
        let args = ["--weights", &weights, "learn", "fit-models", &games, "--steps", "calibrate"];
        let (code, out, err) = run(&[&args[..], &["--depth", "0"], more].concat());
        assert_eq!((code, err.as_str()), (0, ""), "{out}");
        out
    };
    let out = calibrate(&["--into", &weights]);
    assert_eq!(out.lines().count(), PHASES + 2, "{out}");
    let [was, is] = errors(&out);
    assert!(is < 0.7 * was, "{out}");
    let (after, models) = read(&weights);
    assert_eq!(models, FittedModels::DEFAULT);
    let sum = |weights: &[i16]| -> f64 {
        let last = &weights[(PHASES - 2) * PACKING.len..];
        last.iter().map(|&weight| f64::from(weight).abs()).sum()
    };
    assert!(sum(&after.patterns) > 1.3 * sum(&half));
    // Calibrated weights hardly change.
    let again = calibrate(&["--threads", "1"]);
    let [now, then] = errors(&again);
    assert!((now - is).abs() < 0.05 * is && (0.95 * now..1.01 * now).contains(&then), "{again}");
    for line in calibrate(&["--jsonl"]).lines() {
        let line: Value = serde_json::from_str(line).expect("JSON");
        assert_eq!(line["step"], "calibrate");
        assert!(line["scale"].as_f64().is_some_and(|scale| scale > 0.5), "{line}");
    }
}

#[test]
fn probcut_and_scores_are_stored_and_change_nothing_else() {
    let (_folder, file) = folder();
    let (games, exact, weights) = (file("games"), file("exact"), file("weights"));
    play(&games, "200", "9");
    fit(&games, &weights);
    let label = ["label", &games, "--empties", "11-12", "--exact-from", "12", "--out", &exact];
    let (code, _, err) = learn(&label);
    assert_eq!(code, 0, "{err}");
    let (before, was) = read(&weights);
    let original = std::fs::read(&weights).expect("the file");
    let observations = file("observations");
    let take = |steps: &str, into: &str, threads: &str| {
        let args = [&games, &exact, "--steps", steps, "--into", into, "--threads", threads];
        let quick = ["--positions", "16", "--depth", "5", "--solve", "10", "--sample", "400"];
        let of_scores = ["--min-empties", "4", "--max-exact", "20"];
        let noted = ["--observations", &observations];
        let noted = if steps.contains("scores") { &noted[..] } else { &[] };
        fit_models(&[&args[..], &quick, &of_scores, noted].concat()).0
    };
    let probcut = take("probcut", &weights, "1");
    assert!(probcut.lines().filter(|line| !line.starts_with('#')).count() > 20, "{probcut}");
    let (after, is) = read(&weights);
    assert!(after == before && is.probcut != was.probcut);
    assert_eq!((is.noise, is.calibration), (was.noise, was.calibration));
    // Deeper probes are nearer, whatever the positions.
    assert!(is.probcut.midgame(30, 4, 6).sigma < is.probcut.midgame(30, 0, 6).sigma);
    let scores = take("scores", &weights, "1");
    assert!(scores.contains("depth 2 ") && scores.contains("ending "), "{scores}");
    let table = std::fs::read_to_string(&observations).expect("the table");
    assert!(table.lines().all(|line| line.split(',').count() == 8), "{table}");
    assert!(table.lines().any(|line| line.starts_with("ending,")));
    let (after, last) = read(&weights);
    assert!(after == before && last.calibration != was.calibration);
    assert_eq!((last.probcut, last.noise), (is.probcut, is.noise));
    let bytes = std::fs::read(&weights).expect("the file");
    let evaluation = Evaluation::from_bytes(&bytes).expect("complete");
    assert_eq!(*evaluation.score_calibration(), last.calibration);
    // One command does the same, in any order of its steps and with any number of threads.
    let at_once = file("at-once");
    std::fs::write(&at_once, &original).expect("a file");
    assert_eq!(take("scores,probcut", &at_once, "2"), format!("{probcut}\n{scores}"));
    assert!(std::fs::read(&at_once).expect("the file") == bytes);
    let error = |bytes: &[u8]| {
        std::fs::write(file("tested"), bytes).expect("a file");
        let tested = file("tested");
        let args = ["--weights", &tested, "learn", "test", &games, "--depth", "2", "--json"];
        let (code, out, err) = run(&[&args[..], &["--empties", "10-30"]].concat());
        assert_eq!(code, 0, "{err}");
        let report: Value = serde_json::from_str(&out).expect("JSON");
        report["all"]["mean_square"].as_f64().expect("a number")
    };
    assert!(error(&bytes) <= error(&original), "a fit to the same positions");
}

#[test]
fn noise_is_stored_and_changes_nothing_else() {
    let (_folder, file) = folder();
    let (games, weights) = (file("games"), file("weights"));
    play(&games, "1200", "6");
    for args in [
        ["fit", &games, "--out", &weights, "--iterations", "2"],
        ["network", &games, "--into", &weights, "--passes", "1"],
    ] {
        let (code, _, err) = learn(&args);
        assert_eq!(code, 0, "{err}");
    }
    let (before, old) = read(&weights);
    let quick = ["--positions", "520", "--depth", "4", "--solve", "4"];
    let args = [&games, "--steps", "noise", "--into", &weights];
    let (out, _) = fit_models(&[&args[..], &quick].concat());
    assert!(out.starts_with("plies  positions") && out.lines().count() > 5, "{out}");
    let (after, new) = read(&weights);
    assert!(after == before);
    assert_eq!(old.noise, PositionNoiseModel::AVERAGE);
    assert_ne!(new.noise, PositionNoiseModel::AVERAGE);
    assert_eq!((new.probcut, new.calibration), (old.probcut, old.calibration));
}

#[test]
fn a_step_of_the_default_without_enough_positions_is_left_out_with_a_warning() {
    let (_folder, file) = folder();
    let (games, weights) = (file("games"), file("weights"));
    play(&games, "150", "6");
    fit(&games, &weights);
    let quick = ["--positions", "16", "--depth", "5", "--solve", "10", "--jsonl"];
    let (out, err) = fit_models(&[&[&games[..], "--into", &weights][..], &quick].concat());
    for line in out.lines() {
        let line: Value = serde_json::from_str(line).expect("JSON");
        assert!(line["step"] == "probcut" && line["sigma"].is_number(), "{line}");
    }
    for part in [
        "step noise is left out, the position noise stays as it was: the weights have no network",
        "step scores is left out, the score calibration stays as it was: no position with a known",
    ] {
        assert!(err.contains(part), "{err}");
    }
    let (_, models) = read(&weights);
    assert_ne!(models.probcut, FittedModels::DEFAULT.probcut);
    assert_eq!(models.calibration, FittedModels::DEFAULT.calibration);
}

#[test]
fn results_of_games_do_not_count_without_exact_scores_of_the_same_games() {
    let (_folder, file) = folder();
    let (games, observations) = (file("games"), file("observations"));
    play(&games, "100", "9");
    let args = [&games, "--steps", "scores", "--observations", &observations];
    let quick = ["--depth", "3", "--sample", "400", "--min-empties", "4", "--max-exact", "20"];
    let (_, err) = fit_models(&[&args[..], &quick].concat());
    assert!(err.contains("results of games do not count"), "{err}");
    let table = std::fs::read_to_string(&observations).expect("the table");
    let empties =
        table.lines().skip(1).filter_map(|line| line.split(',').nth(1)?.parse::<u32>().ok());
    let empties: Vec<_> = empties.collect();
    assert!(empties.len() >= 500 && empties.iter().all(|&empties| empties <= 9), "{table}");
}

#[test]
fn bad_files_and_too_few_positions_are_named() {
    let (_folder, file) = folder();
    let bare = "--XXXXX--OOOXX-O-OOOXXOX-OXOXOXXOXXXOXXX--XOXOXX-XXXOOO--OOOOO-- X;";
    std::fs::write(file("bare"), format!("{bare}\n")).expect("a file");
    std::fs::write(file("obf"), format!("{bare} +18;\n")).expect("a file");
    std::fs::write(file("text"), "no weights\n").expect("a file");
    std::fs::write(file("empty"), "").expect("a file");
    let foreign: Vec<i16> = vec![1; PHASES * PACKING.len];
    let foreign = file::to_bytes(&foreign.into(), &FittedModels::DEFAULT);
    std::fs::write(file("foreign"), foreign).expect("a file");
    let (obf, text, foreign) = (file("obf"), file("text"), file("foreign"));
    for (from, steps, more, part) in [
        ("missing", "probcut", &[][..], "missing"),
        ("obf", "probcut", &["--into", &text], "not a file of umigame's weights"),
        ("obf", "probcut", &["--into", &file("none")], "--into"),
        ("obf", "probcut", &["--depth", "4", "--solve", "8"], "obf: too few positions"),
        ("empty", "probcut", &[], "step probcut: "),
        ("empty", "noise", &["--weights", &foreign], "the weights have no network"),
        ("empty", "noise", &[], "empty: no position to search"),
        ("obf", "noise", &["--depth", "4", "--solve", "8"], "too few positions for a fit"),
        ("obf", "noise", &["--depth", "3"], "--depth 3: step noise takes 4 to 30"),
        ("bare", "calibrate", &[], "step calibrate: "),
        ("bare", "calibrate", &[], "bare: no position with such a score"),
        ("obf", "scores", &["--depth", "2"], "too few positions"),
        ("obf", "scores", &["--min-empties", "30"], "no position with a known score"),
        ("obf", "noise", &["--observations", &text], "expected the step scores"),
        ("obf", "everything", &[], "everything"),
    ] {
        let from = file(from);
        let args = [&["fit-models", &from, "--steps", steps][..], more].concat();
        let (code, out, err) = learn(&args);
        assert_eq!((code, out.as_str()), (2, ""), "{args:?}: {err}");
        assert!(err.contains(part), "{args:?}: {err}");
    }
    let args = ["--weights", &foreign, "learn", "fit-models", &obf, "--into", &file("other")];
    let zeros: Vec<i16> = vec![0; PHASES * PACKING.len];
    std::fs::write(file("other"), file::to_bytes(&zeros.into(), &FittedModels::DEFAULT))
        .expect("a file");
    let (code, _, err) = run(&args);
    assert!(code == 2 && err.contains("other weights than"), "{err}");
}
