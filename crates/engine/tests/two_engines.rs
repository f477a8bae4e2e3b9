//! Two engines of different evaluations in one process.

use std::sync::Barrier;
use std::thread;

use umigame_engine::{
    Confidence, Engine, EngineOptions, Evaluation, Limits, Megabytes, Report, SharedEvaluation,
};
use umigame_othello::Position;

fn engine(evaluation: impl Into<SharedEvaluation>) -> Engine {
    let options = EngineOptions { hash: Megabytes(4), threads: 1 };
    Engine::new(evaluation, options).expect("four megabytes")
}

/// Positions of a random game.
fn positions() -> Vec<Position> {
    let mut random = fastrand::Rng::with_seed(41);
    let mut positions = vec![Position::START];
    let mut position = Position::START;
    while position.empties() > 16 {
        let moves = position.legal_moves();
        let nth = random.usize(..moves.count().max(1) as usize);
        let next = moves.iter().nth(nth).and_then(|square| position.play(square));
        position = next.unwrap_or(position.passed());
        positions.push(position);
    }
    positions.retain(|position| position.empties() % 6 == 4);
    positions
}

/// Best moves, evals and nodes of searches of all positions, some of them to the end of the game.
fn search_all(mut engine: Engine) -> Vec<Report> {
    let limits = Limits::depth(9).with_exact_from(16).with_confidence(Confidence::P73);
    positions().into_iter().map(|position| engine.search(position, &limits, &())).collect()
}

#[test]
fn two_engines_searching_at_once_give_what_each_gives_alone() {
    let embedded = || engine(Evaluation::embedded());
    let blank = || engine(Evaluation::nothing());
    let alone = (search_all(embedded()), search_all(blank()));
    assert_ne!(alone.0, alone.1, "the evaluations differ");

    let start = Barrier::new(2);
    let together = thread::scope(|scope| {
        let search = |engine| {
            start.wait();
            search_all(engine)
        };
        let first = scope.spawn(move || search(embedded()));
        let second = scope.spawn(move || search(blank()));
        (first.join().expect("no panic"), second.join().expect("no panic"))
    });
    // Reports are equal with their lines, nodes and kinds; the listener's clock stands still.
    assert_eq!(together, alone);
}
