//! Laws of the search.

use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
use std::time::Duration;

use super::*;
use crate::eval::Evaluation;
use umigame_othello::{Color, Move, Position, Score, Symmetry, parse_position, testing};

fn engine() -> Engine {
    Engine::new(Evaluation::embedded(), EngineOptions { hash: Megabytes(8), threads: 1 })
        .expect("eight megabytes")
}

fn positions(seed: u64, empties: u32, count: usize) -> Vec<Position> {
    let mut found = Vec::new();
    testing::random_positions(seed, count * 200, |position| {
        if position.empties() == empties && found.len() < count {
            found.push(position);
        }
    });
    found
}

/// Plays a line out and returns the final score for the side to move first.
fn outcome(mut position: Position, line: &[Move]) -> i32 {
    let mut sign = 1;
    for &played in line {
        position = match played {
            Move::Place(square) => position.place(square).expect("a line is legal"),
            Move::Pass => position.passed(),
        };
        sign = -sign;
    }
    assert!(position.is_over(), "an exact line ends with the game");
    sign * position.final_score().discs()
}

#[test]
fn an_exact_line_leads_to_its_score_and_all_symmetries_agree() {
    for position in positions(21, 12, 15).into_iter().chain(positions(22, 14, 6)) {
        let report = engine().search(position, &Limits::exact(), &Silent::default());
        assert_eq!(report.kind, ScoreKind::Exact);
        let best = report.best().expect("a move");
        assert_eq!(best.eval.centidiscs(), 100 * outcome(position, &best.moves));
        for symmetry in Symmetry::ALL {
            let image = symmetry.of_position(position);
            let other = engine().search(image, &Limits::exact(), &Silent::default());
            assert_eq!(other.best().map(|line| line.eval), Some(best.eval));
        }
    }
}

#[test]
fn a_side_that_loses_every_disc_is_shown_how() {
    // The evaluation expects -62 here, so that the first window ends at -64.
    let text = "--OOOOOO--OOOOOO--XOOOOO-XXXOOOO---XOOOO--XXOXOO--XOXXXO--OOOXXO X";
    let (position, _) = parse_position(text).expect("a position");
    let report = engine().search(position, &Limits::exact(), &Silent::default());
    let best = report.best().expect("a move");
    assert_eq!(best.eval.centidiscs(), -6400);
    assert_eq!(outcome(position, &best.moves), -64);
}

#[test]
fn a_line_that_turns_out_better_than_those_before_it_has_its_play_too() {
    let limits = Limits::depth(10).with_confidence(Confidence::P73).with_lines(5);
    for position in positions(23, 46, 40) {
        let report = engine().search(position, &limits, &Silent::default());
        assert!(report.lines.is_sorted_by_key(|line| -line.eval.centidiscs()));
        for line in &report.lines {
            assert!(line.moves.len() >= 6, "{position:?}: {line:?}");
        }
    }
}

#[test]
fn all_lines_carry_the_scores_of_single_searches() {
    for position in positions(23, 11, 12) {
        let all = Limits::exact().with_lines(64);
        let report = engine().search(position, &all, &Silent::default());
        assert_eq!(report.lines.len(), position.moves().count_ones() as usize);
        assert!(report.lines.is_sorted_by_key(|line| -line.eval.centidiscs()));
        for line in &report.lines {
            let square = line.first().square().expect("a square");
            let next = position.place(square).expect("legal");
            let alone = engine().search(next, &Limits::exact(), &Silent::default());
            let score = match alone.best() {
                Some(best) => -best.eval.centidiscs(),
                None => -100 * next.final_score().discs(),
            };
            assert_eq!(line.eval.centidiscs(), score);
            assert_eq!(line.eval.centidiscs(), 100 * outcome(position, &line.moves));
        }
    }
}

#[test]
fn win_loss_draw_has_the_sign_of_the_score() {
    for position in positions(24, 12, 30) {
        let score = engine().search(position, &Limits::exact(), &Silent::default());
        let limits = Limits { goal: Goal::WinLossDraw, ..Limits::exact() };
        let sign = engine().search(position, &limits, &Silent::default());
        assert_eq!(sign.kind, ScoreKind::WinLossDraw);
        let sign_of = |report: &Report| report.best().map(|line| line.eval.centidiscs().signum());
        assert_eq!(sign_of(&sign), sign_of(&score));
    }
}

#[test]
fn a_window_gives_the_score_within_it_and_its_edge_beyond() {
    let window = |low, high| (Score::saturating(low), Score::saturating(high));
    for position in positions(26, 11, 12).into_iter().chain(positions(27, 14, 3)) {
        let exact = engine().search(position, &Limits::exact().with_lines(64), &Silent::default());
        for (low, high) in [window(-64, 64), window(-10, 10), window(3, 4), window(-64, -20)] {
            let goal = Goal::Window(low, high);
            let limits = Limits { goal, ..Limits::exact().with_lines(64) };
            let report = engine().search(position, &limits, &Silent::default());
            assert_eq!(report.kind, ScoreKind::Exact);
            assert_eq!(report.lines.len(), exact.lines.len());
            assert!(report.lines.is_sorted_by_key(|line| -line.eval.centidiscs()));
            for line in &report.lines {
                let same = exact.lines.iter().find(|other| other.first() == line.first());
                let score = same.expect("the same moves").eval.round();
                let expected = match score {
                    _ if score <= low && low > Score::MIN => (low, Bound::Upper),
                    _ if score >= high && high < Score::MAX => (high, Bound::Lower),
                    _ => (score, Bound::Exact),
                };
                assert_eq!((line.eval.round(), line.bound), expected, "{goal:?} {position:?}");
            }
        }
    }
}

#[test]
fn the_same_search_visits_the_same_nodes_again() {
    let mut engine = engine();
    for position in positions(25, 40, 5) {
        let limits = Limits::depth(7).with_lines(3);
        let first = engine.search(position, &limits, &Silent::default());
        engine.clear();
        let again = engine.search(position, &limits, &Silent::default());
        assert_eq!((first.nodes, first.lines), (again.nodes, again.lines));
        engine.clear();
    }
}

#[test]
fn a_cleared_table_serves_as_a_new_one() {
    let small = EngineOptions { hash: Megabytes(1), threads: 1 };
    let mut used = Engine::new(Evaluation::embedded(), small).expect("a megabyte");
    for position in positions(26, 18, 6) {
        let mut new = Engine::new(Evaluation::embedded(), small).expect("a megabyte");
        let first = new.search(position, &Limits::exact(), &Silent::default());
        let again = used.search(position, &Limits::exact(), &Silent::default());
        assert_eq!((first.nodes, first.lines), (again.nodes, again.lines));
        used.clear();
    }
}

/// A clock that goes on a little whenever it is looked at, and the last
/// iteration.
#[derive(Default)]
struct Counting(AtomicU64, Mutex<Report>);

impl Listener for Counting {
    fn elapsed(&self) -> Duration {
        Duration::from_millis(self.0.fetch_add(1, Relaxed))
    }

    fn report(&self, report: &Report) {
        *self.1.lock().expect("nobody panics") = report.clone();
    }
}

#[test]
fn an_iteration_that_was_not_finished_counts_in_nodes_and_time() {
    let run = |position, nodes| {
        let listener = Counting::default();
        let limits = Limits { nodes: Some(nodes), ..Limits::depth(40) };
        let report = engine().search(position, &limits, &listener);
        (report, listener.1.into_inner().expect("nobody panics"))
    };
    for position in positions(17, 40, 5) {
        // A little more than some iterations take: the next has hardly begun.
        let whole = run(position, 100_000).1.nodes;
        let (report, last) = run(position, whole + 1000);
        assert_eq!(last.nodes, whole);
        assert!(report.nodes > last.nodes && report.elapsed > last.elapsed);
        assert_eq!((report.lines, report.kind), (last.lines, last.kind));
    }
}

#[test]
fn a_node_limit_ends_the_search_soon() {
    let limits = Limits { nodes: Some(100_000), ..Limits::depth(40) };
    let report = engine().search(Position::START, &limits, &Silent::default());
    assert!(report.nodes < 110_000, "{}", report.nodes);
    assert_eq!(report.lines.len(), 1);
}

#[test]
fn a_forced_pass_is_a_line_and_a_finished_game_has_none() {
    let text = "-OX-------------------------------------------------------------";
    let (position, _) = parse_position(&format!("{text} X")).expect("a position");
    let report = engine().search(position, &Limits::depth(3), &Silent::default());
    assert_eq!(report.best().map(ReportLine::first), Some(Move::Place("a1".parse().expect("a1"))));
    let (position, side) = parse_position(&format!("{text} O")).expect("a position");
    assert_eq!(side, Color::White);
    // White takes d1, and Black is left without a disc: nothing to pass for.
    let report = engine().search(position, &Limits::depth(3), &Silent::default());
    assert_eq!(report.best().map(|line| line.eval.centidiscs()), Some(6400));
    let text = "XO--------------------------------------------------------------";
    let (position, _) = parse_position(&format!("{text} O")).expect("a position");
    let report = engine().search(position, &Limits::depth(3), &Silent::default());
    assert_eq!(report.best().map(ReportLine::first), Some(Move::Pass));
    let text = "XX--------------------------------------------------------------";
    let (position, _) = parse_position(&format!("{text} X")).expect("a position");
    let report = engine().search(position, &Limits::depth(3), &Silent::default());
    assert!(report.lines.is_empty());
}

#[test]
fn searches_end_whatever_earlier_ones_have_left_in_the_table() {
    for position in positions(31, 45, 8) {
        let mut engine = engine();
        let mut search = |position, depth, lines| {
            let limits = Limits { solve_from: 0, ..Limits::depth(depth) };
            let limits = limits.with_confidence(Confidence::P73).with_lines(lines);
            let report = engine.search(position, &limits, &Silent::default());
            let plies = depth as u8;
            assert!(matches!(report.kind, ScoreKind::Depth { plies: found, .. } if found == plies));
        };
        for square in umigame_othello::squares(position.moves()) {
            search(position, 7, 64);
            search(position.place(square).expect("legal"), 6, 1);
        }
    }
}
