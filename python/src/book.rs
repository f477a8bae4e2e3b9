//! `Book`: the position database.

use std::path::PathBuf;
use std::sync::atomic::AtomicBool;
use std::sync::mpsc::Sender;
use std::sync::{Arc, Mutex};
use std::time::Instant;

use pyo3::prelude::*;
use pyo3::types::{PyDict, PyTuple};
use umigame_book::{
    self as book, AddedGames, BookError, BookGame, ChoiceCriterion, ChoicePolicy, CompactBook,
    GrowSettings, PlayBook, StoredSearch,
};
use umigame_engine::{Confidence, EngineOptions, Evaluation, Megabytes, ScoreKind};
use umigame_othello::Position;

use crate::arrays::{Moves, PositionArray, Positions, position_array};
use crate::batches::Batches;
use crate::board::BoardArg;
use crate::book_values::{book_move, position};
use crate::errors::{self, chosen};
use crate::game::GameArg;
use crate::interrupt;
use crate::layers::layers;
use crate::limits::{Limit, seconds, tolerance};
use crate::moves::move_of;
use crate::numbers::{Float, Int, within};
use crate::report::{ReportArg, Value, eval_of};
use crate::shared_book::{SharedBook, with_book, with_database, with_writable};

/// Games read between two checks for signals.
const RECORDS_PER_CHECK: usize = 256;

fn criterion(by: &str) -> PyResult<ChoiceCriterion> {
    let criteria = [("value", ChoiceCriterion::Value), ("win-rate", ChoiceCriterion::WinRate)];
    chosen("by", by, &criteria)
}

/// Returns the kind of a search of a position to a depth.
fn search_kind(position: Position, depth: u8, percent: u8) -> Option<ScoreKind> {
    let confidence = Confidence::from_percent(percent.into())?;
    let to_the_end = u32::from(depth) >= position.empties();
    Some(match confidence {
        Confidence::FULL if to_the_end => ScoreKind::Exact,
        _ if to_the_end => ScoreKind::Endgame { confidence },
        _ => ScoreKind::Depth { plies: depth, confidence },
    })
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
/// ...     [(reply.move, reply.results.games) for reply in book.view(umigame.Board()).moves]
/// (1, 0)
/// [('f5', 1)]
#[pyclass(module = "umigame", frozen)]
pub(crate) struct Book {
    book: SharedBook,
    path: PathBuf,
}

impl Book {
    /// Gives a book of either kind to a function, without the interpreter's lock.
    fn with<T: Send>(
        &self,
        py: Python<'_>,
        work: impl FnOnce(&mut PlayBook) -> Result<T, BookError> + Send,
    ) -> PyResult<T> {
        let work = |book: &mut PlayBook, _: &_, _: &_| work(book).map_err(errors::book);
        with_book(py, &self.book, work, |_, ()| Ok(()))
    }
}

context_manager!(Book, close);

#[pymethods]
impl Book {
    #[new]
    #[pyo3(signature = (path, mode="r", *, max_ply=None))]
    fn new(py: Python<'_>, path: PathBuf, mode: &str, max_ply: Option<Int>) -> PyResult<Book> {
        let max_ply = within(max_ply, "max_ply", 1..=book::MAX_PLY)?;
        let writable = chosen("mode", mode, &[("r", false), ("a", true)])?;
        let open = || {
            if !writable && CompactBook::is_compact(&path) {
                return CompactBook::read(&path).map(PlayBook::Compact);
            }
            let book =
                if writable { book::Book::create(&path, max_ply) } else { book::Book::read(&path) };
            book.map(|book| PlayBook::Full { book, writable })
        };
        let opened = py.detach(open).map_err(errors::book)?;
        Ok(Book { book: Arc::new(Mutex::new(Some(opened))), path })
    }

    /// The file.
    #[getter]
    fn path(&self) -> PathBuf {
        self.path.clone()
    }

    /// The last ply whose positions are kept.
    #[getter]
    fn max_ply(&self, py: Python<'_>) -> PyResult<u8> {
        with_database(py, &self.book, |book| Ok(book.max_ply()))
    }

    /// Counts the rows: games, positions, searched and proven positions.
    fn counts<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let found = with_database(py, &self.book, |book| book.counts())?;
        let counts = PyDict::new(py);
        counts.set_item("games", found.games)?;
        counts.set_item("positions", found.positions)?;
        counts.set_item("searched", found.searched)?;
        counts.set_item("proven", found.exact)?;
        Ok(counts)
    }

    /// Returns the book's entry for a position.
    fn view<'py>(&self, py: Python<'py>, board: BoardArg) -> Value<'py> {
        let view = with_database(py, &self.book, |book| book.view(&board.0))?;
        position(py, &view)
    }

    /// Returns the moves to play in a position, best first; [] where the best is unknown.
    ///
    /// `by` is "value", or "win-rate" for the results of games.
    #[pyo3(signature = (board, *, by="value"))]
    fn moves<'py>(
        &self,
        py: Python<'py>,
        board: BoardArg,
        by: &str,
    ) -> PyResult<Vec<Bound<'py, PyAny>>> {
        let (criterion, position) = (criterion(by)?, board.0.position());
        let moves = self.with(py, |book| book.moves(position, criterion))?;
        moves.iter().map(|found| book_move(py, found)).collect()
    }

    /// Chooses a move at random among those at most `tolerance` discs worse than the best; None
    /// where the best is unknown. The same `seed` makes the same choice.
    #[pyo3(signature = (board, *, by="value", tolerance=Float(0.0), seed=None),
        text_signature = "($self, board, *, by='value', tolerance=0.0, seed=None)")]
    fn choose<'py>(
        &self,
        py: Python<'py>,
        board: BoardArg,
        by: &str,
        tolerance: Float,
        seed: Option<Int>,
    ) -> PyResult<Option<Bound<'py, PyAny>>> {
        let tolerance_centidiscs = (100.0 * self::tolerance(tolerance)?).round() as i32;
        let seed = within(seed, "seed", 0..=u64::MAX)?;
        let policy = ChoicePolicy { criterion: criterion(by)?, tolerance_centidiscs };
        let position = board.0.position();
        let mut random = seed.map_or_else(fastrand::Rng::new, fastrand::Rng::with_seed);
        let found = self.with(py, |book| book.choose(position, policy, &mut random))?;
        found.map(|found| book_move(py, &found)).transpose()
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
        let work = |book: &mut book::Book, stop: &AtomicBool, done: &Sender<usize>| {
            let mut added = AddedGames::default();
            for games in records.chunks(book::Book::MAX_GAMES_PER_COMMIT) {
                added += book.add_until(games, stop)?;
                // The receiver lives as long as the work.
                let _ = done.send(games.len());
            }
            Ok(added)
        };
        let told = crate::many::progress(callback, records.len());
        let added = with_writable(py, &self.book, work, told)?;
        Ok((added.new, added.known))
    }

    /// Adds a game and, where it is unfinished, the report of a search of its last position.
    /// Returns whether the game was new.
    #[pyo3(signature = (game, report=None))]
    fn learn(&self, py: Python<'_>, game: GameArg, report: Option<ReportArg>) -> PyResult<bool> {
        let GameArg(record) = game;
        let report = report.map(|report| report.0);
        let added = self.with(py, |book| book.learn(&record, report.as_ref()))?;
        Ok(added.new > 0)
    }

    /// Searches the positions that matter most for the value of a position, `root`, for some
    /// seconds; returns the numbers of rounds, of positions expanded, and of positions searched.
    ///
    /// Each round is one commit. `limit` bounds each search, level 16 by default. `callback` is
    /// called after each round with the number of positions searched.
    #[pyo3(signature = (seconds, *, root=None, limit=None, threads=Int::Small(1),
        hash_mb=Int::Small(64), callback=None), text_signature = "($self, seconds, *, root=None, \
        limit=None, threads=1, hash_mb=64, callback=None)")]
    fn grow(
        &self,
        py: Python<'_>,
        seconds: Float,
        root: Option<BoardArg>,
        limit: Option<Limit>,
        threads: Int,
        hash_mb: Int,
        callback: Option<Py<PyAny>>,
    ) -> PyResult<(u64, u64, u64)> {
        let threads = interrupt::threads(Some(threads))?;
        let settings = GrowSettings {
            root: root.map_or(umigame_othello::Position::START, |root| root.0.position()),
            limits: limit.unwrap_or_default().limits(1),
            evaluation: Evaluation::embedded(),
            search: EngineOptions { hash: Megabytes(hash_mb.count("hash_mb")?), threads },
            until: Instant::now() + self::seconds("seconds", seconds.0)?,
        };
        let work = |book: &mut book::Book, stop: &AtomicBool, searched: &Sender<u64>| {
            book.grow(&settings, stop, |_, progress| {
                // The receiver lives as long as the work.
                let _ = searched.send(progress.searched);
            })
        };
        let told = |py: Python<'_>, searched| match &callback {
            Some(callback) => callback.call1(py, (searched,)).map(drop),
            None => Ok(()),
        };
        let progress = with_writable(py, &self.book, work, told)?;
        Ok((progress.rounds, progress.expanded, progress.searched))
    }

    /// Returns the positions whose searches matter most for the value of a position, `root`: the moves
    /// of about `expand` positions, shape (n, 2); none where nothing is left. With `add_searches` it
    /// grows a book by searches made elsewhere.
    #[pyo3(signature = (expand=Int::Small(1), *, root=None),
        text_signature = "($self, expand=1, *, root=None)")]
    fn positions_to_search<'py>(
        &self,
        py: Python<'py>,
        expand: Int,
        root: Option<BoardArg>,
    ) -> PyResult<PositionArray<'py>> {
        let expand = expand.count("expand")?;
        let root = root.map_or(umigame_othello::Position::START, |root| root.0.position());
        let found = with_database(py, &self.book, |book| book.positions_to_search(root, expand))?;
        position_array(py, found)
    }

    /// Adds searches of positions in one commit: evals in discs, best moves (-1 where the game is
    /// over), plies and confidences in percent, as `Results` has them. Returns the number of
    /// positions whose value changed.
    fn add_searches(
        &self,
        py: Python<'_>,
        positions: Positions,
        evals: Vec<f64>,
        moves: Moves,
        depths: Vec<u8>,
        confidences: Vec<u8>,
    ) -> PyResult<usize> {
        let (Positions(positions), Moves(moves)) = (positions, moves);
        let rows = positions.len();
        let lengths = [evals.len(), moves.len(), depths.len(), confidences.len()];
        if lengths.iter().any(|&length| length != rows) {
            return Err(errors::wrong(format!(
                "{rows} positions, and columns of {lengths:?} rows"
            )));
        }
        let search = |row: usize| {
            let position = positions[row];
            let kind = search_kind(position, depths[row], confidences[row])
                .ok_or_else(|| errors::wrong(format!("row {row}: no such depth or confidence")))?;
            let eval = eval_of(evals[row])?;
            Ok((position, StoredSearch { eval, kind, best: move_of(moves[row].into()) }))
        };
        let searches = (0..rows).map(search).collect::<PyResult<Vec<_>>>()?;
        let work =
            |book: &mut book::Book, _: &AtomicBool, _: &Sender<()>| book.add_searches(searches);
        with_writable(py, &self.book, work, |_, ()| Ok(()))
    }

    /// Returns an iterator over all positions as arrays, first ply first. Prefer
    /// `umigame.arrays.read_book`.
    fn layers(&self) -> Batches {
        layers(self.book.clone())
    }

    /// Closes the file. Later calls raise BookError.
    fn close(&self, py: Python<'_>) -> PyResult<()> {
        interrupt::run_silently(py, |stop| {
            if let Some(mut book) = interrupt::lock(&self.book, stop) {
                *book = None;
            }
        })
    }

    fn __repr__(&self) -> String {
        format!("Book('{}')", umigame_othello::text::shown_path(&self.path))
    }
}
