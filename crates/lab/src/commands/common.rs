//! Engines, positions and output of all commands.

use std::ffi::OsString;
use std::io::Write;
use std::path::Path;

use anyhow::Result;
use serde::Serialize;
use umigame_arena::openings;
use umigame_engine::{Engine, EngineOptions, Megabytes};
use umigame_eval::SharedEvaluation;
use umigame_othello::Position;
use umigame_support::exit::{bad_input, shown};

/// Reads the positions that the first `count` openings of a file lead to.
pub(super) fn read_positions(path: &Path, count: usize) -> Result<Vec<Position>> {
    let openings =
        openings::load(path).map_err(|error| bad_input(format!("{}: {error}", shown(path))))?;
    Ok(openings.iter().take(count).map(|opening| opening.board().position()).collect())
}

pub(super) fn engine(evaluation: &SharedEvaluation, hash: u32, threads: u32) -> Result<Engine> {
    Engine::new(evaluation.clone(), engine_options(hash, threads)).map_err(bad_input)
}

pub(super) fn engine_options(hash: u32, threads: u32) -> EngineOptions {
    EngineOptions { hash: Megabytes(hash as usize), threads: threads as usize }
}

/// Returns the error of a command that only a build with the feature of its name has.
#[cfg_attr(all(feature = "tune", feature = "profile"), allow(dead_code))]
pub(super) fn other_build(name: &str, why: &str, words: &[OsString]) -> anyhow::Error {
    let words: Vec<_> = words.iter().map(|word| word.to_string_lossy()).collect();
    bad_input(format!(
        "{name}: {why}: cargo run --release -p umigame-lab --features {name} -- {name} {}",
        umigame_othello::text::shown(&words.join(" "))
    ))
}

/// Writes a row as a line of JSON. Rows hold ASCII only.
pub(super) fn write_json(row: &impl Serialize, out: &mut dyn Write) -> Result<()> {
    writeln!(out, "{}", serde_json::to_string(row)?)?;
    Ok(())
}
