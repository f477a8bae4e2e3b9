//! Iterators that return one tuple of arrays after another.

use pyo3::prelude::*;
use pyo3::types::PyTuple;

/// Tuples of arrays; `umigame.arrays` gives them names.
type Next = dyn for<'py> FnMut(Python<'py>) -> PyResult<Option<Bound<'py, PyTuple>>> + Send + Sync;

/// An iterator of tuples of arrays. Prefer the functions of `umigame.arrays`.
#[pyclass(module = "umigame")]
pub(crate) struct Batches(Box<Next>);

impl Batches {
    /// Iterates until `next` returns `None`.
    pub(crate) fn new(
        next: impl for<'py> FnMut(Python<'py>) -> PyResult<Option<Bound<'py, PyTuple>>>
        + Send
        + Sync
        + 'static,
    ) -> Batches {
        Batches(Box::new(next))
    }
}

#[pymethods]
impl Batches {
    fn __iter__(slf: PyRef<'_, Self>) -> PyRef<'_, Self> {
        slf
    }

    fn __next__<'py>(&mut self, py: Python<'py>) -> PyResult<Option<Bound<'py, PyTuple>>> {
        (self.0)(py)
    }
}
