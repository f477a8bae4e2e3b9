//! The positions of a book, read into arrays ply by ply.

use numpy::IntoPyArray;
use pyo3::prelude::*;
use pyo3::types::PyTuple;
use umigame_book::BookEntry;
use umigame_othello::Position;

use crate::arrays::position_array;
use crate::batches::Batches;
use crate::moves::{NO_MOVE, index_of};
use crate::shared_book::{SharedBook, with_database};

/// Empties of the first layer and one.
const LAYERS: u32 = 65;

/// Returns the positions of a book, first ply first. Each is the least of its eight images.
pub(crate) fn layers(book: SharedBook) -> Batches {
    let mut rest = (0..LAYERS).rev();
    Batches::new(move |py| {
        for empties in rest.by_ref() {
            let layer = with_database(py, &book, |book| book.layer(empties))?;
            if !layer.is_empty() {
                return arrays(py, layer).map(Some);
            }
        }
        Ok(None)
    })
}

/// Returns positions, games, mean results, values, trust, and the eval and move of the searches.
fn arrays(py: Python<'_>, layer: Vec<(Position, BookEntry)>) -> PyResult<Bound<'_, PyTuple>> {
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
    let arrays = (
        position_array(py, positions)?,
        games.into_pyarray(py),
        floats(|entry| entry.stats.mean()).into_pyarray(py),
        floats(|entry| entry.value.map(|value| value.eval.discs())).into_pyarray(py),
        trust.into_pyarray(py),
        floats(|entry| entry.search.map(|search| search.eval.discs())).into_pyarray(py),
        moves.into_pyarray(py),
    );
    arrays.into_pyobject(py)
}
