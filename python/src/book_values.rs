//! Positions and moves of a book as the values of `umigame.results`.

use pyo3::prelude::*;
use umigame_book::{BookMove, GameStats, MoveView, PositionView};

use crate::moves::texts;
use crate::report::{Value, value};

/// Returns a move to play as a `BookMove`.
pub(crate) fn book_move<'py>(py: Python<'py>, found: &BookMove) -> Value<'py> {
    let trust = found.trust.map(|trust| trust.to_string());
    let pv = texts(&found.line);
    value(py, "BookMove", (pv, found.eval.discs(), found.games, found.win_rate, trust))
}

/// Returns results of games as `GameResults`.
fn results<'py>(py: Python<'py>, stats: &GameStats) -> Value<'py> {
    value(py, "GameResults", (stats.games, stats.wins, stats.draws, stats.losses, stats.mean()))
}

/// Returns a move of a position as a `BookReply`.
fn reply<'py>(py: Python<'py>, view: &MoveView) -> Value<'py> {
    let eval = view.value.map(|value| value.eval.discs());
    let trust = view.value.map(|value| value.trust.to_string());
    let equivalent = texts(&view.equivalent);
    let results = results(py, &view.stats)?;
    value(py, "BookReply", (view.played.to_string(), equivalent, results, eval, trust))
}

/// Returns a position as a `BookPosition`.
pub(crate) fn position<'py>(py: Python<'py>, view: &PositionView) -> Value<'py> {
    let entry = view.entry.as_ref();
    let backed_up = entry.and_then(|entry| entry.value);
    let search = entry.and_then(|entry| entry.search);
    let moves = view.moves.iter().map(|reply| self::reply(py, reply));
    let fields = (
        results(py, &entry.map_or_else(GameStats::default, |entry| entry.stats))?,
        backed_up.map(|value| value.eval.discs()),
        backed_up.map(|value| value.trust.to_string()),
        search.map(|search| (search.eval.discs(), search.kind.to_string())),
        moves.collect::<PyResult<Vec<_>>>()?,
    );
    value(py, "BookPosition", fields)
}
