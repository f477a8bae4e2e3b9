//! `Explanation`: the value of a position without search, taken apart.

use pyo3::prelude::*;
use pyo3::types::PyDict;
use umigame_eval::Explanation;
use umigame_othello::{Bitboard, Color};

use crate::report::{Value, value};

/// Returns an explanation as an `Explanation`.
pub(crate) fn explanation<'py>(py: Python<'py>, explained: &Explanation) -> Value<'py> {
    let (counts, groups) = (PyDict::new(py), PyDict::new(py));
    for count in &explained.counts {
        let (black, white) = match explained.side {
            Color::Black => (count.player, count.opponent),
            Color::White => (count.opponent, count.player),
        };
        counts.set_item(count.name, (black, white))?;
    }
    for value in &explained.breakdown.groups {
        groups.set_item(value.group.to_string(), f64::from(value.centidiscs) / 100.0)?;
    }
    let names = |squares: Bitboard| squares.iter().map(|square| square.to_string()).collect();
    let patterns = explained.breakdown.patterns.iter();
    let patterns: Vec<(&str, Vec<String>, f64)> =
        patterns.map(|pattern| (pattern.name, names(pattern.squares), pattern.discs)).collect();
    let baseline = f64::from(explained.breakdown.baseline) / 100.0;
    let fields =
        (explained.eval.discs(), baseline, counts, groups, patterns, explained.to_string());
    value(py, "Explanation", fields)
}
