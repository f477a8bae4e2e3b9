//! `umigame explain`: the static evaluation of a position, taken apart.

use std::io::Write;

use anyhow::Result;
use umigame_eval::{SharedEvaluation, explain};

use super::args::ExplainArgs;
use umigame_support::exit::Exit;

pub(super) fn run(
    evaluation: &SharedEvaluation,
    args: &ExplainArgs,
    out: &mut dyn Write,
) -> Result<Exit> {
    let board = args.position.read()?;
    write!(out, "{}", explain(evaluation, board.position(), board.side_to_move()))?;
    Ok(Exit::Done)
}
