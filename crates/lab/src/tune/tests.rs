//! Interrupted work, and logs that do not belong to it.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};

use super::error::TuneError;
use super::log::{CheckResult, Entry};
use super::spsa::{Costs, Parameter, Spsa, Trial};
use super::summary::{self, ResultUnit};
use super::work::{Course, Objective, WorkBounds, tune};
use umigame_support::random;

/// A quadratic function with noise that follows from the iteration's number.
#[derive(Default)]
struct Quadratic<'a> {
    /// Stops in this iteration.
    stop_in: Option<(u64, &'a AtomicBool)>,
}

impl Objective for Quadratic<'_> {
    fn settings(&self) -> BTreeMap<String, String> {
        [("objective".to_owned(), "a quadratic function".to_owned())].into()
    }

    fn costs(&mut self, iteration: u64, trial: &Trial) -> Result<Option<Costs>, TuneError> {
        if let Some((last, stop)) = self.stop_in {
            stop.store(iteration >= last, Relaxed);
        }
        let mut random = random::numbered(99, iteration);
        let mut cost =
            |values: &[f64]| values.iter().map(|it| (it - 7.3).powi(2)).sum::<f64>() + random.f64();
        Ok(Some(Costs { plus: cost(&trial.plus), minus: cost(&trial.minus) }))
    }

    fn check_set(&self) -> Option<String> {
        Some("nothing".to_owned())
    }

    fn check(&mut self, start: &[f64], found: &[f64]) -> Result<Option<CheckResult>, TuneError> {
        let value = found[0] / start[0];
        Ok(Some(CheckResult { count: 2, value, low: value, high: value }))
    }
}

fn spsa(seed: u64, max: f64) -> Spsa {
    let parameter = |name: &str, is_whole| Parameter {
        name: name.to_owned(),
        start: 3.0,
        min: 0.0,
        max,
        step: 1.0,
        is_whole,
    };
    Spsa::new(vec![parameter("whole", true), parameter("fraction", false)], seed, 0.3)
}

fn run(spsa: Spsa, path: &Path, iterations: u64) -> Result<Course, TuneError> {
    let (stop, bounds) = (AtomicBool::new(false), WorkBounds { iterations, until: None });
    tune(spsa, &mut Quadratic::default(), BTreeMap::new(), path, bounds, &stop, &mut |_| ())
}

#[test]
fn a_log_cut_short_anywhere_leads_to_the_same_end() {
    let folder = tempfile::tempdir().expect("a folder");
    let [whole, part] = ["whole", "part"].map(|name| folder.path().join(name));
    let course = run(spsa(1, 20.0), &whole, 40).expect("a course");
    assert!(course.is_complete && course.spsa.found() != course.spsa.start());
    let bytes = fs::read(&whole).expect("the log");
    // As a kill may leave it: after any byte of a line.
    for end in (0..bytes.len()).step_by(97).chain([bytes.len()]) {
        fs::write(&part, &bytes[..end]).expect("written");
        let resumed = run(spsa(1, 20.0), &part, 40).expect("a course");
        assert_eq!(resumed.spsa.values(), course.spsa.values(), "cut at byte {end}");
        assert!(fs::read(&part).expect("the log") == bytes, "cut at byte {end}");
    }
    // More iterations append to the log.
    let more = run(spsa(1, 20.0), &part, 50).expect("a course");
    assert_eq!((more.iterations.len(), more.checks.len()), (50, 2));
    assert!(fs::read(&part).expect("the log").starts_with(&bytes));
    assert_ne!(
        run(spsa(2, 20.0), &folder.path().join("other"), 40).expect("a course").spsa.values(),
        course.spsa.values()
    );
}

#[test]
fn an_interrupt_drops_the_iteration_in_progress() {
    let folder = tempfile::tempdir().expect("a folder");
    let [whole, part] = ["whole", "part"].map(|name| folder.path().join(name));
    run(spsa(5, 20.0), &whole, 30).expect("a course");
    for last in [0, 11, 29] {
        let stop = AtomicBool::new(false);
        let mut objective = Quadratic { stop_in: Some((last, &stop)) };
        let bounds = WorkBounds { iterations: 30, until: None };
        let course =
            tune(spsa(5, 20.0), &mut objective, BTreeMap::new(), &part, bounds, &stop, &mut |_| ());
        let course = course.expect("a part");
        assert_eq!((course.iterations.len() as u64, course.is_complete), (last, false));
        assert!(summary::text(&course, ResultUnit::Nodes).contains("whole"));
    }
    run(spsa(5, 20.0), &part, 30).expect("a course");
    assert!(fs::read(&part).expect("the log") == fs::read(&whole).expect("the log"));
}

#[test]
fn a_log_of_other_work_or_a_damaged_one_is_refused_with_its_line() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("log");
    run(spsa(1, 20.0), &path, 12).expect("a course");
    let good = fs::read_to_string(&path).expect("the log");
    let refused = |spsa: Spsa, part: &str| {
        let before = fs::read(&path).expect("the log");
        let error = run(spsa, &path, 14).expect_err(part).to_string();
        assert!(error.contains("log: ") && error.contains(part), "{error}");
        assert!(fs::read(&path).expect("the log") == before, "{part}: the log was changed");
    };
    refused(spsa(2, 20.0), "seed is 1: expected 2");
    refused(spsa(1, 30.0), "whole has another start, range or step");
    let version = format!("\"version\":\"{}\"", env!("CARGO_PKG_VERSION"));
    let third = good.lines().nth(2).expect("a line");
    let Ok(Entry::Iteration(mut entry)) = serde_json::from_str(third) else {
        panic!("{third}");
    };
    entry.costs.plus += 1.0;
    let changed = serde_json::to_string(&Entry::Iteration(entry)).expect("a line");
    for (text, part) in [
        (good.replace(&version, "\"version\":\"0.0.1\""), "line 1: a log of umigame-lab 0.0.1"),
        (good.replace("\"tune_log\":1", "\"tune_log\":0"), "revision 0: expected"),
        (good.replace("\"whole\"", "\"other\""), "it tunes other, fraction"),
        (good.replace(third, &changed), "line 3: the values do not follow"),
        (good.replace(&format!("{third}\n"), ""), "line 3: iteration 3: expected 2"),
        (good.replace(third, "{}"), "line 3: "),
        (good.replace(third, ""), "line 3: "),
        ("f5d6c3\n".to_owned(), "line 1: no log of umigame-lab tune"),
        ("f5d6c3".to_owned(), "line 1: no log of umigame-lab tune"),
        (format!("{{}}\n{good}"), "line 1: no log of umigame-lab tune"),
    ] {
        assert_ne!(text, good, "{part}");
        fs::write(&path, text).expect("written");
        refused(spsa(1, 20.0), part);
    }
}

#[test]
fn two_processes_do_not_write_the_same_log() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("log");
    run(spsa(1, 20.0), &path, 2).expect("a course");
    let other = fs::File::open(&path).expect("the log");
    other.lock().expect("locked");
    let error = run(spsa(1, 20.0), &path, 3).expect_err("locked").to_string();
    assert!(error.contains("another process"), "{error}");
}

#[test]
fn the_summary_has_every_parameter_the_costs_and_the_checks() {
    let folder = tempfile::tempdir().expect("a folder");
    let course = run(spsa(1, 20.0), &folder.path().join("log"), 25).expect("a course");
    let text = summary::text(&course, ResultUnit::Points);
    let starts: Vec<_> = text.lines().map(|line| line.split_whitespace().next()).collect();
    let found = |name: &str| starts.contains(&Some(name));
    assert!(found("whole") && found("fraction") && text.contains("   25 "), "{text}");
    assert!(text.contains("check after 25 iterations, nothing: "), "{text}");
    let rows = text.lines().filter(|line| line.contains(" to ") && !line.starts_with('#')).count();
    // Two parameters, and 25 iterations in parts of three.
    assert_eq!(rows, 2 + 9, "{text}");
}
