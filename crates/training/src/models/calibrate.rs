//! Calibration: a scale and an offset for the values of each phase, fitted to known scores.
//!
//! A fit of weights shrinks values towards the mean, and a search picks overrated leaves; both
//! leave values a little too small or too large. The value of a search comes from a leaf `depth`
//! plies on, so value and score are compared there, both for the side to move at the leaf, and the
//! weights of the leaf's phase are changed by the line from one to the other. The offsets remove
//! the swing between odd and even depths: the side that has just moved is overrated.

use crate::data::Sample;
use crate::error::LearnError;
use crate::errors::Truth;
use crate::searches::Searches;
use umigame_engine::batch::Worker;
use umigame_engine::{Confidence, Limits, Megabytes};
use umigame_eval::file::Weights;
use umigame_eval::patterns::layout::{PACKING, mobility_places};
use umigame_eval::patterns::{PHASES, WEIGHT_SCALE, phase_of};
use umigame_othello::Position;

/// Transposition table of a thread, cleared before every position.
pub(crate) const TABLE_PER_THREAD: Megabytes = Megabytes(4);
/// Values and scores of this magnitude belong to decided games: no line holds there.
const DECIDED_CENTIDISCS: i32 = 6000;
/// Phases on either side whose positions also count towards a line.
const NEIGHBOUR_PHASES: usize = 2;
/// Number of positions at which a line is halfway between the identity and their own line.
const PRIOR_POSITIONS: f64 = 50.0;

/// Value of a search and the known score, for the side to move at the leaf.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct CalibrationPair {
    /// Phase of the leaf.
    pub phase: usize,
    /// Value of the search, in centidiscs.
    pub value: i32,
    /// Score, in centidiscs.
    pub score: i32,
}

impl CalibrationPair {
    /// Pairs a value of a sample, in centidiscs, with its score; `None` without one.
    pub(crate) fn of(sample: &Sample, value: i32) -> Option<CalibrationPair> {
        let phase = phase_of(sample.position.empties());
        Some(CalibrationPair { phase, value, score: Truth::Score.of(sample)? })
    }
}

/// Change of the values of a phase.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct CalibrationLine {
    /// Positions with a leaf of the phase.
    pub count: usize,
    /// Factor of a value.
    pub scale: f64,
    /// Summand after scaling, in centidiscs.
    pub offset: f64,
}

impl CalibrationLine {
    /// Line that changes nothing.
    pub const IDENTITY: CalibrationLine = CalibrationLine { count: 0, scale: 1.0, offset: 0.0 };

    /// Returns the changed value, in centidiscs.
    pub fn apply(&self, value: i32) -> f64 {
        self.scale * f64::from(value) + self.offset
    }
}

/// Searches the samples with a known score to `depth` plies at 73 % and pairs values with scores.
///
/// `done` is called after each. When `stop` is set, the pairs found so far are returned.
///
/// # Errors
/// No memory for the transposition table.
pub fn pairs(
    samples: &[Sample],
    truth: Truth,
    depth: u32,
    searches: Searches<'_>,
    done: impl FnMut(),
) -> Result<Vec<CalibrationPair>, LearnError> {
    let known = samples.iter().filter(|sample| !sample.position.legal_moves().is_empty());
    let known = known.filter_map(|sample| Some((sample.position, truth.of(sample)?)));
    let answer = |worker: &mut Worker<'_>, (position, score): (Position, i32)| {
        let value = value(position, depth, searches, worker)?;
        let phase = phase_of(position.empties().saturating_sub(depth));
        let sign = if depth.is_multiple_of(2) { 1 } else { -1 };
        Some(CalibrationPair { phase, value: sign * value, score: sign * score })
    };
    searches.all(known, TABLE_PER_THREAD, answer, done)
}

/// Returns the value of a position in centidiscs, or `None` if it was stopped.
fn value(
    position: Position,
    depth: u32,
    searches: Searches<'_>,
    worker: &mut Worker<'_>,
) -> Option<i32> {
    if depth == 0 {
        return Some(searches.evaluation.evaluate_position(position));
    }
    let depth = depth.min(position.empties().saturating_sub(1)).max(1);
    let limits = Limits::midgame(depth, Confidence::P73);
    worker.own().clear();
    Some(searches.search(worker.own(), position, &limits)?.best()?.raw.centidiscs())
}

/// Returns the line of each phase: the least-squares line through its own pairs and, with less
/// weight, those of neighbouring phases.
///
/// Phases before the first one with pairs take its scale.
pub fn lines(pairs: &[CalibrationPair]) -> [CalibrationLine; PHASES] {
    let sums = sums(pairs);
    let mut lines = std::array::from_fn(|phase| {
        let near = phase.saturating_sub(NEIGHBOUR_PHASES)..PHASES.min(phase + NEIGHBOUR_PHASES + 1);
        let weighted = near.map(|other| {
            let distance = phase.abs_diff(other);
            sums[other] * (1.0 / (1.0 + (distance * distance) as f64))
        });
        let line = weighted.sum::<Sums>().line();
        CalibrationLine { count: sums[phase].count as usize, ..line }
    });
    for phase in (0..PHASES - 1).rev() {
        let next: CalibrationLine = lines[phase + 1];
        if lines[..=phase].iter().all(|line| line.count == 0) {
            lines[phase] = CalibrationLine { scale: next.scale, ..CalibrationLine::IDENTITY };
        }
    }
    lines
}

/// Weighted sums over pairs.
#[derive(Clone, Copy, Default, Debug, derive_more::Add, derive_more::Mul, derive_more::Sum)]
struct Sums {
    count: f64,
    value: f64,
    score: f64,
    value_value: f64,
    value_score: f64,
}

fn sums(pairs: &[CalibrationPair]) -> [Sums; PHASES] {
    let undecided =
        |pair: &&CalibrationPair| pair.value.abs().max(pair.score.abs()) < DECIDED_CENTIDISCS;
    let mut sums = [Sums::default(); PHASES];
    for pair in pairs.iter().filter(undecided) {
        let (value, score) = (f64::from(pair.value), f64::from(pair.score));
        let (value_value, value_score) = (value * value, value * score);
        let one = Sums { count: 1.0, value, score, value_value, value_score };
        sums[pair.phase] = sums[pair.phase] + one;
    }
    sums
}

impl Sums {
    /// Returns the least-squares line, drawn towards the identity where pairs are few.
    fn line(self) -> CalibrationLine {
        if self.count == 0.0 {
            return CalibrationLine::IDENTITY;
        }
        let n = self.count;
        let (value, score) = (self.value / n, self.score / n);
        let variance = self.value_value / n - value * value;
        let covariance = self.value_score / n - value * score;
        let slope = if variance > 1.0 { covariance / variance } else { 1.0 };
        let trust = self.count / (self.count + PRIOR_POSITIONS);
        let scale = 1.0 + trust * (slope - 1.0);
        CalibrationLine { count: 0, scale, offset: trust * (score - scale * value) }
    }
}

/// Changes weights by the line of each phase. Offsets are added to the weights of mobility, of
/// which every position has exactly one.
pub fn apply(weights: &mut Weights, lines: &[CalibrationLine; PHASES]) {
    let mobility = mobility_places();
    for (phase, line) in weights.patterns.chunks_exact_mut(PACKING.len).zip(lines) {
        let offset = line.offset * f64::from(WEIGHT_SCALE) / 100.0;
        for (place, weight) in phase.iter_mut().enumerate() {
            let added = if mobility.contains(&place) { offset } else { 0.0 };
            // `as` saturates at 16 bits.
            *weight = (f64::from(*weight) * line.scale + added).round() as i16;
        }
    }
    if let Some(network) = &mut weights.network {
        for (layer, line) in network.layers.iter_mut().zip(lines) {
            *layer = layer.scaled(line.scale);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use umigame_eval::MidBoard;
    use umigame_eval::patterns::Tables;
    use umigame_othello::testing::random_positions;

    /// Returns pairs of one phase on a line.
    fn pairs_on_a_line(phase: usize, scale: f64, offset: f64) -> Vec<CalibrationPair> {
        let pair = |i: i32| {
            let value = i % 5000;
            let score = (scale * f64::from(value) + offset).round() as i32;
            CalibrationPair { phase, value, score }
        };
        (-40_000..40_000).map(pair).collect()
    }

    #[test]
    fn a_line_is_recovered_and_earlier_phases_take_its_scale() {
        let lines = lines(&pairs_on_a_line(20, 1.1, 50.0));
        let near = |line: CalibrationLine, scale: f64, offset: f64| {
            (line.scale - scale).abs() < 0.01 && (line.offset - offset).abs() < 2.0
        };
        assert!(near(lines[20], 1.1, 50.0), "{:?}", lines[20]);
        assert!(near(lines[3], 1.1, 0.0), "{:?}", lines[3]);
        assert!(near(lines[29], 1.0, 0.0), "{:?}", lines[29]);
    }

    #[test]
    fn decided_games_and_single_positions_change_next_to_nothing() {
        let unchanged = |pairs: &[CalibrationPair]| {
            lines(pairs)
                .iter()
                .all(|line| (line.scale - 1.0).abs() < 0.01 && line.offset.abs() < 10.0)
        };
        assert!(unchanged(&[]));
        assert!(unchanged(&[CalibrationPair { phase: 10, value: 100, score: 400 }]));
        let decided = CalibrationPair { phase: 10, value: 4000, score: 6400 };
        assert!(unchanged(&vec![decided; 5000]));
    }

    #[test]
    fn applied_lines_change_every_value() {
        let mut random = fastrand::Rng::with_seed(7);
        let weights: Vec<i16> = (0..PHASES * PACKING.len).map(|_| random.i16(-60..60)).collect();
        let mut weights = Weights::from(weights);
        let before = Tables::new(&weights.patterns).expect("all weights");
        let lines = std::array::from_fn(|phase| CalibrationLine {
            count: 0,
            scale: 1.0 + phase as f64 / 50.0,
            offset: 10.0 * phase as f64 - 100.0,
        });
        apply(&mut weights, &lines);
        let after = Tables::new(&weights.patterns).expect("all weights");
        random_positions(7, 1000, |position| {
            let board = MidBoard::new(position);
            let wanted = lines[phase_of(position.empties())].apply(before.sum_of(&board));
            let found = f64::from(after.sum_of(&board));
            // Each of the weights is rounded to 1 / WEIGHT_SCALE of a disc.
            assert!((wanted - found).abs() < 35.0, "{wanted} {found}");
        });
    }
}
