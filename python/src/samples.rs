//! Training data, read into arrays.

use std::path::PathBuf;
use std::sync::{Mutex, PoisonError};

use numpy::{IntoPyArray, PyArray1};
use pyo3::prelude::*;
use umigame_training::data::{Block, DataError, DataReader, Label};

use crate::arrays::{PositionArray, position_array};
use crate::errors;
use crate::interrupt;
use crate::reader::NO_SCORE;

/// The blocks of a file of training data, as arrays.
#[pyclass(module = "umigame", frozen)]
pub(crate) struct SampleReader(Mutex<DataReader>);

/// Positions, kinds, scores, evals and depths.
type SampleArrays<'py> = (
    PositionArray<'py>,
    Bound<'py, PyArray1<u8>>,
    Bound<'py, PyArray1<i8>>,
    Bound<'py, PyArray1<f32>>,
    Bound<'py, PyArray1<u8>>,
);

fn arrays(py: Python<'_>, block: Block) -> PyResult<SampleArrays<'_>> {
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
    Ok((
        position_array(py, records.iter().map(|record| record.position).collect())?,
        kinds.into_pyarray(py),
        scores.into_pyarray(py),
        evals.into_pyarray(py),
        depths.into_pyarray(py),
    ))
}

#[pymethods]
impl SampleReader {
    fn __iter__(slf: PyRef<'_, Self>) -> PyRef<'_, Self> {
        slf
    }

    fn __next__<'py>(&self, py: Python<'py>) -> PyResult<Option<SampleArrays<'py>>> {
        let block: Option<Result<Block, DataError>> = interrupt::run_silently(py, |_| {
            self.0.lock().unwrap_or_else(PoisonError::into_inner).next()
        })?;
        let block = block.transpose().map_err(|error| errors::data(&error))?;
        block.map(|block| arrays(py, block)).transpose()
    }
}

/// Reads a file of training data block by block, as `umigame learn` writes it.
#[pyfunction]
pub(crate) fn read_samples(path: PathBuf) -> PyResult<SampleReader> {
    let reader = DataReader::open(&path).map_err(|error| errors::data(&error))?;
    Ok(SampleReader(Mutex::new(reader)))
}
