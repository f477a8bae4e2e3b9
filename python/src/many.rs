//! Many positions at once: methods of `Engine` on arrays, on all its threads.

use std::convert::Infallible;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::sync::mpsc::Sender;

use numpy::{IntoPyArray, PyArray1};
use pyo3::prelude::*;
use umigame_engine::batch::{Worker, in_order};
use umigame_engine::{EngineError, Estimate, Limits, Report, Stoppable};
use umigame_othello::Position;

use crate::arrays::Positions;
use crate::engine::{Engine, exact_limits};
use crate::errors;
use crate::interrupt;
use crate::limits::Limit;
use crate::moves::{NO_MOVE, index_of};
use crate::numbers::Int;
use crate::report::{Value, depth_of, value};
use crate::shared::stopped;

/// The columns of `umigame.results.Results`.
#[derive(Default)]
struct Columns {
    evals: Vec<f32>,
    moves: Vec<i8>,
    std_devs: Vec<f32>,
    wins: Vec<f32>,
    losses: Vec<f32>,
    proven: Vec<bool>,
    nodes: Vec<u64>,
    seconds: Vec<f32>,
    depths: Vec<u8>,
    confidences: Vec<u8>,
    raws: Vec<f32>,
}

impl Columns {
    fn push(&mut self, position: Position, report: &Report) {
        let best = report.best();
        self.moves.push(best.map_or(NO_MOVE, |line| index_of(line.first())));
        let exact = || Estimate::exact(position.final_score());
        let Estimate { eval, std_dev, wdl } = best.map_or_else(exact, |line| line.estimate);
        self.evals.push(eval.discs() as f32);
        self.std_devs.push(std_dev.map_or(f32::NAN, |discs| discs as f32));
        self.wins.push(wdl.map_or(f32::NAN, |wdl| wdl.win() as f32));
        self.losses.push(wdl.map_or(f32::NAN, |wdl| wdl.loss() as f32));
        self.proven.push(best.is_none() || report.kind.is_proven());
        self.nodes.push(report.nodes);
        self.seconds.push(report.elapsed.as_secs_f32());
        let (depth, confidence) = depth_of(report, position);
        self.depths.push(depth as u8);
        self.confidences.push(confidence.percent());
        self.raws.push(best.map_or(eval, |line| line.raw).discs() as f32);
    }

    fn results(self, py: Python<'_>) -> Value<'_> {
        let columns = (
            self.evals.into_pyarray(py),
            self.moves.into_pyarray(py),
            self.std_devs.into_pyarray(py),
            self.wins.into_pyarray(py),
            self.losses.into_pyarray(py),
            self.proven.into_pyarray(py),
            self.nodes.into_pyarray(py),
            self.seconds.into_pyarray(py),
            self.depths.into_pyarray(py),
            self.confidences.into_pyarray(py),
            self.raws.into_pyarray(py),
        );
        value(py, "Results", columns)
    }
}

/// Calls a callback with the numbers of positions done and in total.
pub(crate) fn progress(
    callback: Option<Py<PyAny>>,
    total: usize,
) -> impl FnMut(Python<'_>, usize) -> PyResult<()> + Send {
    let mut done = 0;
    move |py, more| {
        done += more;
        if let Some(callback) = &callback {
            callback.call1(py, (done, total))?;
        }
        Ok(())
    }
}

impl Engine {
    fn run_many<'py>(
        &self,
        py: Python<'py>,
        positions: Vec<Position>,
        limits: &Limits,
        callback: Option<Py<PyAny>>,
    ) -> Value<'py> {
        let call = self.shared.call()?;
        let (total, wanted) = (positions.len(), callback.is_some());
        let options = self.shared.options;
        let work = |stop: &AtomicBool, done: &Sender<usize>| {
            let mut columns = Columns::default();
            let search = |worker: &mut Worker<'_>, position| {
                let report = worker.search(position, limits, &Stoppable::new(stop));
                (!stop.load(Relaxed)).then_some((position, report))
            };
            let receive = |(position, report): (Position, Report)| {
                columns.push(position, &report);
                if wanted {
                    // The receiver lives as long as the work.
                    let _ = done.send(1);
                }
                Ok::<_, EngineError>(())
            };
            let evaluation = &self.shared.evaluation;
            in_order(positions.into_iter(), evaluation, options, stop, search, receive)?;
            Ok::<_, EngineError>(columns)
        };
        let columns = interrupt::run_until(py, &call.stop, work, progress(callback, total))?;
        let columns = columns.map_err(errors::engine)?;
        if columns.evals.len() < total { Err(stopped()) } else { columns.results(py) }
    }
}

#[pymethods]
impl Engine {
    /// Evaluates many positions without search: discs for the side to move, float32.
    ///
    /// `positions` have shape (n, 2) and type uint64. `callback` is called with the numbers of
    /// positions done and in total.
    #[pyo3(signature = (positions, *, callback=None))]
    fn evaluate_many<'py>(
        &self,
        py: Python<'py>,
        positions: Positions,
        callback: Option<Py<PyAny>>,
    ) -> PyResult<Bound<'py, PyArray1<f32>>> {
        let Positions(positions) = positions;
        let (evaluation, threads) = (&self.shared.evaluation, self.shared.options.threads);
        let value = |row: usize| {
            Ok::<_, Infallible>(evaluation.evaluate_position(positions[row]) as f32 / 100.0)
        };
        let work = |stop: &AtomicBool, done: &Sender<usize>| {
            let mut out = vec![0.0; positions.len()];
            // The receiver lives as long as the work.
            let tell = |rows| _ = done.send(rows);
            let Ok(()) = interrupt::fill(&mut out, threads, stop, value, tell);
            out
        };
        let out = interrupt::run(py, work, progress(callback, positions.len()))?;
        Ok(out.into_pyarray(py))
    }

    /// Searches many positions, one a thread, each from an empty transposition table.
    ///
    /// `callback` is called with the numbers of positions done and in total.
    #[pyo3(signature = (positions, limit=None, *, callback=None))]
    fn search_many<'py>(
        &self,
        py: Python<'py>,
        positions: Positions,
        limit: Option<Limit>,
        callback: Option<Py<PyAny>>,
    ) -> Value<'py> {
        let limits = limit.unwrap_or_default().limits(1);
        self.run_many(py, positions.0, &limits, callback)
    }

    /// Solves many positions, one a thread, with the same results as `umigame solve`.
    ///
    /// `wld` and `window` are as in `solve`. `callback` is called with the numbers of positions done
    /// and in total.
    #[pyo3(signature = (positions, *, wld=false, window=None, callback=None))]
    fn solve_many<'py>(
        &self,
        py: Python<'py>,
        positions: Positions,
        wld: bool,
        window: Option<(Int, Int)>,
        callback: Option<Py<PyAny>>,
    ) -> Value<'py> {
        let limits = exact_limits(wld, window, &Int::Small(1))?;
        self.run_many(py, positions.0, &limits, callback)
    }
}
