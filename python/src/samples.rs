//! Training data, read into arrays.

use std::path::PathBuf;

use numpy::{IntoPyArray, PyArray1};
use pyo3::prelude::*;
use umigame_training::Searches;
use umigame_training::data::{Block, DataReader, Label, Record};
use umigame_training::play::{PlaySettings, play_games};
use umigame_training::starts::{Mix, Starts};

use crate::arrays::{PositionArray, position_array};
use crate::batches::Batches;
use crate::engine::Engine;
use crate::errors;
use crate::interrupt;
use crate::numbers::{Float, Int};
use crate::reader::NO_SCORE;
use crate::shared::stopped;

/// Most games of a call.
const MAX_GAMES: u64 = 1 << 20;
/// Units of a share of moves in a probability of 1.
const EXPLORE_UNITS: f64 = 10_000.0;

/// Positions, kinds, scores, evals and depths, as arrays.
type SampleArrays<'py> = (
    PositionArray<'py>,
    Bound<'py, PyArray1<u8>>,
    Bound<'py, PyArray1<i8>>,
    Bound<'py, PyArray1<f32>>,
    Bound<'py, PyArray1<u8>>,
);

/// Returns positions, kinds, scores, evals and depths.
fn sample_arrays<'py>(py: Python<'py>, records: &[Record]) -> PyResult<SampleArrays<'py>> {
    let labels = records.iter().map(|record| match record.label {
        Label::Exact(score) => (0, score.discs() as i8),
        Label::Game(score) => (1, score.discs() as i8),
        Label::Searched => (2, NO_SCORE),
    });
    let (kinds, scores): (Vec<u8>, Vec<i8>) = labels.unzip();
    let searches = records.iter().map(|record| {
        record.searched.map_or((f32::NAN, 0), |found| (found.value.discs() as f32, found.depth))
    });
    let (evals, depths): (Vec<f32>, Vec<u8>) = searches.unzip();
    let positions = position_array(py, records.iter().map(|record| record.position).collect())?;
    Ok((
        positions,
        kinds.into_pyarray(py),
        scores.into_pyarray(py),
        evals.into_pyarray(py),
        depths.into_pyarray(py),
    ))
}

/// Reads a file of training data block by block, as `umigame learn` writes it.
#[pyfunction]
pub(crate) fn read_samples(path: PathBuf) -> PyResult<Batches> {
    let mut reader = DataReader::open(&path).map_err(|error| errors::data(&error))?;
    Ok(Batches::new(move |py| {
        let block = interrupt::run_silently(py, |_| reader.next())?;
        let block = block.transpose().map_err(|error| errors::data(&error))?;
        let arrays = |block: Block| sample_arrays(py, &block.records)?.into_pyobject(py);
        block.map(arrays).transpose()
    }))
}

/// Samples as arrays, and the number of the game of each.
type GameSamples<'py> = (SampleArrays<'py>, Bound<'py, PyArray1<u64>>);

#[pymethods]
impl Engine {
    /// Plays games `first` to `first + games` with itself, as `umigame-lab learn play` does, and
    /// returns their samples: positions, kinds, scores, evals and depths as in
    /// `umigame.arrays.Samples`, and the number of each one's game.
    ///
    /// A game begins with random moves, at least and at most `random_plies` of them, follows searches
    /// to `depth` plies at 73 %, with a share `explore` of moves at random, and is solved from
    /// `exact_from` empties on. It depends on the arguments, its number and the weights alone.
    ///
    /// >>> (positions, *_), numbers = umigame.Engine().self_play(0, 2, depth=1, exact_from=8)
    /// >>> len(positions) == len(numbers), sorted(set(numbers.tolist()))
    /// (True, [0, 1])
    #[pyo3(signature = (first, games, *, seed=Int::Small(1), depth=Int::Small(4),
        exact_from=Int::Small(14), explore=Float(0.02), random_plies=(Int::Small(6), Int::Small(44))),
        text_signature = "($self, first, games, *, seed=1, depth=4, exact_from=14, explore=0.02, \
        random_plies=(6, 44))")]
    fn self_play<'py>(
        &self,
        py: Python<'py>,
        first: Int,
        games: Int,
        seed: Int,
        depth: Int,
        exact_from: Int,
        explore: Float,
        random_plies: (Int, Int),
    ) -> PyResult<GameSamples<'py>> {
        let (first, games) =
            (first.within("first", 0..=u64::MAX)?, games.within("games", 0..=MAX_GAMES)?);
        if !(0.0..=1.0).contains(&explore.0) {
            return Err(errors::wrong(format!("explore={}: expected 0 to 1", explore.0)));
        }
        let least = random_plies.0.within("random_plies", 0..=60)?;
        let most = random_plies.1.within("random_plies", least..=60)?;
        let mix = Mix { random_plies: least..=most, ..Mix::default() };
        let settings = PlaySettings {
            depth: depth.within("depth", 1..=60)?,
            exact: exact_from.within("exact_from", 1..=60)?,
            end_from: 0,
            explore: (explore.0 * EXPLORE_UNITS).round() as u32,
            lambda: 0,
            evaluation: self.shared.evaluation.clone(),
            seed: seed.within("seed", 0..=u64::MAX)?,
            starts: Starts::new(mix, Vec::new(), Vec::new()),
        };
        let call = self.shared.call()?;
        let (evaluation, threads) = (&self.shared.evaluation, self.shared.options.threads);
        let work = |stop: &std::sync::atomic::AtomicBool, _: &std::sync::mpsc::Sender<()>| {
            play_games(&settings, first, games, Searches { evaluation, threads, stop })
        };
        let played = interrupt::run_until(py, &call.stop, work, |_, ()| Ok(()))?;
        let played = played.map_err(errors::engine)?;
        if (played.len() as u64) < games {
            return Err(stopped());
        }
        let number = |(game, records): (u64, &Vec<Record>)| vec![game; records.len()];
        let numbers: Vec<u64> = (first..).zip(&played).flat_map(number).collect();
        Ok((sample_arrays(py, &played.concat())?, numbers.into_pyarray(py)))
    }
}
