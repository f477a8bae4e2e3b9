//! `Engine`: searches, one position at a time.

use std::fs;
use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::sync::mpsc::Sender;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyTuple};
use umigame_engine::{
    self as engine, EngineOptions, Evaluation as Weights, Goal, Limits, Listener, Megabytes,
    SharedEvaluation,
};
use umigame_othello::{Position, Score};

use crate::board::BoardArg;
use crate::errors;
use crate::evaluation::{Evaluation, Explanation};
use crate::interrupt;
use crate::limits::{Limit, lines};
use crate::report::Report;
use crate::stream::Analysis;

/// Largest file that is read as weights; today's have 9 MB.
const MAX_WEIGHTS_BYTES: u64 = 1 << 26;

/// Reasons why an engine cannot be used.
#[derive(Debug)]
pub(crate) enum Unavailable {
    /// It was closed.
    Closed,
    /// An analysis runs on it.
    Busy,
    /// The wait for it was interrupted.
    Stopped,
}

impl From<Unavailable> for PyErr {
    fn from(why: Unavailable) -> PyErr {
        errors::engine(match why {
            Unavailable::Closed => "the engine was closed",
            Unavailable::Busy => "an analysis runs on the engine: stop it first",
            Unavailable::Stopped => "the wait for the engine was interrupted",
        })
    }
}

/// An engine and what its users share.
pub(crate) struct Shared {
    /// `None` once closed.
    engine: Mutex<Option<engine::Engine>>,
    /// The flag that stops the analysis that has the engine; `None` without one.
    pub analysis: Mutex<Option<Arc<AtomicBool>>>,
    pub evaluation: SharedEvaluation,
    pub options: EngineOptions,
}

/// An engine in use.
pub(crate) struct InUse<'a>(MutexGuard<'a, Option<engine::Engine>>);

impl InUse<'_> {
    /// The engine.
    pub(crate) fn engine(&mut self) -> Result<&mut engine::Engine, Unavailable> {
        self.0.as_mut().ok_or(Unavailable::Closed)
    }
}

impl Shared {
    /// Waits until no other thread uses the engine, or for a stop.
    pub(crate) fn lock(&self, stop: &AtomicBool) -> Result<InUse<'_>, Unavailable> {
        interrupt::lock(&self.engine, stop).map(InUse).ok_or(Unavailable::Stopped)
    }

    /// The flag of the analysis that runs.
    pub(crate) fn analysis(&self) -> MutexGuard<'_, Option<Arc<AtomicBool>>> {
        self.analysis.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Refuses calls while an analysis runs that nobody has stopped; one that was stopped ends soon.
    pub(crate) fn check_free(&self) -> Result<(), Unavailable> {
        match &*self.analysis() {
            Some(stop) if !stop.load(Relaxed) => Err(Unavailable::Busy),
            _ => Ok(()),
        }
    }
}

/// Keeps time, passes reports on and ends a search once a flag is set.
pub(crate) struct Watch<'a> {
    start: Instant,
    stop: &'a AtomicBool,
    reports: &'a Sender<engine::Report>,
    /// Reports are wanted.
    wanted: bool,
}

impl<'a> Watch<'a> {
    /// Begins to keep time.
    pub(crate) fn new(
        stop: &'a AtomicBool,
        reports: &'a Sender<engine::Report>,
        wanted: bool,
    ) -> Watch<'a> {
        Watch { start: Instant::now(), stop, reports, wanted }
    }
}

impl Listener for Watch<'_> {
    fn go_on(&self) -> bool {
        !self.stop.load(Relaxed)
    }

    fn elapsed(&self) -> Duration {
        self.start.elapsed()
    }

    fn report(&self, report: &engine::Report) {
        if self.wanted {
            // The receiver lives as long as the search.
            let _ = self.reports.send(report.clone());
        }
    }
}

/// Weights given as a path or as bytes.
fn weights(value: Option<&Bound<'_, PyAny>>) -> PyResult<SharedEvaluation> {
    let Some(value) = value else { return Ok(Weights::embedded()) };
    let (bytes, name) = if let Ok(bytes) = value.cast::<PyBytes>() {
        (bytes.as_bytes().to_vec(), "weights".to_owned())
    } else {
        let path: PathBuf = value.extract().map_err(|_| {
            let found = crate::moves::type_name(value);
            PyTypeError::new_err(format!("weights are a path or bytes, not {found}"))
        })?;
        let name = umigame_othello::text::shown_path(&path);
        let file = |error| errors::of_file(&path, &error);
        if fs::metadata(&path).map_err(file)?.len() > MAX_WEIGHTS_BYTES {
            return Err(errors::unreadable(format!("{name}: too large for a weights file")));
        }
        (fs::read(&path).map_err(file)?, name)
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
/// ...     report = engine.analyse(umigame.Board("f5d6c3d3c4"), umigame.Limit(depth=12))
/// >>> report.move, report.kind
/// ('f4', '12')
/// >>> 0 < report.sigma < 10, round(sum(report.odds), 6)
/// (True, 1.0)
#[pyclass(module = "umigame", frozen)]
pub(crate) struct Engine {
    pub shared: Arc<Shared>,
}

impl Engine {
    /// Searches a position; passes reports to `callback`.
    fn search(
        &self,
        py: Python<'_>,
        position: Position,
        limits: &Limits,
        callback: Option<Py<PyAny>>,
    ) -> PyResult<Report> {
        self.shared.check_free()?;
        let wanted = callback.is_some();
        let report = interrupt::run(
            py,
            |stop, reports| {
                let mut engine = self.shared.lock(stop)?;
                let watch = Watch::new(stop, reports, wanted);
                Ok::<_, Unavailable>(engine.engine()?.search(position, limits, &watch))
            },
            |py, report| {
                if let Some(callback) = &callback {
                    callback.call1(py, (Report { report, position },))?;
                }
                Ok(())
            },
        )??;
        Ok(Report { report, position })
    }
}

#[pymethods]
impl Engine {
    #[new]
    #[pyo3(signature = (*, threads=1, hash_mb=64, weights=None))]
    fn new(
        py: Python<'_>,
        threads: usize,
        hash_mb: usize,
        weights: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<Engine> {
        let threads = interrupt::threads(Some(threads))?;
        let evaluation = self::weights(weights)?;
        let options = EngineOptions { hash: Megabytes(hash_mb), threads };
        let made = py.detach(|| engine::Engine::new(evaluation.clone(), options));
        let engine = Mutex::new(Some(made.map_err(errors::engine)?));
        let analysis = Mutex::default();
        Ok(Engine { shared: Arc::new(Shared { engine, analysis, evaluation, options }) })
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
    #[pyo3(signature = (board, limit=None, *, multipv=1, callback=None))]
    fn analyse(
        &self,
        py: Python<'_>,
        board: BoardArg,
        limit: Option<Limit>,
        multipv: usize,
        callback: Option<Py<PyAny>>,
    ) -> PyResult<Report> {
        let limits = limit.unwrap_or_default().limits(lines(multipv)?);
        self.search(py, board.0.position(), &limits, callback)
    }

    /// Chooses a move: `analyse` for a game that is not over. The move of the report is "pass" where
    /// passing is forced.
    #[pyo3(signature = (board, limit=None))]
    fn play(&self, py: Python<'_>, board: BoardArg, limit: Option<Limit>) -> PyResult<Report> {
        if board.0.is_over() {
            return Err(errors::illegal("no move: the game is over"));
        }
        self.search(py, board.0.position(), &limit.unwrap_or_default().limits(1), None)
    }

    /// Begins a search in the background: an iterator of reports, each deeper than the one before.
    ///
    /// Without a limit it goes on until the position is solved or it is stopped. Until then, other
    /// calls of the engine raise EngineError.
    ///
    /// >>> engine = umigame.Engine()
    /// >>> with engine.analysis(umigame.Board("f5d6c3"), multipv=2) as analysis:
    /// ...     for report in analysis:
    /// ...         if report.depth >= 8:
    /// ...             break
    /// >>> report.kind
    /// '8@73%'
    #[pyo3(signature = (board, limit=None, *, multipv=1))]
    fn analysis(
        &self,
        board: BoardArg,
        limit: Option<Limit>,
        multipv: usize,
    ) -> PyResult<Analysis> {
        let lines = lines(multipv)?;
        let limits = match limit {
            Some(limit) => limit.limits(lines),
            None => Limits::exact().with_lines(lines),
        };
        Analysis::begin(&self.shared, board.0.position(), limits)
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
    #[pyo3(signature = (board, *, wld=false, window=None, multipv=1, callback=None))]
    fn solve(
        &self,
        py: Python<'_>,
        board: BoardArg,
        wld: bool,
        window: Option<(i32, i32)>,
        multipv: usize,
        callback: Option<Py<PyAny>>,
    ) -> PyResult<Report> {
        let limits = exact_limits(wld, window, multipv)?;
        self.search(py, board.0.position(), &limits, callback)
    }

    /// Evaluates a position without search, in discs for the side to move.
    ///
    /// >>> float(umigame.Engine().evaluate("f5d6c3d3c4"))
    /// -1.31
    fn evaluate(&self, py: Python<'_>, board: BoardArg) -> Evaluation {
        let position = board.0.position();
        // The first call unpacks the weights.
        let centidiscs = py.detach(|| self.shared.evaluation.evaluate_position(position));
        Evaluation { centidiscs }
    }

    /// Takes the evaluation of a position apart: counts of both sides, groups of patterns.
    fn explain(&self, py: Python<'_>, board: BoardArg) -> PyResult<Explanation> {
        let (position, side) = (board.0.position(), board.0.side_to_move());
        let shared = &self.shared;
        interrupt::run_silently(py, |_| {
            Explanation(umigame_eval::explain(&shared.evaluation, position, side))
        })
    }

    /// Empties the transposition table: the next search visits the same nodes as a new engine's.
    fn clear(&self, py: Python<'_>) -> PyResult<()> {
        self.shared.check_free()?;
        interrupt::run_silently(py, |stop| {
            self.shared.lock(stop)?.engine()?.clear();
            Ok::<_, Unavailable>(())
        })??;
        Ok(())
    }

    /// Stops the engine's analysis and frees its memory and threads. Later calls raise EngineError.
    fn close(&self, py: Python<'_>) -> PyResult<()> {
        if let Some(stop) = &*self.shared.analysis() {
            stop.store(true, Relaxed);
        }
        interrupt::run_silently(py, |stop| {
            *self.shared.lock(stop)?.0 = None;
            Ok::<_, Unavailable>(())
        })??;
        Ok(())
    }

    fn __enter__(slf: PyRef<'_, Self>) -> PyRef<'_, Self> {
        slf
    }

    #[pyo3(signature = (*_exception))]
    fn __exit__(&self, py: Python<'_>, _exception: &Bound<'_, PyTuple>) -> PyResult<()> {
        self.close(py)
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
    window: Option<(i32, i32)>,
    multipv: usize,
) -> PyResult<Limits> {
    let goal = match window {
        Some(_) if wld => return Err(errors::wrong("wld and window: expected one of them")),
        Some((low, high)) => match (Score::new(low), Score::new(high)) {
            (Some(alpha), Some(beta)) if low < high => Goal::Window(alpha, beta),
            _ => {
                return Err(errors::wrong(format!(
                    "window=({low}, {high}): expected two scores from -64 to 64, the lower first"
                )));
            }
        },
        None if wld => Goal::WinLossDraw,
        None => Goal::Score,
    };
    Ok(Limits::exact().with_goal(goal).with_lines(lines(multipv)?))
}
