//! `umigame hint`: the best moves of a position.

use std::io::Write;

use anyhow::Result;
use umigame_engine::{Report, SharedEvaluation, Silent};

use super::args::{GameArgs, HintArgs};
use super::{format, settings};
use umigame_support::exit::Exit;

pub(super) fn run(
    evaluation: &SharedEvaluation,
    args: HintArgs,
    out: &mut dyn Write,
) -> Result<Exit> {
    settings::require_number(&args.engine)?;
    let board = args.position.read()?;
    let game = GameArgs { engine: args.engine, book: args.book, ..GameArgs::default() };
    let mut session = settings::session(evaluation, &game)?;
    session.set_board(board.clone());
    let count = args.count as usize;
    let book_moves = session.book_moves(count);
    let report = if book_moves.is_empty() {
        // The time of a search is for thinking, not for unpacking.
        session.prepare();
        session.hint(count, &Silent::default())
    } else {
        Report::default()
    };
    if args.jsonl {
        format::hints_as_json(&board, &book_moves, &report, out)?
    } else {
        format::hints_as_text(&board, &book_moves, &report, out)?
    }
    Ok(Exit::Done)
}
