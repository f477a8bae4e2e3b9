//! Making values speak in discs: a scale and an offset for each stage of the
//! game, after what searches said of positions whose score is known.
//!
//! A fit of weights keeps to the mean of what it saw, and a search picks the
//! leaves that are overrated; both leave values a little too small or too
//! large. A search's value comes from a leaf `depth` plies on, so the score
//! is compared with the value there, both as the side to move at the leaf
//! sees them: the line from one to the other is what the weights of that
//! stage are changed by. The offsets take out the swing from odd depths to
//! even ones, since the side that has just moved looks too well.

use std::sync::atomic::AtomicBool;

use super::LearnError;
use super::data::Sample;
use super::errors::Truth;
use umigame_engine::eval::file::Weights;
use umigame_engine::eval::patterns::layout::{PACKING, moves_places};
use umigame_engine::eval::patterns::{PARTS, STAGES, stage_of};
use umigame_engine::eval::{MidBoard, SharedEvaluation};
use umigame_engine::search::batch::{self, Worker};
use umigame_engine::search::{Confidence, EngineOptions, Limits, Megabytes, Stoppable};
use umigame_othello::Position;

/// Table of a thread, cleared before every position.
const TABLE: Megabytes = Megabytes(4);
/// Values and scores beyond this say that a game is over: no line holds
/// there.
const DECIDED: i32 = 6000;
/// How far a stage looks for positions, in stages on either side.
const REACH: usize = 2;
/// A line goes half way from no change to what so many positions say.
const DOUBT: f64 = 50.0;

/// What a search said of a position, and what is known.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Pair {
    /// The stage of the leaves.
    pub stage: usize,
    /// The search's value in centidiscs, for the side to move at the leaves.
    pub value: i32,
    /// The score in centidiscs, for the same side.
    pub score: i32,
}

/// How the values of a stage are to change.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Line {
    /// Positions whose leaves are of the stage.
    pub count: usize,
    /// What a value is multiplied by.
    pub scale: f64,
    /// What is then added, in centidiscs.
    pub offset: f64,
}

impl Line {
    /// A value as it would be.
    pub fn apply(&self, value: i32) -> f64 {
        self.scale * f64::from(value) + self.offset
    }
}

/// Searches the positions whose score is known to a depth, at 73 %, with an
/// evaluation; `done` is told of each. `stop` ends it with what is done.
///
/// # Errors
/// No table.
pub fn pairs(
    samples: &[Sample],
    truth: Truth,
    (depth, evaluation): (u32, &SharedEvaluation),
    threads: usize,
    stop: &AtomicBool,
    mut done: impl FnMut(),
) -> Result<Vec<Pair>, LearnError> {
    let known = samples.iter().filter(|sample| sample.position.moves() != 0);
    let known: Vec<(Position, i32)> =
        known.filter_map(|sample| Some((sample.position, truth.of(sample)?))).collect();
    let mut pairs = Vec::with_capacity(known.len());
    let options = EngineOptions { hash: Megabytes(TABLE.0 * threads), threads };
    let answer = |worker: &mut Worker<'_>, &(position, score): &(Position, i32)| {
        let value = value(position, depth, evaluation, worker, stop)?;
        let leaf = position.empties().saturating_sub(depth);
        let sign = if depth.is_multiple_of(2) { 1 } else { -1 };
        Some(Pair { stage: stage_of(leaf), value: sign * value, score: sign * score })
    };
    batch::in_order(known.iter(), evaluation, options, stop, answer, |pair: Pair| {
        pairs.push(pair);
        done();
        Ok::<(), LearnError>(())
    })?;
    Ok(pairs)
}

/// `None` where it was stopped.
fn value(
    position: Position,
    depth: u32,
    evaluation: &SharedEvaluation,
    worker: &mut Worker<'_>,
    stop: &AtomicBool,
) -> Option<i32> {
    if depth == 0 {
        return Some(evaluation.evaluate(&MidBoard::new(position)));
    }
    worker.own().clear();
    let limits = Limits::depth(depth.min(position.empties().saturating_sub(1)).max(1));
    let limits = Limits { solve_from: 0, ..limits.with_confidence(Confidence::P73) };
    let report = worker.own().search(position, &limits, &Stoppable::new(stop));
    let stopped = stop.load(std::sync::atomic::Ordering::Relaxed);
    (!stopped).then_some(report.best()?.eval.centidiscs())
}

/// The line of each stage: what comes nearest in the squares of the errors
/// of its own positions and those of the stages beside it. A stage that has
/// none takes the scale of the next that has.
pub fn lines(pairs: &[Pair]) -> [Line; STAGES] {
    let sums = sums(pairs);
    let mut lines = std::array::from_fn(|stage| {
        let near = stage.saturating_sub(REACH)..(stage + REACH + 1).min(STAGES);
        let together = near.map(|other| {
            let distance = stage.abs_diff(other);
            sums[other].scaled(1.0 / (1.0 + (distance * distance) as f64))
        });
        Line {
            count: sums[stage].count as usize,
            ..together.fold(Sums::default(), Sums::with).line()
        }
    });
    for stage in (0..STAGES - 1).rev() {
        let next: Line = lines[stage + 1];
        if lines[..=stage].iter().all(|line| line.count == 0) {
            lines[stage] = Line { scale: next.scale, offset: 0.0, count: 0 };
        }
    }
    lines
}

/// Sums over pairs, each with its weight.
#[derive(Clone, Copy, Default, Debug)]
struct Sums {
    count: f64,
    value: f64,
    score: f64,
    value_value: f64,
    value_score: f64,
}

fn sums(pairs: &[Pair]) -> [Sums; STAGES] {
    let mut sums = [Sums::default(); STAGES];
    for pair in pairs.iter().filter(|pair| pair.value.abs().max(pair.score.abs()) < DECIDED) {
        let (value, score) = (f64::from(pair.value), f64::from(pair.score));
        sums[pair.stage] = sums[pair.stage].with(Sums {
            count: 1.0,
            value,
            score,
            value_value: value * value,
            value_score: value * score,
        });
    }
    sums
}

impl Sums {
    fn scaled(self, factor: f64) -> Sums {
        Sums {
            count: factor * self.count,
            value: factor * self.value,
            score: factor * self.score,
            value_value: factor * self.value_value,
            value_score: factor * self.value_score,
        }
    }

    fn with(self, other: Sums) -> Sums {
        Sums {
            count: self.count + other.count,
            value: self.value + other.value,
            score: self.score + other.score,
            value_value: self.value_value + other.value_value,
            value_score: self.value_score + other.value_score,
        }
    }

    /// The line through the pairs, drawn towards no change where they are
    /// few.
    fn line(self) -> Line {
        if self.count == 0.0 {
            return Line { count: 0, scale: 1.0, offset: 0.0 };
        }
        let n = self.count;
        let (value, score) = (self.value / n, self.score / n);
        let spread = self.value_value / n - value * value;
        let together = self.value_score / n - value * score;
        let slope = if spread > 1.0 { together / spread } else { 1.0 };
        let sure = self.count / (self.count + DOUBT);
        let scale = 1.0 + sure * (slope - 1.0);
        Line { count: 0, scale, offset: sure * (score - scale * value) }
    }
}

/// Changes weights as the lines say. The offsets go to the weights of
/// mobility, of which every position has one.
pub fn apply(weights: &mut Weights, lines: &[Line; STAGES]) {
    let moves = moves_places();
    for (stage, line) in weights.patterns.chunks_exact_mut(PACKING.len).zip(lines) {
        let offset = line.offset * f64::from(PARTS) / 100.0;
        for (place, weight) in stage.iter_mut().enumerate() {
            let added = if moves.contains(&place) { offset } else { 0.0 };
            // `as` keeps to what 16 bits hold.
            *weight = (f64::from(*weight) * line.scale + added).round() as i16;
        }
    }
    if let Some(network) = &mut weights.network {
        for (head, line) in network.heads.iter_mut().zip(lines) {
            *head = head.scaled(line.scale);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use umigame_engine::eval::patterns::Tables;
    use umigame_othello::testing::random_positions;

    /// Pairs of one stage on a line.
    fn on_a_line(stage: usize, scale: f64, offset: f64) -> Vec<Pair> {
        let pair = |i: i32| {
            let value = i % 5000;
            Pair { stage, value, score: (scale * f64::from(value) + offset).round() as i32 }
        };
        (-40_000..40_000).map(pair).collect()
    }

    #[test]
    fn a_line_is_found_again_and_earlier_stages_take_its_scale() {
        let lines = lines(&on_a_line(20, 1.1, 50.0));
        let near = |line: Line, scale: f64, offset: f64| {
            (line.scale - scale).abs() < 0.01 && (line.offset - offset).abs() < 2.0
        };
        assert!(near(lines[20], 1.1, 50.0), "{:?}", lines[20]);
        assert!(near(lines[3], 1.1, 0.0), "{:?}", lines[3]);
        assert!(near(lines[29], 1.0, 0.0), "{:?}", lines[29]);
    }

    #[test]
    fn decided_games_and_a_single_position_say_nothing() {
        let unchanged = |pairs: &[Pair]| {
            lines(pairs)
                .iter()
                .all(|line| (line.scale - 1.0).abs() < 0.01 && line.offset.abs() < 10.0)
        };
        assert!(unchanged(&[]));
        assert!(unchanged(&[Pair { stage: 10, value: 100, score: 400 }]));
        assert!(unchanged(&vec![Pair { stage: 10, value: 4000, score: 6400 }; 5000]));
    }

    #[test]
    fn every_value_changes_as_its_line_says() {
        let mut random = fastrand::Rng::with_seed(7);
        let weights: Vec<i16> = (0..STAGES * PACKING.len).map(|_| random.i16(-60..60)).collect();
        let mut weights = Weights::from(weights);
        let before = Tables::new(&weights.patterns).expect("all weights");
        let lines = std::array::from_fn(|stage| Line {
            count: 0,
            scale: 1.0 + stage as f64 / 50.0,
            offset: 10.0 * stage as f64 - 100.0,
        });
        apply(&mut weights, &lines);
        let after = Tables::new(&weights.patterns).expect("all weights");
        random_positions(7, 1000, |position| {
            let board = MidBoard::new(position);
            let wanted = lines[stage_of(position.empties())].apply(before.sum_of(&board));
            let found = f64::from(after.sum_of(&board));
            // Half a part of a disc is lost with each of the weights.
            assert!((wanted - found).abs() < 35.0, "{wanted} {found}");
        });
    }
}
