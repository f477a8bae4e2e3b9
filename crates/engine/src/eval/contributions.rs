//! What trained weights see in a position, feature by feature.
//!
//! A weight alone says little: much of it is what every position of that
//! stage has. So each is put beside the mean of its kind over ordinary
//! positions, those of quick games that the weights play against themselves.

use std::fmt;

use super::patterns::layout::{COUNTED, FEATURES};
use super::patterns::shapes::{PLACEMENT, PLACEMENTS, Placement, SHAPE, SHAPES};
use super::patterns::{PARTS, Tables, stage_of};
use super::{MidBoard, Trained};
use umigame_othello::{Position, squares};

/// Quick games for the means; more of them change the means by less than a
/// tenth of a disc.
const GAMES: usize = 240;
/// One move in so many of a quick game is any.
const ANY: usize = 6;
/// Empties down to which every move of a quick game is any.
const OPENING: u32 = 56;

/// A part of the board or of what is counted over all of it.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Group {
    /// The patterns along the edges.
    Edges,
    /// The patterns in the corners.
    Corners,
    /// Those of the second, third and fourth rows from each edge.
    Rows,
    /// Those of the diagonals.
    Diagonals,
    /// The moves of both sides.
    Mobility,
    /// The empty squares beside the discs of each side.
    PotentialMobility,
    /// Quadrants with an odd number of empty squares.
    Parity,
    /// What the network makes of all of them together.
    Together,
}

impl Group {
    /// All of them, in the order of an explanation.
    pub const ALL: [Group; 8] = [
        Group::Edges,
        Group::Corners,
        Group::Rows,
        Group::Diagonals,
        Group::Mobility,
        Group::PotentialMobility,
        Group::Parity,
        Group::Together,
    ];

    fn of_shape(shape: usize) -> Group {
        let name = SHAPE[shape].name;
        match name {
            _ if name.starts_with("edge") => Group::Edges,
            _ if name.starts_with("corner") => Group::Corners,
            _ if name.starts_with("diagonal") => Group::Diagonals,
            _ => Group::Rows,
        }
    }
}

/// `edges`, `potential mobility`.
impl fmt::Display for Group {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            Group::Edges => "edges",
            Group::Corners => "corners",
            Group::Rows => "rows",
            Group::Diagonals => "diagonals",
            Group::Mobility => "mobility",
            Group::PotentialMobility => "potential mobility",
            Group::Parity => "parity",
            Group::Together => "all of it together",
        })
    }
}

/// What one feature adds for the side to move.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Contribution {
    /// Where it belongs.
    pub group: Group,
    /// The pattern's name, and its squares; `None` for what is counted over
    /// the board.
    pub pattern: Option<(&'static str, u64)>,
    /// Discs more than the same feature adds in an ordinary position.
    pub worth: f64,
}

/// The value of a position, taken apart.
#[derive(Clone, PartialEq, Debug)]
pub struct Contributions {
    /// What an ordinary position of the stage is worth to the side to move,
    /// in discs.
    pub ordinary: f64,
    /// What this one has beyond it. With `ordinary` they add up to the value,
    /// except where that would leave the board.
    pub each: Vec<Contribution>,
}

impl Contributions {
    /// Takes the value of a position apart.
    pub(super) fn of(trained: &Trained, position: Position) -> Contributions {
        let means = Means::of(trained, stage_of(position.empties()));
        let board = MidBoard::new(position);
        let parts = trained.tables.parts(&board);
        let mut ordinary = 0.0;
        let each = parts.iter().enumerate().map(|(feature, &part)| {
            let mean = means.0[kind_of(feature)];
            ordinary += mean;
            let worth = f64::from(part) / f64::from(PARTS) - mean;
            match PLACEMENT.get(feature) {
                Some(placement) => Contribution {
                    group: Group::of_shape(placement.shape),
                    pattern: Some((SHAPE[placement.shape].name, squares_of(placement))),
                    worth,
                },
                None => Contribution { group: counted_group(feature), pattern: None, worth },
            }
        });
        let mut each: Vec<Contribution> = each.collect();
        if let Some(together) = trained.correction(&board) {
            let worth = f64::from(together) / 100.0 - means.1;
            each.push(Contribution { group: Group::Together, pattern: None, worth });
            ordinary += means.1;
        }
        Contributions { ordinary, each }
    }

    /// What the features of a group add together.
    pub fn sum_of(&self, group: Group) -> f64 {
        self.each.iter().filter(|one| one.group == group).map(|one| one.worth).sum()
    }

    /// The patterns that weigh most, for or against the side to move.
    pub fn heaviest(&self) -> Vec<Contribution> {
        let mut patterns: Vec<Contribution> =
            self.each.iter().filter(|one| one.pattern.is_some()).copied().collect();
        patterns.sort_by(|one, other| other.worth.abs().total_cmp(&one.worth.abs()));
        patterns
    }
}

/// The squares of a placement.
fn squares_of(placement: &Placement) -> u64 {
    let shape = &SHAPE[placement.shape];
    (0..shape.len()).fold(0, |bits, i| bits | placement.symmetry.of_square(shape.square(i)).bit())
}

/// Features that are alike have one kind: the placements of a shape.
fn kind_of(feature: usize) -> usize {
    PLACEMENT
        .get(feature)
        .map_or_else(|| SHAPES + feature - PLACEMENTS, |placement| placement.shape)
}

/// The group of a feature that is no pattern, in the order of
/// [`counted`](super::patterns::layout::counted).
fn counted_group(feature: usize) -> Group {
    match feature - PLACEMENTS {
        0 => Group::Mobility,
        1 | 2 => Group::PotentialMobility,
        _ => Group::Parity,
    }
}

/// The mean of each kind of feature over ordinary positions, and of the
/// network's correction, in discs.
struct Means([f64; SHAPES + COUNTED], f64);

impl Means {
    fn of(trained: &Trained, stage: usize) -> Means {
        let mut random = fastrand::Rng::with_seed(stage as u64);
        let mut sums = [0.0; SHAPES + COUNTED];
        let mut counts = [0.0; SHAPES + COUNTED];
        let (mut together, mut positions) = (0.0, 0.0);
        for _ in 0..GAMES {
            play_to(&trained.tables, stage, &mut random, &mut |board| {
                together += f64::from(trained.correction(board).unwrap_or(0)) / 100.0;
                positions += 1.0;
                let parts: [i16; FEATURES] = trained.tables.parts(board);
                for (feature, &part) in parts.iter().enumerate() {
                    sums[kind_of(feature)] += f64::from(part) / f64::from(PARTS);
                    counts[kind_of(feature)] += 1.0;
                }
            });
        }
        for (sum, count) in sums.iter_mut().zip(counts) {
            *sum /= f64::max(count, 1.0);
        }
        Means(sums, together / f64::max(positions, 1.0))
    }
}

/// Plays a quick game as far as a stage and hands its positions of the stage
/// on: random at first, then mostly the move after which the other side
/// stands worst.
fn play_to(
    tables: &Tables,
    stage: usize,
    random: &mut fastrand::Rng,
    found: &mut dyn FnMut(&MidBoard),
) {
    let mut board = MidBoard::new(Position::START);
    loop {
        let position = board.position();
        if stage_of(position.empties()) > stage || position.is_over() {
            return;
        }
        if position.must_pass() {
            board = board.passed();
            continue;
        }
        if stage_of(position.empties()) == stage {
            found(&board);
        }
        let moves: Vec<_> =
            squares(position.moves()).map(|square| (square, position.flips(square))).collect();
        let any = position.empties() > OPENING || random.usize(0..ANY) == 0;
        let chosen = match any {
            true => random.choice(&moves),
            false => moves
                .iter()
                .min_by_key(|&&(square, flips)| tables.sum_of(&board.after(square, flips))),
        };
        let Some(&(square, flips)) = chosen else { return };
        board = board.after(square, flips);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::eval::Evaluation;
    use umigame_othello::Symmetry;
    use umigame_othello::testing::random_positions;

    fn chosen() -> crate::eval::SharedEvaluation {
        Evaluation::embedded()
    }

    #[test]
    fn the_parts_add_up_to_the_value() {
        let evaluation = chosen();
        let Evaluation::Trained(trained) = &*evaluation else { return };
        let mut taken = 0;
        random_positions(81, 600, |position| {
            taken += 1;
            if taken % 20 != 0 {
                return;
            }
            let apart = Contributions::of(trained, position);
            let sum = apart.ordinary + apart.each.iter().map(|one| one.worth).sum::<f64>();
            let value = f64::from(evaluation.evaluate(&MidBoard::new(position))) / 100.0;
            if value.abs() < 64.0 {
                assert!((sum - value).abs() < 0.021, "{sum} {value} {position:?}");
            }
            let groups: f64 = Group::ALL.iter().map(|group| apart.sum_of(*group)).sum();
            assert!((apart.ordinary + groups - sum).abs() < 1e-6);
        });
    }

    #[test]
    fn the_images_of_a_position_have_the_same_heaviest_patterns() {
        let evaluation = chosen();
        let Evaluation::Trained(trained) = &*evaluation else { return };
        let mut taken = 0;
        random_positions(82, 200, |position| {
            taken += 1;
            if taken % 50 != 0 {
                return;
            }
            let heaviest = |position| {
                let found = Contributions::of(trained, position).heaviest();
                (found[0].worth * 1000.0).round()
            };
            for symmetry in Symmetry::ALL {
                assert_eq!(heaviest(symmetry.of_position(position)), heaviest(position));
            }
        });
    }
}
