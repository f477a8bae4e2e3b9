//! Positions with known scores.

use std::path::PathBuf;

use umigame_othello::Position;
use umigame_training::{LearnError, data::Sample, errors::Truth, sources};

/// A position with its score in discs: exact, or else the value of a deep search.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct ScoredPosition {
    /// The position.
    pub position: Position,
    /// Score for the side to move.
    pub score: f64,
}

/// Returns the positions of files that have an exact score or the value of a search: at most `count`
/// of each file, spread evenly over it, and one of each file in turn.
///
/// # Errors
/// A file that cannot be read.
pub fn read_scored(files: &[PathBuf], count: usize) -> Result<Vec<ScoredPosition>, LearnError> {
    let read = |file: &PathBuf| {
        let all: Vec<_> = sources::read(file)?.iter().filter_map(scored).collect();
        let kept = count.min(all.len());
        Ok((0..kept).map(|at| all[at * all.len() / kept]).collect())
    };
    let files: Vec<Vec<_>> = files.iter().map(read).collect::<Result<_, LearnError>>()?;
    let longest = files.iter().map(Vec::len).max().unwrap_or(0);
    Ok((0..longest).flat_map(|at| files.iter().filter_map(move |it| it.get(at))).copied().collect())
}

fn scored(sample: &Sample) -> Option<ScoredPosition> {
    let known = Truth::Exact.of(sample).or_else(|| Truth::Search.of(sample))?;
    Some(ScoredPosition { position: sample.position, score: f64::from(known) / 100.0 })
}
