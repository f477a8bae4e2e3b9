//! `--weights FILE`: the evaluation of a command.

use std::path::Path;

use anyhow::Result;
use umigame_engine::{Evaluation, SharedEvaluation};
use umigame_support::files;

use umigame_support::exit::{bad_input, shown};

/// Largest size of a file that is read as weights; today's have 12 MB.
const MAX_FILE_BYTES: u64 = 1 << 26;

/// Returns the evaluation of a weights file, or the embedded one.
///
/// # Errors
/// The file cannot be read, or is no weights file.
pub fn evaluation(path: Option<&Path>) -> Result<SharedEvaluation> {
    path.map_or_else(|| Ok(Evaluation::embedded()), |path| Ok(read(path)?.into()))
}

fn read(path: &Path) -> Result<Evaluation> {
    let wrong =
        |why: &dyn std::fmt::Display| bad_input(format!("--weights: {}: {why}", shown(path)));
    let bytes = files::read_at_most(path, MAX_FILE_BYTES).map_err(|error| wrong(&error))?;
    Evaluation::from_bytes(&bytes).map_err(|error| wrong(&error))
}
