//! `--weights FILE`: the evaluation of the whole process.

use std::path::Path;

use anyhow::Result;
use umigame_engine::eval::Evaluation;

use super::{bad_input, shown};

/// The name of the evaluation that needs no file.
const HANDMADE: &str = "handmade";
/// No file of weights is nearly as large.
const MOST: u64 = 1 << 26;

pub(super) fn choose(path: &Path) -> Result<()> {
    // Nothing has evaluated a position before the command line is read.
    named(path)?.choose().map_err(|_| bad_input("--weights: an evaluation is already in use"))
}

/// The same for what a record was made with: what this command line chose
/// stands.
pub(super) fn choose_as_recorded(path: &Path) -> Result<()> {
    let _ = named(path)?.choose();
    Ok(())
}

fn named(path: &Path) -> Result<Evaluation> {
    if path == Path::new(HANDMADE) { Ok(Evaluation::Handmade) } else { read(path) }
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
