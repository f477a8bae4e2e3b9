//! Arrays of positions: the rules, symmetries and pattern features for many positions at once.
//!
//! Positions are arrays of shape (n, 2) and type uint64: the discs of the side to move, then those
//! of the other side.

use std::sync::atomic::AtomicBool;

use numpy::ndarray::{Array2, Array3};
use numpy::{
    IntoPyArray, PyArray1, PyArray2, PyArray3, PyReadonlyArray1, PyReadonlyArray2,
    PyUntypedArrayMethods,
};
use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use umigame_engine::SolveCost;
use umigame_eval::MidBoard;
use umigame_eval::patterns::layout::{FEATURES, PACKING, RAW, raw_features};
use umigame_othello::{Bitboard, Move, Position, Symmetry};

use crate::board::{Board, BoardArg};
use crate::errors::{illegal, wrong, wrong_type};
use crate::interrupt::{self, PART_ROWS};
use crate::moves::{ColorArg, index_of, move_of};
use crate::numbers::Int;

/// Rows copied between two checks for signals.
const ROWS_PER_CHECK: usize = 1 << 18;

/// An array of positions, to return.
pub(crate) type PositionArray<'py> = Bound<'py, PyArray2<u64>>;

/// The exception for an argument that is not the array it should be.
fn refused(expected: &str, found: &Bound<'_, PyAny>) -> PyErr {
    let attribute = |name| found.getattr(name).and_then(|found| found.str());
    match (attribute("dtype"), attribute("shape")) {
        (Ok(dtype), Ok(shape)) => {
            PyTypeError::new_err(format!("{expected}, not {dtype} of shape {shape}"))
        }
        _ => wrong_type(expected, found),
    }
}

/// Positions given as an array of shape (n, 2).
pub(crate) struct Positions(pub Vec<Position>);

impl<'py> FromPyObject<'_, 'py> for Positions {
    type Error = PyErr;

    fn extract(value: Borrowed<'_, 'py, PyAny>) -> PyResult<Positions> {
        let (py, value) = (value.py(), value.to_owned());
        let refused = || refused("positions are an array of shape (n, 2) and type uint64", &value);
        let array: PyReadonlyArray2<'_, u64> = value.extract().map_err(|_| refused())?;
        if array.as_array().ncols() != 2 {
            return Err(refused());
        }
        let positions = match array.as_slice() {
            Ok(words) if array.is_c_contiguous() => read(py, words)?,
            // Columns first, a view with gaps, or one that is not aligned.
            _ => {
                let copy: PyReadonlyArray2<'_, u64> = value.call_method0("copy")?.extract()?;
                read(py, copy.as_slice().map_err(|_| refused())?)?
            }
        };
        Ok(Positions(positions))
    }
}

/// Copies positions, so that no other thread changes them meanwhile.
///
/// # Errors
/// A position whose sides share squares, or an interrupt.
fn read(py: Python<'_>, words: &[u64]) -> PyResult<Vec<Position>> {
    let words: &[[u64; 2]] = words.as_chunks().0;
    let mut positions = Vec::with_capacity(words.len());
    for part in words.chunks(ROWS_PER_CHECK) {
        for &[player, opponent] in part {
            let position = Position::new(player.into(), opponent.into());
            let row = positions.len();
            positions.push(position.map_err(|why| wrong(format!("positions[{row}]: {why}")))?);
        }
        py.check_signals()?;
    }
    Ok(positions)
}

/// Moves given as an array of shape (n,) and type int8.
pub(crate) struct Moves(pub Vec<i8>);

impl<'py> FromPyObject<'_, 'py> for Moves {
    type Error = PyErr;

    fn extract(value: Borrowed<'_, 'py, PyAny>) -> PyResult<Moves> {
        let value = value.to_owned();
        let array: PyReadonlyArray1<'_, i8> = value
            .extract()
            .map_err(|_| refused("moves are an array of shape (n,) and type int8", &value))?;
        Ok(Moves(array.as_array().to_vec()))
    }
}

/// Makes an array of positions.
pub(crate) fn position_array(
    py: Python<'_>,
    positions: Vec<Position>,
) -> PyResult<PositionArray<'_>> {
    let words: Vec<[u64; 2]> = positions.into_iter().map(words_of).collect();
    rows(py, words)
}

/// Returns the two words of a row.
fn words_of(position: Position) -> [u64; 2] {
    [position.player().bits(), position.opponent().bits()]
}

/// Makes an array with a row for each item.
pub(crate) fn rows<const N: usize, T: numpy::Element>(
    py: Python<'_>,
    rows: Vec<[T; N]>,
) -> PyResult<Bound<'_, PyArray2<T>>> {
    matrix(py, rows.into_flattened(), N)
}

/// Makes an array of rows of `columns` items.
fn matrix<T: numpy::Element>(
    py: Python<'_>,
    items: Vec<T>,
    columns: usize,
) -> PyResult<Bound<'_, PyArray2<T>>> {
    let array = Array2::from_shape_vec((items.len() / columns, columns), items);
    Ok(array.map_err(wrong)?.into_pyarray(py))
}

/// Computes `N` items for each position, on several threads where there are many.
fn map<const N: usize, T: Send + Copy + Default>(
    py: Python<'_>,
    Positions(positions): Positions,
    threads: Option<Int>,
    value: impl Fn(usize, Position) -> Result<[T; N], String> + Sync,
) -> PyResult<Vec<T>> {
    let threads = interrupt::threads(threads)?;
    let work = |stop: &AtomicBool| {
        // Zeros that the system hands out as they are touched: an interrupt need not wait for them.
        let mut out = vec![T::default(); positions.len() * N];
        let value = |row: usize| value(row, positions[row]);
        interrupt::fill(out.as_chunks_mut().0, threads, stop, value, |_| ())?;
        Ok::<_, String>(out)
    };
    let result = if positions.len() > PART_ROWS {
        interrupt::run_silently(py, work)?
    } else {
        py.detach(|| work(&AtomicBool::new(false)))
    };
    result.map_err(illegal)
}

/// Computes `N` items for each position and its move.
fn map_moves<const N: usize, T: Send + Copy + Default>(
    py: Python<'_>,
    positions: Positions,
    Moves(moves): Moves,
    threads: Option<Int>,
    value: impl Fn(Position, Move, Bitboard) -> [T; N] + Sync,
) -> PyResult<Vec<T>> {
    if positions.0.len() != moves.len() {
        return Err(wrong(format!("{} positions and {} moves", positions.0.len(), moves.len())));
    }
    map(py, positions, threads, |row, position| {
        let (played, flips) = legal_flips(position, moves[row], row)?;
        Ok(value(position, played, flips))
    })
}

/// Reads a move of a row: the square's flips, or none for a pass.
fn legal_flips(position: Position, played: i8, row: usize) -> Result<(Move, Bitboard), String> {
    let played = move_of(played.into());
    let played = played.ok_or_else(|| format!("moves[{row}]: no move: expected 0 to 64"))?;
    let flips = match played {
        Move::Pass if position.must_pass() => Some(Bitboard::EMPTY),
        Move::Pass => None,
        Move::Place(square) if !position.empty().contains(square) => None,
        Move::Place(square) => Some(position.flips(square)).filter(|flips| !flips.is_empty()),
    };
    flips
        .map(|flips| (played, flips))
        .ok_or_else(|| format!("moves[{row}]: {played} is illegal in positions[{row}]"))
}

/// Returns the legal squares of each position as a uint64.
#[pyfunction]
#[pyo3(signature = (positions, *, threads=None))]
pub(crate) fn legal_moves<'py>(
    py: Python<'py>,
    positions: Positions,
    threads: Option<Int>,
) -> PyResult<Bound<'py, PyArray1<u64>>> {
    let legal = |_, position: Position| Ok([position.legal_moves().bits()]);
    Ok(map(py, positions, threads, legal)?.into_pyarray(py))
}

/// Returns the discs that each move flips as a uint64; 0 for a pass.
#[pyfunction]
#[pyo3(signature = (positions, moves, *, threads=None))]
pub(crate) fn flips<'py>(
    py: Python<'py>,
    positions: Positions,
    moves: Moves,
    threads: Option<Int>,
) -> PyResult<Bound<'py, PyArray1<u64>>> {
    let flips = |_, _, flips: Bitboard| [flips.bits()];
    Ok(map_moves(py, positions, moves, threads, flips)?.into_pyarray(py))
}

/// Returns the positions after the moves, the other side to move.
#[pyfunction]
#[pyo3(signature = (positions, moves, *, threads=None))]
pub(crate) fn apply<'py>(
    py: Python<'py>,
    positions: Positions,
    moves: Moves,
    threads: Option<Int>,
) -> PyResult<PositionArray<'py>> {
    let next = |position: Position, played: Move, flips: Bitboard| match played {
        Move::Place(square) => words_of(position.after(square, flips)),
        Move::Pass => words_of(position.passed()),
    };
    matrix(py, map_moves(py, positions, moves, threads, next)?, 2)
}

/// Returns the eight images of each position, shape (n, 8, 2); the first is the position itself.
#[pyfunction]
#[pyo3(signature = (positions, *, threads=None))]
pub(crate) fn symmetries<'py>(
    py: Python<'py>,
    positions: Positions,
    threads: Option<Int>,
) -> PyResult<Bound<'py, PyArray3<u64>>> {
    let images = |_, position| {
        let words = Symmetry::ALL.map(|symmetry| words_of(symmetry.of_position(position)));
        Ok(std::array::from_fn::<u64, 16, _>(|place| words[place / 2][place % 2]))
    };
    let words = map(py, positions, threads, images)?;
    let array = Array3::from_shape_vec((words.len() / 16, 8, 2), words);
    Ok(array.map_err(wrong)?.into_pyarray(py))
}

/// Returns the smallest of the eight images of each position, and the number of the symmetry that
/// leads to it.
#[pyfunction]
#[pyo3(signature = (positions, *, threads=None))]
pub(crate) fn canonical<'py>(
    py: Python<'py>,
    positions: Positions,
    threads: Option<Int>,
) -> PyResult<(PositionArray<'py>, Bound<'py, PyArray1<u8>>)> {
    let least = |_, position: Position| {
        let (image, symmetry) = position.canonical();
        let [player, opponent] = words_of(image);
        Ok([player, opponent, symmetry.index() as u64])
    };
    let found = map(py, positions, threads, least)?;
    let split = |[player, opponent, symmetry]: &[u64; 3]| ([*player, *opponent], *symmetry as u8);
    let (images, used): (Vec<_>, Vec<u8>) = found.as_chunks().0.iter().map(split).unzip();
    Ok((rows(py, images)?, used.into_pyarray(py)))
}

/// Returns the image of each move number, 0 to 64, under each symmetry: shape (8, 65).
#[pyfunction]
pub(crate) fn move_images(py: Python<'_>) -> PyResult<Bound<'_, PyArray2<i8>>> {
    let image = |symmetry: Symmetry| {
        let mut images = [0; 65];
        for (number, image) in (0..).zip(&mut images) {
            *image = match move_of(number) {
                Some(Move::Place(square)) => index_of(symmetry.of_square(square).into()),
                _ => index_of(Move::Pass),
            };
        }
        images
    };
    rows(py, Symmetry::ALL.map(image).to_vec())
}

/// Returns each position's score in discs for the side to move if the game ended there.
#[pyfunction]
#[pyo3(signature = (positions, *, threads=None))]
pub(crate) fn final_scores<'py>(
    py: Python<'py>,
    positions: Positions,
    threads: Option<Int>,
) -> PyResult<Bound<'py, PyArray1<i8>>> {
    let score = |_, position: Position| Ok([position.final_score().discs() as i8]);
    Ok(map(py, positions, threads, score)?.into_pyarray(py))
}

/// Returns whether the game is over in each position.
#[pyfunction]
#[pyo3(signature = (positions, *, threads=None))]
pub(crate) fn game_over<'py>(
    py: Python<'py>,
    positions: Positions,
    threads: Option<Int>,
) -> PyResult<Bound<'py, PyArray1<bool>>> {
    let over = |_, position: Position| Ok([position.is_over()]);
    Ok(map(py, positions, threads, over)?.into_pyarray(py))
}

/// Returns the numbers of the features of each position, shape (n, 66): one for each pattern where
/// it lies on the board, then mobility, two of potential mobility, and parity. All are places in one
/// table of `feature_count` weights; with `folded`, mirror images share a place.
#[pyfunction]
#[pyo3(signature = (positions, *, folded=false, threads=None))]
pub(crate) fn features<'py>(
    py: Python<'py>,
    positions: Positions,
    folded: bool,
    threads: Option<Int>,
) -> PyResult<Bound<'py, PyArray2<i32>>> {
    let packed = folded.then(|| &PACKING.packed);
    let places = |_, position| {
        let places = raw_features(position, MidBoard::new(position).indices());
        Ok(places.map(|place| packed.map_or(place as i32, |packed| packed[place] as i32)))
    };
    matrix(py, map(py, positions, threads, places)?, FEATURES)
}

/// Predicts the seconds in which one thread of an average machine solves each position exactly, from
/// its number of empties: right to a factor of about two for most.
///
/// >>> seconds = umigame.arrays.solve_seconds(umigame.arrays.from_boards(["start", "f5d6c3"]))
/// >>> bool(seconds[0] > seconds[1] > 0)
/// True
#[pyfunction]
#[pyo3(signature = (positions, *, threads=None))]
pub(crate) fn solve_seconds<'py>(
    py: Python<'py>,
    positions: Positions,
    threads: Option<Int>,
) -> PyResult<Bound<'py, PyArray1<f32>>> {
    let cost = SolveCost::default();
    let seconds = |_, position: Position| Ok([cost.to_solve(position.empties()).as_secs_f32()]);
    Ok(map(py, positions, threads, seconds)?.into_pyarray(py))
}

/// Returns the number of distinct features: the length of a table of weights.
#[pyfunction]
#[pyo3(signature = (*, folded=false))]
pub(crate) fn feature_count(folded: bool) -> usize {
    if folded { PACKING.len } else { RAW }
}

/// Makes an array of the positions of boards, or of texts of positions.
#[pyfunction]
pub(crate) fn from_boards(py: Python<'_>, boards: Vec<BoardArg>) -> PyResult<PositionArray<'_>> {
    position_array(py, boards.into_iter().map(|board| board.0.position()).collect())
}

/// Makes a board of each position, all with the same side to move.
#[pyfunction]
#[pyo3(signature = (positions, turn=None), text_signature = "(positions, turn='black')")]
pub(crate) fn to_boards(positions: Positions, turn: Option<ColorArg>) -> Vec<Board> {
    let side = turn.map_or(umigame_othello::Color::Black, |turn| turn.0);
    let board = |position| umigame_othello::Board::from_position(position, side).into();
    positions.0.into_iter().map(board).collect()
}
