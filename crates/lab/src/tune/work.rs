//! The course of tuning: iterations until a bound, each of them logged, then a check.

use std::collections::BTreeMap;
use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::time::Instant;

use super::error::TuneError;
use super::log::{CheckEntry, CheckResult, Entry, Header, IterationEntry, Log};
use super::spsa::{Costs, Spsa, Trial};

/// What is tuned for.
pub trait Objective {
    /// Returns the settings that decide on its results, by name.
    fn settings(&self) -> BTreeMap<String, String>;

    /// Returns the costs of a trial, of positions or games chosen by the iteration's number alone;
    /// `None` if stopped.
    ///
    /// # Errors
    /// A fault in the search.
    fn costs(&mut self, iteration: u64, trial: &Trial) -> Result<Option<Costs>, TuneError>;

    /// Returns the name of the positions that are not tuned on; `None` without any.
    fn check_set(&self) -> Option<String>;

    /// Compares the values found with the start values on those positions; `None` if stopped.
    ///
    /// # Errors
    /// A fault in the search.
    fn check(&mut self, start: &[f64], found: &[f64]) -> Result<Option<CheckResult>, TuneError>;
}

/// When tuning ends.
#[derive(Clone, Copy, Debug)]
pub struct WorkBounds {
    /// Iterations in all, those of earlier runs included.
    pub iterations: u64,
    /// No iteration is begun after this time.
    pub until: Option<Instant>,
}

/// How far tuning has come.
#[derive(Clone, Debug)]
pub struct Course {
    /// The method with all iterations.
    pub spsa: Spsa,
    /// All iterations.
    pub iterations: Vec<IterationEntry>,
    /// All checks.
    pub checks: Vec<CheckEntry>,
    /// Whether it reached its bound, check included.
    pub is_complete: bool,
}

/// Does the iterations that the log does not hold yet, then a check of the values found.
///
/// `tell` is called with the number of finished iterations. When `stop` is set, the iteration in
/// progress is dropped.
///
/// # Errors
/// A log that cannot be used, or a fault in the search.
pub fn tune(
    spsa: Spsa,
    objective: &mut dyn Objective,
    mut settings: BTreeMap<String, String>,
    path: &Path,
    bounds: WorkBounds,
    stop: &AtomicBool,
    tell: &mut dyn FnMut(u64),
) -> Result<Course, TuneError> {
    settings.extend(spsa.settings());
    let header = Header::new(settings, spsa.parameters().to_vec());
    let (mut log, entries) = Log::open(path, &header)?;
    let mut course =
        Course { spsa, iterations: Vec::new(), checks: Vec::new(), is_complete: false };
    for (at, entry) in entries.into_iter().enumerate() {
        match entry {
            Entry::Check(check) => course.checks.push(check),
            Entry::Iteration(iteration) => {
                if course.step(iteration.costs) != iteration {
                    let why = "the values do not follow from the costs so far";
                    return Err(log.damaged(at, why));
                }
            }
        }
    }
    tell(course.spsa.iterations());
    while course.spsa.iterations() < bounds.iterations
        && bounds.until.is_none_or(|until| Instant::now() < until)
    {
        let costs = objective.costs(course.spsa.iterations(), &course.spsa.trial())?;
        let Some(costs) = costs.filter(|_| !stop.load(Relaxed)) else { return Ok(course) };
        let entry = course.step(costs.rounded());
        log.write(&Entry::Iteration(entry))?;
        tell(course.spsa.iterations());
    }
    course.is_complete = course.check(objective, &mut log)?;
    Ok(course)
}

impl Course {
    /// Finishes an iteration and returns its entry.
    fn step(&mut self, costs: Costs) -> IterationEntry {
        self.spsa.step(costs);
        let values = self.spsa.values().iter().map(|value| (value * 1e4).round() / 1e4).collect();
        let entry = IterationEntry { number: self.spsa.iterations(), costs, values };
        self.iterations.push(entry.clone());
        entry
    }

    /// Checks the values found, unless the log has it; `false` if stopped.
    fn check(&mut self, objective: &mut dyn Objective, log: &mut Log) -> Result<bool, TuneError> {
        let Some(set) = objective.check_set() else { return Ok(true) };
        let after = self.spsa.iterations();
        if self.checks.iter().any(|check| check.after == after && check.set == set) {
            return Ok(true);
        }
        let values = self.spsa.found();
        let Some(result) = objective.check(&self.spsa.start(), &values)? else { return Ok(false) };
        let check = CheckEntry { after, set, values, result };
        log.write(&Entry::Check(check.clone()))?;
        self.checks.push(check);
        Ok(true)
    }
}
