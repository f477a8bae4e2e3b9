//! Laws of estimates: they follow the values of a search and change nothing in it.

use super::options;
use crate::{Bound, Confidence, Engine, Goal, Limits, Listener, Report, ReportLine, ScoreKind};
use umigame_eval::{Estimate, Evaluation, ScoreCalibration};
use umigame_othello::testing::random_positions;
use umigame_othello::{Move, Position, Score};

/// Returns engines of the embedded weights: with their own score model, none, and a wild one.
fn engines() -> [Engine; 3] {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../eval/weights/umigame.weights");
    let file = std::fs::read(path).expect("the embedded weights");
    let mut random = fastrand::Rng::with_seed(41);
    let wild =
        ScoreCalibration::of_coefficients(&std::array::from_fn(|_| 2.0 * (random.f64() - 0.5)));
    let own = *Evaluation::from_bytes(&file).expect("complete").score_calibration();
    [own, ScoreCalibration::DEFAULT, wild].map(|model| {
        let evaluation =
            Evaluation::from_bytes(&file).expect("complete").with_score_calibration(model);
        Engine::new(evaluation, options(1)).expect("memory")
    })
}

/// Returns `count` searches of random positions, of every kind.
fn searches(count: usize) -> Vec<(Position, Limits)> {
    let mut random = fastrand::Rng::with_seed(42);
    let mut all = Vec::new();
    random_positions(43, 40 * count, |position| {
        if random.usize(..40) == 0 && !position.is_over() {
            let confidence = Confidence::all().nth(random.usize(..6)).expect("six");
            let depth = if position.empties() <= 14 { 60 } else { random.u32(1..=7) };
            let limits = Limits::depth(depth).with_confidence(confidence);
            let exact_from = random.u32(..13);
            let lines = random.usize(1..=3);
            all.push((position, limits.with_exact_from(exact_from).with_lines(lines)));
        }
    });
    all.truncate(count);
    all
}

fn check(count: usize) {
    let mut engines = engines();
    let all = searches(count);
    assert!(all.len() > count / 2, "{}", all.len());
    for (position, limits) in all {
        let reports: Vec<Report> = engines
            .iter_mut()
            .map(|engine| {
                engine.clear();
                engine.search(position, &limits, &())
            })
            .collect();
        let chosen = |report: &Report| -> Vec<_> {
            report.lines.iter().map(|line| (line.moves.clone(), line.raw)).collect()
        };
        for report in &reports {
            assert_eq!(chosen(report), chosen(&reports[0]), "{position:?} {limits:?}");
            assert_eq!((report.kind, report.nodes), (reports[0].kind, reports[0].nodes));
            assert!(report.lines.is_sorted_by_key(|line| -line.eval().centidiscs()), "{report:?}");
            report.lines.iter().for_each(|line| check_line(line, line.kind));
        }
    }
}

fn check_line(line: &ReportLine, kind: ScoreKind) {
    let Estimate { std_dev, wdl, .. } = line.estimate;
    let (std_dev, wdl) = (std_dev.expect("a deviation"), wdl.expect("probabilities"));
    match kind {
        ScoreKind::Exact => {
            assert_eq!(line.eval(), line.raw);
            assert_eq!(line.estimate, Estimate::exact(line.raw.round()));
        }
        ScoreKind::Endgame { .. } => assert_eq!(line.eval(), line.raw),
        _ => assert!((0.2..=20.0).contains(&std_dev), "{line:?}"),
    }
    let lead = wdl.win() - wdl.loss();
    assert!(lead * line.eval().discs() >= 0.0 || line.eval().discs().abs() < 0.1, "{line:?}");
}

#[test]
fn estimates_change_no_chosen_move() {
    check(60);
}

/// `cargo test --release -p umigame-engine --lib -- --ignored estimates_change`
#[test]
#[ignore = "two minutes in a debug build"]
fn estimates_change_no_chosen_move_in_1000_searches() {
    check(1000);
}

#[test]
fn a_proof_tells_what_is_known() {
    let mut engine = engines().into_iter().next().expect("three");
    let mut checked = 0;
    for (position, _) in searches(400) {
        if position.empties() > 9 {
            continue;
        }
        checked += 1;
        let mut estimate = |goal| {
            let report = engine.search(position, &Limits::exact().with_goal(goal), &());
            let line = report.best().expect("a move");
            (line.eval().round(), line.bound, line.estimate)
        };
        let (score, _, exact) = estimate(Goal::Score);
        assert_eq!(exact, Estimate::exact(score));
        let (_, _, sign) = estimate(Goal::WinLossDraw);
        assert_eq!((sign.std_dev, sign.wdl), (None, exact.wdl), "{position:?}");
        let discs = |discs| Score::saturating(discs);
        let windows = [(-64, -2), (-2, 2), (2, 64)];
        for (low, high) in windows.map(|(low, high)| (discs(low), discs(high))) {
            let (bound_at, bound, known) = estimate(Goal::Window(low, high));
            let decides = match bound {
                Bound::Exact => true,
                Bound::Lower => bound_at > Score::DRAW,
                Bound::Upper => bound_at < Score::DRAW,
            };
            assert_eq!(known.wdl, exact.wdl.filter(|_| decides), "{position:?} {bound:?}");
            assert_eq!(known.std_dev, exact.std_dev.filter(|_| bound == Bound::Exact));
        }
    }
    assert!(checked > 20, "{checked}");
}

/// Moves of best play for both sides from the start, which leads to a draw.
///
/// Source: H. Takizawa, "Othello is solved", arXiv:2310.19387, figure 1.
const DRAWN_LINE: &str = "f5d6c3d3c4f4f6f3e6e7d7c5b6d8c6c7d2b5a5a6a7g5e3b4c8g6g4c2";

/// Only the true probabilities show that the draw is the likeliest result there: win and loss alone could be
/// read as a bad position.
#[test]
fn of_proven_draws_in_the_opening_most_have_the_draw_as_the_likeliest_result() {
    let [mut engine, ..] = engines();
    let mut position = Position::START;
    let (mut likeliest, mut within, mut count) = (0, 0, 0);
    for text in DRAWN_LINE.as_bytes().chunks(2) {
        let played: Move = std::str::from_utf8(text).expect("ASCII").parse().expect("a square");
        position = position.play(played).expect("a legal move");
        let report = engine.search(position, &Limits::depth(8), &());
        let estimate = report.best().expect("a move").estimate;
        let (wdl, std_dev) =
            (estimate.wdl.expect("estimates"), estimate.std_dev.expect("estimates"));
        count += 1;
        likeliest += u32::from(wdl.draw() > wdl.win().max(wdl.loss()));
        within += u32::from(estimate.eval.discs().abs() <= std_dev);
    }
    assert!(2 * likeliest > count, "{likeliest} of {count}");
    assert!(2 * within > count, "{within} of {count}");
}

/// Keeps the reports of a search.
#[derive(Default)]
struct Reports(std::sync::Mutex<Vec<Report>>);

impl Listener for Reports {
    fn elapsed(&self) -> std::time::Duration {
        std::time::Duration::ZERO
    }

    fn report(&self, report: &Report) {
        self.0.lock().expect("no panic").push(report.clone());
    }
}

/// Until it is proven, a report says how long an exact value would still take; more empties take longer.
#[test]
fn reports_predict_the_time_to_the_exact_value_until_it_is_proven() {
    let mut found = Vec::new();
    random_positions(3, 300, |position| {
        if position.empties() == 14 && !position.legal_moves().is_empty() {
            found.push(position);
        }
    });
    let mut engine = Engine::new(Evaluation::embedded(), options(1)).expect("memory");
    for position in found.into_iter().take(3) {
        let reports = Reports::default();
        engine.search(position, &Limits::exact(), &reports);
        for report in reports.0.into_inner().expect("no panic") {
            assert_eq!(
                report.time_to_exact.is_none(),
                report.kind == ScoreKind::Exact,
                "{report:?}"
            );
        }
        let sign = Limits::exact().with_goal(Goal::WinLossDraw);
        assert_eq!(engine.search(position, &sign, &()).time_to_exact, None);
    }
    let of_start = engine.search(Position::START, &Limits::depth(6), &()).time_to_exact;
    assert!(of_start > Some(std::time::Duration::from_secs(3600)), "{of_start:?}");
}
