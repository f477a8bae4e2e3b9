//! Values for the squares of a drawn board.

use pyo3::prelude::*;
use pyo3::types::PyMapping;
use umigame_analysis::values::{self, SquareValue};

use crate::errors::{wrong, wrong_type};
use crate::moves::MoveArg;
use crate::report::{ReportArg, eval_of, of_results};

/// Values given as a `Report`, or as discs by square.
pub(crate) struct SquareValues(pub Vec<SquareValue>);

impl<'py> FromPyObject<'_, 'py> for SquareValues {
    type Error = PyErr;

    fn extract(value: Borrowed<'_, 'py, PyAny>) -> PyResult<SquareValues> {
        if value.is_instance(&of_results(value.py(), "Report")?)? {
            let ReportArg(report) = value.extract()?;
            return Ok(SquareValues(values::of_report(&report)));
        }
        let expected = "values are a Report, or a dict of squares and discs such as {'f5': 1.5}";
        let mapping = value.cast::<PyMapping>().map_err(|_| wrong_type(expected, &value))?;
        let mut evals = Vec::new();
        for item in mapping.items()?.iter() {
            let (key, discs) = item.extract::<(Bound<'py, PyAny>, Bound<'py, PyAny>)>()?;
            let MoveArg(played) = key.extract()?;
            let square = played.square().ok_or_else(|| wrong("a pass has no square".to_owned()))?;
            let discs: f64 = discs.extract().map_err(|_| wrong_type(expected, &discs))?;
            evals.push((square, eval_of(discs)?));
        }
        Ok(SquareValues(values::of_evals(&evals)))
    }
}
