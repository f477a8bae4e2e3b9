//! Errors, engines and output of all commands.

use std::io::{self, Write};
use std::path::Path;

use serde::Serialize;
use umigame_arena::openings;
use umigame_engine::{Confidence, Engine, EngineError, EngineOptions, Megabytes};
use umigame_engine::{Evaluation, SharedEvaluation};
use umigame_lab::measure::KernelError;
use umigame_othello::Position;
use umigame_othello::text::shown_path;
use umigame_support::pipe;

/// A command failed.
#[derive(Debug, thiserror::Error)]
pub(super) enum CommandError {
    /// An option or an input file is wrong.
    #[error("{0}")]
    Input(String),
    /// Standard output cannot be written.
    #[error(transparent)]
    Output(#[from] io::Error),
    /// A JSON record cannot be written.
    #[error(transparent)]
    Json(#[from] serde_json::Error),
    /// Kernels contradict each other.
    #[error(transparent)]
    Kernel(#[from] KernelError),
    /// The search is at fault.
    #[cfg(feature = "tune")]
    #[error("{0}")]
    Fault(String),
}

impl From<EngineError> for CommandError {
    fn from(error: EngineError) -> CommandError {
        CommandError::Input(error.to_string())
    }
}

impl CommandError {
    pub(super) fn is_closed_pipe(&self) -> bool {
        matches!(self, CommandError::Output(error) if pipe::is_closed(error))
    }
}

/// Returns the evaluation of a file of weights, or that of the binary.
pub(super) fn evaluation(path: Option<&Path>) -> Result<SharedEvaluation, CommandError> {
    let Some(path) = path else { return Ok(Evaluation::embedded()) };
    let wrong = |why: &dyn std::fmt::Display| {
        CommandError::Input(format!("--weights: {}: {why}", shown_path(path)))
    };
    let bytes = std::fs::read(path).map_err(|error| wrong(&error))?;
    Ok(Evaluation::from_bytes(&bytes).map_err(|error| wrong(&error))?.into())
}

/// Reads the positions that the first `count` openings of a file lead to.
pub(super) fn read_positions(path: &Path, count: usize) -> Result<Vec<Position>, CommandError> {
    let wrong =
        |why: &dyn std::fmt::Display| CommandError::Input(format!("{}: {why}", shown_path(path)));
    let text = std::fs::read_to_string(path).map_err(|error| wrong(&error))?;
    let openings = openings::read(&text).map_err(|error| wrong(&error))?;
    Ok(openings.iter().take(count).map(|opening| opening.board().position()).collect())
}

pub(super) fn engine(
    evaluation: &SharedEvaluation,
    hash: u32,
    threads: u32,
) -> Result<Engine, CommandError> {
    Ok(Engine::new(evaluation.clone(), engine_options(hash, threads))?)
}

pub(super) fn engine_options(hash: u32, threads: u32) -> EngineOptions {
    EngineOptions { hash: Megabytes(hash as usize), threads: threads as usize }
}

/// Writes a row as a line of JSON. Rows hold ASCII only.
pub(super) fn write_json(row: &impl Serialize, out: &mut dyn Write) -> Result<(), CommandError> {
    writeln!(out, "{}", serde_json::to_string(row)?)?;
    Ok(())
}

/// Reads the confidence of a selective search in percent.
pub(super) fn parse_confidence(text: &str) -> Result<Confidence, String> {
    let confidence = text.parse().ok().and_then(Confidence::from_percent);
    confidence.ok_or_else(|| "expected 73, 87, 95, 98, 99 or 100".to_owned())
}
