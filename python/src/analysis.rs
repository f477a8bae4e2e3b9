//! `analyze`: a game judged move by move.

use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::sync::mpsc::Sender;

use pyo3::prelude::*;
use pyo3::types::PyDict;
use umigame_analysis::{Analysis, Grade, Judgement, ValuedMove, html, judge};
use umigame_engine::{Limits, Stoppable};
use umigame_othello::{self as othello, Position};

use crate::board::Board;
use crate::engine::{Engine, Unavailable};
use crate::errors::illegal;
use crate::game::{Game, GameArg};
use crate::interrupt;
use crate::limits::Limit;
use crate::moves::{ColorArg, color_text, texts};
use crate::report::{odds, sigma};

/// Adds the classes and the function to the module.
pub(crate) fn add_to(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add_class::<GameAnalysis>()?;
    module.add_class::<JudgedMove>()?;
    module.add_function(wrap_pyfunction!(analyze, module)?)
}

/// A move of a game with its loss against the best move.
#[pyclass(module = "umigame", frozen)]
pub(crate) struct JudgedMove {
    judged: Judgement,
    best: ValuedMove,
    played: ValuedMove,
}

#[pymethods]
impl JudgedMove {
    /// The plies before the move; passes count.
    #[getter]
    fn ply(&self) -> usize {
        self.judged.ply
    }

    /// The number of the move, from 1; passes do not count.
    #[getter]
    fn number(&self) -> usize {
        self.judged.number
    }

    /// The side that moved, "black" or "white".
    #[getter]
    fn color(&self) -> &'static str {
        color_text(self.judged.side)
    }

    /// The board before the move, without its history.
    #[getter]
    fn board(&self) -> Board {
        othello::Board::from_position(self.judged.position, self.judged.side).into()
    }

    /// The move played.
    #[getter]
    fn r#move(&self) -> String {
        self.played.first().to_string()
    }

    /// The best move; the one played where none is better.
    #[getter]
    fn best(&self) -> String {
        self.best.first().to_string()
    }

    /// The best move and the best line after it.
    #[getter]
    fn best_line(&self) -> Vec<String> {
        texts(&self.best.line)
    }

    /// The eval of the best move, in discs for the side that moved.
    #[getter]
    fn best_eval(&self) -> f64 {
        self.best.value.eval.discs()
    }

    /// The eval of the move played, in discs for the side that moved.
    #[getter]
    fn eval(&self) -> f64 {
        self.played.value.eval.discs()
    }

    /// The sigma of `eval` in discs: 0 if it is exact, None if unknown.
    #[getter]
    fn sigma(&self) -> Option<f64> {
        sigma(self.played.value.certainty)
    }

    /// The odds of win, draw and loss after the move, for the side that moved; None if unknown.
    #[getter]
    fn odds(&self) -> Option<(f64, f64, f64)> {
        odds(self.played.value.certainty)
    }

    /// The loss in discs, 0 to 128.
    #[getter]
    fn loss(&self) -> f64 {
        f64::from(self.judged.loss().unwrap_or(0)) / 100.0
    }

    /// Whether the loss is exact.
    #[getter]
    fn is_proven(&self) -> bool {
        self.judged.is_proven()
    }

    /// "forced", "best", "good", "inaccuracy", "mistake" or "blunder".
    #[getter]
    fn grade(&self) -> &'static str {
        Grade::of(&self.judged).map_or("forced", Grade::word)
    }

    fn __repr__(&self) -> String {
        format!("JudgedMove({} {}, loss {:.2})", self.number(), self.played.first(), self.loss())
    }
}

/// A game judged move by move; `str` gives a table.
#[pyclass(module = "umigame", frozen)]
pub(crate) struct GameAnalysis {
    analysis: Analysis,
    limit: String,
}

#[pymethods]
impl GameAnalysis {
    /// The game.
    #[getter]
    fn game(&self) -> Game {
        self.analysis.record().clone().into()
    }

    /// The moves in order, passes included.
    #[getter]
    fn moves(&self) -> Vec<JudgedMove> {
        let judged = self.analysis.judgements().iter().filter_map(|judged| {
            let (best, played) = (judged.best.clone()?, judged.played.clone()?);
            Some(JudgedMove { judged: judged.clone(), best, played })
        });
        judged.collect()
    }

    /// The loss of each move in discs, passes included.
    #[getter]
    fn losses(&self) -> Vec<f64> {
        self.moves().iter().map(JudgedMove::loss).collect()
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

    /// Returns the totals of "black" or "white": moves, choices, best, loss (discs), inaccuracies,
    /// mistakes, blunders, mean_loss and accuracy (None without a choice).
    fn totals<'py>(&self, py: Python<'py>, color: ColorArg) -> PyResult<Bound<'py, PyDict>> {
        let totals = self.analysis.totals(color.0);
        let found = PyDict::new(py);
        found.set_item("moves", totals.moves)?;
        found.set_item("choices", totals.choices)?;
        found.set_item("best", totals.best)?;
        found.set_item("loss", f64::from(totals.loss) / 100.0)?;
        found.set_item("inaccuracies", totals.inaccuracies)?;
        found.set_item("mistakes", totals.mistakes)?;
        found.set_item("blunders", totals.blunders)?;
        found.set_item("mean_loss", totals.mean_loss())?;
        found.set_item("accuracy", totals.accuracy())?;
        Ok(found)
    }

    /// Returns a page with the graph of the game and a board that replays it: one file.
    fn html(&self) -> String {
        html::page(
            &self.analysis,
            &format!("Each position was searched with {}.", self.limit),
            None,
        )
    }

    /// Returns the line of `umigame analyze --jsonl`.
    fn json(&self) -> String {
        umigame_analysis::json(&self.analysis, None, 1)
    }

    fn __str__(&self) -> String {
        self.analysis.to_string()
    }

    fn __repr__(&self) -> String {
        format!("GameAnalysis({} moves)", self.analysis.board().plies())
    }
}

/// Judges a game on an engine; `None` where it was stopped.
fn judged(
    engine: &Engine,
    board: &othello::Board,
    limits: &Limits,
    stop: &AtomicBool,
    done: &Sender<usize>,
) -> Result<Vec<Judgement>, Unavailable> {
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
    Ok(judgements)
}

/// Judges every move of a game: its loss against the best move.
///
/// `game` is a `Game`, a `Board` with moves, or text. `limit` bounds the search of each position,
/// level 16 by default. `engine` does the searches; without one, an engine of one thread is made.
/// `callback` is called with the numbers of positions done and in total.
///
/// >>> analysis = umigame.analyze("f5d6c3d3c4f4f6", umigame.Limit(depth=6))
/// >>> [move.move for move in analysis.moves]
/// ['f5', 'd6', 'c3', 'd3', 'c4', 'f4', 'f6']
/// >>> analysis.losses[0]
/// 0.0
#[pyfunction]
#[pyo3(signature = (game, limit=None, *, engine=None, callback=None))]
pub(crate) fn analyze(
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
    engine.shared.check_free()?;
    let judgements = interrupt::run(
        py,
        |stop, done| judged(engine, &board, &limits, stop, done),
        crate::many::progress(callback, board.plies() + 1),
    )??;
    let analysis = Analysis::new(record, judgements).map_err(illegal)?;
    Ok(GameAnalysis { analysis, limit: limit.shown() })
}
