//! `umigame explain`: why a position is worth what it is.

use std::io::Write;

use anyhow::Result;
use umigame_engine::eval::{SharedEvaluation, explain};

use super::args::ExplainArgs;
use super::{Outcome, position};

pub(super) fn run(
    evaluation: &SharedEvaluation,
    args: &ExplainArgs,
    out: &mut dyn Write,
) -> Result<Outcome> {
    let board = position::read(&args.position, args.side.as_deref())?;
    write!(out, "{}", explain(evaluation, board.position(), board.side_to_move()))?;
    Ok(Outcome::Done)
}
