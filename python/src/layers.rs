//! The positions of a book, read into arrays ply by ply.

use std::sync::atomic::{AtomicU32, Ordering::Relaxed};

use numpy::{IntoPyArray, PyArray1};
use pyo3::prelude::*;
use umigame_book::BookEntry;
use umigame_othello::Position;

use crate::arrays::{PositionArray, position_array};
use crate::moves::{NO_MOVE, index_of};
use crate::shared_book::{SharedBook, with_database};

/// Empties of the first layer and one.
const LAYERS: u32 = 65;

/// The positions of a book as arrays, first ply first. Each position is the least of its eight
/// images.
#[pyclass(module = "umigame", frozen)]
pub(crate) struct BookLayers {
    book: SharedBook,
    /// Empties of the next layer and one.
    rest: AtomicU32,
}

impl BookLayers {
    /// Begins with the first ply.
    pub(crate) fn new(book: SharedBook) -> BookLayers {
        BookLayers { book, rest: AtomicU32::new(LAYERS) }
    }
}

/// Positions, games, mean results, values, trust, and the eval and move of the searches.
type LayerArrays<'py> = (
    PositionArray<'py>,
    Bound<'py, PyArray1<u32>>,
    Bound<'py, PyArray1<f32>>,
    Bound<'py, PyArray1<f32>>,
    Bound<'py, PyArray1<u8>>,
    Bound<'py, PyArray1<f32>>,
    Bound<'py, PyArray1<i8>>,
);

fn arrays(py: Python<'_>, layer: Vec<(Position, BookEntry)>) -> PyResult<LayerArrays<'_>> {
    let (positions, entries): (Vec<Position>, Vec<BookEntry>) = layer.into_iter().unzip();
    let floats = |value: fn(&BookEntry) -> Option<f64>| -> Vec<f32> {
        entries.iter().map(|entry| value(entry).map_or(f32::NAN, |value| value as f32)).collect()
    };
    let games: Vec<u32> = entries.iter().map(|entry| entry.stats.games).collect();
    let trust = |entry: &BookEntry| entry.value.map_or(0, |value| value.trust as u8);
    let trust: Vec<u8> = entries.iter().map(trust).collect();
    let best = |entry: &BookEntry| entry.search.and_then(|search| search.best);
    let moves: Vec<i8> =
        entries.iter().map(|entry| best(entry).map_or(NO_MOVE, index_of)).collect();
    Ok((
        position_array(py, positions)?,
        games.into_pyarray(py),
        floats(|entry| entry.stats.mean()).into_pyarray(py),
        floats(|entry| entry.value.map(|value| value.eval.discs())).into_pyarray(py),
        trust.into_pyarray(py),
        floats(|entry| entry.search.map(|search| search.eval.discs())).into_pyarray(py),
        moves.into_pyarray(py),
    ))
}

#[pymethods]
impl BookLayers {
    fn __iter__(slf: PyRef<'_, Self>) -> PyRef<'_, Self> {
        slf
    }

    fn __next__<'py>(&self, py: Python<'py>) -> PyResult<Option<LayerArrays<'py>>> {
        loop {
            let rest = self.rest.fetch_update(Relaxed, Relaxed, |rest| rest.checked_sub(1));
            let Ok(rest) = rest else { return Ok(None) };
            let layer = with_database(py, &self.book, |book, _| Ok(book.layer(rest - 1)?))?;
            if !layer.is_empty() {
                return arrays(py, layer).map(Some);
            }
        }
    }
}
