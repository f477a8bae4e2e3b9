//! The solver against plain alpha-beta: no table, no stable discs, no selectivity.
//!
//! The plain search orders moves by the opponent's mobility, which changes its time and not its
//! result. At few empties every move, goal and window is compared; at more, the score alone, by two
//! null windows around it.

use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};

use umigame_engine::{
    Bound, Engine, EngineOptions, Evaluation, Goal, Limits, Megabytes, Report, ScoreKind,
};
use umigame_othello::{Position, Score, Square};

/// Returns the score of a position in discs. Fail-soft.
fn alpha_beta(position: Position, alpha: i32, beta: i32) -> i32 {
    let legal = position.legal_moves();
    if legal.is_empty() {
        let passed = position.passed();
        return if passed.legal_moves().is_empty() {
            position.final_score().discs()
        } else {
            -alpha_beta(passed, -beta, -alpha)
        };
    }
    let mut children = [Position::START; 32];
    let mut count = 0;
    for square in legal {
        children[count] = position.play(square).expect("a legal move");
        count += 1;
    }
    let children = &mut children[..count];
    if position.empties() > 4 {
        children.sort_by_cached_key(|child| child.legal_moves().count());
    }
    let mut best = -64;
    for &child in children.iter() {
        best = best.max(-alpha_beta(child, -beta, -alpha.max(best)));
        if best >= beta {
            break;
        }
    }
    best
}

/// A legal move with its score.
struct Scored {
    square: Square,
    score: i32,
}

/// Scores every move by plain alpha-beta.
fn score_moves(position: Position) -> Vec<Scored> {
    let score = |square| -alpha_beta(position.play(square).expect("a legal move"), -64, 64);
    position.legal_moves().iter().map(|square| Scored { square, score: score(square) }).collect()
}

/// Returns `count` positions of random games in which the side to move has a move.
fn random_positions(seed: u64, empties: u32, count: usize) -> Vec<Position> {
    let mut random = fastrand::Rng::with_seed(seed);
    let mut found = Vec::new();
    while found.len() < count {
        let mut position = Position::START;
        while !position.is_over() && position.empties() > empties {
            let moves = position.legal_moves();
            let nth = random.usize(0..moves.count().max(1) as usize);
            let next = moves.iter().nth(nth).and_then(|square| position.play(square));
            position = next.unwrap_or(position.passed());
        }
        if position.empties() == empties
            && !position.legal_moves().is_empty()
            && !found.contains(&position)
        {
            found.push(position);
        }
    }
    found
}

fn solve(engine: &mut Engine, position: Position, limits: &Limits) -> Report {
    let report = engine.search(position, limits, &());
    assert!(report.kind.is_proven(), "{position:?}");
    report
}

/// Checks the score by plain alpha-beta in the null windows below and above it.
fn check_score(engine: &mut Engine, position: Position) {
    engine.clear();
    let report = solve(engine, position, &Limits::exact());
    let line = report.best().expect("a move");
    let score = line.eval().round().discs();
    assert_eq!(line.bound, Bound::Exact, "{position:?}");
    let played = line.first().square().and_then(|square| position.play(square));
    let next = played.expect("a legal move");
    assert!(-alpha_beta(next, -score, 1 - score) >= score, "{position:?}: the move gains {score}");
    assert!(alpha_beta(position, score, score + 1) <= score, "{position:?}: none gains more");
}

/// Checks all moves, win-loss-draw and windows. The table is emptied for each position but not for
/// each search, so that it is checked with the results of other goals in it.
fn check_all_goals(engine: &mut Engine, position: Position) {
    engine.clear();
    let expected = score_moves(position);
    let best = expected.iter().map(|scored| scored.score).max().expect("a move");
    let score_of =
        |square| expected.iter().find(|scored| scored.square == square).map(|scored| scored.score);

    let one = solve(engine, position, &Limits::exact());
    let line = one.best().expect("a move");
    assert_eq!((line.eval().round().discs(), line.bound), (best, Bound::Exact), "{position:?}");
    assert_eq!(line.first().square().and_then(score_of), Some(best), "{position:?}");

    let all = solve(engine, position, &Limits::exact().with_lines(64));
    assert_eq!(all.lines.len(), expected.len(), "{position:?}");
    for line in &all.lines {
        let score = line.first().square().and_then(score_of);
        assert_eq!(Some(line.eval().round().discs()), score, "{position:?} {}", line.first());
    }

    let who_wins = Limits::exact().with_goal(Goal::WinLossDraw);
    let report = solve(engine, position, &who_wins);
    let line = report.best().expect("a move");
    assert_eq!(report.kind, ScoreKind::WinLossDraw);
    assert_eq!(line.eval().centidiscs().signum(), best.signum(), "{position:?}");
    let played = line.first().square().and_then(score_of).expect("a legal move");
    assert_eq!(played.signum(), best.signum(), "{position:?}");

    check_windows(engine, position, best);
}

/// Checks every window of width 1, in an order that leaves bounds of both kinds for the next, and
/// wider ones from the same lower end.
fn check_windows(engine: &mut Engine, position: Position, best: i32) {
    for step in 0..128 {
        let low = (step * 37) % 128 - 64;
        for high in [low + 1, low + 2, low + 2 + step % 40] {
            let Some(goal) = Score::new(low).zip(Score::new(high)) else { continue };
            let limits = Limits::exact().with_goal(Goal::Window(goal.0, goal.1));
            let report = solve(engine, position, &limits);
            let line = report.best().expect("a move");
            let found = (line.eval().round().discs(), line.bound);
            let expected = match best {
                _ if best <= low && low > -64 => (low, Bound::Upper),
                _ if best >= high && high < 64 => (high, Bound::Lower),
                _ => (best, Bound::Exact),
            };
            assert_eq!(found, expected, "{position:?} {low} {high}");
        }
    }
}

/// Positions to check.
struct Sample {
    empties: u32,
    count: usize,
}

const fn sample(empties: u32, count: usize) -> Sample {
    Sample { empties, count }
}

/// Runs `check` on random positions, on several threads with an engine each.
fn check_samples(
    seed: u64,
    samples: &[Sample],
    threads: usize,
    check: impl Fn(&mut Engine, Position) + Sync,
) {
    let positions: Vec<Position> = samples
        .iter()
        .flat_map(|sample| random_positions(seed, sample.empties, sample.count))
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
fn all_goals_to_12_empties_agree_with_plain_alpha_beta() {
    let samples = [sample(6, 12), sample(8, 12), sample(10, 12), sample(11, 4), sample(12, 1)];
    check_samples(81, &samples, 2, check_all_goals);
}

#[test]
fn scores_to_16_empties_agree_with_plain_alpha_beta() {
    let samples = [sample(12, 12), sample(13, 12), sample(14, 8), sample(15, 4), sample(16, 2)];
    check_samples(83, &samples, 2, check_score);
}

/// `cargo test --release --test long -- --ignored solver_check --nocapture`
#[test]
#[ignore = "minutes of a search without a table"]
fn all_goals_of_a_thousand_positions_agree_with_plain_alpha_beta() {
    let samples =
        [sample(12, 200), sample(13, 200), sample(14, 200), sample(15, 200), sample(16, 200)];
    check_samples(82, &samples, 2, check_all_goals);
}
