//! `analyze_game`: a game judged move by move.

use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::sync::mpsc::Sender;

use pyo3::prelude::*;
use pyo3::types::{PyDict, PyTuple};
use umigame_analysis::{Analysis, Grade, Judgement, ValuedMove, html, judge};
use umigame_engine::{Limits, Stoppable};
use umigame_othello::{self as othello, Color, Position};

use crate::board::Board;
use crate::engine::Engine;
use crate::errors::illegal;
use crate::game::{Game, GameArg};
use crate::interrupt;
use crate::judgements::{self, SavedJudgement};
use crate::limits::Limit;
use crate::moves::{ColorArg, color_text, texts};
use crate::report::{Pickled, Value, attributes, of_results, value, wdl};
use crate::shared::stopped;

/// Returns the loss of a move in discs.
fn loss(judged: &Judgement) -> f64 {
    f64::from(judged.loss().unwrap_or(0)) / 100.0
}

/// Returns a judged move as a `JudgedMove`.
fn judged_move<'py>(
    py: Python<'py>,
    judged: &Judgement,
    best: &ValuedMove,
    played: &ValuedMove,
) -> Value<'py> {
    let board = Board::from(othello::Board::from_position(judged.position, judged.side));
    let estimate = played.value.estimate;
    // Of more fields than a tuple of Rust's has.
    let fields: [Bound<'py, PyAny>; 13] = [
        judged.ply.into_pyobject(py)?.into_any(),
        judged.number.into_pyobject(py)?.into_any(),
        color_text(judged.side).into_pyobject(py)?.into_any(),
        board.into_pyobject(py)?.into_any(),
        played.first().to_string().into_pyobject(py)?.into_any(),
        estimate.eval.discs().into_pyobject(py)?.into_any(),
        estimate.std_dev.into_pyobject(py)?.into_any(),
        wdl(py, estimate)?.into_pyobject(py)?.into_any(),
        texts(&best.line).into_pyobject(py)?.into_any(),
        best.value.eval().discs().into_pyobject(py)?.into_any(),
        loss(judged).into_pyobject(py)?.into_any(),
        judged.is_proven().into_pyobject(py)?.to_owned().into_any(),
        Grade::of(judged).map_or("forced", Grade::word).into_pyobject(py)?.into_any(),
    ];
    value(py, "JudgedMove", PyTuple::new(py, fields)?)
}

/// A game judged move by move; `str` gives a table.
#[pyclass(module = "umigame", frozen)]
pub(crate) struct GameAnalysis {
    analysis: Analysis,
    limit: Limit,
}

impl GameAnalysis {
    /// The judgements of the positions before moves.
    fn judged(&self) -> impl Iterator<Item = (&Judgement, &ValuedMove, &ValuedMove)> {
        let judgements = self.analysis.judgements().iter();
        judgements
            .filter_map(|judged| Some((judged, judged.best.as_ref()?, judged.played.as_ref()?)))
    }
}

#[pymethods]
impl GameAnalysis {
    /// The game.
    #[getter]
    fn game(&self) -> Game {
        self.analysis.record().clone().into()
    }

    /// The bounds of the search of each position.
    #[getter]
    fn limit(&self) -> Limit {
        self.limit.clone()
    }

    /// The moves in order, passes included.
    #[getter]
    fn moves<'py>(&self, py: Python<'py>) -> PyResult<Vec<Bound<'py, PyAny>>> {
        self.judged().map(|(judged, best, played)| judged_move(py, judged, best, played)).collect()
    }

    /// The loss of each move in discs, passes included.
    #[getter]
    fn losses(&self) -> Vec<f64> {
        self.judged().map(|(judged, ..)| loss(judged)).collect()
    }

    /// Black's eval of every position in discs, the last included.
    #[getter]
    fn evals(&self) -> Vec<f64> {
        self.analysis.judgements().iter().map(|judged| judged.black().discs()).collect()
    }

    /// The plies at which the game turned, at most six.
    #[getter]
    fn turning_points(&self) -> Vec<usize> {
        self.analysis.turning_points().iter().map(|point| point.ply).collect()
    }

    /// Returns the totals of "black" or "white".
    fn totals<'py>(&self, py: Python<'py>, color: ColorArg) -> Value<'py> {
        let totals = self.analysis.totals(color.0);
        let fields = (
            totals.moves,
            totals.choices,
            totals.best,
            f64::from(totals.loss) / 100.0,
            totals.inaccuracies,
            totals.mistakes,
            totals.blunders,
            totals.mean_loss(),
            totals.accuracy(),
        );
        value(py, "SideTotals", fields)
    }

    /// Returns a page with the graph of the game and a board that replays it: one file.
    fn html(&self, py: Python<'_>) -> PyResult<String> {
        let limit = Limit::__repr__(&Bound::new(py, self.limit.clone())?)?;
        let how = format!("Each position was searched with {limit}.");
        Ok(html::page(&self.analysis, &how, None))
    }

    /// Returns the line of `umigame analyze --jsonl`.
    fn json(&self) -> String {
        umigame_analysis::json(&self.analysis, None, 1)
    }

    /// Returns game, limit, moves, evals, turning points and totals as a dict of plain types.
    fn to_dict<'py>(slf: &Bound<'py, GameAnalysis>) -> Value<'py> {
        let py = slf.py();
        let totals = PyDict::new(py);
        for color in Color::ALL {
            totals.set_item(color_text(color), slf.get().totals(py, ColorArg(color))?)?;
        }
        let names = ["game", "limit", "moves", "evals", "turning_points"];
        let found = attributes(slf, &names)?;
        found.set_item("totals", totals)?;
        of_results(py, "plain")?.call1((found,))
    }

    fn __str__(&self) -> String {
        self.analysis.to_string()
    }

    fn __repr__(&self) -> String {
        format!("GameAnalysis({} moves)", self.analysis.board().plies())
    }

    fn __eq__(&self, other: &GameAnalysis) -> bool {
        self.limit == other.limit
            && self.analysis.record() == other.analysis.record()
            && self.analysis.judgements() == other.analysis.judgements()
    }

    fn __reduce__<'py>(
        slf: &Bound<'py, GameAnalysis>,
    ) -> Pickled<'py, (Game, Limit, Vec<SavedJudgement>)> {
        let analysis = slf.get();
        let saved = analysis.analysis.judgements().iter().map(judgements::save).collect();
        let state = (analysis.game(), analysis.limit(), saved);
        Ok((slf.get_type().getattr("_restore")?, state))
    }

    /// Unpickles an analysis.
    #[staticmethod]
    fn _restore(game: Game, limit: Limit, saved: Vec<SavedJudgement>) -> PyResult<GameAnalysis> {
        let judgements = judgements::restore(&game.record, saved)?;
        let analysis = Analysis::new(game.record, judgements).map_err(illegal)?;
        Ok(GameAnalysis { analysis, limit })
    }
}

/// Judges a game on an engine.
fn judged(
    engine: &Engine,
    board: &othello::Board,
    limits: &Limits,
    stop: &AtomicBool,
    done: &Sender<usize>,
) -> PyResult<Vec<Judgement>> {
    let mut guard = engine.shared.lock(stop)?;
    let engine = guard.engine()?;
    let mut judgements = Vec::new();
    let mut search = |position: Position, limits: &Limits| {
        let report = engine.search(position, limits, &Stoppable::new(stop));
        (!stop.load(Relaxed)).then_some(report)
    };
    judge(board, limits, &mut search, &mut |judged| {
        judgements.push(judged.clone());
        // The receiver lives as long as the work.
        let _ = done.send(1);
    });
    if judgements.len() <= board.plies() { Err(stopped()) } else { Ok(judgements) }
}

/// Judges every move of a game: its loss against the best move.
///
/// `game` is a `Game`, a `Board` with moves, or text. `limit` bounds the search of each position,
/// level 16 by default. `engine` does the searches; without one, an engine of one thread is made.
/// `callback` is called with the numbers of positions done and in total.
///
/// >>> analysis = umigame.analyze_game("f5d6c3d3c4f4f6", umigame.Limit(depth=6))
/// >>> [move.move for move in analysis.moves]
/// ['f5', 'd6', 'c3', 'd3', 'c4', 'f4', 'f6']
/// >>> analysis.losses[0]
/// 0.0
#[pyfunction]
#[pyo3(signature = (game, limit=None, *, engine=None, callback=None))]
pub(crate) fn analyze_game(
    py: Python<'_>,
    game: GameArg,
    limit: Option<Limit>,
    engine: Option<Bound<'_, Engine>>,
    callback: Option<Py<PyAny>>,
) -> PyResult<GameAnalysis> {
    let GameArg(record) = game;
    let board = record.board().map_err(illegal)?;
    let limit = limit.unwrap_or_default();
    let engine = match engine {
        Some(engine) => engine,
        None => py.get_type::<Engine>().call0()?.cast_into()?,
    };
    let (engine, limits) = (engine.get(), limit.limits(1));
    let call = engine.shared.call()?;
    let judgements = interrupt::run_until(
        py,
        &call.stop,
        |stop, done| judged(engine, &board, &limits, stop, done),
        crate::many::progress(callback, board.plies() + 1),
    )??;
    let analysis = Analysis::new(record, judgements).map_err(illegal)?;
    Ok(GameAnalysis { analysis, limit })
}
