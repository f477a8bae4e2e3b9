//! The objective of truer values for the same nodes or time, on positions with known scores.

use std::collections::{BTreeMap, HashMap};
use std::sync::atomic::AtomicBool;

use super::constants::TunedConstants;
use super::positions::TuningPositions;
use super::scored::ScoredPosition;
use super::searches::{MeasuredSearch, SearchSettings, Searches};
use super::settings::named;
use crate::tune::error::TuneError;
use crate::tune::log::CheckResult;
use crate::tune::spsa::{Costs, Trial};
use crate::tune::work::Objective;
use umigame_arena::{Estimate, Moments};
use umigame_engine::SharedEvaluation;
use umigame_othello::Position;
use umigame_training::linear::{Equation, least_squares};

/// Maximum distance of a score from the line, in discs: one search that misses a wipeout by 80 discs
/// would otherwise count like 800 ordinary ones.
const MAX_DISTANCE: f64 = 15.0;

/// How positions are searched, how many, and what nodes are worth.
#[derive(Clone, PartialEq, Debug)]
pub struct AccuracySettings {
    /// The searches.
    pub search: SearchSettings,
    /// Square discs of error that are worth a doubling of the nodes.
    pub trade: f64,
    /// Positions of an iteration.
    pub batch: usize,
    /// Chooses the positions of each iteration.
    pub seed: u64,
}

/// Less squared error at equal nodes, or processor time.
///
/// The cost of a setting is the mean squared distance of the known scores, at most 15 discs, from a
/// line through the values of the searches, plus `trade` for each doubling of the nodes. The line
/// is fitted to the positions at hand: what only scales values costs nothing.
#[derive(Debug)]
pub struct AccuracyObjective<'a> {
    searches: ScoredSearches<'a>,
    trade: f64,
    batch: usize,
    seed: u64,
    positions: TuningPositions,
}

/// Searches of positions with known scores.
#[derive(Debug)]
struct ScoredSearches<'a> {
    searches: Searches<'a>,
    /// The known scores, in discs.
    scores: HashMap<Position, f64>,
}

/// Searches of the same positions with one setting, beside the known scores.
#[derive(Clone, PartialEq, Debug)]
pub struct AccuracyRow {
    /// Square of the distance from the line, and logarithm of the nodes or microseconds to base 2,
    /// of each position.
    positions: Vec<(f64, f64)>,
    /// Known score on value.
    pub slope: f64,
    /// Known score at value 0, in discs.
    pub offset: f64,
    /// Mean absolute distance from the line, in discs.
    pub error: f64,
    /// Mean square of it.
    pub squared_error: f64,
    /// Geometric mean of nodes or microseconds.
    pub cost: f64,
}

/// How two settings differ on the same positions, each with its 95 % interval.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct AccuracyDifference {
    /// Squared error, in square discs.
    pub squared_error: Estimate,
    /// Ratio of nodes or time.
    pub cost: Estimate,
    /// Squared error, plus the trade for each doubling of the nodes.
    pub traded: Estimate,
}

impl<'a> AccuracyObjective<'a> {
    /// Makes the objective; every fifth position is held out for the check, at most `checked`.
    ///
    /// # Errors
    /// Fewer than two positions, or no memory for the transposition tables.
    pub fn new(
        constants: TunedConstants,
        evaluation: &SharedEvaluation,
        scored: &[ScoredPosition],
        checked: usize,
        settings: AccuracySettings,
        stop: &'a AtomicBool,
    ) -> Result<AccuracyObjective<'a>, TuneError> {
        let AccuracySettings { search, trade, batch, seed } = settings;
        let positions = TuningPositions::new(scored.iter().map(|it| it.position).collect())?;
        Ok(AccuracyObjective {
            searches: ScoredSearches::new(constants, evaluation, scored, search, stop)?,
            trade,
            batch,
            seed,
            positions: positions.with_check_of(checked),
        })
    }
}

impl<'a> ScoredSearches<'a> {
    fn new(
        constants: TunedConstants,
        evaluation: &SharedEvaluation,
        scored: &[ScoredPosition],
        search: SearchSettings,
        stop: &'a AtomicBool,
    ) -> Result<ScoredSearches<'a>, TuneError> {
        let searches = Searches::new(constants, evaluation, search, stop)?;
        let scores = scored.iter().map(|it| (it.position, it.score)).collect();
        Ok(ScoredSearches { searches, scores })
    }

    fn row(&self, positions: &[Position], found: &[MeasuredSearch]) -> AccuracyRow {
        let known = positions.iter().map(|position| self.scores[position]);
        let pairs = found.iter().map(|it| it.value.discs()).zip(known).collect::<Vec<_>>();
        AccuracyRow::new(&pairs, found.iter().map(|it| it.cost.log2()))
    }

    /// Searches positions with each of some settings; `None` if stopped.
    fn rows<const N: usize>(
        &mut self,
        positions: &[Position],
        settings: [&[f64]; N],
    ) -> Option<[AccuracyRow; N]> {
        let found = self.searches.run_all(positions, settings)?;
        Some(found.map(|found| self.row(positions, &found)))
    }
}

/// Searches positions with each of some settings of the constants; `None` if stopped.
///
/// # Errors
/// Fewer than two positions, or no memory for the transposition tables.
pub fn measure_accuracy<const N: usize>(
    constants: TunedConstants,
    settings: [&[f64]; N],
    evaluation: &SharedEvaluation,
    scored: &[ScoredPosition],
    search: SearchSettings,
    stop: &AtomicBool,
) -> Result<Option<[AccuracyRow; N]>, TuneError> {
    if scored.len() < 2 {
        return Err(TuneError::TooFew(scored.len()));
    }
    let positions: Vec<_> = scored.iter().map(|it| it.position).collect();
    let mut searches = ScoredSearches::new(constants, evaluation, scored, search, stop)?;
    Ok(searches.rows(&positions, settings))
}

impl AccuracyRow {
    /// Makes a row of values with known scores, in discs, and of the logarithms of their costs.
    fn new(pairs: &[(f64, f64)], costs: impl Iterator<Item = f64>) -> AccuracyRow {
        let (slope, offset) = line(pairs);
        let distance = |&(value, score): &(f64, f64)| {
            (score - (slope * value + offset)).abs().min(MAX_DISTANCE)
        };
        let squares = pairs.iter().map(|pair| distance(pair).powi(2));
        let positions: Vec<(f64, f64)> = squares.zip(costs).collect();
        let mean = |value: fn(&(f64, f64)) -> f64| {
            positions.iter().map(value).collect::<Moments>().mean().unwrap_or(0.0)
        };
        AccuracyRow {
            slope,
            offset,
            error: mean(|(square, _)| square.sqrt()),
            squared_error: mean(|(square, _)| *square),
            cost: mean(|(_, cost)| *cost).exp2(),
            positions,
        }
    }

    /// Returns the squared error plus `trade` for each doubling of the nodes.
    fn traded(&self, trade: f64) -> f64 {
        self.squared_error + trade * self.cost.log2()
    }

    /// Returns how this setting differs from another on the same positions; `None` below two.
    pub fn difference(&self, other: &AccuracyRow, trade: f64) -> Option<AccuracyDifference> {
        let moments = |value: &dyn Fn(f64, f64) -> f64| -> Moments {
            let pairs = self.positions.iter().zip(&other.positions);
            pairs.map(|(own, other)| value(own.0 - other.0, own.1 - other.1)).collect()
        };
        let Estimate { value, low, high } = moments(&|_, cost| cost).estimate()?;
        Some(AccuracyDifference {
            squared_error: moments(&|square, _| square).estimate()?,
            cost: Estimate { value: value.exp2(), low: low.exp2(), high: high.exp2() },
            traded: moments(&|square, cost| square + trade * cost).estimate()?,
        })
    }
}

/// Returns slope and offset of the least-squares line from values to scores; slope 1 if all values
/// are the same.
fn line(pairs: &[(f64, f64)]) -> (f64, f64) {
    let equation =
        |&(value, score): &_| Equation { terms: [value, 1.0], target: score, weight: 1.0 };
    let [slope, offset] = least_squares(pairs.iter().map(equation)).unwrap_or_else(|| {
        let mean = pairs.iter().map(|(value, score)| score - value).sum::<f64>();
        [1.0, mean / pairs.len().max(1) as f64]
    });
    (slope, offset)
}

impl Objective for AccuracyObjective<'_> {
    fn settings(&self) -> BTreeMap<String, String> {
        let settings = &self.searches.searches.settings;
        let cost = settings.cost_name();
        let own = [
            ("objective", format!("squared error and {} a doubling of {cost}", self.trade)),
            ("batch", format!("{} of {}", self.batch, self.positions.tuned_set())),
        ];
        named(own.into_iter().chain(settings.named()))
    }

    fn costs(&mut self, iteration: u64, trial: &Trial) -> Result<Option<Costs>, TuneError> {
        let batch = self.positions.batch(self.batch, self.seed, iteration);
        let positions: Vec<_> = batch.iter().map(|&at| self.positions.tuned[at]).collect();
        let rows = self.searches.rows(&positions, [&trial.plus, &trial.minus]);
        let costs = rows.map(|rows| rows.map(|row| row.traded(self.trade)));
        Ok(costs.map(|[plus, minus]| Costs { plus, minus }))
    }

    fn check_set(&self) -> Option<String> {
        self.positions.check_set()
    }

    fn check(&mut self, start: &[f64], found: &[f64]) -> Result<Option<CheckResult>, TuneError> {
        let positions = &self.positions.checked;
        let Some([start, found]) = self.searches.rows(positions, [start, found]) else {
            return Ok(None);
        };
        let difference = found.difference(&start, self.trade);
        let count = positions.len() as u64;
        Ok(difference.map(|it| CheckResult::of(count, it.traded, |discs| discs)))
    }
}
