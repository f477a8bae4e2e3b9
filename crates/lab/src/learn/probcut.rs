//! How far shallow searches are from deep ones: what ProbCut needs to know.
//!
//! Positions are searched depth by depth with nothing left out, and where few
//! squares are empty to the end. The differences between the values of two
//! depths, by empties, are the [`Cell`]s that [`ErrorModel`] are fitted to.

use std::collections::BTreeMap;
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};

use super::LearnError;
use super::data::Sample;
use umigame_engine::eval::{ErrorModel, MidBoard, SharedEvaluation};
use umigame_engine::search::batch::{self, Worker};
use umigame_engine::search::{
    EngineOptions, Limits, Listener, Megabytes, Report, ScoreKind, Stoppable,
};
use umigame_othello::Position;

/// Table of a thread, cleared before every position.
const TABLE: Megabytes = Megabytes(16);
/// Values beyond this say how a game ends, not how it stands.
const DECIDED: i32 = 6000;

/// What the searches of one position found.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Profile {
    /// Empty squares.
    pub empties: u32,
    /// The value at every depth from 0 on, in centidiscs.
    pub values: Vec<i32>,
    /// The score, where it was searched for, in centidiscs.
    pub score: Option<i32>,
}

/// How positions are searched.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct ProfileSettings {
    /// The greatest depth, 1 to 30.
    pub depth: u32,
    /// Empties up to which positions are also solved.
    pub solve: u32,
}

/// So many positions of the samples for each number of empties, chosen by
/// the seed, those with the fewest empties first.
pub fn choose(samples: &[Sample], each: usize, seed: u64) -> Vec<Position> {
    let mut by_empties: BTreeMap<u32, Vec<Position>> = BTreeMap::new();
    for sample in samples {
        by_empties.entry(sample.position.empties()).or_default().push(sample.position);
    }
    let mut random = fastrand::Rng::with_seed(seed);
    let few = by_empties.into_values().flat_map(|positions| {
        let chosen = random.choose_multiple(positions, each);
        chosen.into_iter().filter(|position| position.moves() != 0).collect::<Vec<_>>()
    });
    few.collect()
}

/// Searches every position with an evaluation; `done` is told of each, in
/// order. `stop` ends it with what is done.
///
/// # Errors
/// No table.
pub fn profiles(
    positions: &[Position],
    settings: ProfileSettings,
    evaluation: &SharedEvaluation,
    threads: usize,
    stop: &AtomicBool,
    mut done: impl FnMut(),
) -> Result<Vec<Profile>, LearnError> {
    let mut profiles = Vec::with_capacity(positions.len());
    let options = EngineOptions { hash: Megabytes(TABLE.0 * threads), threads };
    let answer = |worker: &mut Worker<'_>, &position: &Position| {
        profile(position, settings, evaluation, worker, stop)
    };
    batch::in_order(positions.iter(), evaluation, options, stop, answer, |profile: Profile| {
        profiles.push(profile);
        done();
        Ok::<(), LearnError>(())
    })?;
    Ok(profiles)
}

/// Keeps the value of every iteration.
struct Iterations<'a> {
    watch: Stoppable<'a>,
    values: Mutex<Vec<i32>>,
}

impl Listener for Iterations<'_> {
    fn go_on(&self) -> bool {
        self.watch.go_on()
    }

    fn elapsed(&self) -> std::time::Duration {
        self.watch.elapsed()
    }

    fn report(&self, report: &Report) {
        if let (ScoreKind::Depth { .. }, Some(best), Ok(mut values)) =
            (report.kind, report.best(), self.values.lock())
        {
            values.push(best.eval.centidiscs());
        }
    }
}

/// `None` where it was stopped.
fn profile(
    position: Position,
    settings: ProfileSettings,
    evaluation: &SharedEvaluation,
    worker: &mut Worker<'_>,
    stop: &AtomicBool,
) -> Option<Profile> {
    let empties = position.empties();
    let at_once = evaluation.evaluate(&MidBoard::new(position));
    let listener = Iterations { watch: Stoppable::new(stop), values: Mutex::new(vec![at_once]) };
    let depth = settings.depth.min(empties.saturating_sub(1));
    worker.own().clear();
    if depth > 0 {
        let limits = Limits { solve_from: 0, ..Limits::depth(depth) };
        worker.own().search(position, &limits, &listener);
    }
    let values = listener.values.into_inner().ok()?;
    let score = if empties <= settings.solve {
        let report = worker.own().search(position, &Limits::exact(), &Stoppable::new(stop));
        Some(report.best()?.eval.centidiscs())
    } else {
        None
    };
    let whole = values.len() == depth as usize + 1;
    (whole && !stop.load(Relaxed)).then_some(Profile { empties, values, score })
}

/// The differences of the values of two searches, with so many empties.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Cell {
    /// Empty squares: the middle of those that are taken together.
    pub empties: u32,
    /// Depth of the shallow search.
    pub shallow: u32,
    /// Depth of the deep one; `None` for the score.
    pub deep: Option<u32>,
    /// How many positions.
    pub count: usize,
    /// Mean of the deep value less the shallow one, in centidiscs.
    pub mean: f64,
    /// Standard deviation as the mean distance from the mean gives it, so
    /// that a few wild positions do not widen all margins.
    pub deviation: f64,
}

/// Numbers of empties that are taken together.
const TOGETHER: u32 = 4;
/// Cells of fewer positions say nothing.
const LEAST_COUNT: usize = 40;

/// The cells of what was searched.
pub fn cells(profiles: &[Profile]) -> Vec<Cell> {
    let mut differences: BTreeMap<(Option<u32>, u32, u32), Vec<f64>> = BTreeMap::new();
    let mut add = |deep, shallow: usize, empties: u32, (from, to): (i32, i32)| {
        if from.abs() < DECIDED && to.abs() < DECIDED {
            let key = (deep, shallow as u32, empties / TOGETHER);
            differences.entry(key).or_default().push(f64::from(to - from));
        }
    };
    for profile in profiles {
        for (shallow, &from) in profile.values.iter().enumerate() {
            for (deep, &to) in profile.values.iter().enumerate().skip(shallow + 1) {
                add(Some(deep as u32), shallow, profile.empties, (from, to));
            }
            if let Some(score) = profile.score {
                add(None, shallow, profile.empties, (from, score));
            }
        }
    }
    let cell = |((deep, shallow, group), found): ((Option<u32>, u32, u32), Vec<f64>)| {
        let count = found.len();
        let mean = found.iter().sum::<f64>() / count as f64;
        let absolute = found.iter().map(|x| (x - mean).abs()).sum::<f64>() / count as f64;
        let deviation = absolute * (std::f64::consts::PI / 2.0).sqrt();
        let empties = group * TOGETHER + TOGETHER / 2;
        Cell { empties, shallow, deep, count, mean, deviation }
    };
    differences.into_iter().map(cell).filter(|cell| cell.count >= LEAST_COUNT).collect()
}

/// What a search is probed with: depths of one parity, or the evaluation.
fn is_probed(cell: &Cell) -> bool {
    cell.deep.is_none_or(|deep| {
        cell.shallow == 0 && deep >= 4
            || deep >= cell.shallow + 2 && (deep - cell.shallow).is_multiple_of(2)
    })
}

/// The deviations that come nearest to the cells, in relative terms; `None`
/// where there are too few.
pub fn fit(cells: &[Cell]) -> Option<ErrorModel> {
    let probed: Vec<&Cell> = cells.iter().filter(|cell| is_probed(cell)).collect();
    let (middle, ending): (Vec<&Cell>, Vec<&Cell>) =
        probed.into_iter().partition(|cell| cell.deep.is_some());
    let (depths, middle_numbers) = fit_middle(&middle)?;
    let relative = |terms: [f64; 4], cell: &Cell| {
        (terms.map(|term| term / cell.deviation), 1.0, cell.count as f64)
    };
    let by_score = least_squares(ending.iter().map(|cell| {
        let (e, s) = (f64::from(cell.empties), f64::from(cell.shallow));
        relative([1.0, e, s, s * e], cell)
    }))?;
    let mean = least_squares(
        ending
            .iter()
            .filter(|cell| cell.shallow % 2 == 0)
            .map(|cell| ([1.0], cell.mean, cell.count as f64)),
    )?;
    let odd = least_squares(cells.iter().filter(|cell| cell.shallow == 0).filter_map(|cell| {
        let odd = cell.deep.filter(|deep| *deep >= 4 && deep % 2 == 1);
        odd.map(|_| ([1.0, f64::from(cell.empties)], cell.mean, cell.count as f64))
    }))?;
    let numbers = depths.into_iter().chain(middle_numbers).chain(odd).chain(by_score).chain(mean);
    Some(ErrorModel(numbers.collect::<Vec<f64>>().try_into().ok()?))
}

/// What is added to the depths, and the numbers by empties: the best of a
/// grid of the former.
fn fit_middle(cells: &[&Cell]) -> Option<([f64; 2], [f64; 3])> {
    let halves = |first: i32, last: i32| (first..=last).map(|half| f64::from(half) / 2.0);
    let grid = halves(0, 8).flat_map(|above| halves(2, 16).map(move |below| [above, below]));
    let solved = grid.filter_map(|added| {
        let row = |cell: &&Cell| {
            let (e, s) = (f64::from(cell.empties), f64::from(cell.shallow));
            let d = f64::from(cell.deep.unwrap_or(0));
            let depths = ((d - s + added[0]) / (s + added[1])).sqrt() / cell.deviation;
            ([depths, depths * e, depths * e * e], 1.0, cell.count as f64)
        };
        let numbers = least_squares(cells.iter().map(row))?;
        let error: f64 = cells
            .iter()
            .map(|cell| {
                let (terms, target, weight) = row(cell);
                weight
                    * (terms.iter().zip(numbers).map(|(t, n)| t * n).sum::<f64>() - target).powi(2)
            })
            .sum();
        Some((error, added, numbers))
    });
    let (_, added, numbers) = solved.min_by(|a, b| a.0.total_cmp(&b.0))?;
    Some((added, numbers))
}

/// The numbers that, times the terms of each row, come nearest to its
/// target, each row with its weight; `None` where the rows do not tell.
fn least_squares<const N: usize>(
    rows: impl Iterator<Item = ([f64; N], f64, f64)>,
) -> Option<[f64; N]> {
    let mut matrix = [[0.0; N]; N];
    let mut right = [0.0; N];
    for (terms, target, weight) in rows {
        for i in 0..N {
            right[i] += weight * terms[i] * target;
            for j in 0..N {
                matrix[i][j] += weight * terms[i] * terms[j];
            }
        }
    }
    for pivot in 0..N {
        let largest = (pivot..N)
            .max_by(|&a, &b| matrix[a][pivot].abs().total_cmp(&matrix[b][pivot].abs()))?;
        matrix.swap(pivot, largest);
        right.swap(pivot, largest);
        if matrix[pivot][pivot].abs() < 1e-12 {
            return None;
        }
        for row in pivot + 1..N {
            let factor = matrix[row][pivot] / matrix[pivot][pivot];
            let above = matrix[pivot];
            matrix[row].iter_mut().zip(above).for_each(|(x, above)| *x -= factor * above);
            right[row] -= factor * right[pivot];
        }
    }
    let mut numbers = [0.0; N];
    for row in (0..N).rev() {
        let known: f64 = (row + 1..N).map(|column| matrix[row][column] * numbers[column]).sum();
        numbers[row] = (right[row] - known) / matrix[row][row];
    }
    Some(numbers)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Positions whose searches differ as these deviations say.
    fn profiles_of(truth: &ErrorModel) -> Vec<Cell> {
        let middle = (8..52).step_by(4).flat_map(|empties| {
            (0..10u32).flat_map(move |shallow| {
                (shallow + 1..12).map(move |deep| (empties + 2, shallow, Some(deep)))
            })
        });
        let ending = (8..20).step_by(4).flat_map(|e| (0..8).map(move |s| (e + 2, s, None)));
        let cell = |(empties, shallow, deep): (u32, u32, Option<u32>)| {
            let spread = match deep {
                Some(deep) => truth.midgame(empties, shallow, deep),
                None => truth.ending(empties, shallow),
            };
            Cell { empties, shallow, deep, count: 100, mean: spread.mean, deviation: spread.sigma }
        };
        middle.chain(ending).map(cell).collect()
    }

    #[test]
    fn deviations_are_found_again_from_what_they_say() {
        let truth =
            ErrorModel([1.5, 4.0, 700.0, -10.0, 0.05, 120.0, 1.5, 700.0, 5.0, -40.0, 0.5, 90.0]);
        let found = fit(&profiles_of(&truth)).expect("enough cells");
        for (found, truth) in found.0.iter().zip(truth.0) {
            assert!((found - truth).abs() < 1e-6 * truth.abs().max(1.0), "{found} {truth}");
        }
    }

    #[test]
    fn too_little_is_no_fit() {
        assert_eq!(fit(&[]), None);
        let truth = ErrorModel::DEFAULT;
        let middle_only: Vec<Cell> =
            profiles_of(&truth).into_iter().filter(|cell| cell.deep.is_some()).collect();
        assert_eq!(fit(&middle_only), None);
    }

    #[test]
    fn cells_hold_mean_and_deviation_of_the_differences() {
        let profile =
            |shallow, deep| Profile { empties: 21, values: vec![shallow, deep], score: None };
        let profiles: Vec<Profile> =
            (0..LEAST_COUNT as i32).map(|i| profile(100, 200 + 50 * (i % 2))).collect();
        let cells = cells(&profiles);
        assert_eq!(cells.len(), 1);
        let Cell { empties, mean, deviation, .. } = cells[0];
        assert_eq!((empties, mean), (22, 125.0));
        assert!((deviation - 25.0 * 1.2533).abs() < 0.01);
    }
}
