//! `Evaluation` and `Explanation`: the value of a position without search.

use pyo3::prelude::*;
use pyo3::types::PyDict;
use umigame_othello::{Color, squares};

/// The value of a position without search; `float` gives discs for the side to move.
#[pyclass(module = "umigame", frozen, eq, ord, hash)]
#[derive(PartialEq, PartialOrd, Hash)]
pub(crate) struct Evaluation {
    pub centidiscs: i32,
}

#[pymethods]
impl Evaluation {
    /// Discs for the side to move, -64 to 64.
    #[getter]
    fn eval(&self) -> f64 {
        f64::from(self.centidiscs) / 100.0
    }

    fn __float__(&self) -> f64 {
        self.eval()
    }

    fn __repr__(&self) -> String {
        format!("Evaluation({:+.2})", self.eval())
    }
}

/// An evaluation taken apart; `str` gives the text of `umigame explain`.
#[pyclass(module = "umigame", frozen)]
pub(crate) struct Explanation(pub umigame_eval::Explanation);

#[pymethods]
impl Explanation {
    /// The value in discs for the side to move.
    #[getter]
    fn eval(&self) -> f64 {
        self.0.eval.discs()
    }

    /// The mean value of positions of the same phase, in discs.
    #[getter]
    fn baseline(&self) -> f64 {
        f64::from(self.0.breakdown.baseline) / 100.0
    }

    /// Counts of both sides by the name of the feature: (Black, White).
    #[getter]
    fn counts<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let counts = PyDict::new(py);
        for count in &self.0.counts {
            let (black, white) = match self.0.side {
                Color::Black => (count.player, count.opponent),
                Color::White => (count.opponent, count.player),
            };
            counts.set_item(count.feature.to_string(), (black, white))?;
        }
        Ok(counts)
    }

    /// Values of the groups of patterns beyond the baseline, in discs for the side to move.
    #[getter]
    fn groups<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let groups = PyDict::new(py);
        for value in &self.0.breakdown.groups {
            groups.set_item(value.group.to_string(), f64::from(value.centidiscs) / 100.0)?;
        }
        Ok(groups)
    }

    /// All patterns, the largest value of either sign first: name, squares, discs.
    #[getter]
    fn patterns(&self) -> Vec<(&'static str, Vec<String>, f64)> {
        let names = |bits| squares(bits).map(|square| square.to_string()).collect();
        let patterns = self.0.breakdown.patterns.iter();
        patterns.map(|pattern| (pattern.name, names(pattern.squares), pattern.discs)).collect()
    }

    fn __str__(&self) -> String {
        self.0.to_string()
    }

    fn __repr__(&self) -> String {
        format!("Explanation({})", self.0.eval)
    }
}
