//! Games of files, one by one or in arrays.

use std::path::PathBuf;

use numpy::IntoPyArray;
use pyo3::prelude::*;
use umigame_othello::{Color, GameOutcome, Move, Position, Record};

use crate::arrays::position_array;
use crate::batches::Batches;
use crate::errors::chosen;
use crate::game::Game;
use crate::game_files::GameFiles;
use crate::moves::{NO_MOVE, index_of};
use crate::numbers::Int;

/// Score in arrays where it is unknown.
pub(crate) const NO_SCORE: i8 = -128;

/// The games of a file, one by one.
#[pyclass(module = "umigame", frozen)]
pub(crate) struct GameReader {
    games: GameFiles,
    skip: bool,
}

#[pymethods]
impl GameReader {
    fn __iter__(slf: PyRef<'_, Self>) -> PyRef<'_, Self> {
        slf
    }

    fn __next__(&self, py: Python<'_>) -> PyResult<Option<Game>> {
        loop {
            match self.games.next(py)? {
                None => return Ok(None),
                Some(Ok(record)) => return Ok(Some(record.into())),
                Some(Err(_)) if self.skip => {}
                Some(Err(error)) => return Err(error),
            }
        }
    }
}

/// What to do with faulty games.
const SKIPS: [(&str, bool); 2] = [("raise", false), ("skip", true)];

/// Reads the games of a file one by one, in the format of its extension: ggf, sgf, pgn, txt
/// (transcripts), obf or wtb (WTHOR, with names from .jou and .trn files beside it).
///
/// `path` may be a folder: then all files of games in it and in its subfolders are read, by name.
/// `format` overrides the extension; of a folder it chooses files. A faulty game raises ParseError, after which the iterator goes
/// on with the next game; with errors="skip" it is left out.
#[pyfunction]
#[pyo3(signature = (path, *, format=None, errors="raise"))]
pub(crate) fn read_games(
    path: PathBuf,
    format: Option<&str>,
    errors: &str,
) -> PyResult<GameReader> {
    let skip = chosen("errors", errors, &SKIPS)?;
    Ok(GameReader { games: GameFiles::open(path, format)?, skip })
}

/// Columns of the positions of games.
#[derive(Default)]
struct Columns {
    positions: Vec<Position>,
    moves: Vec<i8>,
    scores: Vec<i8>,
    games: Vec<u32>,
}

impl Columns {
    /// Adds the positions of a game in which a disc was placed.
    fn add(&mut self, record: &Record, number: u32) {
        let Ok(board) = record.board() else { return };
        let stated = || record.outcome.and_then(GameOutcome::score_for_black);
        let score = board.result_for_black().or_else(stated).map(|score| score.discs() as i8);
        let own = |side| {
            score.map_or(NO_SCORE, |score| if side == Color::Black { score } else { -score })
        };
        let (mut position, mut side) = (record.start, record.side);
        for turn in &record.turns {
            let next = match turn.played {
                Move::Place(square) => position.play(square),
                Move::Pass => Some(position.passed()),
            };
            let Some(next) = next else { return };
            if turn.played != Move::Pass {
                self.push(position, index_of(turn.played), own(side), number);
            }
            (position, side) = (next, !side);
        }
        if record.turns.is_empty() {
            self.push(position, NO_MOVE, own(side), number);
        }
    }

    fn push(&mut self, position: Position, played: i8, score: i8, game: u32) {
        self.positions.push(position);
        self.moves.push(played);
        self.scores.push(score);
        self.games.push(game);
    }
}

/// Reads the positions of a file of games in batches of at least `rows`, whole games.
#[pyfunction]
#[pyo3(signature = (path, *, format=None, errors="raise", rows=Int::Small(65536)),
    text_signature = "(path, *, format=None, errors='raise', rows=65536)")]
pub(crate) fn read_positions(
    path: PathBuf,
    format: Option<&str>,
    errors: &str,
    rows: Int,
) -> PyResult<Batches> {
    let rows = rows.count("rows")?;
    let (skip, games) = (chosen("errors", errors, &SKIPS)?, GameFiles::open(path, format)?);
    // A fault is raised by the call after it: the positions before it come first.
    let (mut numbers, mut fault) = (0.., None);
    Ok(Batches::new(move |py| {
        let mut columns = Columns::default();
        while columns.positions.len() < rows && fault.is_none() {
            let Some(record) = games.next(py)? else { break };
            match (record, numbers.next()) {
                (Ok(record), Some(number)) => columns.add(&record, number),
                (Err(_), _) if skip => {}
                (record, _) => fault = record.err(),
            }
        }
        if columns.positions.is_empty() {
            return fault.take().map_or(Ok(None), Err);
        }
        let arrays = (
            position_array(py, columns.positions)?,
            columns.moves.into_pyarray(py),
            columns.scores.into_pyarray(py),
            columns.games.into_pyarray(py),
        );
        arrays.into_pyobject(py).map(Some)
    }))
}
