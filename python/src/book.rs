//! `Book`: the position database.

use std::path::PathBuf;
use std::sync::mpsc::Sender;
use std::sync::{Arc, Mutex};
use std::time::Instant;

use pyo3::prelude::*;
use pyo3::types::{PyDict, PyTuple};
use umigame_book::{
    self as book, AddedGames, BookError, BookGame, ChoiceCriterion, ChoicePolicy, CompactBook,
    GameStats, GrowSettings, MoveView, PlayBook, PositionView,
};
use umigame_engine::{EngineOptions, Evaluation, Megabytes};

use crate::board::BoardArg;
use crate::errors::{self, wrong};
use crate::game::GameArg;
use crate::interrupt;
use crate::layers::BookLayers;
use crate::limits::{Limit, seconds};
use crate::moves::texts;
use crate::report::Report;

/// Adds the classes to the module.
pub(crate) fn add_to(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add_class::<Book>()?;
    module.add_class::<BookMove>()?;
    module.add_class::<BookPosition>()?;
    module.add_class::<BookReply>()?;
    module.add_class::<BookLayers>()
}

/// A book in use by one thread at a time; `None` once closed.
pub(crate) type SharedBook = Arc<Mutex<Option<PlayBook>>>;

/// Games read between two checks for signals.
const RECORDS_PER_CHECK: usize = 256;

/// Reasons why a call of a book fails.
pub(crate) enum Failed {
    Book(BookError),
    Closed,
    /// Only the database serves the call.
    Compact,
    Interrupted,
}

impl From<BookError> for Failed {
    fn from(error: BookError) -> Failed {
        Failed::Book(error)
    }
}

impl From<Failed> for PyErr {
    fn from(failed: Failed) -> PyErr {
        match failed {
            Failed::Book(error) => errors::book(error),
            Failed::Closed => errors::BookError::new_err("the book was closed"),
            Failed::Compact => {
                errors::BookError::new_err("a compact book has moves only: open the database")
            }
            Failed::Interrupted => errors::BookError::new_err("the wait for the book was ended"),
        }
    }
}

/// Gives the database to a function, without the interpreter's lock.
pub(crate) fn with_database<T: Send>(
    py: Python<'_>,
    shared: &SharedBook,
    work: impl FnOnce(&mut book::Book, &std::sync::atomic::AtomicBool) -> Result<T, Failed> + Send,
) -> PyResult<T> {
    let done = interrupt::run_silently(py, |stop| {
        let mut guard = interrupt::lock(shared, stop).ok_or(Failed::Interrupted)?;
        match guard.as_mut().ok_or(Failed::Closed)? {
            PlayBook::Full { book, .. } => work(book, stop),
            PlayBook::Compact(_) => Err(Failed::Compact),
        }
    })?;
    Ok(done?)
}

fn criterion(by: &str) -> PyResult<ChoiceCriterion> {
    match by {
        "value" => Ok(ChoiceCriterion::Value),
        "win-rate" => Ok(ChoiceCriterion::WinRate),
        other => {
            let other = umigame_othello::text::quote(other);
            Err(wrong(format!("by=`{other}`: expected 'value' or 'win-rate'")))
        }
    }
}

/// A move that a book knows.
#[pyclass(module = "umigame", frozen)]
pub(crate) struct BookMove(book::BookMove);

#[pymethods]
impl BookMove {
    /// The move.
    #[getter]
    fn r#move(&self) -> String {
        self.0.played().to_string()
    }

    /// The move; for the best move, followed by the best line.
    #[getter]
    fn pv(&self) -> Vec<String> {
        texts(&self.0.line)
    }

    /// The value, or the mean result where games decide, in discs for the side that moves.
    #[getter]
    fn eval(&self) -> f64 {
        self.0.eval.discs()
    }

    /// The games with a result that met the position after the move.
    #[getter]
    fn games(&self) -> u32 {
        self.0.games
    }

    /// The share of these games won by the side that moves, 0 to 1; None without games.
    #[getter]
    fn win_rate(&self) -> Option<f64> {
        self.0.win_rate
    }

    /// How far the value can be trusted: "played", "searched", "exact"; None without a value.
    #[getter]
    fn trust(&self) -> Option<String> {
        self.0.trust.map(|trust| trust.to_string())
    }

    fn __repr__(&self) -> String {
        format!("BookMove({} {})", self.0.played(), self.0.eval)
    }
}

/// Results of games for the side to move, as a dict.
fn results<'py>(py: Python<'py>, stats: &GameStats) -> PyResult<Bound<'py, PyDict>> {
    let results = PyDict::new(py);
    results.set_item("games", stats.games)?;
    results.set_item("wins", stats.wins)?;
    results.set_item("draws", stats.draws)?;
    results.set_item("losses", stats.losses)?;
    results.set_item("mean", stats.mean())?;
    Ok(results)
}

/// A move of a position in a book, with its games.
#[pyclass(module = "umigame", frozen)]
pub(crate) struct BookReply(MoveView);

#[pymethods]
impl BookReply {
    /// The move as people usually write it.
    #[getter]
    fn r#move(&self) -> String {
        self.0.played.to_string()
    }

    /// All moves that are equivalent by symmetry, this one included.
    #[getter]
    fn equivalent(&self) -> Vec<String> {
        texts(&self.0.equivalent)
    }

    /// The results for the side that moves: games, wins, draws, losses, mean.
    #[getter]
    fn results<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        results(py, &self.0.stats)
    }

    /// The value in discs for the side that moves, or None.
    #[getter]
    fn eval(&self) -> Option<f64> {
        self.0.value.map(|value| value.eval.discs())
    }

    /// How far the value can be trusted: "played", "searched", "exact"; None without a value.
    #[getter]
    fn trust(&self) -> Option<String> {
        self.0.value.map(|value| value.trust.to_string())
    }

    fn __repr__(&self) -> String {
        format!("BookReply({}, {} games)", self.0.played, self.0.stats.games)
    }
}

/// A position as a book knows it.
#[pyclass(module = "umigame", frozen)]
pub(crate) struct BookPosition(PositionView);

#[pymethods]
impl BookPosition {
    /// The results for the side to move: games, wins, draws, losses, mean.
    #[getter]
    fn results<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let entry = self.0.entry.as_ref();
        results(py, &entry.map_or_else(GameStats::default, |entry| entry.stats))
    }

    /// The value in discs for the side to move, or None.
    #[getter]
    fn eval(&self) -> Option<f64> {
        self.0.entry.as_ref()?.value.map(|value| value.eval.discs())
    }

    /// How far the value can be trusted: "played", "searched", "exact"; None without a value.
    #[getter]
    fn trust(&self) -> Option<String> {
        self.0.entry.as_ref()?.value.map(|value| value.trust.to_string())
    }

    /// The eval and the kind of the best search of the position itself, or None.
    #[getter]
    fn search(&self) -> Option<(f64, String)> {
        let search = self.0.entry.as_ref()?.search?;
        Some((search.eval.discs(), search.kind.to_string()))
    }

    /// The moves, those with most games first.
    #[getter]
    fn moves(&self) -> Vec<BookReply> {
        self.0.moves.iter().cloned().map(BookReply).collect()
    }

    fn __repr__(&self) -> String {
        let games = self.0.entry.as_ref().map_or(0, |entry| entry.stats.games);
        format!("BookPosition({games} games, {} moves)", self.0.moves.len())
    }
}

/// A database of positions, games and searches in one file.
///
/// `mode` is "r" to read, also a compact book, or "a" to read and write; "a" makes a missing file.
/// `max_ply`, 1 to 60, is the last ply whose positions are kept, fixed when the file is made.
///
/// >>> import tempfile, pathlib
/// >>> folder = tempfile.TemporaryDirectory()
/// >>> with umigame.Book(pathlib.Path(folder.name, "book.sqlite"), "a") as book:
/// ...     book.add([umigame.Game(umigame.Board("f5d6c3d3c4"))])
/// ...     book.view(umigame.Board()).moves
/// (1, 0)
/// [BookReply(f5, 1 games)]
#[pyclass(module = "umigame", frozen)]
pub(crate) struct Book {
    book: SharedBook,
    path: PathBuf,
}

#[pymethods]
impl Book {
    #[new]
    #[pyo3(signature = (path, mode="r", *, max_ply=None))]
    fn new(py: Python<'_>, path: PathBuf, mode: &str, max_ply: Option<u8>) -> PyResult<Book> {
        if let Some(ply) = max_ply
            && !(1..=book::MAX_PLY).contains(&ply)
        {
            return Err(wrong(format!("max_ply={ply}: expected 1 to {}", book::MAX_PLY)));
        }
        let opened = py.detach(|| match mode {
            "r" if CompactBook::is_compact(&path) => {
                Some(CompactBook::read(&path).map(PlayBook::Compact))
            }
            "r" => {
                Some(book::Book::read(&path).map(|book| PlayBook::Full { book, writable: false }))
            }
            "a" => Some(
                book::Book::create(&path, max_ply)
                    .map(|book| PlayBook::Full { book, writable: true }),
            ),
            _ => None,
        });
        let opened = opened.ok_or_else(|| {
            let mode = umigame_othello::text::quote(mode);
            wrong(format!("mode=`{mode}`: expected 'r' or 'a'"))
        })?;
        Ok(Book { book: Arc::new(Mutex::new(Some(opened.map_err(errors::book)?))), path })
    }

    /// The file.
    #[getter]
    fn path(&self) -> PathBuf {
        self.path.clone()
    }

    /// The last ply whose positions are kept.
    #[getter]
    fn max_ply(&self, py: Python<'_>) -> PyResult<u8> {
        with_database(py, &self.book, |book, _| Ok(book.max_ply()))
    }

    /// Counts the rows: games, positions, searched and proven positions.
    fn counts<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let found = with_database(py, &self.book, |book, _| Ok(book.counts()?))?;
        let counts = PyDict::new(py);
        counts.set_item("games", found.games)?;
        counts.set_item("positions", found.positions)?;
        counts.set_item("searched", found.searched)?;
        counts.set_item("proven", found.exact)?;
        Ok(counts)
    }

    /// Returns the book's entry for a position.
    fn view(&self, py: Python<'_>, board: BoardArg) -> PyResult<BookPosition> {
        let view = with_database(py, &self.book, |book, _| Ok(book.view(&board.0)?))?;
        Ok(BookPosition(view))
    }

    /// Returns the moves to play in a position, best first; [] where the best is unknown.
    ///
    /// `by` is "value", or "win-rate" for the results of games.
    #[pyo3(signature = (board, *, by="value"))]
    fn moves(&self, py: Python<'_>, board: BoardArg, by: &str) -> PyResult<Vec<BookMove>> {
        let (criterion, position) = (criterion(by)?, board.0.position());
        let moves = self.with(py, |book| Ok(book.moves(position, criterion)?))?;
        Ok(moves.into_iter().map(BookMove).collect())
    }

    /// Chooses a move at random among those at most `tolerance` discs worse than the best; None
    /// where the best is unknown. The same `seed` makes the same choice.
    #[pyo3(signature = (board, *, by="value", tolerance=0.0, seed=None))]
    fn choose(
        &self,
        py: Python<'_>,
        board: BoardArg,
        by: &str,
        tolerance: f64,
        seed: Option<u64>,
    ) -> PyResult<Option<BookMove>> {
        if !(0.0..=128.0).contains(&tolerance) {
            return Err(wrong(format!("tolerance={tolerance}: expected 0 to 128 discs")));
        }
        let tolerance_centidiscs = (100.0 * tolerance).round() as i32;
        let policy = ChoicePolicy { criterion: criterion(by)?, tolerance_centidiscs };
        let position = board.0.position();
        let mut random = seed.map_or_else(fastrand::Rng::new, fastrand::Rng::with_seed);
        let found = self.with(py, |book| Ok(book.choose(position, policy, &mut random)?))?;
        Ok(found.map(BookMove))
    }

    /// Adds games and backs their results up; returns the numbers of games that were new and known.
    ///
    /// At most 40,000 games are one commit. An interrupt undoes the commit in progress; those before
    /// it stay. `callback` is called with the numbers of games done and in total.
    #[pyo3(signature = (games, *, callback=None))]
    fn add(
        &self,
        py: Python<'_>,
        games: &Bound<'_, PyAny>,
        callback: Option<Py<PyAny>>,
    ) -> PyResult<(u64, u64)> {
        let mut records = Vec::new();
        for game in games.try_iter()? {
            let GameArg(record) = game?.extract()?;
            records.push(BookGame::of(&record).map_err(errors::illegal)?);
            // No Python code runs between games of a list.
            if records.len().is_multiple_of(RECORDS_PER_CHECK) {
                py.check_signals()?;
            }
        }
        let total = records.len();
        let added = interrupt::run(
            py,
            |stop, done: &Sender<usize>| {
                let mut guard = interrupt::lock(&self.book, stop).ok_or(Failed::Interrupted)?;
                let book = match guard.as_mut().ok_or(Failed::Closed)? {
                    PlayBook::Full { book, writable: true } => book,
                    _ => return Err(BookError::NotWritable.into()),
                };
                let mut added = AddedGames::default();
                for games in records.chunks(book::Book::MAX_GAMES_PER_COMMIT) {
                    let more = book.add_until(games, stop)?;
                    added.new += more.new;
                    added.known += more.known;
                    // The receiver lives as long as the work.
                    let _ = done.send(games.len());
                }
                Ok::<_, Failed>(added)
            },
            crate::many::progress(callback, total),
        )??;
        Ok((added.new, added.known))
    }

    /// Adds a game and, where it is unfinished, the report of a search of its last position.
    /// Returns whether the game was new.
    #[pyo3(signature = (game, report=None))]
    fn learn(
        &self,
        py: Python<'_>,
        game: GameArg,
        report: Option<PyRef<'_, Report>>,
    ) -> PyResult<bool> {
        let GameArg(record) = game;
        let report = report.map(|report| report.report.clone());
        let added = self.with(py, |book| Ok(book.learn(&record, report.as_ref())?))?;
        Ok(added.new > 0)
    }

    /// Searches the positions that matter most for the value of a position, `root`, for some
    /// seconds; returns the numbers of rounds, of positions expanded, and of positions searched.
    ///
    /// Each round is one commit. `limit` bounds each search, level 16 by default. `callback` is
    /// called after each round with the number of positions searched.
    #[pyo3(signature = (seconds, *, root=None, limit=None, threads=1, hash_mb=64, callback=None))]
    #[allow(clippy::too_many_arguments, reason = "all but one are keywords")]
    fn grow(
        &self,
        py: Python<'_>,
        seconds: f64,
        root: Option<BoardArg>,
        limit: Option<Limit>,
        threads: usize,
        hash_mb: usize,
        callback: Option<Py<PyAny>>,
    ) -> PyResult<(u64, u64, u64)> {
        let threads = interrupt::threads(Some(threads))?;
        let settings = GrowSettings {
            root: root.map_or(umigame_othello::Position::START, |root| root.0.position()),
            limits: limit.unwrap_or_default().limits(1),
            evaluation: Evaluation::embedded(),
            search: EngineOptions { hash: Megabytes(hash_mb), threads },
            until: Instant::now() + self::seconds("seconds", seconds)?,
        };
        let progress = interrupt::run(
            py,
            |stop, searched: &Sender<u64>| {
                let mut guard = interrupt::lock(&self.book, stop).ok_or(Failed::Interrupted)?;
                let book = match guard.as_mut().ok_or(Failed::Closed)? {
                    PlayBook::Full { book, writable: true } => book,
                    _ => return Err(BookError::NotWritable.into()),
                };
                let tell = |_: &book::Book, progress: book::GrowProgress| {
                    // The receiver lives as long as the work.
                    let _ = searched.send(progress.searched);
                };
                Ok::<_, Failed>(book.grow(&settings, stop, tell)?)
            },
            |py, searched| {
                if let Some(callback) = &callback {
                    callback.call1(py, (searched,))?;
                }
                Ok(())
            },
        )??;
        Ok((progress.rounds, progress.expanded, progress.searched))
    }

    /// Returns an iterator over all positions as arrays, first ply first. Prefer
    /// `umigame.arrays.read_book`.
    fn layers(&self) -> BookLayers {
        BookLayers::new(self.book.clone())
    }

    /// Closes the file. Later calls raise BookError.
    fn close(&self, py: Python<'_>) -> PyResult<()> {
        interrupt::run_silently(py, |stop| {
            if let Some(mut book) = interrupt::lock(&self.book, stop) {
                *book = None;
            }
        })
    }

    fn __enter__(slf: PyRef<'_, Self>) -> PyRef<'_, Self> {
        slf
    }

    #[pyo3(signature = (*_exception))]
    fn __exit__(&self, py: Python<'_>, _exception: &Bound<'_, PyTuple>) -> PyResult<()> {
        self.close(py)
    }

    fn __repr__(&self) -> String {
        format!("Book('{}')", umigame_othello::text::shown_path(&self.path))
    }
}

impl Book {
    /// Gives a book of either kind to a function, without the interpreter's lock.
    fn with<T: Send>(
        &self,
        py: Python<'_>,
        work: impl FnOnce(&mut PlayBook) -> Result<T, Failed> + Send,
    ) -> PyResult<T> {
        let done = interrupt::run_silently(py, |stop| {
            let mut guard = interrupt::lock(&self.book, stop).ok_or(Failed::Interrupted)?;
            work(guard.as_mut().ok_or(Failed::Closed)?)
        })?;
        Ok(done?)
    }
}
