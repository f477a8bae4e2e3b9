//! The objective of fewer nodes, or less processor time, on given positions.

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};

use super::constants::TunedConstants;
use super::error::TuneError;
use super::log::CheckResult;
use super::parallel::answers;
use super::positions::TuningPositions;
use super::spsa::{Costs, Trial};
use super::work::Objective;
use super::{engine_settings, named};
use crate::arena::Moments;
use crate::measure::Usage;
use umigame_engine::{
    Confidence, Engine, EngineOptions, Limits, Megabytes, SharedEvaluation, Stoppable,
};
use umigame_othello::{Color, Position, position_text};

/// How positions are searched.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct NodesSettings {
    /// Limits of each search.
    pub limits: Limits,
    /// Count processor time instead of nodes.
    pub by_time: bool,
    /// Positions of an iteration.
    pub batch: usize,
    /// Transposition table of each thread.
    pub hash: Megabytes,
    /// Positions searched at once.
    pub threads: usize,
    /// Chooses the positions of each iteration.
    pub seed: u64,
}

/// A search with its cost.
#[derive(Clone, Copy, Debug)]
struct MeasuredSearch {
    /// Nodes, or microseconds.
    cost: f64,
    /// Score in discs, if the search is exact.
    score: Option<i32>,
}

/// A question to a thread: a position, searched with these values.
struct Question<'a> {
    position: Position,
    values: &'a [f64],
}

/// Fewer nodes, or less processor time, as a fraction of those with the start values.
///
/// The cost of a setting is the geometric mean of these fractions over the positions of the
/// iteration. Scores of exact searches are compared with those of the start values.
#[derive(Debug)]
pub struct NodesObjective<'a> {
    constants: TunedConstants,
    settings: NodesSettings,
    engine_settings: [(&'static str, String); 2],
    positions: TuningPositions,
    /// Searches of the positions to tune on with the start values, as far as they were needed.
    start: Vec<Option<MeasuredSearch>>,
    /// One for each thread.
    engines: Vec<Engine>,
    stop: &'a AtomicBool,
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
        evaluation.prepare();
        let options = EngineOptions { hash: settings.hash, threads: 1 };
        let engine = |_| Engine::new(evaluation.clone(), options);
        let engines = (0..settings.threads.max(1)).map(engine).collect::<Result<_, _>>()?;
        Ok(NodesObjective {
            constants,
            engine_settings: engine_settings(evaluation)?,
            start: vec![None; positions.tuned.len()],
            positions,
            engines,
            settings,
            stop,
        })
    }

    /// Searches positions on all threads; `None` if stopped.
    fn search(&mut self, questions: &[Question<'_>]) -> Option<Vec<MeasuredSearch>> {
        let (constants, settings, stop) = (&self.constants, &self.settings, self.stop);
        let answer = |engine: &mut Engine, question: &Question<'_>| {
            if stop.load(Relaxed) {
                return None;
            }
            constants.set(question.values);
            Some(measure(engine, question.position, settings, stop))
        };
        let found: Option<Vec<_>> =
            answers(&mut self.engines, questions, answer).into_iter().collect();
        found.filter(|_| !stop.load(Relaxed))
    }

    /// Searches the positions of `batch` with the start values, unless that was done before; `None`
    /// if stopped.
    fn search_start(&mut self, batch: &[usize]) -> Option<Vec<MeasuredSearch>> {
        let values: Vec<f64> = self.constants.parameters().iter().map(|it| it.start).collect();
        let missing: Vec<usize> =
            batch.iter().copied().filter(|&at| self.start[at].is_none()).collect();
        let question =
            |&at: &usize| Question { position: self.positions.tuned[at], values: &values };
        let questions: Vec<_> = missing.iter().map(question).collect();
        for (at, found) in missing.into_iter().zip(self.search(&questions)?) {
            self.start[at] = Some(found);
        }
        batch.iter().map(|&at| self.start[at]).collect()
    }
}

/// Searches a position with the values set in this thread.
fn measure(
    engine: &mut Engine,
    position: Position,
    settings: &NodesSettings,
    stop: &AtomicBool,
) -> MeasuredSearch {
    engine.clear();
    let listener = Stoppable::new(stop);
    let (report, usage) = Usage::of_thread(|| engine.search(position, &settings.limits, &listener));
    let time = usage.processor_time.unwrap_or(usage.time);
    let cost = if settings.by_time { time.as_secs_f64() * 1e6 } else { report.nodes as f64 };
    let is_exact = settings.limits.solve_from >= position.empties()
        || settings.limits.depth >= position.empties()
            && settings.limits.confidence == Confidence::FULL;
    let score = report.best().filter(|_| is_exact).map(|best| best.eval.round().discs());
    MeasuredSearch { cost: cost.max(1.0), score }
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
        let NodesSettings { limits, by_time, batch, hash, .. } = &self.settings;
        let depth = if limits.solve_from >= 60 {
            "to the end of the game".to_owned()
        } else {
            format!("depth {} at {}", limits.depth, limits.confidence)
        };
        let objective = if *by_time { "processor time" } else { "nodes" };
        let own = [
            ("objective", objective.to_owned()),
            ("search", depth),
            ("batch", format!("{batch} of {}", self.positions.tuned_set())),
            ("hash", format!("{} MB", hash.0)),
        ];
        named(own.into_iter().chain(self.engine_settings.clone()))
    }

    fn costs(&mut self, iteration: u64, trial: &Trial) -> Result<Option<Costs>, TuneError> {
        let NodesSettings { batch, seed, .. } = self.settings;
        let batch = self.positions.batch(batch, seed, iteration);
        let Some(start) = self.search_start(&batch) else { return Ok(None) };
        let positions: Vec<_> = batch.iter().map(|&at| self.positions.tuned[at]).collect();
        let questions: Vec<_> = [&trial.plus, &trial.minus]
            .into_iter()
            .flat_map(|values| positions.iter().map(|&position| Question { position, values }))
            .collect();
        let Some(found) = self.search(&questions) else { return Ok(None) };
        let (plus, minus) = found.split_at(batch.len());
        let mean = |found: &[MeasuredSearch]| -> Result<f64, TuneError> {
            let searches = positions.iter().zip(found).zip(&start);
            let logarithms = searches.map(|((&at, &found), &start)| relative(at, found, start));
            let sum: f64 = logarithms.sum::<Result<f64, _>>()?;
            Ok((sum / positions.len().max(1) as f64).exp())
        };
        Ok(Some(Costs { plus: mean(plus)?, minus: mean(minus)? }))
    }

    fn check_set(&self) -> Option<String> {
        self.positions.check_set()
    }

    fn check(&mut self, start: &[f64], found: &[f64]) -> Result<Option<CheckResult>, TuneError> {
        let positions = self.positions.checked.clone();
        let questions: Vec<_> = positions
            .iter()
            .flat_map(|&position| [start, found].map(|values| Question { position, values }))
            .collect();
        let Some(searches) = self.search(&questions) else { return Ok(None) };
        let mut logarithms = Moments::default();
        for (pair, &position) in searches.chunks_exact(2).zip(&positions) {
            logarithms.add(relative(position, pair[1], pair[0])?);
        }
        let result = |estimate| CheckResult::of(logarithms.count, estimate, f64::exp);
        Ok(logarithms.estimate().map(result))
    }
}
