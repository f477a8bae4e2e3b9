//! `--weights FILE`: the evaluation of a command.

use std::path::Path;

use anyhow::Result;
use umigame_engine::eval::{Evaluation, SharedEvaluation};

use super::{bad_input, shown};

/// No file of weights is nearly as large.
const MOST: u64 = 1 << 26;

/// The evaluation of a file of weights, or that of the binary.
pub(super) fn evaluation(path: Option<&Path>) -> Result<SharedEvaluation> {
    path.map_or_else(|| Ok(Evaluation::embedded()), |path| Ok(read(path)?.into()))
}

fn read(path: &Path) -> Result<Evaluation> {
    let wrong =
        |why: &dyn std::fmt::Display| bad_input(format!("--weights: {}: {why}", shown(path)));
    let size = path.metadata().map_err(|error| wrong(&error))?.len();
    if size > MOST {
        return Err(wrong(&"too large for a file of weights"));
    }
    let bytes = std::fs::read(path).map_err(|error| wrong(&error))?;
    Evaluation::from_bytes(&bytes).map_err(|error| wrong(&error))
}
