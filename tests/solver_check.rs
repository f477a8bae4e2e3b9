//! The solver against a plain alpha-beta: no table, no stable discs, no cut
//! but its own. Moves are tried in the order of what they leave the
//! opponent, which changes how long it takes and nothing else.

use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};

use umigame_engine::eval::Evaluation;
use umigame_engine::search::{
    Bound, Engine, EngineOptions, Goal, Limits, Megabytes, Report, ScoreKind, Silent,
};
use umigame_othello::{Position, Score, Square, squares};

/// The score of a position in discs, or a bound of it outside of the window.
fn alpha_beta(position: Position, alpha: i32, beta: i32) -> i32 {
    let legal = position.moves();
    if legal == 0 {
        let passed = position.passed();
        return match passed.moves() {
            0 => position.final_score().discs(),
            _ => -alpha_beta(passed, -beta, -alpha),
        };
    }
    let mut next = [(u32::MAX, Position::START); 32];
    let mut count = 0;
    for square in squares(legal) {
        let after = position.place(square).expect("a legal move");
        next[count] = (after.moves().count_ones(), after);
        count += 1;
    }
    if position.empties() > 4 {
        next[..count].sort_unstable_by_key(|&(mobility, _)| mobility);
    }
    let mut best = -64;
    for &(_, after) in &next[..count] {
        best = best.max(-alpha_beta(after, -beta, -alpha.max(best)));
        if best >= beta {
            break;
        }
    }
    best
}

/// Every move with its score, by full windows.
fn scores(position: Position) -> Vec<(Square, i32)> {
    let score = |square| -alpha_beta(position.place(square).expect("legal"), -64, 64);
    squares(position.moves()).map(|square| (square, score(square))).collect()
}

/// Positions of random games with so many empties, the side to move having
/// at least one move.
fn random_positions(seed: u64, empties: u32, count: usize) -> Vec<Position> {
    let mut random = fastrand::Rng::with_seed(seed);
    let mut found = Vec::new();
    while found.len() < count {
        let mut position = Position::START;
        while !position.is_over() && position.empties() > empties {
            let moves = position.moves();
            let nth = random.usize(0..moves.count_ones().max(1) as usize);
            let next = squares(moves).nth(nth).and_then(|square| position.place(square));
            position = next.unwrap_or(position.passed());
        }
        if position.empties() == empties && position.moves() != 0 && !found.contains(&position) {
            found.push(position);
        }
    }
    found
}

fn solve(engine: &mut Engine, position: Position, limits: &Limits) -> Report {
    let report = engine.search(position, limits, &Silent::default());
    assert!(report.kind.is_proven(), "{position:?}");
    report
}

/// Checks all moves, win-loss-draw and windows; the table is empty for each
/// position but not for each question, so that what one leaves behind for
/// the next is checked too.
fn check(engine: &mut Engine, position: Position) {
    engine.clear();
    let expected = scores(position);
    let best = expected.iter().map(|&(_, score)| score).max().expect("a move");
    let score_of = |square| expected.iter().find(|&&(other, _)| other == square).map(|&(_, s)| s);

    let one = solve(engine, position, &Limits::exact());
    let line = one.best().expect("a move");
    assert_eq!((line.eval.round().discs(), line.bound), (best, Bound::Exact), "{position:?}");
    assert_eq!(line.first().square().and_then(score_of), Some(best), "{position:?}");

    let all = solve(engine, position, &Limits::exact().with_lines(64));
    assert_eq!(all.lines.len(), expected.len(), "{position:?}");
    for line in &all.lines {
        let score = line.first().square().and_then(score_of);
        assert_eq!(Some(line.eval.round().discs()), score, "{position:?} {}", line.first());
    }

    let who_wins = Limits { goal: Goal::WinLossDraw, ..Limits::exact() };
    let report = solve(engine, position, &who_wins);
    let line = report.best().expect("a move");
    assert_eq!(report.kind, ScoreKind::WinLossDraw);
    assert_eq!(line.eval.centidiscs().signum(), best.signum(), "{position:?}");
    let played = line.first().square().and_then(score_of).expect("a legal move");
    assert_eq!(played.signum(), best.signum(), "{position:?}");

    // Every window of two, in an order that leaves bounds of both kinds for
    // the next, and wider ones around each.
    for step in 0..128 {
        let low = (step * 37) % 128 - 64;
        for high in [low + 1, low + 2, low + 2 + step % 40] {
            let Some(goal) = Score::new(low).zip(Score::new(high)) else { continue };
            let limits = Limits { goal: Goal::Window(goal.0, goal.1), ..Limits::exact() };
            let report = solve(engine, position, &limits);
            let line = report.best().expect("a move");
            let found = (line.eval.round().discs(), line.bound);
            let right = match best {
                _ if best <= low && low > -64 => (low, Bound::Upper),
                _ if best >= high && high < 64 => (high, Bound::Lower),
                _ => (best, Bound::Exact),
            };
            assert_eq!(found, right, "{position:?} {low} {high}");
        }
    }
}

fn check_all(seed: u64, counts: &[(u32, usize)], threads: usize) {
    let positions: Vec<Position> = counts
        .iter()
        .flat_map(|&(empties, count)| random_positions(seed, empties, count))
        .collect();
    let next = AtomicUsize::new(0);
    std::thread::scope(|scope| {
        for _ in 0..threads {
            scope.spawn(|| {
                let options = EngineOptions { hash: Megabytes(2), threads: 1 };
                let mut engine =
                    Engine::new(Evaluation::embedded(), options).expect("two megabytes");
                while let Some(&position) = positions.get(next.fetch_add(1, Relaxed)) {
                    check(&mut engine, position);
                }
            });
        }
    });
    println!("{} positions", positions.len());
}

#[test]
fn a_few_results_are_those_of_a_plain_alpha_beta() {
    check_all(81, &[(6, 12), (8, 12), (10, 12), (11, 4), (12, 1)], 2);
}

/// `cargo test --release --test solver_check -- --ignored --nocapture`
#[test]
#[ignore = "minutes of a search without a table"]
fn a_thousand_results_are_those_of_a_plain_alpha_beta() {
    check_all(82, &[(12, 200), (13, 200), (14, 200), (15, 200), (16, 200)], 2);
}
