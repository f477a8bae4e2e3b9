//! Judgements of positions as plain tuples, for pickles.

use pyo3::prelude::*;
use umigame_analysis::{Judgement, Valuation, ValuedMove};
use umigame_engine::{Estimate, Wdl};
use umigame_othello::{Move, Record};

use crate::errors::{illegal, wrong};
use crate::moves::texts;
use crate::report::{eval_of, kind_of, moves_of};

/// Eval, standard deviation, probabilities of win and loss, kind of search.
type SavedValue = (f64, Option<f64>, Option<(f64, f64)>, String);
/// A line and its value.
type SavedMove = (Vec<String>, SavedValue);
/// Value, value by the search of the position alone, best move, move played.
pub(crate) type SavedJudgement = (SavedValue, SavedValue, Option<SavedMove>, Option<SavedMove>);

fn save_value(value: &Valuation) -> SavedValue {
    let Estimate { eval, std_dev, wdl } = value.estimate;
    let wdl = wdl.map(|wdl| (wdl.win(), wdl.loss()));
    (eval.discs(), std_dev, wdl, value.kind.to_string())
}

fn save_move(valued: &ValuedMove) -> SavedMove {
    (texts(&valued.line), save_value(&valued.value))
}

/// Returns what does not follow from the game.
pub(crate) fn save(judged: &Judgement) -> SavedJudgement {
    (
        save_value(&judged.value),
        save_value(&judged.searched),
        judged.best.as_ref().map(save_move),
        judged.played.as_ref().map(save_move),
    )
}

fn restore_value((eval, std_dev, wdl, kind): SavedValue) -> PyResult<Valuation> {
    let wdl = wdl.map(|(win, loss)| Wdl::new(win, loss));
    let estimate = Estimate { eval: eval_of(eval)?, std_dev, wdl };
    Ok(Valuation { estimate, kind: kind_of(&kind)? })
}

fn restore_move(saved: Option<SavedMove>) -> PyResult<Option<ValuedMove>> {
    let restore = |(line, value): SavedMove| {
        Ok(ValuedMove { line: moves_of(&line)?, value: restore_value(value)? })
    };
    saved.map(restore).transpose()
}

/// Returns the judgements of a game, in the order of its positions.
///
/// # Errors
/// They are not those of this game.
pub(crate) fn restore(record: &Record, saved: Vec<SavedJudgement>) -> PyResult<Vec<Judgement>> {
    if saved.len() != record.turns.len() + 1 {
        let positions = record.turns.len() + 1;
        return Err(wrong(format!("{} judgements of {positions} positions", saved.len())));
    }
    let mut board = record.start_board();
    let mut judgements = Vec::with_capacity(saved.len());
    let mut turns = record.turns.iter();
    let mut number = 1;
    for (value, searched, best, played) in saved {
        judgements.push(Judgement {
            ply: board.plies(),
            number,
            side: board.side_to_move(),
            position: board.position(),
            value: restore_value(value)?,
            searched: restore_value(searched)?,
            best: restore_move(best)?,
            played: restore_move(played)?,
            // A pickle has no other moves: `analyze_game` values none.
            others: Vec::new(),
        });
        if let Some(turn) = turns.next() {
            number += usize::from(turn.played != Move::Pass);
            board.play(turn.played).map_err(illegal)?;
        }
    }
    Ok(judgements)
}
