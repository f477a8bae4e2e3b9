//! The objective of fewer nodes, or less processor time, on given positions.

use std::collections::BTreeMap;
use std::sync::atomic::AtomicBool;

use super::constants::TunedConstants;
use super::positions::TuningPositions;
use super::searches::{MeasuredSearch, Question, SearchSettings, Searches};
use super::settings::named;
use crate::tune::error::TuneError;
use crate::tune::log::CheckResult;
use crate::tune::spsa::{Costs, Trial};
use crate::tune::work::Objective;
use umigame_arena::Moments;
use umigame_engine::SharedEvaluation;
use umigame_othello::{Color, Position, position_text};

/// How positions are searched, and how many.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct NodesSettings {
    /// The searches.
    pub search: SearchSettings,
    /// Positions of an iteration.
    pub batch: usize,
    /// Chooses the positions of each iteration.
    pub seed: u64,
}

/// Fewer nodes, or less processor time, as a fraction of those with the start values.
///
/// The cost of a setting is the geometric mean of these fractions over the positions of the
/// iteration. Scores of exact searches are compared with those of the start values.
#[derive(Debug)]
pub struct NodesObjective<'a> {
    searches: Searches<'a>,
    batch: usize,
    seed: u64,
    positions: TuningPositions,
    /// Searches of the positions to tune on with the start values, as far as they were needed.
    start: Vec<Option<MeasuredSearch>>,
}

impl<'a> NodesObjective<'a> {
    /// Makes the objective.
    ///
    /// # Errors
    /// No memory for the transposition tables.
    pub fn new(
        constants: TunedConstants,
        evaluation: &SharedEvaluation,
        positions: TuningPositions,
        settings: NodesSettings,
        stop: &'a AtomicBool,
    ) -> Result<NodesObjective<'a>, TuneError> {
        let NodesSettings { search, batch, seed } = settings;
        Ok(NodesObjective {
            searches: Searches::new(constants, evaluation, search, stop)?,
            batch,
            seed,
            start: vec![None; positions.tuned.len()],
            positions,
        })
    }

    /// Searches the positions of `batch` with the start values, unless that was done before; `None`
    /// if stopped.
    fn search_start(&mut self, batch: &[usize]) -> Option<Vec<MeasuredSearch>> {
        let values = self.searches.constants.starts();
        let missing: Vec<usize> =
            batch.iter().copied().filter(|&at| self.start[at].is_none()).collect();
        let question =
            |&at: &usize| Question { position: self.positions.tuned[at], values: &values };
        let questions: Vec<_> = missing.iter().map(question).collect();
        for (at, found) in missing.into_iter().zip(self.searches.run(&questions)?) {
            self.start[at] = Some(found);
        }
        batch.iter().map(|&at| self.start[at]).collect()
    }
}

/// Returns the logarithm of the cost relative to the start values.
fn relative(
    position: Position,
    found: MeasuredSearch,
    start: MeasuredSearch,
) -> Result<f64, TuneError> {
    match (start.score, found.score) {
        (Some(expected), Some(found)) if expected != found => {
            let position = position_text(position, Color::Black);
            Err(TuneError::Wrong { position, expected, found })
        }
        _ => Ok((found.cost / start.cost).ln()),
    }
}

impl Objective for NodesObjective<'_> {
    fn settings(&self) -> BTreeMap<String, String> {
        let settings = &self.searches.settings;
        let own = [
            ("objective", settings.cost_name().to_owned()),
            ("batch", format!("{} of {}", self.batch, self.positions.tuned_set())),
        ];
        named(own.into_iter().chain(settings.named()))
    }

    fn costs(&mut self, iteration: u64, trial: &Trial) -> Result<Option<Costs>, TuneError> {
        let batch = self.positions.batch(self.batch, self.seed, iteration);
        let Some(start) = self.search_start(&batch) else { return Ok(None) };
        let positions: Vec<_> = batch.iter().map(|&at| self.positions.tuned[at]).collect();
        let Some([plus, minus]) = self.searches.run_all(&positions, [&trial.plus, &trial.minus])
        else {
            return Ok(None);
        };
        let mean = |found: &[MeasuredSearch]| -> Result<f64, TuneError> {
            let searches = positions.iter().zip(found).zip(&start);
            let logarithms = searches.map(|((&at, &found), &start)| relative(at, found, start));
            let sum: f64 = logarithms.sum::<Result<f64, _>>()?;
            Ok((sum / positions.len().max(1) as f64).exp())
        };
        Ok(Some(Costs { plus: mean(&plus)?, minus: mean(&minus)? }))
    }

    fn check_set(&self) -> Option<String> {
        self.positions.check_set()
    }

    fn check(&mut self, start: &[f64], found: &[f64]) -> Result<Option<CheckResult>, TuneError> {
        let positions = &self.positions.checked;
        let Some([start, found]) = self.searches.run_all(positions, [start, found]) else {
            return Ok(None);
        };
        let searches = positions.iter().zip(found).zip(start);
        let logarithms = searches.map(|((&at, found), start)| relative(at, found, start));
        let logarithms = logarithms.collect::<Result<Moments, _>>()?;
        let result = |estimate| CheckResult::of(logarithms.count, estimate, f64::exp);
        Ok(logarithms.estimate().map(result))
    }
}
