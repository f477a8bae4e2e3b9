//! What was done, as JSON.

use std::fs;
use std::io::ErrorKind;
use std::path::Path;

use serde::{Deserialize, Serialize};

use super::super::LearnError;
use super::super::errors::{Errors, PLIES};
use super::{Plan, failed};
use crate::files;

/// What was done to come to the weights.
#[derive(Clone, PartialEq, Serialize, Deserialize, Debug)]
pub struct Record {
    /// The version of the program.
    pub version: String,
    /// The last command that was given.
    pub command: String,
    /// What the weights depend on.
    plan: Given,
    /// The time that it took, in hours; after a kill, less.
    pub hours: f64,
    /// The rounds that are over.
    pub rounds: Vec<Done>,
    /// The number of the weights at the end, calibrated; empty before.
    #[serde(default)]
    pub weights: String,
    /// The errors of the last round's weights on positions held out, by ply;
    /// empty before the end.
    pub plies: Vec<OfPly>,
}

/// A plan as a record holds it: two plans of one kind make the same weights.
#[derive(Clone, PartialEq, Serialize, Deserialize, Debug)]
struct Given {
    positions: u64,
    depth: u8,
    exact: u8,
    seed: u64,
    iterations: usize,
    /// A checksum.
    starts: u32,
}

impl From<&Plan> for Given {
    fn from(plan: &Plan) -> Given {
        let Plan { positions, depth, exact, seed, iterations, .. } = *plan;
        Given { positions, depth, exact, seed, iterations, starts: plan.starts.checksum() }
    }
}

/// A round that is over.
#[derive(Clone, PartialEq, Serialize, Deserialize, Debug)]
pub struct Done {
    /// Plies of the searches.
    pub depth: u8,
    /// Empties from which games were solved.
    pub exact: u8,
    /// Games played.
    pub games: u64,
    /// Their positions.
    pub positions: u64,
    /// The number of the weights that they were played with.
    pub teacher: String,
    /// Positions that weights were fitted to, those held out included.
    pub fitted_to: u64,
    /// The number of those weights.
    pub weights: String,
    /// Hours of play, in the run that ended the round.
    pub hours_played: f64,
    /// Hours of fitting.
    pub hours_fitted: f64,
    /// The mean absolute error of the weights in discs, on positions of the
    /// last round that no fit has seen; 0 before the end.
    pub error: f64,
}

/// The errors at a ply, in discs.
#[derive(Clone, PartialEq, Serialize, Deserialize, Debug)]
pub struct OfPly {
    /// The ply.
    pub ply: usize,
    /// How many positions.
    pub positions: u64,
    /// Mean absolute error.
    pub error: f64,
    /// Mean error.
    pub bias: f64,
}

impl Record {
    /// The record of this plan, if the folder has one, or a new one.
    pub(super) fn open(path: &Path, plan: &Plan, command: &str) -> Result<Record, LearnError> {
        let wrong = |why: String| LearnError::Source { path: path.to_owned(), why };
        let mut record = match fs::read(path) {
            Ok(bytes) => {
                let record: Record =
                    serde_json::from_slice(&bytes).map_err(|error| wrong(error.to_string()))?;
                if record.plan != Given::from(plan) {
                    return Err(wrong(format!(
                        "it is the record of another plan, `{}`: expected the same, or an empty \
                         folder",
                        record.command
                    )));
                }
                record
            }
            Err(error) if error.kind() == ErrorKind::NotFound => Record {
                version: String::new(),
                command: String::new(),
                plan: plan.into(),
                hours: 0.0,
                rounds: Vec::new(),
                weights: String::new(),
                plies: Vec::new(),
            },
            Err(error) => return Err(failed(path)(error)),
        };
        record.version = env!("CARGO_PKG_VERSION").to_owned();
        record.command = command.to_owned();
        record.write(path)?;
        Ok(record)
    }

    pub(super) fn write(&self, path: &Path) -> Result<(), LearnError> {
        let text = serde_json::to_string_pretty(self).map_err(|error| LearnError::Source {
            path: path.to_owned(),
            why: error.to_string(),
        })?;
        files::replace(path, (text + "\n").as_bytes()).map_err(failed(path))
    }

    /// A round, from 0, is over.
    pub(super) fn set(&mut self, at: usize, done: Done) {
        self.rounds.truncate(at);
        self.rounds.push(done);
    }

    /// The errors of all rounds' weights.
    pub(super) fn set_errors(&mut self, made: &[[Errors; PLIES]]) {
        for (done, errors) in self.rounds.iter_mut().zip(made) {
            done.error = Errors::sum(errors).mean_absolute();
        }
        let Some(last) = made.last() else { return };
        let ply = |(ply, errors): (usize, &Errors)| OfPly {
            ply,
            positions: errors.count,
            error: errors.mean_absolute(),
            bias: errors.bias(),
        };
        self.plies = last.iter().enumerate().map(ply).collect();
        self.plies.retain(|of| of.positions > 0);
    }
}
