//! Laws of the search.

mod clock_games;
mod estimates;
mod focus;
mod running;
#[cfg(feature = "simulate")]
mod simulated;
mod stops;

use super::*;
use umigame_eval::Evaluation;
use umigame_othello::{Color, Move, Position, Score, Symmetry, parse_position, testing};

fn engine() -> Engine {
    engine_of(1)
}

fn engine_of(threads: usize) -> Engine {
    Engine::new(Evaluation::embedded(), options(threads)).expect("eight megabytes")
}

fn options(threads: usize) -> EngineOptions {
    EngineOptions { hash: Megabytes(8), threads }
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

fn position(text: &str) -> Position {
    parse_position(text).expect("a position").0
}

/// Plays a line to the end of the game and returns the score for the side to move first.
fn outcome(mut position: Position, line: &[Move]) -> i32 {
    let mut sign = 1;
    for &played in line {
        position = match played {
            Move::Place(square) => position.play(square).expect("a legal move"),
            Move::Pass => position.passed(),
        };
        sign = -sign;
    }
    assert!(position.is_over(), "an exact line ends with the game");
    sign * position.final_score().discs()
}

#[test]
fn an_exact_line_leads_to_its_score() {
    for position in positions(21, 12, 15).into_iter().chain(positions(22, 14, 6)) {
        let report = engine().search(position, &Limits::exact(), &());
        assert_eq!(report.kind, ScoreKind::Exact);
        let best = report.best().expect("a move");
        assert_eq!(best.eval().centidiscs(), 100 * outcome(position, &best.moves));
    }
}

#[test]
fn the_score_is_the_same_under_all_symmetries() {
    for position in positions(21, 12, 15).into_iter().chain(positions(22, 14, 6)) {
        let score = |image| {
            let report = engine().search(image, &Limits::exact(), &());
            report.best().map(|line| line.eval())
        };
        let expected = score(position);
        for symmetry in Symmetry::ALL {
            assert_eq!(score(symmetry.of_position(position)), expected, "{position:?}");
        }
    }
}

#[test]
fn a_lost_wipe_out_comes_with_its_play() {
    // The evaluation expects -62 here, so that the first window ends at -64.
    let position = position("--OOOOOO--OOOOOO--XOOOOO-XXXOOOO---XOOOO--XXOXOO--XOXXXO--OOOXXO X");
    let report = engine().search(position, &Limits::exact(), &());
    let best = report.best().expect("a move");
    assert_eq!(best.eval().centidiscs(), -6400);
    assert_eq!(outcome(position, &best.moves), -64);
}

#[test]
fn every_line_of_several_has_its_play() {
    let limits = Limits::depth(10).with_confidence(Confidence::P73).with_lines(5);
    for position in positions(23, 46, 40) {
        let report = engine().search(position, &limits, &());
        assert!(report.lines.is_sorted_by_key(|line| -line.eval().centidiscs()));
        for line in &report.lines {
            assert!(line.moves.len() >= 6, "{position:?}: {line:?}");
        }
    }
}

#[test]
fn all_lines_carry_the_scores_of_single_searches() {
    for position in positions(23, 11, 12) {
        let all = Limits::exact().with_lines(64);
        let report = engine().search(position, &all, &());
        assert_eq!(report.lines.len(), position.legal_moves().count() as usize);
        assert!(report.lines.is_sorted_by_key(|line| -line.eval().centidiscs()));
        for line in &report.lines {
            let square = line.first().square().expect("a square");
            let next = position.play(square).expect("a legal move");
            let alone = engine().search(next, &Limits::exact(), &());
            let score = match alone.best() {
                Some(best) => -best.eval().centidiscs(),
                None => -100 * next.final_score().discs(),
            };
            assert_eq!(line.eval().centidiscs(), score);
            assert_eq!(line.eval().centidiscs(), 100 * outcome(position, &line.moves));
        }
    }
}

#[test]
fn win_loss_draw_has_the_sign_of_the_score() {
    for position in positions(24, 12, 30) {
        let score = engine().search(position, &Limits::exact(), &());
        let limits = Limits::exact().with_goal(Goal::WinLossDraw);
        let sign = engine().search(position, &limits, &());
        assert_eq!(sign.kind, ScoreKind::WinLossDraw);
        let sign_of = |report: &Report| report.best().map(|line| line.eval().centidiscs().signum());
        assert_eq!(sign_of(&sign), sign_of(&score));
    }
}

#[test]
fn a_window_gives_the_score_inside_it_and_its_end_outside() {
    let window = |low, high| (Score::saturating(low), Score::saturating(high));
    for position in positions(26, 11, 12).into_iter().chain(positions(27, 14, 3)) {
        let exact = engine().search(position, &Limits::exact().with_lines(64), &());
        for (low, high) in [window(-64, 64), window(-10, 10), window(3, 4), window(-64, -20)] {
            let goal = Goal::Window(low, high);
            let limits = Limits::exact().with_lines(64).with_goal(goal);
            let report = engine().search(position, &limits, &());
            assert_eq!(report.kind, ScoreKind::Exact);
            assert_eq!(report.lines.len(), exact.lines.len());
            assert!(report.lines.is_sorted_by_key(|line| -line.eval().centidiscs()));
            for line in &report.lines {
                let same = exact.lines.iter().find(|other| other.first() == line.first());
                let score = same.expect("the same moves").eval().round();
                let expected = match score {
                    _ if score <= low && low > Score::MIN => (low, Bound::Upper),
                    _ if score >= high && high < Score::MAX => (high, Bound::Lower),
                    _ => (score, Bound::Exact),
                };
                assert_eq!((line.eval().round(), line.bound), expected, "{goal:?} {position:?}");
            }
        }
    }
}

#[test]
fn threads_change_no_score() {
    let full = Limits::depth(9).with_exact_from(0);
    let tasks = [(positions(32, 46, 4), full), (positions(33, 18, 6), Limits::exact())];
    for (positions, limits) in tasks {
        for position in positions {
            let eval = |threads| {
                let report = engine_of(threads).search(position, &limits, &());
                let best = report.best().expect("a move");
                if limits == Limits::exact() {
                    assert_eq!(best.eval().centidiscs(), 100 * outcome(position, &best.moves));
                }
                best.eval()
            };
            let expected = eval(1);
            for threads in [2, 3, 8] {
                assert_eq!(eval(threads), expected, "{threads} threads: {position:?}");
            }
        }
    }
}

#[test]
fn threads_change_no_score_of_several_lines() {
    for position in positions(34, 17, 3) {
        let evals = |threads| {
            let limits = Limits::exact().with_lines(64);
            let report = engine_of(threads).search(position, &limits, &());
            let evals = report.lines.iter().map(|line| (line.first(), line.eval()));
            let mut evals: Vec<_> = evals.collect();
            evals.sort_by_key(|(first, _)| first.to_string());
            evals
        };
        assert_eq!(evals(4), evals(1), "{position:?}");
    }
}

#[test]
fn the_same_search_visits_the_same_nodes_again() {
    let mut engine = engine();
    for position in positions(25, 40, 5) {
        let limits = Limits::depth(7).with_lines(3);
        let first = engine.search(position, &limits, &());
        engine.clear();
        assert_eq!(engine.search(position, &limits, &()), first);
        engine.clear();
    }
}

#[test]
fn a_cleared_engine_searches_as_a_new_one() {
    let small = EngineOptions { hash: Megabytes(1), threads: 1 };
    let new = || Engine::new(Evaluation::embedded(), small).expect("a megabyte");
    let mut used = new();
    let midgame = Limits::depth(9).with_confidence(Confidence::P73);
    for position in positions(26, 18, 6).into_iter().chain(positions(29, 40, 6)) {
        let limits = if position.empties() == 18 { &Limits::exact() } else { &midgame };
        // Predicted times follow the costs learnt from earlier searches, which `clear` keeps.
        let found = |engine: &mut Engine| Report {
            time_to_exact: None,
            ..engine.search(position, limits, &())
        };
        assert_eq!(found(&mut used), found(&mut new()));
        used.clear();
    }
}

#[test]
fn a_forced_pass_is_a_line_and_a_finished_game_has_none() {
    let limits = Limits::depth(3);
    let text = "-OX-------------------------------------------------------------";
    let report = engine().search(position(&format!("{text} X")), &limits, &());
    assert_eq!(report.best().map(ReportLine::first), Some(Move::Place("a1".parse().expect("a1"))));
    let (white, side) = parse_position(&format!("{text} O")).expect("a position");
    assert_eq!(side, Color::White);
    // White takes d1 and leaves Black no disc: the game is over, not passed.
    let report = engine().search(white, &limits, &());
    assert_eq!(report.best().map(|line| line.eval().centidiscs()), Some(6400));
    let text = "XO--------------------------------------------------------------";
    let report = engine().search(position(&format!("{text} O")), &limits, &());
    assert_eq!(report.best().map(ReportLine::first), Some(Move::Pass));
    let text = "XX--------------------------------------------------------------";
    let report = engine().search(position(&format!("{text} X")), &limits, &());
    assert!(report.lines.is_empty());
}

#[test]
fn a_search_ends_whatever_the_table_holds() {
    for position in positions(31, 45, 8) {
        let mut engine = engine();
        let mut search = |position, depth, lines| {
            let limits = Limits::depth(depth).with_exact_from(0);
            let limits = limits.with_confidence(Confidence::P73).with_lines(lines);
            let report = engine.search(position, &limits, &());
            let plies = depth as u8;
            assert!(matches!(report.kind, ScoreKind::Depth { plies: found, .. } if found == plies));
        };
        for square in position.legal_moves() {
            search(position, 7, 64);
            search(position.play(square).expect("a legal move"), 6, 1);
        }
    }
}
