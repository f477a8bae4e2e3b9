//! Record of learning from nothing, as JSON.

use std::fs;
use std::io::ErrorKind;
use std::path::Path;

use serde::{Deserialize, Serialize};

use super::super::error::{LearnError, io_error};
use super::super::errors::{Errors, PLIES};
use super::plan::{Plan, Round};
use umigame_support::files;

/// Everything that led to the weights.
#[derive(Clone, Default, PartialEq, Serialize, Deserialize, Debug)]
pub struct Record {
    /// Version of the program.
    pub version: String,
    /// Last command line.
    pub command: String,
    plan: PlanRecord,
    /// Time of the work in hours; after a kill, a part is missing.
    pub hours: f64,
    /// Finished rounds.
    pub rounds: Vec<FinishedRound>,
    /// Checksum of the finished weights; empty before the end.
    #[serde(default)]
    pub weights: String,
    /// Validation errors of the last round's weights by ply; empty before the end.
    pub plies: Vec<PlyErrors>,
}

/// A plan as it is recorded: equal ones lead to equal weights.
#[derive(Clone, Default, PartialEq, Serialize, Deserialize, Debug)]
struct PlanRecord {
    positions: u64,
    depth: u8,
    exact: u8,
    seed: u64,
    iterations: usize,
    /// Checksum.
    starts: u32,
}

impl From<&Plan> for PlanRecord {
    fn from(plan: &Plan) -> PlanRecord {
        let Plan { positions, depth, exact, seed, iterations, .. } = *plan;
        PlanRecord { positions, depth, exact, seed, iterations, starts: plan.starts.checksum() }
    }
}

/// A finished round.
#[derive(Clone, PartialEq, Serialize, Deserialize, Debug)]
pub struct FinishedRound {
    /// How its games were played.
    #[serde(flatten)]
    pub round: Round,
    /// Number of their positions.
    pub positions: u64,
    /// Checksum of the weights that played them.
    pub teacher: String,
    /// Positions that weights were fitted to, validation set included.
    pub fitted_to: u64,
    /// Checksum of those weights.
    pub weights: String,
    /// Hours of self-play in the run that finished the round.
    pub hours_played: f64,
    /// Hours of fitting.
    pub hours_fitted: f64,
    /// Mean absolute error of the weights in discs on the validation set of the last round; 0
    /// before the end.
    pub error: f64,
}

/// Errors at a ply, in discs.
#[derive(Clone, PartialEq, Serialize, Deserialize, Debug)]
pub struct PlyErrors {
    /// The ply.
    pub ply: usize,
    /// Number of positions.
    pub positions: u64,
    /// Mean absolute error.
    pub error: f64,
    /// Mean error.
    pub bias: f64,
}

impl Record {
    /// Opens the record of a plan, or creates it.
    pub(super) fn open(path: &Path, plan: &Plan, command: &str) -> Result<Record, LearnError> {
        let mut record = match fs::read(path) {
            Ok(bytes) => {
                let record: Record = serde_json::from_slice(&bytes)
                    .map_err(|error| LearnError::source(path, error))?;
                if record.plan != PlanRecord::from(plan) {
                    let why = format!(
                        "it is the record of another plan, `{}`: expected the same, or an empty \
                         folder",
                        record.command
                    );
                    return Err(LearnError::source(path, why));
                }
                record
            }
            Err(error) if error.kind() == ErrorKind::NotFound => {
                Record { plan: plan.into(), ..Record::default() }
            }
            Err(error) => return Err(io_error(path)(error)),
        };
        record.version = env!("CARGO_PKG_VERSION").to_owned();
        record.command = command.to_owned();
        record.write(path)?;
        Ok(record)
    }

    /// Writes the record.
    pub(super) fn write(&self, path: &Path) -> Result<(), LearnError> {
        let text =
            serde_json::to_string_pretty(self).map_err(|error| LearnError::source(path, error))?;
        files::replace(path, (text + "\n").as_bytes()).map_err(io_error(path))
    }

    /// Records round `at`, counted from 0, as finished.
    pub(super) fn set(&mut self, at: usize, finished: FinishedRound) {
        self.rounds.truncate(at);
        self.rounds.push(finished);
    }

    /// Records the validation errors of all rounds' weights.
    pub(super) fn set_errors(&mut self, rounds: &[[Errors; PLIES]]) {
        for (finished, errors) in self.rounds.iter_mut().zip(rounds) {
            finished.error = errors.iter().copied().sum::<Errors>().mean_absolute();
        }
        let Some(last) = rounds.last() else { return };
        let of_ply = |(ply, errors): (usize, &Errors)| PlyErrors {
            ply,
            positions: errors.count,
            error: errors.mean_absolute(),
            bias: errors.bias(),
        };
        let known = last.iter().enumerate().filter(|(_, errors)| errors.count > 0);
        self.plies = known.map(of_ply).collect();
    }
}
