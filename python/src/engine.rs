//! `Engine`: searches, one position at a time.

use std::path::PathBuf;
use std::sync::Arc;

use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyTuple};
use umigame_engine::{
    self as engine, EngineOptions, Evaluation as Weights, Goal, Limits, Megabytes, SharedEvaluation,
};
use umigame_othello::{Position, Score};
use umigame_support::files;

use crate::board::BoardArg;
use crate::errors;
use crate::evaluation::explanation;
use crate::interrupt::{self, CHECK_INTERVAL};
use crate::limits::{Limit, lines, tolerance};
use crate::numbers::{Float, Int, within};
use crate::report::{Value, report};
use crate::running::{RunningSearch, next_report};
use crate::shared::Shared;
use crate::weak::{err, weakness};

/// Largest file that is read as weights; today's have 12 MB.
const MAX_WEIGHTS_BYTES: u64 = 1 << 26;

/// Weights given as a path or as bytes.
fn weights(value: Option<&Bound<'_, PyAny>>) -> PyResult<SharedEvaluation> {
    let Some(value) = value else { return Ok(Weights::embedded()) };
    let (bytes, name) = if let Ok(bytes) = value.cast::<PyBytes>() {
        (bytes.as_bytes().to_vec(), "weights".to_owned())
    } else {
        let path: PathBuf = value
            .extract()
            .map_err(|_| errors::wrong_type("weights are a path or bytes", value))?;
        let bytes = files::read_at_most(&path, MAX_WEIGHTS_BYTES);
        let bytes = bytes.map_err(|error| errors::of_file(&path, &error))?;
        (bytes, umigame_othello::text::shown_path(&path))
    };
    let read = interrupt::run_silently(value.py(), |_| Weights::from_bytes(&bytes))?;
    Ok(read.map_err(|why| errors::unreadable(format!("{name}: {why}")))?.into())
}

/// An engine: evaluation, transposition table and threads.
///
/// `threads` search one position together; those beyond the machine's processors are not started.
/// `hash_mb` is the size of the transposition table. `weights` is the path or the content of a
/// weights file; without it the weights in the package are used. Several engines can live side by
/// side, and several Python threads can use one engine in turns.
///
/// Ctrl-C ends every call within a tenth of a second. Calls release the interpreter's lock.
///
/// >>> with umigame.Engine() as engine:
/// ...     report = engine.search(umigame.Board("f5d6c3d3c4"), umigame.Limit(depth=12))
/// >>> report.move, report.kind
/// ('f4', '12')
/// >>> 0 < report.std_dev < 10, round(sum(report.wdl), 6)
/// (True, 1.0)
#[pyclass(module = "umigame", frozen)]
pub(crate) struct Engine {
    pub shared: Arc<Shared>,
}

impl Engine {
    /// Searches a position; passes reports to `callback`.
    fn run(
        &self,
        py: Python<'_>,
        position: Position,
        limits: &Limits,
        callback: Option<Py<PyAny>>,
    ) -> PyResult<engine::Report> {
        // Held to the end: other threads wait.
        let mut engine = self.shared.acquire(py)?;
        let mut running = engine.engine()?.start(position, limits).map_err(errors::engine)?;
        self.shared.note_search(running.stop_handle());
        while let Some(found) = next_report(py, || running.next_within(CHECK_INTERVAL))? {
            if let Some(callback) = &callback {
                callback.call1(py, (report(py, &found, position)?,))?;
            }
        }
        running.wait().map_err(errors::fault)
    }
}

/// Chooses a line at random among those at most `tolerance` discs worse than the best.
fn choose(found: &mut engine::Report, tolerance: f64, seed: Option<u64>) {
    let Some(best) = found.best() else { return };
    let least = best.eval().discs() - tolerance;
    found.lines.retain(|line| line.eval().discs() >= least);
    let mut random = seed.map_or_else(fastrand::Rng::new, fastrand::Rng::with_seed);
    let chosen = random.usize(..found.lines.len());
    found.lines = vec![found.lines.swap_remove(chosen)];
}

context_manager!(Engine, close);

#[pymethods]
impl Engine {
    #[new]
    #[pyo3(signature = (*, threads=Int::Small(1), hash_mb=Int::Small(64), weights=None),
        text_signature = "(*, threads=1, hash_mb=64, weights=None)")]
    fn new(
        py: Python<'_>,
        threads: Int,
        hash_mb: Int,
        weights: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<Engine> {
        let threads = interrupt::threads(Some(threads))?;
        let hash = Megabytes(hash_mb.count("hash_mb")?);
        let evaluation = self::weights(weights)?;
        let options = EngineOptions { hash, threads };
        let made = py.detach(|| engine::Engine::new(evaluation.clone(), options));
        let engine = made.map_err(errors::engine)?;
        Ok(Engine { shared: Arc::new(Shared::new(engine, evaluation, options)) })
    }

    /// The threads asked for.
    #[getter]
    fn threads(&self) -> usize {
        self.shared.options.threads
    }

    /// The size of the transposition table in megabytes.
    #[getter]
    fn hash_mb(&self) -> usize {
        self.shared.options.hash.0
    }

    /// The checksum of the weights: equal for equal weights.
    #[getter]
    fn weights_checksum(&self, py: Python<'_>) -> u32 {
        py.detach(|| self.shared.evaluation.checksum())
    }

    /// Searches a position and returns the report of the last finished iteration, or of a better
    /// move that the unfinished one after it has found.
    ///
    /// `multipv` is the number of moves that get a line. `callback` is called with each finished
    /// iteration; an exception from it ends the search.
    #[pyo3(signature = (board, limit=None, *, multipv=Int::Small(1), callback=None),
        text_signature = "($self, board, limit=None, *, multipv=1, callback=None)")]
    fn search<'py>(
        &self,
        py: Python<'py>,
        board: BoardArg,
        limit: Option<Limit>,
        multipv: Int,
        callback: Option<Py<PyAny>>,
    ) -> Value<'py> {
        let (position, limit) = (board.0.position(), limit.unwrap_or_default());
        let found = self.run(py, position, &limit.limits(lines(&multipv)?), callback)?;
        report(py, &found, position)
    }

    /// Chooses a move: the report of a search whose `move` is the one to play, "pass" where passing
    /// is forced. Raises IllegalMove if the game is over.
    ///
    /// With `tolerance`, the move is drawn at random among those at most so many discs worse than
    /// the best, and the report has its line alone; the same `seed` draws the same.
    ///
    /// For an opponent that a person can beat, `level` is the name of a level below 1 (see `levels`),
    /// or `error` the discs to lose in a game, about: then it errs as people do, losing at most
    /// `max_error` discs in a move. The same position and `seed` err the same.
    ///
    /// >>> report = umigame.Engine().play("f5d6", level="beginner", seed=7)
    /// >>> report.move in umigame.Board("f5d6").legal_moves
    /// True
    #[pyo3(signature = (board, limit=None, *, tolerance=Float(0.0), seed=None, level=None,
        error=None, max_error=None), text_signature = "($self, board, limit=None, *, \
        tolerance=0.0, seed=None, level=None, error=None, max_error=None)")]
    fn play<'py>(
        &self,
        py: Python<'py>,
        board: BoardArg,
        limit: Option<Limit>,
        tolerance: Float,
        seed: Option<Int>,
        level: Option<String>,
        error: Option<Float>,
        max_error: Option<Float>,
    ) -> Value<'py> {
        if board.0.is_over() {
            return Err(errors::illegal("no move: the game is over"));
        }
        let tolerance = self::tolerance(tolerance)?;
        let seed = within(seed, "seed", 0..=u64::MAX)?;
        let (position, limit) = (board.0.position(), limit.unwrap_or_default());
        let discs = |asked: Option<Float>| asked.map(|discs| discs.0);
        if let Some(weakness) = weakness(level.as_deref(), discs(error), discs(max_error))? {
            if tolerance > 0.0 {
                return Err(errors::wrong("tolerance beside errors: expected one of them"));
            }
            let seed = seed.unwrap_or_else(|| fastrand::u64(..));
            let found = err(py, &self.shared, position, &limit, &weakness, seed)?;
            return report(py, &found, position);
        }
        let all = position.legal_moves().count().max(1) as usize;
        let lines = if tolerance > 0.0 { all } else { 1 };
        let mut found = self.run(py, position, &limit.limits(lines), None)?;
        choose(&mut found, tolerance, seed);
        report(py, &found, position)
    }

    /// Begins a search in the background: an iterator of reports, each deeper than the one before.
    ///
    /// Without a limit it goes on until the position is solved or it is stopped. Until then, other
    /// calls of the engine raise EngineError.
    ///
    /// >>> engine = umigame.Engine()
    /// >>> with engine.start(umigame.Board("f5d6c3"), multipv=2) as running:
    /// ...     for report in running:
    /// ...         if report.depth >= 8:
    /// ...             break
    /// >>> report.kind
    /// '8@73%'
    #[pyo3(signature = (board, limit=None, *, multipv=Int::Small(1)),
        text_signature = "($self, board, limit=None, *, multipv=1)")]
    fn start(
        &self,
        py: Python<'_>,
        board: BoardArg,
        limit: Option<Limit>,
        multipv: Int,
    ) -> PyResult<RunningSearch> {
        let lines = lines(&multipv)?;
        let limits = match limit {
            Some(limit) => limit.limits(lines),
            None => Limits::exact().with_lines(lines),
        };
        let position = board.0.position();
        let mut engine = self.shared.acquire(py)?;
        let running = engine.engine()?.start(position, &limits).map_err(errors::engine)?;
        self.shared.note_search(running.stop_handle());
        Ok(RunningSearch::new(running, position, Arc::clone(&self.shared)))
    }

    /// Stops what the engine is doing; from any thread. Does nothing if that is nothing.
    ///
    /// A search of one position returns what it has found. `search_many`, `solve_many`,
    /// `analyze_game` and calls that wait for the engine raise EngineError.
    fn stop(&self) {
        self.shared.stop();
    }

    /// Solves a position: its exact score, however long it takes.
    ///
    /// With `wld` only the sign of the score counts: win, draw or loss. With `window=(low, high)`
    /// the score is exact between the two, and a bound outside.
    ///
    /// >>> board = umigame.Board.from_obf("O--OOOOX-OOOOOOXOOXXOOOXOOXOOOXXOOOOOOXX---OOOOX----O--X-------- X")
    /// >>> report = umigame.Engine().solve(board)
    /// >>> report.move, report.eval, report.kind
    /// ('a2', 38.0, '100%')
    #[pyo3(signature = (board, *, wld=false, window=None, multipv=Int::Small(1), callback=None),
        text_signature = "($self, board, *, wld=False, window=None, multipv=1, callback=None)")]
    fn solve<'py>(
        &self,
        py: Python<'py>,
        board: BoardArg,
        wld: bool,
        window: Option<(Int, Int)>,
        multipv: Int,
        callback: Option<Py<PyAny>>,
    ) -> Value<'py> {
        let (position, limits) = (board.0.position(), exact_limits(wld, window, &multipv)?);
        let found = self.run(py, position, &limits, callback)?;
        report(py, &found, position)
    }

    /// Evaluates a position without search, in discs for the side to move.
    ///
    /// >>> umigame.Engine().evaluate("f5d6c3d3c4")
    /// -1.31
    fn evaluate(&self, py: Python<'_>, board: BoardArg) -> f64 {
        let position = board.0.position();
        // The first call unpacks the weights.
        let centidiscs = py.detach(|| self.shared.evaluation.evaluate_position(position));
        f64::from(centidiscs) / 100.0
    }

    /// Takes the evaluation of a position apart: counts of both sides, groups of patterns.
    fn explain<'py>(&self, py: Python<'py>, board: BoardArg) -> Value<'py> {
        let (position, side) = (board.0.position(), board.0.side_to_move());
        let shared = &self.shared;
        let explained = interrupt::run_silently(py, |_| {
            umigame_eval::explain(&shared.evaluation, position, side)
        })?;
        explanation(py, &explained)
    }

    /// Empties the transposition table: the next search visits the same nodes as a new engine's.
    fn clear(&self, py: Python<'_>) -> PyResult<()> {
        let _call = self.shared.call()?;
        interrupt::run_silently(py, |stop| {
            self.shared.lock(stop)?.engine()?.clear();
            Ok(())
        })?
    }

    /// Stops the engine and frees its memory and threads. Later calls raise EngineError.
    fn close(&self, py: Python<'_>) -> PyResult<()> {
        self.shared.stop();
        interrupt::run_silently(py, |stop| self.shared.close(stop))?
    }

    fn __repr__(&self) -> String {
        let EngineOptions { hash, threads } = self.shared.options;
        format!("Engine(threads={threads}, hash_mb={})", hash.0)
    }
}

/// The limits of a search for the exact score.
///
/// # Errors
/// A window that is none, or no line.
pub(crate) fn exact_limits(
    wld: bool,
    window: Option<(Int, Int)>,
    multipv: &Int,
) -> PyResult<Limits> {
    let goal = match window {
        Some(_) if wld => return Err(errors::wrong("wld and window: expected one of them")),
        Some((low, high)) => {
            let discs = |end: &Int| end.within("window", -64..=64).ok().and_then(Score::new);
            match (discs(&low), discs(&high)) {
                (Some(alpha), Some(beta)) if alpha < beta => Goal::Window(alpha, beta),
                _ => {
                    return Err(errors::wrong(format!(
                        "window=({low}, {high}): expected two scores from -64 to 64, the lower first"
                    )));
                }
            }
        }
        None if wld => Goal::WinLossDraw,
        None => Goal::Score,
    };
    Ok(Limits::exact().with_goal(goal).with_lines(lines(multipv)?))
}
