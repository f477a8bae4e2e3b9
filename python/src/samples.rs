//! Training data, read into arrays.

use std::path::PathBuf;

use numpy::IntoPyArray;
use pyo3::prelude::*;
use pyo3::types::PyTuple;
use umigame_training::data::{Block, DataReader, Label};

use crate::arrays::position_array;
use crate::batches::Batches;
use crate::errors;
use crate::interrupt;
use crate::reader::NO_SCORE;

/// Returns positions, kinds, scores, evals and depths.
fn arrays(py: Python<'_>, block: Block) -> PyResult<Bound<'_, PyTuple>> {
    let records = &block.records;
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
    let arrays = (
        positions,
        kinds.into_pyarray(py),
        scores.into_pyarray(py),
        evals.into_pyarray(py),
        depths.into_pyarray(py),
    );
    arrays.into_pyobject(py)
}

/// Reads a file of training data block by block, as `umigame learn` writes it.
#[pyfunction]
pub(crate) fn read_samples(path: PathBuf) -> PyResult<Batches> {
    let mut reader = DataReader::open(&path).map_err(|error| errors::data(&error))?;
    Ok(Batches::new(move |py| {
        let block = interrupt::run_silently(py, |_| reader.next())?;
        let block = block.transpose().map_err(|error| errors::data(&error))?;
        block.map(|block| arrays(py, block)).transpose()
    }))
}
