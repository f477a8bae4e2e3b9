//! Searches of positions with given values of the constants, on all threads.

use std::sync::atomic::{AtomicBool, Ordering::Relaxed};

use super::constants::TunedConstants;
use super::parallel::answers;
use crate::tune::error::TuneError;
use crate::usage::Usage;
use umigame_engine::{
    Confidence, Engine, EngineOptions, Limits, Megabytes, SharedEvaluation, Stoppable,
};
use umigame_othello::{Eval, Position};

/// How positions are searched.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct SearchSettings {
    /// Limits of each search.
    pub limits: Limits,
    /// Count processor time instead of nodes.
    pub by_time: bool,
    /// Transposition table of each thread.
    pub hash: Megabytes,
    /// Positions searched at once.
    pub threads: usize,
}

impl SearchSettings {
    /// Returns what decides on results, by name.
    pub(super) fn named(&self) -> [(&'static str, String); 2] {
        let SearchSettings { limits, hash, .. } = self;
        let search = if limits.exact_from() >= 60 {
            "to the end of the game".to_owned()
        } else {
            format!("depth {} at {}", limits.max_depth(), limits.confidence())
        };
        [("search", search), ("hash", format!("{} MB", hash.0))]
    }

    /// Returns the name of a search's cost.
    pub(super) fn cost_name(&self) -> &'static str {
        if self.by_time { "processor time" } else { "nodes" }
    }

    /// Returns whether a search of the position gives its exact score.
    fn is_exact(&self, position: Position) -> bool {
        let (limits, empties) = (&self.limits, position.empties());
        let is_full = limits.confidence() == Confidence::FULL;
        limits.exact_from() >= empties || limits.max_depth() >= empties && is_full
    }
}

/// A search to make: a position, with these values of the constants.
#[derive(Clone, Copy, Debug)]
pub(super) struct Question<'a> {
    pub position: Position,
    pub values: &'a [f64],
}

/// A search with its cost.
#[derive(Clone, Copy, Debug)]
pub(super) struct MeasuredSearch {
    /// Nodes, or microseconds; at least 1.
    pub cost: f64,
    /// Value of the best move on the scale of the search itself; 0 without a move.
    pub value: Eval,
    /// Score in discs, if the search is exact.
    pub score: Option<i32>,
}

/// Engines that search with values of the constants, one for each thread.
#[derive(Debug)]
pub(super) struct Searches<'a> {
    pub constants: TunedConstants,
    pub settings: SearchSettings,
    engines: Vec<Engine>,
    stop: &'a AtomicBool,
}

impl<'a> Searches<'a> {
    /// Makes the engines.
    ///
    /// # Errors
    /// No memory for the transposition tables.
    pub fn new(
        constants: TunedConstants,
        evaluation: &SharedEvaluation,
        settings: SearchSettings,
        stop: &'a AtomicBool,
    ) -> Result<Searches<'a>, TuneError> {
        evaluation.prepare();
        let options = EngineOptions { hash: settings.hash, threads: 1 };
        let engine = |_| Engine::new(evaluation.clone(), options);
        let engines = (0..settings.threads.max(1)).map(engine).collect::<Result<_, _>>()?;
        Ok(Searches { constants, settings, engines, stop })
    }

    /// Searches positions on all threads; `None` if stopped.
    pub fn run(&mut self, questions: &[Question<'_>]) -> Option<Vec<MeasuredSearch>> {
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

    /// Searches the same positions with each of some settings; `None` if stopped.
    pub fn run_all<const N: usize>(
        &mut self,
        positions: &[Position],
        settings: [&[f64]; N],
    ) -> Option<[Vec<MeasuredSearch>; N]> {
        // All settings of a position in turn: other work on the machine then slows them alike.
        let all = |&position| settings.map(|values| Question { position, values });
        let questions: Vec<_> = positions.iter().flat_map(all).collect();
        let found = self.run(&questions)?;
        Some(std::array::from_fn(|from| found.iter().skip(from).step_by(N).copied().collect()))
    }
}

/// Searches a position with the values set in this thread.
fn measure(
    engine: &mut Engine,
    position: Position,
    settings: &SearchSettings,
    stop: &AtomicBool,
) -> MeasuredSearch {
    engine.clear();
    let listener = Stoppable::new(stop);
    let (report, usage) = Usage::of_thread(|| engine.search(position, &settings.limits, &listener));
    let time = usage.processor_time.unwrap_or(usage.time);
    let cost = if settings.by_time { time.as_secs_f64() * 1e6 } else { report.nodes as f64 };
    let best = report.best();
    let score =
        best.filter(|_| settings.is_exact(position)).map(|best| best.eval().round().discs());
    let value = best.map_or(Eval::default(), |best| best.raw);
    MeasuredSearch { cost: cost.max(1.0), value, score }
}
