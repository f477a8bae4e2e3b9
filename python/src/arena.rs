//! `umigame.arena`: engines as processes, and matches between them.

use std::collections::{BTreeMap, HashSet};
use std::path::PathBuf;
use std::sync::mpsc::Sender;
use std::sync::{Arc, Mutex};

use pyo3::prelude::*;
use pyo3::types::{PyString, PyTuple};
use umigame_arena::openings;
use umigame_arena::{
    ChosenMove, EngineConfig, EnginePlayer, EngineProtocol, Estimate, Fault, FaultKind, GameLine,
    MatchError, MatchPlan, MatchRunner, PairingScheme, Patience, ProcessRegistry, SearchInfo,
    Seconds, Standings, TimeLimit, distinguish_names,
};
use umigame_othello::formats::transcript;
use umigame_othello::{self as othello, Eval};

use crate::board::{Board, BoardArg};
use crate::errors::{self, chosen, illegal, wrong, wrong_type};
use crate::game::{Game, GameArg};
use crate::interrupt;
use crate::limits::{Limit, seconds};
use crate::moves::{color_text, texts};
use crate::numbers::{Float, Int};
use crate::report::{Value, value};
use crate::shared::hold;

/// Most games of a match.
const MAX_GAMES: usize = 1_000_000;

/// An engine given as a command, as its words, or as a running one, of which another is started.
pub(crate) struct CommandArg(EngineConfig);

impl<'py> FromPyObject<'_, 'py> for CommandArg {
    type Error = PyErr;

    fn extract(value: Borrowed<'_, 'py, PyAny>) -> PyResult<CommandArg> {
        if let Ok(engine) = value.cast::<EngineProcess>() {
            return Ok(CommandArg(engine.get().config.clone()));
        }
        if let Ok(text) = value.cast::<PyString>() {
            let config = EngineConfig::parse(&text.to_string_lossy());
            return config.map(CommandArg).map_err(wrong);
        }
        let expected = "an engine is a command as a str or a list of str, or an EngineProcess";
        let words: Vec<String> = value.extract().map_err(|_| wrong_type(expected, &value))?;
        // Read without its arguments, which may have quotation marks of their own.
        let program = words.first().map(String::as_str).unwrap_or_default();
        let mut config = EngineConfig::parse(&format!("'{program}'")).map_err(wrong)?;
        config.command = words;
        Ok(CommandArg(config))
    }
}

/// The exception for an engine that failed.
fn failed(fault: Fault) -> PyErr {
    if fault.kind == FaultKind::Illegal && fault.why.starts_with("no move") {
        errors::illegal(fault.why)
    } else {
        errors::engine(fault)
    }
}

/// The protocols by their names.
const PROTOCOLS: [(&str, EngineProtocol); 3] = [
    ("auto", EngineProtocol::Auto),
    ("nboard", EngineProtocol::Nboard),
    ("gtp", EngineProtocol::Gtp),
];

/// Waits of a call, as Python gives them.
fn patience(start: Float, answer: Float) -> PyResult<Patience> {
    Ok(Patience {
        start: seconds("start_timeout", start.0)?,
        answer: seconds("timeout", answer.0)?,
    })
}

/// An engine in a process of its own, which speaks NBoard or GTP.
///
/// `command` is a command line, or its words; settings may stand before it in brackets, as for
/// `umigame match`: "[name=old depth=6] ./engine nboard". `protocol` is "nboard", "gtp", or "auto",
/// which finds out. `limit` is passed on to the engine: depth, level, nodes, time or clock.
/// `options` are sent as settings. `timeout` is the wait for an answer of an engine without a clock,
/// in seconds, `start_timeout` that for its first answer.
///
/// A fault (a crash, a hang, an illegal move) ends the process and raises EngineError; so do Ctrl-C
/// and `close`, with all that the process has started.
#[pyclass(module = "umigame.arena", frozen)]
pub(crate) struct EngineProcess {
    /// `None` once closed.
    player: Mutex<Option<EnginePlayer>>,
    board: Mutex<othello::Board>,
    registry: Arc<ProcessRegistry>,
    config: EngineConfig,
}

/// Runs work with engines; an interrupt ends their processes.
fn with_engines<T: Send>(
    py: Python<'_>,
    registry: &ProcessRegistry,
    work: impl FnOnce() -> T + Send,
) -> PyResult<T> {
    interrupt::run_with(py, || registry.stop(), |_: &Sender<()>| work(), |_, ()| Ok(()))
}

impl EngineProcess {
    /// Asks the engine about the position that was set; an interrupt ends its process.
    fn ask<T: Send>(
        &self,
        py: Python<'_>,
        ask: impl FnOnce(&mut EnginePlayer, &othello::Board) -> Result<T, Fault> + Send,
    ) -> PyResult<T> {
        let board = hold(&self.board).clone();
        let answer = with_engines(py, &self.registry, || {
            let mut player = hold(&self.player);
            player.as_mut().map(|player| ask(player, &board))
        })?;
        let answer = answer.ok_or_else(|| errors::engine("the engine was closed"))?;
        answer.map_err(failed)
    }
}

context_manager!(EngineProcess, close);

#[pymethods]
impl EngineProcess {
    #[new]
    #[pyo3(signature = (command, *, name=None, protocol="auto", limit=None, options=None,
        folder=None, timeout=Float(60.0), start_timeout=Float(60.0)),
        text_signature = "(command, *, name=None, protocol='auto', limit=None, options=None, \
        folder=None, timeout=60.0, start_timeout=60.0)")]
    fn new(
        py: Python<'_>,
        command: CommandArg,
        name: Option<String>,
        protocol: &str,
        limit: Option<Limit>,
        options: Option<BTreeMap<String, String>>,
        folder: Option<PathBuf>,
        timeout: Float,
        start_timeout: Float,
    ) -> PyResult<EngineProcess> {
        let CommandArg(mut config) = command;
        if let Some(name) = name {
            config.name = name;
        }
        if protocol != "auto" {
            config.protocol = chosen("protocol", protocol, &PROTOCOLS)?;
        }
        if let Some(limit) = limit {
            config.limits = limit.for_process()?;
        }
        config.options.extend(options.unwrap_or_default());
        config.folder = folder.or(config.folder);
        let patience = patience(start_timeout, timeout)?;
        let registry = Arc::<ProcessRegistry>::default();
        let start = || EnginePlayer::start(config, &registry, patience);
        let player = with_engines(py, &registry, start)?.map_err(errors::engine)?;
        let config = player.config().clone();
        let (player, board) = (Mutex::new(Some(player)), Mutex::new(othello::Board::start()));
        Ok(EngineProcess { player, board, registry, config })
    }

    /// The name.
    #[getter]
    fn name(&self) -> &str {
        &self.config.name
    }

    /// The protocol, "nboard" or "gtp".
    #[getter]
    fn protocol(&self) -> &'static str {
        if self.config.protocol == EngineProtocol::Gtp { "gtp" } else { "nboard" }
    }

    /// Sets the position of the next questions: the start of a game at first.
    fn set_position(&self, board: BoardArg) {
        *hold(&self.board) = board.0;
    }

    /// Asks for a move in the position. A forced pass is answered without the engine; a game that
    /// is over raises IllegalMove.
    fn go<'py>(&self, py: Python<'py>) -> Value<'py> {
        let ChosenMove { played, search: SearchInfo { eval, depth, nodes }, time } =
            self.ask(py, EnginePlayer::go)?;
        let eval = eval.map(Eval::discs);
        value(py, "ChosenMove", (played.to_string(), eval, depth, nodes, time.as_secs_f64()))
    }

    /// Asks for the best `count` moves of the position, and ends the search after `seconds`. GTP has
    /// no hints.
    #[pyo3(signature = (count=Int::Small(1), *, seconds=Float(1.0)),
        text_signature = "($self, count=1, *, seconds=1.0)")]
    fn hint<'py>(
        &self,
        py: Python<'py>,
        count: Int,
        seconds: Float,
    ) -> PyResult<Vec<Bound<'py, PyAny>>> {
        let count = count.within("count", 1..=64)?;
        let time = self::seconds("seconds", seconds.0)?;
        let hints = self.ask(py, |player, board| player.hint(board, count, time))?;
        let hints = hints.into_iter();
        let values = hints.map(|hint| (texts(&hint.line), hint.eval.map(Eval::discs), hint.depth));
        values.map(|fields| value(py, "Hint", fields)).collect()
    }

    /// Asks the engine to quit, and ends it. Later calls raise EngineError.
    fn close(&self, py: Python<'_>) -> PyResult<()> {
        interrupt::run_silently(py, |_| {
            if let Some(player) = hold(&self.player).take() {
                player.quit();
            }
        })
    }

    fn __repr__(&self) -> String {
        format!("EngineProcess({}, {})", self.config.name, self.protocol())
    }
}

/// Returns an estimate as an `Interval`.
fn interval(py: Python<'_>, estimate: Estimate) -> Value<'_> {
    value(py, "Interval", (estimate.value, estimate.low, estimate.high))
}

const fn fault_word(kind: FaultKind) -> &'static str {
    match kind {
        FaultKind::Resigned => "resigned",
        FaultKind::Clock => "clock",
        FaultKind::Hang => "hang",
        FaultKind::Crash => "crash",
        FaultKind::Illegal => "illegal",
        FaultKind::Protocol => "protocol",
    }
}

/// Returns a game of a match as a `MatchGame`.
fn match_game<'py>(py: Python<'py>, line: &GameLine, engines: &[EngineConfig]) -> Value<'py> {
    let limit = |name: &String| {
        let engine = engines.iter().find(|engine| engine.name == *name);
        engine.map_or(TimeLimit::None, |engine| TimeLimit::of(engine, engine.bank, 30))
    };
    let record = line.to_record([limit(&line.black), limit(&line.white)]).map_err(errors::fault)?;
    let forfeit = line.forfeit.as_ref().map(|forfeit| {
        let loser = color_text(forfeit.loser);
        value(py, "Forfeit", (loser, fault_word(forfeit.kind), forfeit.why.clone()))
    });
    let fields = (line.game, Game::from(record), line.score, line.opening, forfeit.transpose()?);
    value(py, "MatchGame", fields)
}

/// Returns the result of a match as a `MatchResult`.
fn match_result<'py>(py: Python<'py>, standings: &Standings, games: Vec<Py<PyAny>>) -> Value<'py> {
    let tally = standings.tallies.first().copied().unwrap_or_default();
    let elo = tally.pairs.elo().map(|elo| interval(py, elo)).transpose()?;
    let discs = tally.pair_discs.estimate().map(|discs| interval(py, discs)).transpose()?;
    let names = standings.names.clone();
    value(py, "MatchResult", (names, tally.wins, tally.draws, tally.losses, elo, discs, games))
}

/// The exception for a match that cannot be played.
fn no_match(error: MatchError) -> PyErr {
    match error {
        MatchError::Launch(_) => errors::engine(error),
        _ => wrong(error),
    }
}

/// Returns different boards after `plies` random moves. The same `seed` makes the same boards.
///
/// >>> from umigame.arena import random_openings
/// >>> boards = random_openings(10, plies=6, seed=1)
/// >>> len(set(boards)), boards == random_openings(10, plies=6, seed=1)
/// (10, True)
#[pyfunction]
#[pyo3(signature = (count, *, plies=Int::Small(8), seed=Int::Small(0)),
    text_signature = "(count, *, plies=8, seed=0)")]
pub(crate) fn random_openings(count: Int, plies: Int, seed: Int) -> PyResult<Vec<Board>> {
    let records = random_records(count.within("count", 1..=MAX_GAMES)?, plies, seed)?;
    records.iter().map(|record| Ok(record.board().map_err(illegal)?.into())).collect()
}

/// Returns random openings of a number of plies.
fn random_records(count: usize, plies: Int, seed: Int) -> PyResult<Vec<othello::Record>> {
    let plies = plies.within("plies", 0..=50)?;
    let seed = seed.within("seed", 0..=u64::MAX)?;
    let found = openings::random(plies, count, seed).map_err(wrong)?;
    Ok(found.into_iter().map(|opening| opening.record).collect())
}

/// Plays games between two engines, every opening twice with colours swapped, and returns the
/// result from the view of `a`.
///
/// `a` and `b` are commands as for `EngineProcess`, or such engines, of which others are started.
/// `openings` are boards, games or texts; without any, `random_openings` makes them by `seed`, so
/// that games differ. `games` is even. `limit` bounds engines without limits of their own. `threads`
/// games are played at once. `margin` is the tolerance beyond a clock, in seconds. `callback` is
/// called with each game as it ends; an exception from it ends the match, and so does Ctrl-C, with
/// all engines.
#[pyfunction]
#[pyo3(signature = (a, b, *, openings=None, games=Int::Small(100), limit=None,
    threads=Int::Small(1), seed=Int::Small(0), margin=Float(0.05), timeout=Float(60.0),
    start_timeout=Float(60.0), callback=None), text_signature = "(a, b, *, openings=None, \
    games=100, limit=None, threads=1, seed=0, margin=0.05, timeout=60.0, start_timeout=60.0, \
    callback=None)")]
pub(crate) fn play_match<'py>(
    py: Python<'py>,
    a: CommandArg,
    b: CommandArg,
    openings: Option<Vec<GameArg>>,
    games: Int,
    limit: Option<Limit>,
    threads: Int,
    seed: Int,
    margin: Float,
    timeout: Float,
    start_timeout: Float,
    callback: Option<Py<PyAny>>,
) -> Value<'py> {
    let pairs = match games.within("games", 2..=MAX_GAMES)? {
        games if games.is_multiple_of(2) => games / 2,
        games => return Err(wrong(format!("games={games}: expected an even number"))),
    };
    let mut engines = vec![a.0, b.0];
    if let Some(limit) = &limit {
        // An engine's own limits replace those of the match.
        for engine in engines.iter_mut().filter(|engine| engine.limits.is_none()) {
            engine.limits = limit.for_process()?;
        }
    }
    distinguish_names(&mut engines);
    let records = match openings {
        Some(openings) => openings.into_iter().map(|opening| opening.0).collect(),
        None => random_records(pairs, Int::Small(8), seed)?,
    };
    let patience = patience(start_timeout, timeout)?;
    let plan = MatchPlan {
        engines,
        scheme: PairingScheme::default(),
        pairs,
        openings: records.iter().map(opening_text).collect(),
        concurrency: interrupt::threads(Some(threads))?,
        pin: false,
        margin: Seconds(seconds("margin", margin.0)?),
        patience: Seconds(patience.answer),
        start_patience: Seconds(patience.start),
        sprt: None,
    };
    play(py, plan, callback)
}

/// Plays a match and passes each game to `callback`.
fn play(py: Python<'_>, mut plan: MatchPlan, callback: Option<Py<PyAny>>) -> Value<'_> {
    let registry = Arc::<ProcessRegistry>::default();
    let runner = with_engines(py, &registry, || MatchRunner::new(&plan, &registry, None))?;
    let runner = runner.map_err(no_match)?;
    // Now with their protocols.
    plan.engines = runner.engines().cloned().collect();
    let (mut standings, mut played) = (Standings::new(&plan), Vec::new());
    let ended = interrupt::run_with(
        py,
        || registry.stop(),
        |lines| {
            runner.run(&HashSet::new(), |line| {
                // The receiver lives as long as the work.
                let _ = lines.send(line);
                Ok(true)
            })
        },
        |py, line: GameLine| {
            standings.add(&line);
            let game = match_game(py, &line, &plan.engines)?;
            played.push(game.clone().unbind());
            if let Some(callback) = &callback {
                callback.call1(py, (game,))?;
            }
            Ok(())
        },
    )?;
    ended.map_err(no_match)?;
    match_result(py, &standings, played)
}

/// Returns an opening as a line of a list of openings.
fn opening_text(record: &othello::Record) -> String {
    match transcript::text(record) {
        moves if moves.is_empty() => othello::position_text(record.start, record.side),
        moves => moves,
    }
}
