//! Results of searches as the values of `umigame.results`, and reports read back.

use pyo3::prelude::*;
use pyo3::types::PyDict;
use umigame_engine::{
    self as engine, Bound as ScoreBound, Confidence, Estimate, ReportLine, ScoreKind,
};
use umigame_othello::{Eval, Move, Position};

use crate::errors::{unreadable, wrong, wrong_type};
use crate::moves::texts;

/// A value of `umigame.results`, or the exception instead of it.
pub(crate) type Value<'py> = PyResult<Bound<'py, PyAny>>;

/// A function and the arguments with which pickle makes a value again.
pub(crate) type Pickled<'py, Arguments> = PyResult<(Bound<'py, PyAny>, Arguments)>;

/// Returns a class or a function of `umigame.results`.
pub(crate) fn of_results<'py>(py: Python<'py>, name: &str) -> Value<'py> {
    py.import("umigame.results")?.getattr(name)
}

/// Returns attributes of a value as a dict.
pub(crate) fn attributes<'py, T>(
    value: &Bound<'py, T>,
    names: &[&str],
) -> PyResult<Bound<'py, PyDict>> {
    let found = PyDict::new(value.py());
    for name in names {
        found.set_item(name, value.as_any().getattr(*name)?)?;
    }
    Ok(found)
}

/// Makes a value of a class of `umigame.results` from its fields, in their order.
pub(crate) fn value<'py>(
    py: Python<'py>,
    class: &str,
    fields: impl pyo3::call::PyCallArgs<'py>,
) -> Value<'py> {
    of_results(py, class)?.call1(fields)
}

/// Returns probabilities of win, draw and loss as a `Wdl`.
pub(crate) fn wdl(py: Python<'_>, estimate: Estimate) -> PyResult<Option<Bound<'_, PyAny>>> {
    let wdl = estimate.wdl.map(|wdl| (wdl.win(), wdl.draw(), wdl.loss()));
    wdl.map(|wdl| value(py, "Wdl", wdl)).transpose()
}

/// Returns a line as a `Line`.
fn line<'py>(py: Python<'py>, line: &ReportLine) -> Value<'py> {
    let bound = match line.bound {
        ScoreBound::Exact => "exact",
        ScoreBound::Lower => "lower",
        ScoreBound::Upper => "upper",
    };
    let estimate = line.estimate;
    let wdl = wdl(py, estimate)?;
    value(py, "Line", (texts(&line.moves), estimate.eval.discs(), estimate.std_dev, wdl, bound))
}

/// Returns the plies and the confidence of a search of `position`.
pub(crate) fn depth_of(report: &engine::Report, position: Position) -> (u32, Confidence) {
    match report.kind {
        ScoreKind::Depth { plies, confidence } => (plies.into(), confidence),
        ScoreKind::Endgame { confidence } => (position.empties(), confidence),
        ScoreKind::Exact | ScoreKind::WinLossDraw => (position.empties(), Confidence::FULL),
    }
}

/// Returns the report of a search of `position` as a `Report`.
pub(crate) fn report<'py>(
    py: Python<'py>,
    report: &engine::Report,
    position: Position,
) -> Value<'py> {
    let lines =
        report.lines.iter().map(|line| self::line(py, line)).collect::<PyResult<Vec<_>>>()?;
    let best = report.best();
    let over = || Estimate::exact(position.final_score());
    let estimate = best.map_or_else(over, |line| line.estimate);
    let (depth, confidence) = depth_of(report, position);
    let fields = (
        lines,
        estimate.eval.discs(),
        estimate.std_dev,
        wdl(py, estimate)?,
        report.kind.to_string(),
        depth,
        confidence.percent(),
        report.kind.is_proven(),
        report.nodes,
        report.elapsed.as_secs_f64(),
        report.time_to_exact.map(|time| time.as_secs_f64()),
    );
    value(py, "Report", fields)
}

/// Reads the kind of a search, as [`ScoreKind`] displays itself.
pub(crate) fn kind_of(text: &str) -> PyResult<ScoreKind> {
    text.parse().map_err(|error| {
        let text = umigame_othello::text::quote(text);
        wrong(format!("`{text}` is {error}"))
    })
}

/// Reads moves of a line.
pub(crate) fn moves_of(texts: &[String]) -> PyResult<Vec<Move>> {
    texts.iter().map(|text| text.parse().map_err(unreadable)).collect()
}

/// Reads discs.
pub(crate) fn eval_of(discs: f64) -> PyResult<Eval> {
    if (-64.0..=64.0).contains(&discs) {
        Ok(Eval::from_centidiscs((discs * 100.0).round() as i32))
    } else {
        Err(wrong(format!("eval {discs}: expected -64 to 64")))
    }
}

/// A report given as a `Report`, without its probabilities.
pub(crate) struct ReportArg(pub engine::Report);

impl<'py> FromPyObject<'_, 'py> for ReportArg {
    type Error = PyErr;

    fn extract(value: Borrowed<'_, 'py, PyAny>) -> PyResult<ReportArg> {
        let py = value.py();
        if !value.is_instance(&of_results(py, "Report")?)? {
            return Err(wrong_type("a report is a Report", &value));
        }
        let kind = kind_of(&value.getattr("kind")?.extract::<String>()?)?;
        let mut lines = Vec::new();
        for line in value.getattr("lines")?.try_iter()? {
            let line = line?;
            let moves = moves_of(&line.getattr("pv")?.extract::<Vec<String>>()?)?;
            let eval = eval_of(line.getattr("eval")?.extract()?)?;
            let bound = match &*line.getattr("bound")?.extract::<String>()? {
                "lower" => ScoreBound::Lower,
                "upper" => ScoreBound::Upper,
                _ => ScoreBound::Exact,
            };
            let mut read = ReportLine { bound, ..ReportLine::unsure(moves, eval, kind) };
            read.estimate.std_dev = line.getattr("std_dev")?.extract()?;
            lines.push(read);
        }
        Ok(ReportArg(engine::Report { lines, kind, ..engine::Report::default() }))
    }
}
