//! `umigame hint`: the best moves of a position.

use std::io::Write;

use anyhow::Result;
use umigame_engine::{Report, SharedEvaluation, Silent};

use super::args::{GameArgs, HintArgs};
use super::format::{Hints, MAX_MOVES};
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
    let every = if args.board { MAX_MOVES } else { 1 };
    let count = args.count.map_or(every, |count| count as usize);
    let book_moves = session.book_moves(count);
    let report = if book_moves.is_empty() {
        // The time of a search is for thinking, not for unpacking.
        session.prepare();
        session.hint(count, &Silent::default())
    } else {
        Report::default()
    };
    let hints = Hints { board: &board, book_moves: &book_moves, report: &report };
    if args.jsonl {
        format::hints_as_json(&hints, out)?
    } else {
        format::hints_as_text(&hints, args.board, out)?
    }
    Ok(Exit::Done)
}
