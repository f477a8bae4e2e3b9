//! `umigame explain`: why a position is worth what it is.

use std::io::Write;

use anyhow::Result;
use umigame_engine::eval::explain;

use super::args::ExplainArgs;
use super::{Outcome, position};

pub(super) fn run(args: &ExplainArgs, out: &mut dyn Write) -> Result<Outcome> {
    let board = position::read(&args.position, args.side.as_deref())?;
    write!(out, "{}", explain(board.position(), board.side_to_move()))?;
    Ok(Outcome::Done)
}
