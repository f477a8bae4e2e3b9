//! `umigame-lab learn label` and `umigame-lab learn test` on the real binary.

use crate::support::{folder, learn};
use umigame_engine::Evaluation;
use umigame_engine::{Engine, EngineOptions, Limits, Silent};
use umigame_othello::testing::reference;
use umigame_othello::{Position, Score};
use umigame_training::data::{SampleOutcome, load};

/// Two endgames with their scores; the third is the mirror image of the first.
const PROBLEMS: &str = "\
--XXXXX--OOOXX-O-OOOXXOX-OXOXOXXOXXXOXXX--XOXOXX-XXXOOO--OOOOO-- X; G8:+18; H1:+12; H7:+6; A2:+6; A3:+4; B1:-4; A4:-22; G2:-24;
-OOOOO----OXXO-XXXOXOXX-XXOXOXXOXXOOXOOOXXXXOO-OX-XOOO---XXXXX-- X; G8:+32; G2:+12; B2:-20; G6:-26; G1:-32; G7:-34;
-OOOOO---XXXOOO---XOXOXXOXXXOXXX-OXOXOXX-OOOXXOX-OOOXX-O--XXXXX- X; +18; % the first, mirrored
";

/// Writes quick games.
fn play(out: &str, games: &str) {
    let args = ["play", "--out", out, "--depth", "1", "--exact-from", "6", "--games", games];
    let (code, _, err) = learn(&args);
    assert_eq!(code, 0, "{err}");
}

fn solve(position: Position) -> Score {
    let mut engine =
        Engine::new(Evaluation::embedded(), EngineOptions::default()).expect("a table");
    let report = engine.search(position, &Limits::exact(), &Silent::default());
    report.best().expect("a move").eval().round()
}

#[test]
fn labels_are_exact_up_to_a_number_of_empties_and_searched_above() {
    let (_folder, file) = folder();
    play(&file("games"), "8");
    let args = ["--exact-from", "9", "--depth", "3", "--empties", "7-20", "--sample", "100"];
    let to = |out: &str, threads: &str| {
        let from = file("games");
        let all = [&["label", &from, "--out", out, "--threads", threads][..], &args].concat();
        learn(&all)
    };
    assert_eq!(to(&file("labels"), "1").0, 0);
    let samples = load(&[file("labels")]).expect("training data");
    assert_eq!(samples.len(), 100);
    let mut exact = 0;
    for sample in &samples {
        let empties = sample.position.empties();
        assert!((7..=20).contains(&empties));
        match sample.outcome() {
            SampleOutcome::Exact(score) => {
                assert!(empties <= 9);
                assert_eq!(score, solve(sample.position));
                exact += 1;
            }
            SampleOutcome::Games(_) => panic!("{sample:?}"),
            SampleOutcome::Unknown => {
                assert!(empties > 9);
                assert_eq!(sample.searched().map(|searched| searched.depth), Some(3));
            }
        }
    }
    assert!(exact > 5, "{exact}");
    // The file does not depend on threads and interruptions; a finished one is not changed.
    let whole = std::fs::read(file("labels")).expect("the file");
    std::fs::write(file("cut"), &whole[..whole.len() - 5]).expect("a file");
    for (name, threads) in [("cut", "1"), ("three", "3"), ("three", "1")] {
        assert_eq!(to(&file(name), threads).0, 0);
        assert!(std::fs::read(file(name)).expect("the file") == whole, "{name}");
    }
}

#[test]
fn errors_compare_the_evaluation_with_known_scores() {
    let (_folder, file) = folder();
    std::fs::write(file("problems"), PROBLEMS).expect("a file");
    let (code, out, err) = learn(&["test", &file("problems"), "--json"]);
    assert_eq!(code, 0, "{err}");
    let found: serde_json::Value = serde_json::from_str(&out).expect("JSON");
    assert_eq!(found["all"]["positions"], 2);
    let mut differences = Vec::new();
    for (line, score) in PROBLEMS.lines().zip([18, 32]) {
        let (position, ..) = umigame_othello::parse_position(&line[..66]).expect("a position");
        differences.push(
            f64::from(Evaluation::embedded().evaluate_position(position)) / 100.0
                - f64::from(score),
        );
    }
    let errors = &found["all"];
    let near = |name: &str, expected: f64| {
        let value = errors[name].as_f64().expect("a number");
        assert!((value - expected).abs() < 1e-9, "{name}: {value}, not {expected}");
    };
    let [one, two] = differences[..] else { panic!("two positions") };
    near("mean_absolute", (one.abs() + two.abs()) / 2.0);
    near("mean_square", (one * one + two * two) / 2.0);
    near("bias", (one + two) / 2.0);
}

#[test]
fn errors_are_printed_and_drawn_for_several_kinds_of_file() {
    let (_folder, file) = folder();
    play(&file("games"), "8");
    // White to move and 2 discs ahead: it takes the last square.
    let white = format!("{}{}. 64\n", "w".repeat(61), "wb");
    std::fs::write(file("white"), white).expect("a file");
    let (games, white, svg) = (file("games"), file("white"), file("errors.svg"));
    let args = ["test", &games, &white, "--group", "10", "--svg", &svg];
    let (code, out, err) = learn(&args);
    assert_eq!((code, err.as_str()), (0, ""), "{out}");
    let lines: Vec<&str> = out.lines().collect();
    assert!(lines[0].starts_with("ply "), "{out}");
    assert!(lines.iter().any(|line| line.starts_with("50-59 ")), "{out}");
    let table_end = lines.iter().position(|line| line.is_empty()).unwrap_or(lines.len());
    assert!(lines[table_end - 1].starts_with("all "), "{out}");
    let svg = std::fs::read_to_string(svg).expect("the picture");
    assert!(svg.contains("<polyline") && svg.contains("Mean absolute error"), "{svg}");
    let (code, _, err) = learn(&["test", &white, "--truth", "search"]);
    assert!(code == 2 && err.contains("no position with such a score"), "{err}");
    std::fs::write(file("wrong"), "% fine\nXO\n").expect("a file");
    let (code, _, err) = learn(&["test", &file("wrong")]);
    assert!(code == 2 && err.contains("wrong: line 2: the board has 2 squares of 64"), "{err}");
}

#[test]
fn theoretical_scores_of_the_archive_are_labels_at_24_empties() {
    let Some(archive) = reference("wthor") else { return };
    let archive = archive.to_str().expect("a path in UTF-8");
    let (_folder, file) = folder();
    let out = file("theory");
    let args = ["label", "--wthor", archive, "--theoretical", "--out", &out, "--sample", "3000"];
    for _ in 0..2 {
        let (code, _, err) = learn(&args);
        assert_eq!(code, 0, "{err}");
    }
    let samples = load(&[&out]).expect("training data");
    assert_eq!(samples.len(), 3000);
    let exact = |sample: &umigame_training::data::Sample| {
        matches!(sample.outcome(), SampleOutcome::Exact(_))
    };
    assert!(samples.iter().all(exact));
    assert!(samples.iter().filter(|sample| sample.position.empties() == 24).count() > 2900);
}
