//! Moves, squares and colours as Python writes them.
//!
//! A move is a string, `"f5"` or `"pass"`; in arrays it is a number, 0 for a1 to 63 for h8, 64 for
//! a pass and -1 for none. Both are accepted as arguments.

use pyo3::prelude::*;
use pyo3::types::{PyBool, PyString};
use umigame_othello::{Color, Move, Square};

use crate::errors::{unreadable, wrong, wrong_type};
use crate::numbers::Int;

/// Number of a pass in arrays.
pub(crate) const PASS_INDEX: i8 = 64;
/// Number in arrays where there is no move.
pub(crate) const NO_MOVE: i8 = -1;

/// A move given as text or as a number.
pub(crate) struct MoveArg(pub Move);

impl<'py> FromPyObject<'_, 'py> for MoveArg {
    type Error = PyErr;

    fn extract(value: Borrowed<'_, 'py, PyAny>) -> PyResult<MoveArg> {
        if let Ok(text) = value.cast::<PyString>() {
            return text.to_string_lossy().parse().map(MoveArg).map_err(unreadable);
        }
        let number = if value.is_instance_of::<PyBool>() { None } else { value.extract().ok() };
        let expected = "a move is a str such as 'f5' or an int from 0 to 64";
        let number: Int = number.ok_or_else(|| wrong_type(expected, &value))?;
        let index = number.within("move", 0..=i64::from(PASS_INDEX)).ok();
        index.and_then(move_of).map(MoveArg).ok_or_else(|| {
            wrong(format!("{number} is no move: expected 0 (a1) to 63 (h8), or 64 for a pass"))
        })
    }
}

/// The move with a number, 0 to 64.
pub(crate) fn move_of(number: i64) -> Option<Move> {
    if number == i64::from(PASS_INDEX) {
        return Some(Move::Pass);
    }
    Square::from_index(usize::try_from(number).ok()?).map(Move::Place)
}

/// The number of a move.
pub(crate) fn index_of(played: Move) -> i8 {
    played.square().map_or(PASS_INDEX, |square| square.index() as i8)
}

/// The number of a square given as text or as a number.
///
/// # Errors
/// A pass.
pub(crate) fn square(arg: &MoveArg) -> PyResult<Square> {
    arg.0.square().ok_or_else(|| wrong("a pass is no square: expected a square such as 'f5'"))
}

/// A colour given as `"black"` or `"white"`.
pub(crate) struct ColorArg(pub Color);

impl<'py> FromPyObject<'_, 'py> for ColorArg {
    type Error = PyErr;

    fn extract(value: Borrowed<'_, 'py, PyAny>) -> PyResult<ColorArg> {
        let Ok(text) = value.cast::<PyString>() else {
            return Err(wrong_type("a color is a str", &value));
        };
        let text = text.to_string_lossy();
        match &*text {
            "black" => Ok(ColorArg(Color::Black)),
            "white" => Ok(ColorArg(Color::White)),
            other => {
                let found = umigame_othello::text::quote(other);
                Err(wrong(format!("`{found}` is no color: expected 'black' or 'white'")))
            }
        }
    }
}

/// Writes `black` or `white`.
pub(crate) const fn color_text(color: Color) -> &'static str {
    match color {
        Color::Black => "black",
        Color::White => "white",
    }
}

/// Writes the moves of a line.
pub(crate) fn texts(moves: &[Move]) -> Vec<String> {
    moves.iter().map(Move::to_string).collect()
}

/// Returns the number of a square: 0 for "a1" to 63 for "h8".
///
/// >>> umigame.square_index("f5")
/// 37
#[pyfunction]
pub(crate) fn square_index(square: MoveArg) -> PyResult<usize> {
    Ok(self::square(&square)?.index())
}

/// Returns the name of a square: "a1" for 0 to "h8" for 63.
///
/// >>> umigame.square_name(37)
/// 'f5'
#[pyfunction]
pub(crate) fn square_name(square: MoveArg) -> PyResult<String> {
    Ok(self::square(&square)?.to_string())
}
