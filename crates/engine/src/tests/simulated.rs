//! Simulated processors.

use super::{engine, options, positions};
use crate::{Confidence, Engine, Limits, ScoreKind};
use umigame_eval::Evaluation;
use umigame_othello::Move;

fn simulated(threads: usize) -> Engine {
    Engine::simulated(Evaluation::embedded(), options(threads)).expect("eight megabytes")
}

#[test]
fn a_search_on_simulated_processors_repeats_exactly() {
    let limits = Limits::depth(12).with_confidence(Confidence::P73);
    for (position, limits) in [
        (positions(30, 40, 1)[0], limits.clone()),
        (positions(30, 40, 1)[0], limits.with_lines(3)),
        (positions(31, 18, 1)[0], Limits::exact()),
    ] {
        let alone = engine().search(position, &limits, &());
        for threads in [1, 2, 5, 16] {
            let run = || {
                let mut engine = simulated(threads);
                let report = engine.search(position, &limits, &());
                (report, engine.simulated_nodes().expect("simulated"))
            };
            let (report, time) = run();
            assert_eq!(run(), (report.clone(), time));
            assert!(time <= report.nodes && report.nodes <= threads as u64 * time);
            if threads == 1 {
                assert_eq!((&report, time), (&alone, alone.nodes));
            }
            let value = |report: &super::Report| report.best().map(|line| line.eval());
            if report.kind == ScoreKind::Exact {
                assert_eq!(value(&report), value(&alone), "{threads} threads");
            }
        }
    }
}

#[test]
fn several_simulated_processors_take_less_time() {
    let positions = positions(31, 18, 3);
    let time = |threads| {
        let mut engine = simulated(threads);
        for &position in &positions {
            engine.search(position, &Limits::exact(), &());
        }
        engine.simulated_nodes().expect("simulated") as f64
    };
    let [one, two, four] = [1, 2, 4].map(time);
    assert!(two < 0.8 * one && four < 0.8 * two, "{one} {two} {four}");
}

#[test]
fn several_simulated_processors_reach_a_depth_sooner_with_a_whole_variation() {
    const DEPTH: usize = 14;
    let limits = Limits::depth(DEPTH as u32).with_confidence(Confidence::P73);
    let positions = positions(35, 40, 10);
    let time = |threads| {
        let mut engine = simulated(threads);
        for &position in &positions {
            engine.clear();
            let report = engine.search(position, &limits, &());
            let moves = &report.best().expect("a move").moves;
            let placed = moves.iter().filter(|&&played| played != Move::Pass).count();
            assert_eq!(placed, DEPTH, "{threads} threads: {position:?}: {moves:?}");
        }
        engine.simulated_nodes().expect("simulated") as f64
    };
    let [one, two, four] = [1, 2, 4].map(time);
    assert!(two < 0.75 * one && four < 0.6 * one, "{one} {two} {four}");
}
