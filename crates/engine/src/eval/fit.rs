//! How the weights were found: least squares over positions of recorded
//! games and of short random departures from them.
//!
//! Labels, all for the side to move:
//! - recorded games hold the score under perfect play from some number of
//!   empties (24 in nearly all); it labels the game's earlier positions too,
//!   the error of the play between being noise;
//! - at 12 empties and fewer every position is solved here;
//! - between, where the two scores of a game differ by at most 6 discs, the
//!   label runs from one to the other in a straight line;
//! - departures (one to four random moves from a game, which is where a
//!   search looks and players do not) with more empties take the value of a
//!   search of depth 5 with the weights of the round before.
//!
//! Every tenth game is kept out of the fit and gives the errors it reports.
//! The weights run in straight lines between knots; one system is solved for
//! all of them, with a ridge on each and on the change from knot to knot.

use std::fmt::Write as _;
use std::path::PathBuf;

use super::features::{OF_BOARD, OF_EDGE, OF_MOVES, board_features, line_features, moves_features};
use super::tables::{Stages, stages_of};
use super::weights::Weights;
use umigame_othello::edges::Edge;
use umigame_othello::{CORNERS, Position, Square, squares};

const KNOTS: [i32; 14] = [2, 5, 8, 12, 16, 20, 24, 28, 32, 36, 40, 44, 49, 55];
const COUNT: usize = OF_EDGE + 2 * OF_MOVES + OF_BOARD;
const SOLVED: u32 = 12;
const HELD_OUT: usize = 10;

/// A position's features and its label in discs.
struct Row {
    features: [f32; COUNT],
    empties: i32,
    label: f32,
    /// 1 where the label is as good as any; less the more play lies between
    /// the position and what labels it.
    weight: f64,
}

fn row(position: Position, label: f32, weight: f64) -> Row {
    let mut features = [0.0; COUNT];
    let mut edge = [0; OF_EDGE];
    for of in Edge::ALL
        .map(|edge| line_features(edge.line(position.player), edge.line(position.opponent)))
    {
        edge = std::array::from_fn(|i| edge[i] + of[i]);
    }
    let (moves, other) = (position.moves(), position.passed().moves());
    let board = board_features(position, moves, other);
    let counts = [moves, other].map(|moves| moves_features(moves.count_ones() as usize));
    let all = edge.iter().chain(counts.iter().flatten()).chain(&board);
    for (feature, &value) in features.iter_mut().zip(all) {
        *feature = value as f32;
    }
    Row { features, empties: position.empties() as i32, label, weight }
}

/// The two knots around a number of empties and the share of the second.
fn knots_around(empties: i32) -> (usize, f64) {
    let last = KNOTS.len() - 2;
    let low = (0..=last).rev().find(|&k| KNOTS[k] <= empties).unwrap_or(0);
    let share = f64::from(empties - KNOTS[low]) / f64::from(KNOTS[low + 1] - KNOTS[low]);
    (low, share.clamp(0.0, 1.0))
}

/// The sums from which the weights are solved.
struct System {
    matrix: Vec<f64>,
    right: Vec<f64>,
    rows: usize,
}

const SIZE: usize = COUNT * KNOTS.len();

impl System {
    fn new() -> System {
        System { matrix: vec![0.0; SIZE * SIZE], right: vec![0.0; SIZE], rows: 0 }
    }

    fn add(&mut self, row: &Row) {
        let (low, share) = knots_around(row.empties);
        let mut wide = [0.0; 2 * COUNT];
        for (i, &feature) in row.features.iter().enumerate() {
            wide[i] = f64::from(feature) * (1.0 - share);
            wide[COUNT + i] = f64::from(feature) * share;
        }
        let start = low * COUNT;
        for (i, &value) in wide.iter().enumerate() {
            if value == 0.0 {
                continue;
            }
            let scaled = value * row.weight;
            self.right[start + i] += scaled * f64::from(row.label);
            let line = &mut self.matrix[(start + i) * SIZE + start..][..2 * COUNT];
            for (cell, &other) in line.iter_mut().zip(&wide) {
                *cell += scaled * other;
            }
        }
        self.rows += 1;
    }

    /// The weights in discs, knot by knot.
    fn solve(mut self) -> Vec<f64> {
        let knots = KNOTS.len();
        // A feature's mean square, over all knots, is its scale.
        let scale: Vec<f64> = (0..COUNT)
            .map(|i| (0..knots).map(|k| self.matrix[(k * COUNT + i) * (SIZE + 1)]).sum::<f64>())
            .map(|sum| sum.max(1.0))
            .collect();
        for (i, scale) in scale.iter().enumerate() {
            for k in 0..knots {
                let at = k * COUNT + i;
                self.matrix[at * (SIZE + 1)] += 2e-5 * scale + 1.0;
                if k + 1 < knots {
                    let next = at + COUNT;
                    let smooth = 1e-3 * scale + 1.0;
                    self.matrix[at * (SIZE + 1)] += smooth;
                    self.matrix[next * (SIZE + 1)] += smooth;
                    self.matrix[at * SIZE + next] -= smooth;
                    self.matrix[next * SIZE + at] -= smooth;
                }
            }
        }
        cholesky(&mut self.matrix, &mut self.right);
        self.right
    }
}

/// Solves a symmetric positive system in place.
fn cholesky(matrix: &mut [f64], right: &mut [f64]) {
    let n = right.len();
    for i in 0..n {
        for j in 0..=i {
            let (a, b) = (i * n, j * n);
            let sum: f64 = (0..j).map(|k| matrix[a + k] * matrix[b + k]).sum();
            let rest = matrix[a + j] - sum;
            matrix[a + j] = if i == j { rest.sqrt() } else { rest / matrix[b + j] };
        }
        let sum: f64 = (0..i).map(|k| matrix[i * n + k] * right[k]).sum();
        right[i] = (right[i] - sum) / matrix[i * n + i];
    }
    for i in (0..n).rev() {
        let sum: f64 = (i + 1..n).map(|k| matrix[k * n + i] * right[k]).sum();
        right[i] = (right[i] - sum) / matrix[i * n + i];
    }
}

fn to_weights(solution: &[f64]) -> Vec<Weights> {
    let millis = |value: f64| (value * 1000.0).round() as i32;
    KNOTS
        .iter()
        .zip(solution.chunks(COUNT))
        .map(|(&empties, w)| Weights {
            empties,
            edge: std::array::from_fn(|i| millis(w[i])),
            moves: std::array::from_fn(|i| millis(w[OF_EDGE + i])),
            other_moves: std::array::from_fn(|i| millis(w[OF_EDGE + OF_MOVES + i])),
            board: std::array::from_fn(|i| millis(w[OF_EDGE + 2 * OF_MOVES + i])),
        })
        .collect()
}

/// Alpha-beta with the fewest moves for the opponent first. `leaf` values
/// the positions at depth 0, in centidiscs.
fn search(
    position: Position,
    depth: u32,
    alpha: i32,
    beta: i32,
    passed: bool,
    leaf: &impl Fn(Position) -> i32,
) -> i32 {
    let moves = position.moves();
    if moves == 0 {
        if passed || position.empties() == 0 || position.passed().moves() == 0 {
            return position.final_score().discs() * 100;
        }
        return -search(position.passed(), depth, -beta, -alpha, true, leaf);
    }
    if depth == 0 {
        return leaf(position);
    }
    let mut next = [(0u32, Position::START); 40];
    let mut count = 0;
    for square in squares(moves) {
        let after = position.after(square, position.flips(square));
        let order = if depth > 2 { after.moves().count_ones() * 4 } else { 0 };
        let corner = square.bit() & CORNERS != 0;
        next[count] = (order + if corner { 0 } else { 8 }, after);
        count += 1;
    }
    let next = &mut next[..count];
    next.sort_unstable_by_key(|&(order, _)| order);
    let (mut best, mut alpha) = (-6500, alpha);
    for &mut (_, after) in next {
        best = best.max(-search(after, depth - 1, -beta, -alpha, false, leaf));
        alpha = alpha.max(best);
        if alpha >= beta {
            break;
        }
    }
    best
}

fn solve(position: Position) -> f32 {
    search(position, 64, -6400, 6400, false, &|_| 0) as f32 / 100.0
}

/// A recorded game: positions with a side to move that can, whether that is
/// Black, and Black's score under perfect play from `known` empties.
struct Game {
    positions: Vec<(Position, bool)>,
    known: u32,
    score: f32,
}

fn games() -> Option<Vec<Game>> {
    let folder = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../../shared/data/wthor");
    let mut files: Vec<PathBuf> = std::fs::read_dir(folder)
        .ok()?
        .filter_map(|entry| Some(entry.ok()?.path()))
        .filter(|path| path.extension().is_some_and(|extension| extension == "wtb"))
        .collect();
    files.sort();
    let mut games = Vec::new();
    for file in files {
        let bytes = std::fs::read(file).ok()?;
        let known = u32::from(bytes[14]);
        for record in bytes[16..].chunks_exact(68) {
            let mut game =
                Game { positions: Vec::new(), known, score: 2.0 * f32::from(record[7]) - 64.0 };
            let (mut position, mut black) = (Position::START, true);
            for &code in record[8..].iter().take_while(|&&code| code != 0) {
                if position.moves() == 0 {
                    game.positions.push((position, black));
                    (position, black) = (position.passed(), !black);
                }
                let index = usize::from(code / 10 - 1) * 8 + usize::from(code % 10 - 1);
                let Some(next) = Square::from_index(index).and_then(|sq| position.place(sq)) else {
                    break;
                };
                game.positions.push((position, black));
                (position, black) = (next, !black);
            }
            games.push(game);
        }
    }
    Some(games)
}

/// Rows labelled by the records and by solving, some of each game.
fn recorded_rows(games: &[Game], random: &mut fastrand::Rng) -> Vec<Vec<Row>> {
    let mut rows = Vec::new();
    for game in games {
        let mut of_game = Vec::new();
        let sign = |black: bool| if black { 1.0 } else { -1.0 };
        let solved = game
            .positions
            .iter()
            .find(|(position, _)| position.empties() == SOLVED)
            .filter(|_| random.u32(0..4) == 0)
            .map(|&(position, black)| solve(position) * sign(black));
        for &(position, black) in &game.positions {
            let empties = position.empties();
            let label = if empties >= game.known {
                (empties == game.known || random.u32(0..4) == 0).then_some(game.score)
            } else if empties > SOLVED {
                solved.filter(|solved| (solved - game.score).abs() <= 6.0).map(|solved| {
                    let share = (game.known - empties) as f32 / (game.known - SOLVED) as f32;
                    game.score + (solved - game.score) * share
                })
            } else if empties == SOLVED {
                solved
            } else {
                (random.u32(0..12) == 0).then(|| solve(position) * sign(black))
            };
            if let Some(label) = label
                && (22..=26).contains(&game.known)
            {
                let plies = empties.saturating_sub(game.known);
                let weight = 1.0 / (1.0 + 0.3 * f64::from(plies));
                of_game.push(row(position, label * sign(black), weight));
            }
        }
        rows.push(of_game);
    }
    rows
}

/// Departures from each game, labelled by search or solving.
fn departures(
    games: &[Game],
    each: usize,
    stages: &Stages,
    random: &mut fastrand::Rng,
) -> Vec<Vec<Row>> {
    let leaf = |position| super::evaluate_with(stages, position);
    let label = |position: Position| match position.empties() {
        ..=SOLVED => solve(position),
        _ => search(position, 5, -6400, 6400, false, &leaf) as f32 / 100.0,
    };
    let mut of_game = |game: &Game| {
        let from = (0..each).filter_map(|_| random.choice(&game.positions)).collect::<Vec<_>>();
        from.into_iter()
            .map(|&(position, _)| walk(position, random))
            .filter(|position| !position.is_over())
            .map(|position| row(position, label(position), 1.0))
            .collect()
    };
    games.iter().map(&mut of_game).collect()
}

/// The position after one to four random moves, fewer where there is none.
fn walk(mut position: Position, random: &mut fastrand::Rng) -> Position {
    for _ in 0..random.u32(1..=4) {
        let moves: Vec<Square> = squares(position.moves()).collect();
        let Some(&square) = random.choice(&moves) else { break };
        position = position.after(square, position.flips(square));
    }
    position
}

/// Fits to nine games of ten.
fn fit<'a>(rows: impl Iterator<Item = (usize, &'a Row)>) -> Vec<Weights> {
    let mut system = System::new();
    for (game, row) in rows {
        if game % HELD_OUT != 0 {
            system.add(row);
        }
    }
    println!("{} rows", system.rows);
    to_weights(&system.solve())
}

fn predicted(weights: &[Weights], row: &Row) -> f32 {
    let weights = super::tables::between_weights(weights, row.empties);
    let all = weights.edge.iter().chain(&weights.moves).chain(&weights.other_moves);
    let sum: f32 = all.chain(&weights.board).zip(row.features).map(|(&w, f)| w as f32 * f).sum();
    (sum / 1000.0).clamp(-64.0, 64.0)
}

/// Mean absolute errors on the held-out games, by the nearest knot, over the
/// rows whose labels are the best.
fn report(name: &str, weights: &[Weights], rows: &[Vec<Row>]) {
    let mut sums = [(0.0f64, 0.0f64, 0.0f64); KNOTS.len()];
    for row in rows.iter().step_by(HELD_OUT).flatten().filter(|row| row.weight == 1.0) {
        let (low, share) = knots_around(row.empties);
        let sum = &mut sums[low + usize::from(share > 0.5)];
        let error = f64::from((predicted(weights, row) - row.label).abs());
        *sum = (sum.0 + error, sum.1 + f64::from(row.label.abs()), sum.2 + 1.0);
    }
    println!("{name}: empties, positions, mean absolute error, mean absolute label");
    for (knot, (error, label, count)) in KNOTS.iter().zip(sums).filter(|(_, sum)| sum.2 > 0.0) {
        println!("{knot:3} {count:8} {:6.2} {:6.2}", error / count, label / count);
    }
}

fn source(weights: &[Weights]) -> String {
    let mut text = String::new();
    for Weights { empties, edge, moves, other_moves, board } in weights {
        let _ = writeln!(text, "    Weights {{");
        let _ = writeln!(text, "        empties: {empties},");
        let _ = writeln!(text, "        edge: {edge:?},");
        let _ = writeln!(text, "        moves: {moves:?},");
        let _ = writeln!(text, "        other_moves: {other_moves:?},");
        let _ = writeln!(text, "        board: {board:?},");
        let _ = writeln!(text, "    }},");
    }
    text
}

/// Prints the weights as they stand in `weights.rs`, and the errors.
///
/// `cargo test --release fit_the_weights -- --ignored --nocapture`
#[test]
#[ignore = "needs ../shared/data/wthor and some minutes"]
fn fit_the_weights() {
    let Some(games) = games() else {
        println!("skipped: ../shared/data/wthor is absent");
        return;
    };
    let mut random = fastrand::Rng::with_seed(1);
    let recorded = recorded_rows(&games, &mut random);
    fn numbered(rows: &[Vec<Row>]) -> impl Iterator<Item = (usize, &Row)> {
        rows.iter().enumerate().flat_map(|(game, rows)| rows.iter().map(move |row| (game, row)))
    }
    let mut weights = fit(numbered(&recorded));
    report("recorded, first round", &weights, &recorded);
    for round in 2..=3 {
        let stages = stages_of(&weights);
        let away = departures(&games, 2, &stages, &mut random);
        report("departures before the round", &weights, &away);
        weights = fit(numbered(&recorded).chain(numbered(&away)));
        println!("round {round}");
        report("recorded", &weights, &recorded);
        report("departures", &weights, &away);
    }
    println!("{}", source(&weights));
}
