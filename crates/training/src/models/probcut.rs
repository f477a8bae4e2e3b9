//! ProbCut model: how far shallow searches are from deep ones, measured and fitted.
//!
//! Positions are searched at every depth with full confidence and, with few empties, solved. The
//! differences between the values of two depths, by empties, form [`Cell`]s, to which a
//! [`ProbCutModel`] is fitted.

use std::collections::BTreeMap;

use crate::data::Sample;
use crate::error::LearnError;
use crate::linear::{Equation, least_squares};
use crate::searches::Searches;
use umigame_engine::batch::Worker;
use umigame_engine::{Confidence, Limits, Megabytes, ScoreKind};
use umigame_eval::ProbCutModel;
use umigame_othello::Position;

/// Transposition table of a thread, cleared before every position.
const TABLE_PER_THREAD: Megabytes = Megabytes(16);
/// Values of this magnitude belong to decided games and are left out.
const DECIDED_CENTIDISCS: i32 = 6000;

/// Values of one position at all depths.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Profile {
    /// The position.
    pub position: Position,
    /// Value at every depth from 0 on, in centidiscs.
    pub values: Vec<i32>,
    /// Exact score in centidiscs, if it was solved.
    pub score: Option<i32>,
}

/// A deep value of a profile less a shallow one.
pub(super) struct Difference {
    pub shallow: u32,
    /// `None` for the exact score.
    pub deep: Option<u32>,
    pub centidiscs: f64,
}

impl Profile {
    /// Returns the differences between all pairs of depths, but for values of decided games.
    pub(super) fn differences(&self) -> impl Iterator<Item = Difference> + '_ {
        let pairs = self.values.iter().enumerate().flat_map(|(shallow, &from)| {
            let deeper = self.values.iter().enumerate().skip(shallow + 1);
            let deeper = deeper.map(|(deep, &to)| (Some(deep as u32), to));
            let deeper = deeper.chain(self.score.map(|score| (None, score)));
            deeper.map(move |(deep, to)| (shallow as u32, deep, from, to))
        });
        let open = pairs.filter(|&(_, _, from, to)| {
            from.abs() < DECIDED_CENTIDISCS && to.abs() < DECIDED_CENTIDISCS
        });
        open.map(|(shallow, deep, from, to)| Difference {
            shallow,
            deep,
            centidiscs: f64::from(to - from),
        })
    }
}

/// How positions are searched.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct ProfileSettings {
    /// Maximum depth, 1 to 30.
    pub depth: u32,
    /// Empties up to which positions are also solved.
    pub solve: u32,
    /// Confidence of the searches.
    pub confidence: Confidence,
}

/// Chooses up to `count` positions for each number of empties, fewest empties first. The choice
/// depends on the seed.
pub fn choose<'a>(
    samples: impl IntoIterator<Item = &'a Sample>,
    count: usize,
    seed: u64,
) -> Vec<Position> {
    let mut by_empties: BTreeMap<u32, Vec<Position>> = BTreeMap::new();
    for sample in samples {
        by_empties.entry(sample.position.empties()).or_default().push(sample.position);
    }
    let mut random = fastrand::Rng::with_seed(seed);
    let chosen = by_empties.into_values().flat_map(|positions| {
        let chosen = random.choose_multiple(positions, count);
        chosen.into_iter().filter(|position| !position.legal_moves().is_empty()).collect::<Vec<_>>()
    });
    chosen.collect()
}

/// Searches every position at all depths, in order.
///
/// `done` is called after each. When `stop` is set, the profiles found so far are returned.
///
/// # Errors
/// No memory for the transposition table.
pub fn profiles(
    positions: &[Position],
    settings: ProfileSettings,
    searches: Searches<'_>,
    done: impl FnMut(),
) -> Result<Vec<Profile>, LearnError> {
    let answer = |worker: &mut Worker<'_>, &position: &Position| {
        profile(position, settings, searches, worker)
    };
    searches.all(positions.iter(), TABLE_PER_THREAD, answer, done)
}

/// Searches one position at all depths; `None` if it was stopped.
fn profile(
    position: Position,
    settings: ProfileSettings,
    searches: Searches<'_>,
    worker: &mut Worker<'_>,
) -> Option<Profile> {
    let empties = position.empties();
    let mut values = vec![searches.evaluation.evaluate_position(position)];
    let depth = settings.depth.min(empties.saturating_sub(1));
    let engine = worker.own();
    engine.clear();
    if depth > 0 {
        let limits = Limits::midgame(depth, settings.confidence);
        let found = searches.iterations(engine, position, &limits)?.into_iter();
        let to_a_depth = found.filter(|(kind, _)| matches!(kind, ScoreKind::Depth { .. }));
        values.extend(to_a_depth.map(|(_, value)| value.centidiscs()));
    }
    let score = if empties <= settings.solve {
        let report = searches.search(engine, position, &Limits::exact())?;
        Some(report.best()?.eval().centidiscs())
    } else {
        None
    };
    (values.len() == depth as usize + 1).then_some(Profile { position, values, score })
}

/// Differences between the values of two searches at similar numbers of empties.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Cell {
    /// Middle of the range of empties.
    pub empties: u32,
    /// Depth of the shallow search.
    pub shallow: u32,
    /// Depth of the deep search; `None` for the exact score.
    pub deep: Option<u32>,
    /// Number of positions.
    pub count: usize,
    /// Mean of the deep value minus the shallow one, in centidiscs.
    pub mean: f64,
    /// Standard deviation in centidiscs, derived from the mean absolute deviation, so that a few
    /// outliers do not widen all margins.
    pub sigma: f64,
}

/// Numbers of empties that share a cell.
const CELL_EMPTIES: u32 = 4;
/// Cells of fewer positions are left out.
const MIN_CELL_POSITIONS: usize = 40;

/// What a cell is about; the order is that of the cells.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct CellKey {
    pub deep: Option<u32>,
    pub shallow: u32,
    /// Empties, divided by the number of them that share a cell.
    pub empties: u32,
}

/// Returns the cells of profiles.
pub fn cells(profiles: &[Profile]) -> Vec<Cell> {
    let mut differences: BTreeMap<CellKey, Vec<f64>> = BTreeMap::new();
    for profile in profiles {
        let empties = profile.position.empties() / CELL_EMPTIES;
        for Difference { shallow, deep, centidiscs } in profile.differences() {
            let key = CellKey { deep, shallow, empties };
            differences.entry(key).or_default().push(centidiscs);
        }
    }
    let cell = |(key, differences): (CellKey, Vec<f64>)| {
        let count = differences.len();
        let mean = differences.iter().sum::<f64>() / count as f64;
        let absolute = differences.iter().map(|x| (x - mean).abs()).sum::<f64>() / count as f64;
        let CellKey { deep, shallow, empties } = key;
        Cell {
            empties: empties * CELL_EMPTIES + CELL_EMPTIES / 2,
            shallow,
            deep,
            count,
            mean,
            sigma: absolute * (std::f64::consts::PI / 2.0).sqrt(),
        }
    };
    differences.into_iter().map(cell).filter(|cell| cell.count >= MIN_CELL_POSITIONS).collect()
}

/// Returns whether ProbCut probes with such a pair of depths: of one parity, or depth 0.
pub(super) fn is_probed(shallow: u32, deep: Option<u32>) -> bool {
    deep.is_none_or(|deep| {
        shallow == 0 && deep >= 4 || deep >= shallow + 2 && (deep - shallow).is_multiple_of(2)
    })
}

/// Fits a ProbCut model to cells, relative to their sigmas. `None` if there are too few.
pub fn fit(cells: &[Cell]) -> Option<ProbCutModel> {
    let probed = cells.iter().filter(|cell| is_probed(cell.shallow, cell.deep));
    let (midgame, endgame): (Vec<&Cell>, Vec<&Cell>) = probed.partition(|cell| cell.deep.is_some());
    let (depths, midgame) = fit_midgame(&midgame)?;
    let endgame_sigma = least_squares(endgame.iter().map(|cell| {
        let (e, s) = (f64::from(cell.empties), f64::from(cell.shallow));
        let terms = [1.0, e, s, s * e].map(|term| term / cell.sigma);
        Equation { terms, target: 1.0, weight: cell.count as f64 }
    }))?;
    let even = endgame.iter().filter(|cell| cell.shallow % 2 == 0);
    let endgame_mean = least_squares(even.map(|cell| Equation {
        terms: [1.0],
        target: cell.mean,
        weight: cell.count as f64,
    }))?;
    let static_to_odd = cells.iter().filter(|cell| {
        cell.shallow == 0 && cell.deep.is_some_and(|deep| deep >= 4 && deep % 2 == 1)
    });
    let odd_mean = least_squares(static_to_odd.map(|cell| Equation {
        terms: [1.0, f64::from(cell.empties)],
        target: cell.mean,
        weight: cell.count as f64,
    }))?;
    let coefficients = depths.into_iter().chain(midgame).chain(odd_mean);
    let coefficients = coefficients.chain(endgame_sigma).chain(endgame_mean);
    Some(ProbCutModel(coefficients.collect::<Vec<f64>>().try_into().ok()?))
}

/// Fits the sigma of midgame searches: the summands of the depths, the best of a grid, and the
/// coefficients by empties.
fn fit_midgame(cells: &[&Cell]) -> Option<([f64; 2], [f64; 3])> {
    let halves = |first: i32, last: i32| (first..=last).map(|half| f64::from(half) / 2.0);
    let grid = halves(0, 8).flat_map(|above| halves(2, 16).map(move |below| [above, below]));
    let solved = grid.filter_map(|summands| {
        let equation = |cell: &&Cell| {
            let (e, s) = (f64::from(cell.empties), f64::from(cell.shallow));
            let d = f64::from(cell.deep.unwrap_or(0));
            let depths = ((d - s + summands[0]) / (s + summands[1])).sqrt() / cell.sigma;
            let terms = [depths, depths * e, depths * e * e];
            Equation { terms, target: 1.0, weight: cell.count as f64 }
        };
        let coefficients = least_squares(cells.iter().map(equation))?;
        let squared_error = |cell: &&Cell| {
            let Equation { terms, target, weight } = equation(cell);
            let sum = terms.iter().zip(coefficients).map(|(t, c)| t * c).sum::<f64>();
            weight * (sum - target).powi(2)
        };
        let error: f64 = cells.iter().map(squared_error).sum();
        Some((error, summands, coefficients))
    });
    let (_, summands, coefficients) = solved.min_by(|a, b| a.0.total_cmp(&b.0))?;
    Some((summands, coefficients))
}

#[cfg(test)]
mod tests {
    use umigame_othello::Bitboard;

    use super::*;

    /// Returns cells that agree with a model.
    fn cells_of(truth: &ProbCutModel) -> Vec<Cell> {
        let midgame = (8..52).step_by(4).flat_map(|empties| {
            (0..10u32).flat_map(move |shallow| {
                (shallow + 1..12).map(move |deep| (empties + 2, shallow, Some(deep)))
            })
        });
        let endgame = (8..20).step_by(4).flat_map(|e| (0..8).map(move |s| (e + 2, s, None)));
        let cell = |(empties, shallow, deep): (u32, u32, Option<u32>)| {
            let spread = match deep {
                Some(deep) => truth.midgame(empties, shallow, deep),
                None => truth.endgame(empties, shallow),
            };
            Cell { empties, shallow, deep, count: 100, mean: spread.mean, sigma: spread.sigma }
        };
        midgame.chain(endgame).map(cell).collect()
    }

    #[test]
    fn a_fit_recovers_the_model_behind_its_cells() {
        let truth =
            ProbCutModel([1.5, 4.0, 700.0, -10.0, 0.05, 120.0, 1.5, 700.0, 5.0, -40.0, 0.5, 90.0]);
        let found = fit(&cells_of(&truth)).expect("enough cells");
        for (found, truth) in found.0.iter().zip(truth.0) {
            assert!((found - truth).abs() < 1e-6 * truth.abs().max(1.0), "{found} {truth}");
        }
    }

    #[test]
    fn too_few_cells_give_no_fit() {
        assert_eq!(fit(&[]), None);
        let cells = cells_of(&ProbCutModel::DEFAULT);
        let midgame: Vec<Cell> = cells.into_iter().filter(|cell| cell.deep.is_some()).collect();
        assert_eq!(fit(&midgame), None);
    }

    #[test]
    fn cells_hold_mean_and_sigma_of_the_differences() {
        let position = Position::new_unchecked(Bitboard::from_bits((1 << 43) - 1), Bitboard::EMPTY);
        let profile =
            |shallow, deep| Profile { position, values: vec![shallow, deep], score: None };
        let profiles: Vec<Profile> =
            (0..MIN_CELL_POSITIONS as i32).map(|i| profile(100, 200 + 50 * (i % 2))).collect();
        let cells = cells(&profiles);
        assert_eq!(cells.len(), 1);
        let Cell { empties, mean, sigma, .. } = cells[0];
        assert_eq!((empties, mean), (22, 125.0));
        assert!((sigma - 25.0 * 1.2533).abs() < 0.01);
    }
}
