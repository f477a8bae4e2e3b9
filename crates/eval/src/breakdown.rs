//! Breakdown of a value into the contributions of pattern groups and network.
//!
//! A weight alone says little: part of it is common to all positions of its phase. So each weight
//! is compared with the mean of its kind over positions of quick games that the weights play
//! against themselves, and the means together are the baseline.

use derive_more::Display;

use crate::evaluation::Evaluation;
use crate::patterns::layout::{COUNTED, FEATURES};
use crate::patterns::shapes::{PLACEMENT, PLACEMENTS, Placement, SHAPE, SHAPES};
use crate::patterns::{MidBoard, Tables, WEIGHT_SCALE, phase_of};
use umigame_othello::{Bitboard, Position};

/// Quick games behind the baseline; twice as many change it by less than 0.1 discs.
const QUICK_GAMES: usize = 240;
/// One move in this many of a quick game is random.
const RANDOM_MOVE_INTERVAL: usize = 6;
/// Every move of a quick game is random above this many empties.
const RANDOM_MIN_EMPTIES: u32 = 56;

/// A group of patterns, or another summand of a value. Displays as `edges`, `potential mobility`.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Display)]
#[display(rename_all = "lowercase")]
pub enum Group {
    /// Patterns along the edges.
    Edges,
    /// Patterns in the corners.
    Corners,
    /// Second, third and fourth rows from each edge.
    Rows,
    /// Diagonals.
    Diagonals,
    /// Mobility of both sides.
    Mobility,
    /// Potential mobility of both sides.
    #[display("potential mobility")]
    PotentialMobility,
    /// Number of quadrants with an odd number of empties.
    Parity,
    /// Correction by the network.
    #[display("network correction")]
    Network,
}

impl Group {
    /// All groups, in the order of a breakdown.
    pub const ALL: [Group; 8] = [
        Group::Edges,
        Group::Corners,
        Group::Rows,
        Group::Diagonals,
        Group::Mobility,
        Group::PotentialMobility,
        Group::Parity,
        Group::Network,
    ];

    /// Returns the group of a feature, by its place in [`Tables::feature_weights`].
    fn of_feature(feature: usize) -> Group {
        let Some(placement) = PLACEMENT.get(feature) else {
            // In the order of `layout::counted`.
            return match feature - PLACEMENTS {
                0 => Group::Mobility,
                1 | 2 => Group::PotentialMobility,
                _ => Group::Parity,
            };
        };
        match SHAPE[placement.shape].name {
            name if name.starts_with("edge") => Group::Edges,
            name if name.starts_with("corner") => Group::Corners,
            name if name.starts_with("diagonal") => Group::Diagonals,
            _ => Group::Rows,
        }
    }
}

/// Value of one group.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct GroupValue {
    /// The group.
    pub group: Group,
    /// Its value beyond the baseline, in centidiscs for the side to move.
    pub centidiscs: i32,
}

/// Value of one pattern where it lies on the board.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct PatternValue {
    /// Name of the pattern.
    pub name: &'static str,
    /// Its squares.
    pub squares: Bitboard,
    /// Its value beyond the mean of its kind, in discs for the side to move.
    pub discs: f64,
}

/// Summands of the value of a position, in centidiscs for the side to move.
///
/// Baseline, groups and excess add up to exactly what [`Evaluation::evaluate`] returns.
#[derive(Clone, PartialEq, Debug)]
pub struct Breakdown {
    /// Mean value of a position of the same phase in quick games.
    pub baseline: i32,
    /// Value of each group beyond the baseline, in the order of [`Group::ALL`]; without
    /// [`Group::Network`] if the weights have no network.
    pub groups: Vec<GroupValue>,
    /// Correction where the sum leaves -6400..=6400; otherwise 0.
    pub excess: i32,
    /// All patterns, the largest value of either sign first.
    pub patterns: Vec<PatternValue>,
}

impl Breakdown {
    /// Takes the value of `position` apart.
    pub(super) fn new(evaluation: &Evaluation, position: Position) -> Breakdown {
        let means = Means::new(evaluation, phase_of(position.empties()));
        let board = MidBoard::new(position);
        let mut baseline = means.correction;
        let mut sums = [0.0; Group::ALL.len()];
        let mut patterns = Vec::with_capacity(PLACEMENTS);
        for (feature, part) in evaluation.tables().feature_weights(&board).into_iter().enumerate() {
            let mean = means.features[kind_of(feature)];
            let discs = f64::from(part) / f64::from(WEIGHT_SCALE) - mean;
            baseline += mean;
            sums[Group::of_feature(feature) as usize] += discs;
            if let Some(placement) = PLACEMENT.get(feature) {
                let (name, squares) = (SHAPE[placement.shape].name, squares_of(placement));
                patterns.push(PatternValue { name, squares, discs });
            }
        }
        patterns.sort_by(|one, other| other.discs.abs().total_cmp(&one.discs.abs()));
        let correction = evaluation.correction(&board);
        if let Some(correction) = correction {
            sums[Group::Network as usize] = f64::from(correction) / 100.0 - means.correction;
        }
        let unclamped = evaluation.tables().sum_of(&board) + correction.unwrap_or(0);
        let count = Group::ALL.len() - usize::from(correction.is_none());
        let (baseline, rounded) = round_to_total(baseline, &sums[..count], unclamped);
        let groups = Group::ALL.into_iter().zip(rounded);
        let groups = groups.map(|(group, centidiscs)| GroupValue { group, centidiscs });
        let excess = evaluation.evaluate(&board).0 - unclamped;
        Breakdown { baseline, groups: groups.collect(), excess, patterns }
    }

    /// Returns the sum of all summands, in centidiscs.
    pub fn sum(&self) -> i32 {
        self.baseline + self.groups.iter().map(|of| of.centidiscs).sum::<i32>() + self.excess
    }
}

/// Rounds `first` and `rest`, in discs, to centidiscs that add up to `total`.
///
/// Each running sum is rounded, so no summand is off by more than a centidisc; the last one also
/// absorbs the evaluation's own rounding.
fn round_to_total(first: f64, rest: &[f64], total: i32) -> (i32, Vec<i32>) {
    let centidiscs = |discs: f64| (100.0 * discs).round() as i32;
    let (mut exact, mut rounded) = (first, centidiscs(first));
    let mut summands = Vec::with_capacity(rest.len());
    for (place, discs) in rest.iter().enumerate() {
        exact += discs;
        let next = if place + 1 == rest.len() { total } else { centidiscs(exact) };
        summands.push(next - rounded);
        rounded = next;
    }
    (centidiscs(first), summands)
}

/// Returns the squares of a placement.
fn squares_of(placement: &Placement) -> Bitboard {
    let shape = &SHAPE[placement.shape];
    (0..shape.len()).map(|i| placement.symmetry.of_square(shape.square(i))).collect()
}

/// Returns the kind of a feature: all placements of a shape are of one kind.
fn kind_of(feature: usize) -> usize {
    PLACEMENT
        .get(feature)
        .map_or_else(|| SHAPES + feature - PLACEMENTS, |placement| placement.shape)
}

/// Means over positions of quick games, in discs for the side to move.
struct Means {
    /// Mean weight of each kind of feature.
    features: [f64; SHAPES + COUNTED],
    /// Mean correction by the network.
    correction: f64,
}

impl Means {
    fn new(evaluation: &Evaluation, phase: usize) -> Means {
        let mut random = fastrand::Rng::with_seed(phase as u64);
        let mut sums = [0.0; SHAPES + COUNTED];
        let mut counts = [0.0; SHAPES + COUNTED];
        let (mut correction, mut positions) = (0.0, 0.0);
        for _ in 0..QUICK_GAMES {
            play_quick_game(evaluation.tables(), phase, &mut random, &mut |board| {
                correction += f64::from(evaluation.correction(board).unwrap_or(0)) / 100.0;
                positions += 1.0;
                let parts: [i16; FEATURES] = evaluation.tables().feature_weights(board);
                for (feature, &part) in parts.iter().enumerate() {
                    sums[kind_of(feature)] += f64::from(part) / f64::from(WEIGHT_SCALE);
                    counts[kind_of(feature)] += 1.0;
                }
            });
        }
        for (sum, count) in sums.iter_mut().zip(counts) {
            *sum /= f64::max(count, 1.0);
        }
        Means { features: sums, correction: correction / f64::max(positions, 1.0) }
    }
}

/// Plays a quick game through a phase and calls `visit` for its positions of that phase.
///
/// After random moves it mostly plays the move with the best pattern sum.
fn play_quick_game(
    tables: &Tables,
    phase: usize,
    random: &mut fastrand::Rng,
    visit: &mut dyn FnMut(&MidBoard),
) {
    let mut board = MidBoard::new(Position::START);
    loop {
        let position = board.position();
        if phase_of(position.empties()) > phase || position.is_over() {
            return;
        }
        if position.must_pass() {
            board = board.passed();
            continue;
        }
        if phase_of(position.empties()) == phase {
            visit(&board);
        }
        let children: Vec<MidBoard> = position
            .legal_moves()
            .iter()
            .map(|square| board.after(square, position.flips(square)))
            .collect();
        let at_random =
            position.empties() > RANDOM_MIN_EMPTIES || random.usize(0..RANDOM_MOVE_INTERVAL) == 0;
        let chosen = if at_random {
            random.choice(&children)
        } else {
            children.iter().min_by_key(|child| tables.sum_of(child))
        };
        let Some(&child) = chosen else { return };
        board = child;
    }
}

#[cfg(all(test, feature = "embedded"))]
mod tests {
    use super::*;
    use umigame_othello::Symmetry;
    use umigame_othello::testing::random_positions;

    /// Calls `check` for every `step`-th of `count` random positions.
    fn some_positions(seed: u64, count: usize, step: usize, mut check: impl FnMut(Position)) {
        let mut seen = 0;
        random_positions(seed, count, |position| {
            seen += 1;
            if seen % step == 0 {
                check(position);
            }
        });
    }

    #[test]
    fn summands_add_up_to_the_value() {
        let evaluations = [Evaluation::embedded(), Evaluation::nothing().into()];
        for evaluation in evaluations {
            some_positions(81, 600, 20, |position| {
                let breakdown = Breakdown::new(&evaluation, position);
                let value = evaluation.evaluate_position(position);
                assert_eq!(breakdown.sum(), value, "{position:?}");
                assert!(breakdown.excess == 0 || value.abs() == 6400, "{breakdown:?}");
            });
        }
    }

    #[test]
    fn rounded_summands_are_near_the_exact_ones_and_add_up() {
        let rest = [0.004, 0.004, 0.004, -1.2351, 0.0];
        let (first, rounded) = round_to_total(2.0049, &rest, 77);
        assert_eq!(first + rounded.iter().sum::<i32>(), 77);
        assert_eq!((first, &rounded[..4]), (200, &[1, 0, 1, -124][..]));
    }

    #[test]
    fn images_of_a_position_have_the_same_largest_pattern() {
        let evaluation = Evaluation::embedded();
        some_positions(82, 200, 50, |position| {
            let largest = |position| {
                let found = Breakdown::new(&evaluation, position).patterns;
                (found[0].discs * 1000.0).round()
            };
            for symmetry in Symmetry::ALL {
                assert_eq!(largest(symmetry.of_position(position)), largest(position));
            }
        });
    }
}
