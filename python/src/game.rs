//! `Game`: a game with players and result, as files have it.

use std::path::PathBuf;
use std::time::Duration;

use pyo3::prelude::*;
use pyo3::types::{PyDict, PyString};
use umigame_othello::formats::wthor::Archive;
use umigame_othello::formats::{Format, ggf, obf, pgn, sgf, transcript};
use umigame_othello::{
    self as othello, Color, Eval, GameEnd, GameOutcome, Record, Score, Turn, position_text,
};

use crate::board::Board;
use crate::errors::{illegal, unreadable, wrong, wrong_type};
use crate::limits::seconds;
use crate::numbers::Float;
use crate::report::{attributes, eval_of};

/// A game with players, place, date and result, from any position.
///
/// `board` is a `Board`, whose moves are those of the game, or its text; "start" by default.
///
/// >>> game = umigame.Game(umigame.Board("f5d6c3"), black="Anna", white="Ben")
/// >>> game.ggf()
/// '(;GM[Othello]PC[]PB[Anna]PW[Ben]RE[?]TY[8]BO[8 ---------------------------O*------*O--------------------------- *]B[F5]W[D6]B[C3];)'
/// >>> umigame.Game.from_ggf(game.ggf()) == game
/// True
#[pyclass(module = "umigame", from_py_object)]
#[derive(Clone)]
pub(crate) struct Game {
    pub record: Record,
}

impl From<Record> for Game {
    fn from(record: Record) -> Game {
        Game { record }
    }
}

/// A text without the first byte-order mark.
fn text_of(text: &str) -> &str {
    text.trim_start_matches('\u{feff}')
}

#[pymethods]
impl Game {
    #[new]
    #[pyo3(signature = (board=None, *, black="", white="", place="", date="", result=None))]
    fn new(
        board: Option<crate::board::BoardArg>,
        black: &str,
        white: &str,
        place: &str,
        date: &str,
        result: Option<Float>,
    ) -> PyResult<Game> {
        let board = board.map_or_else(othello::Board::start, |board| board.0);
        let mut game = Game { record: Record::from_board(&board) };
        let [of_black, of_white] = &mut game.record.players;
        (of_black.name, of_white.name) = (black.to_owned(), white.to_owned());
        (game.record.place, game.record.date) = (place.to_owned(), date.to_owned());
        if result.is_some() {
            game.set_result(result)?;
        }
        Ok(game)
    }

    /// Reads the first game of a text in GGF.
    #[staticmethod]
    fn from_ggf(text: &str) -> PyResult<Game> {
        ggf::parse(text_of(text)).map(Game::from).map_err(unreadable)
    }

    /// Reads the first game of a text in SGF.
    #[staticmethod]
    fn from_sgf(text: &str) -> PyResult<Game> {
        sgf::parse(text_of(text)).map(Game::from).map_err(unreadable)
    }

    /// Reads the first game of a text in PGN.
    #[staticmethod]
    fn from_pgn(text: &str) -> PyResult<Game> {
        pgn::parse(text_of(text)).map(Game::from).map_err(unreadable)
    }

    /// Reads a transcript: moves, maybe after 64 squares and the side to move.
    ///
    /// >>> umigame.Game.from_transcript("f5d6c3").moves
    /// ['f5', 'd6', 'c3']
    #[staticmethod]
    fn from_transcript(text: &str) -> PyResult<Game> {
        transcript::parse(text_of(text)).map(Game::from).map_err(unreadable)
    }

    /// Reads a line of OBF: a game without moves from its position.
    #[staticmethod]
    fn from_obf(line: &str) -> PyResult<Game> {
        let problem = crate::board::obf_problem(text_of(line))?;
        Ok(Record::from_start(problem.position, problem.side).into())
    }

    /// Returns the game as a line of GGF, with all that is known of it.
    fn ggf(&self) -> String {
        ggf::text(&self.record)
    }

    /// Returns the game in SGF, without times.
    fn sgf(&self) -> String {
        sgf::text(&self.record)
    }

    /// Returns the game in PGN, without times and evals.
    fn pgn(&self) -> String {
        pgn::text(&self.record)
    }

    /// Returns the moves, without passes.
    fn transcript(&self) -> String {
        transcript::text(&self.record)
    }

    /// Returns the last position as a line of OBF.
    fn obf(&self) -> PyResult<String> {
        Ok(obf::Problem::from_board(&self.record.board().map_err(illegal)?).to_string())
    }

    /// The moves, passes included.
    #[getter]
    fn moves(&self) -> Vec<String> {
        self.record.turns.iter().map(|turn| turn.played.to_string()).collect()
    }

    /// The evals that the movers gave, in discs for the mover; None where there is none.
    #[getter]
    fn evals(&self) -> Vec<Option<f64>> {
        self.record.turns.iter().map(|turn| turn.eval.map(Eval::discs)).collect()
    }

    /// Sets the evals, one for each move.
    #[setter]
    fn set_evals(&mut self, evals: Vec<Option<Float>>) -> PyResult<()> {
        self.set_each("evals", evals, eval_of, |turn, eval| turn.eval = eval)
    }

    /// The seconds that the moves took; None where they are unknown.
    #[getter]
    fn times(&self) -> Vec<Option<f64>> {
        let seconds = |time: Duration| time.as_secs_f64();
        self.record.turns.iter().map(|turn| turn.time.map(seconds)).collect()
    }

    /// Sets the times, one for each move.
    #[setter]
    fn set_times(&mut self, times: Vec<Option<Float>>) -> PyResult<()> {
        let read = |time| seconds("time", time);
        self.set_each("times", times, read, |turn, time| turn.time = time)
    }

    /// The name of Black; "" if unknown.
    #[getter]
    fn black(&self) -> &str {
        &self.record.player(Color::Black).name
    }

    #[setter]
    fn set_black(&mut self, name: String) {
        self.record.players[0].name = name;
    }

    /// The name of White; "" if unknown.
    #[getter]
    fn white(&self) -> &str {
        &self.record.player(Color::White).name
    }

    #[setter]
    fn set_white(&mut self, name: String) {
        self.record.players[1].name = name;
    }

    /// The server, city or tournament; "" if unknown.
    #[getter]
    fn place(&self) -> &str {
        &self.record.place
    }

    #[setter]
    fn set_place(&mut self, place: String) {
        self.record.place = place;
    }

    /// The date as the file spells it; "" if unknown.
    #[getter]
    fn date(&self) -> &str {
        &self.record.date
    }

    #[setter]
    fn set_date(&mut self, date: String) {
        self.record.date = date;
    }

    /// Black's score in discs as the file states it; None if it does not.
    #[getter]
    fn result(&self) -> Option<f64> {
        self.record.outcome.map(|outcome| f64::from(outcome.black_centidiscs) / 100.0)
    }

    #[setter]
    fn set_result(&mut self, result: Option<Float>) -> PyResult<()> {
        self.record.outcome = match result.map(|discs| discs.0) {
            None => None,
            Some(discs) if (-64.0..=64.0).contains(&discs) => Some(GameOutcome {
                black_centidiscs: (discs * 100.0).round() as i32,
                end: GameEnd::Played,
            }),
            Some(discs) => return Err(wrong(format!("result {discs}: expected -64 to 64"))),
        };
        Ok(())
    }

    /// Returns the board after the last move, with all moves in its history.
    fn board(&self) -> PyResult<Board> {
        Ok(self.record.board().map_err(illegal)?.into())
    }

    /// Returns the board before the first move.
    fn start(&self) -> Board {
        self.record.start_board().into()
    }

    /// Returns Black's final score in discs: that of the board if the game was played to its end,
    /// else the stated one if it is whole, else None.
    fn final_score(&self) -> PyResult<Option<i32>> {
        let board = self.record.board().map_err(illegal)?;
        let stated = || self.record.outcome.and_then(GameOutcome::score_for_black);
        Ok(board.result_for_black().or_else(stated).map(Score::discs))
    }

    /// Returns players, place, date, result, start and moves with evals and times as a dict of plain
    /// types.
    pub(crate) fn to_dict<'py>(slf: &Bound<'py, Game>) -> PyResult<Bound<'py, PyDict>> {
        let names = ["black", "white", "place", "date", "result", "moves", "evals", "times"];
        let found = attributes(slf, &names)?;
        let game = slf.borrow();
        found.set_item("start", position_text(game.record.start, game.record.side))?;
        Ok(found)
    }

    fn _repr_svg_(&self) -> PyResult<String> {
        let board = self.record.board().map_err(illegal)?;
        Ok(umigame_analysis::diagram::Diagram::of_game(&board).with_pixels(360).svg())
    }

    fn __len__(&self) -> usize {
        self.record.turns.len()
    }

    fn __eq__(&self, other: &Game) -> bool {
        self.record == other.record
    }

    fn __repr__(&self) -> String {
        let players = |name: &str| if name.is_empty() { "?" } else { name }.to_owned();
        let (black, white) = (players(self.black()), players(self.white()));
        format!("Game({black} - {white}, {} moves)", self.record.turns.len())
    }

    #[allow(clippy::type_complexity, reason = "what pickle asks for")]
    fn __reduce__<'py>(
        slf: &Bound<'py, Game>,
    ) -> PyResult<(Bound<'py, PyAny>, (String,), (Option<()>, Bound<'py, PyDict>))> {
        // GGF has no brackets in names.
        let texts = attributes(slf, &["black", "white", "place", "date"])?;
        Ok((slf.get_type().getattr("from_ggf")?, (slf.borrow().ggf(),), (None, texts)))
    }
}

impl Game {
    /// Sets something of each move.
    fn set_each<T>(
        &mut self,
        name: &str,
        values: Vec<Option<Float>>,
        read: impl Fn(f64) -> PyResult<T>,
        set: impl Fn(&mut Turn, Option<T>),
    ) -> PyResult<()> {
        let (count, moves) = (values.len(), self.record.turns.len());
        if count != moves {
            return Err(wrong(format!("{count} {name} for {moves} moves")));
        }
        let values = values.into_iter().map(|value| value.map(|value| read(value.0)).transpose());
        let values: Vec<Option<T>> = values.collect::<PyResult<_>>()?;
        self.record.turns.iter_mut().zip(values).for_each(|(turn, value)| set(turn, value));
        Ok(())
    }
}

/// A game given as a `Game`, as a `Board` or as the text of a board.
pub(crate) struct GameArg(pub Record);

impl<'py> FromPyObject<'_, 'py> for GameArg {
    type Error = PyErr;

    fn extract(value: Borrowed<'_, 'py, PyAny>) -> PyResult<GameArg> {
        if let Ok(game) = value.cast::<Game>() {
            return Ok(GameArg(game.try_borrow()?.record.clone()));
        }
        if value.is_instance_of::<PyString>() || value.is_instance_of::<Board>() {
            let crate::board::BoardArg(board) = value.extract()?;
            return Ok(GameArg(Record::from_board(&board)));
        }
        Err(wrong_type("a game is a Game, a Board or a str", &value))
    }
}

/// The format with a name, or that of a file's extension.
///
/// # Errors
/// Neither is known.
pub(crate) fn format_of(path: &std::path::Path, name: Option<&str>) -> PyResult<Format> {
    const KNOWN: &str = "expected ggf, sgf, pgn, txt, obf or wtb";
    match name {
        Some(name) => Format::named(name).ok_or_else(|| {
            let name = othello::text::quote(name);
            wrong(format!("format `{name}` is unknown: {KNOWN}"))
        }),
        None => Format::of(path).ok_or_else(|| {
            let path = othello::text::shown_path(path);
            wrong(format!("{path}: the extension names no format: {KNOWN}, or give `format`"))
        }),
    }
}

/// Writes games to a file, in the format of its extension: ggf, sgf, pgn, txt, obf or wtb.
///
/// `format` overrides the extension. Of a game in OBF only the last position is kept; WTHOR (wtb)
/// takes finished games, and their names go into .jou and .trn files beside it. Returns the number
/// of games.
#[pyfunction]
#[pyo3(signature = (path, games, *, format=None))]
pub(crate) fn write_games(
    py: Python<'_>,
    path: PathBuf,
    games: &Bound<'_, PyAny>,
    format: Option<&str>,
) -> PyResult<usize> {
    let format = format_of(&path, format)?;
    let (mut text, mut archive, mut count) = (String::new(), Archive::default(), 0);
    for game in games.try_iter()? {
        let GameArg(record) = game?.extract()?;
        if format == Format::Wthor {
            archive.add(&record).map_err(|error| wrong(format!("game {count}: {error}")))?;
        } else {
            let written = format.text(&record);
            text += &written.ok_or_else(|| illegal(format!("game {count}: an illegal move")))?;
        }
        count += 1;
        py.check_signals()?;
    }
    let written = py.detach(|| match format {
        Format::Wthor => umigame_training::wthor::write(&path, &archive),
        _ => std::fs::write(&path, text).map_err(|error| (path, error)),
    });
    written.map_err(|(path, error)| crate::errors::of_file(&path, &error))?;
    Ok(count)
}
